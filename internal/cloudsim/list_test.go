/*
Copyright 2026 The Cluster API Provider IONOS Cloud Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

package cloudsim_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// shape says how far a resource is shown: r for a reference, p for properties, and in brackets its children, by name.
func shape(shown map[string]any, children ...string) string {
	text := "r"
	if shown["properties"] != nil {
		text = "p"
	}
	entities, _ := shown["entities"].(map[string]any)
	if len(children) == 0 || entities == nil {
		return text
	}
	collection, _ := entities[children[0]].(map[string]any)
	return text + "[" + shapeOfItems(collection, children[1:]...) + "]"
}

func shapeOfItems(collection map[string]any, children ...string) string {
	items, _ := collection["items"].([]any)
	text := ""
	for _, item := range items {
		text += shape(item.(map[string]any), children...)
	}
	return text
}

func TestDepth(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN))
	for _, test := range []struct {
		path     string
		isList   bool
		children []string
		want     [6]string
	}{
		{"/datacenters/" + r.dc, false, []string{"servers", "nics"}, [6]string{"p", "p[r]", "p[p]", "p[p[r]]", "p[p[p]]", "p[p[p]]"}},
		{"/datacenters/" + r.dc + "/servers/" + *server.Id, false, []string{"nics"}, [6]string{"p", "p[r]", "p[p]", "p[p]", "p[p]", "p[p]"}},
		{"/datacenters/" + r.dc + "/servers", true, []string{"nics"}, [6]string{"r", "p", "p[r]", "p[p]", "p[p]", "p[p]"}},
		{"/datacenters/" + r.dc + "/lans", true, []string{"nics"}, [6]string{"rr", "pp", "p[r]p[]", "p[p]p[]", "p[p]p[]", "p[p]p[]"}},
		{"/ipblocks", true, nil, [6]string{"r", "p", "p", "p", "p", "p"}},
		{"/labels", true, nil, [6]string{"r", "p", "p", "p", "p", "p"}},
		{"/images", true, nil, [6]string{"r", "p", "p", "p", "p", "p"}},
	} {
		for depth, want := range test.want {
			_, shown := r.raw(t, http.MethodGet, fmt.Sprintf("%s?depth=%d", test.path, depth), "")
			got := shape(shown, test.children...)
			if test.isList {
				got = shapeOfItems(shown, test.children...)
			}
			if got != want {
				t.Errorf("%s at depth %d: got %s, want %s", test.path, depth, got, want)
			}
		}
	}
}

func TestEnvelopes(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN))
	id := *server.Id
	response, shown := r.raw(t, http.MethodGet, "/datacenters/"+r.dc+"/servers/"+id, "")
	if got := response.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("got content type %q", got)
	}
	metadata := shown["metadata"].(map[string]any)
	if response.Header.Get("ETag") == "" || response.Header.Get("ETag") != metadata["etag"] {
		t.Errorf("got ETag %q, want %q", response.Header.Get("ETag"), metadata["etag"])
	}
	if created := metadata["createdDate"].(string); created[len(created)-1] != 'Z' {
		t.Errorf("date %s has no Z", created)
	}
	if href := r.URL + "/cloudapi/v6/datacenters/" + r.dc + "/servers/" + id; shown["href"] != href || shown["type"] != "server" || shown["id"] != id {
		t.Errorf("got %v %v at %v, want %s", shown["type"], shown["id"], shown["href"], href)
	}
	response, shown = r.raw(t, http.MethodGet, "/datacenters/"+r.dc+"/servers/"+id+"?depth=1", "")
	if got := response.Header.Get("ETag"); got != "" {
		t.Errorf("ETag %q is sent although depth is used", got)
	}
	nics := shown["entities"].(map[string]any)["nics"].(map[string]any)
	if nics["id"] != id+"/nics" || nics["type"] != "collection" {
		t.Errorf("got collection %v of type %v", nics["id"], nics["type"])
	}
	for _, unknown := range []string{"/nope", "/datacenters/nope", "/datacenters/" + r.dc + "/lans/99", "//datacenters", "/datacenters/" + r.dc + "/natgateways"} {
		response, shown := r.raw(t, http.MethodGet, unknown, "")
		messages, _ := shown["messages"].([]any)
		if response.StatusCode != http.StatusNotFound || shown["httpStatus"] != 404.0 || len(messages) != 1 {
			t.Errorf("%s: got %d with %v, want 404 in an envelope", unknown, response.StatusCode, shown)
		}
	}
	response, _ = r.raw(t, http.MethodPost, "/datacenters/"+r.dc+"/lans", "{")
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("no JSON: got %d, want 400", response.StatusCode)
	}
}

func TestPaging(t *testing.T) {
	r := newRig(t)
	for i := range 249 {
		r.AddIPBlock(location, fmt.Sprintf("198.51.%d.%d", 100+i/100, i%100))
	}
	// The SDK asks for 100 blocks, and gets no more even if it asks for more.
	blocks, _, err := r.sdk.IPBlocksApi.IpblocksGet(t.Context()).Execute()
	if err != nil || len(*blocks.Items) != 100 {
		t.Errorf("got %d blocks and %v, want 100", len(*blocks.Items), err)
	}
	if blocks.Links.Next == nil || blocks.Links.Prev != nil {
		t.Errorf("first page: next %v, prev %v", blocks.Links.Next, blocks.Links.Prev)
	}
	blocks, _, err = r.sdk.IPBlocksApi.IpblocksGet(t.Context()).Limit(500).Execute()
	if err != nil || len(*blocks.Items) != 100 {
		t.Errorf("got %d blocks and %v with a higher limit, want 100", len(*blocks.Items), err)
	}
	seen := map[string]bool{}
	for offset := int32(0); offset < 300; offset += 100 {
		page, _, err := r.sdk.IPBlocksApi.IpblocksGet(t.Context()).Offset(offset).Execute()
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range *page.Items {
			seen[*block.Id] = true
		}
		if isLast := offset == 200; (page.Links.Next == nil) != isLast || (page.Links.Prev == nil) != (offset == 0) {
			t.Errorf("offset %d: next %v, prev %v", offset, page.Links.Next, page.Links.Prev)
		}
	}
	if len(seen) != 250 {
		t.Errorf("got %d blocks on all pages, want 250", len(seen))
	}
	_, page := r.raw(t, http.MethodGet, "/ipblocks?offset=900", "")
	if items := page["items"].([]any); len(items) != 0 {
		t.Errorf("got %d blocks behind the end", len(items))
	}
}

func TestHigherLimits(t *testing.T) {
	r := newRig(t, cloudsim.WithHigherLimits())
	for i := range 149 {
		r.AddIPBlock(location, fmt.Sprintf("198.51.100.%d", i))
	}
	blocks, _, err := r.sdk.IPBlocksApi.IpblocksGet(t.Context()).Limit(500).Execute()
	if err != nil || len(*blocks.Items) != 150 {
		t.Errorf("got %d blocks and %v, want 150", len(*blocks.Items), err)
	}
}

func TestFilterAndOrder(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"b", "c", "a"} {
		r.AddServer(r.dc, cloudsim.ServerSeed{Name: "node-" + name})
	}
	r.AddServer(r.dc, cloudsim.ServerSeed{Name: "other"})
	names := func(query string) []string {
		_, shown := r.raw(t, http.MethodGet, "/datacenters/"+r.dc+"/servers?depth=1&"+query, "")
		var names []string
		for _, item := range shown["items"].([]any) {
			names = append(names, item.(map[string]any)["properties"].(map[string]any)["name"].(string))
		}
		return names
	}
	for query, want := range map[string][]string{
		"filter.name=node-":                        {"node-a", "node-b", "node-c"},
		"filter.name=node-b":                       {"node-b"},
		"filter.name=nope":                         nil,
		"filter.name=node-&maxResults=2":           {"node-a", "node-b"},
		"filter.vmState=RUNNING&filter.name=other": {"other"},
		"filter.vmState=SHUTOFF":                   nil,
		"orderBy=name&limit=1":                     {"node-a"},
		"orderBy=name&offset=3":                    {"other"},
	} {
		if diff := cmp.Diff(want, names(query)); diff != "" {
			t.Errorf("%s:\n%s", query, diff)
		}
	}
}
