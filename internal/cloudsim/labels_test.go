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
	"net/http"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

func TestLabels(t *testing.T) {
	r := newRig(t)
	server := r.AddServer(r.dc, cloudsim.ServerSeed{Name: "node"})
	volume := r.AddVolume(r.dc, "", "data")
	snapshot := r.AddSnapshot(location, "backup", 10)
	paths := map[string]string{
		"datacenter": "/datacenters/" + r.dc, "server": "/datacenters/" + r.dc + "/servers/" + server, "volume": "/datacenters/" + r.dc + "/volumes/" + volume,
		"image": "/images/" + r.image, "ipblock": "/ipblocks/" + r.block, "snapshot": "/snapshots/" + snapshot,
	}
	ids := map[string]string{"datacenter": r.dc, "server": server, "volume": volume, "image": r.image, "ipblock": r.block, "snapshot": snapshot}
	for kind, path := range paths {
		t.Run(kind, func(t *testing.T) {
			body := `{"properties":{"key":"team","value":"a"}}`
			answer, shown := r.raw(t, http.MethodPost, path+"/labels", body)
			if answer.StatusCode != http.StatusCreated || shown["id"] != "team" || answer.Header.Get("Location") != "" {
				t.Fatalf("got %d with %v", answer.StatusCode, shown)
			}
			if answer, _ = r.raw(t, http.MethodPost, path+"/labels", body); answer.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("second label of that key: got %d, want 422", answer.StatusCode)
			}
			if answer, _ = r.raw(t, http.MethodPut, path+"/labels/team", `{"properties":{"key":"team","value":"b"}}`); answer.StatusCode != http.StatusOK {
				t.Errorf("PUT: got %d", answer.StatusCode)
			}
			_, shown = r.raw(t, http.MethodGet, path+"/labels/team", "")
			if value := shown["properties"].(map[string]any)["value"]; value != "b" {
				t.Errorf("got value %v, want b", value)
			}
		})
	}
	labels, _, err := r.sdk.LabelsApi.LabelsGet(t.Context()).Depth(1).Execute()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, label := range *labels.Items {
		p := label.Properties
		if *label.Id != "urn:label:"+*p.ResourceType+":"+*p.ResourceId+":"+*p.Key || ids[*p.ResourceType] != *p.ResourceId || *p.ResourceHref != r.URL+"/cloudapi/v6"+paths[*p.ResourceType] {
			t.Errorf("got label %s of %s %s at %s", *label.Id, *p.ResourceType, *p.ResourceId, *p.ResourceHref)
		}
		got = append(got, *p.ResourceType+" "+*p.Key+"="+*p.Value)
	}
	sort.Strings(got)
	want := []string{"datacenter team=b", "image os=ubuntu", "image team=b", "ipblock team=b", "server team=b", "snapshot team=b", "volume team=b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, _, err := r.sdk.LabelsApi.LabelsFindByUrn(t.Context(), "urn:label:image:"+r.image+":os").Execute(); err != nil {
		t.Error(err)
	}
	for kind, path := range paths {
		if answer, _ := r.raw(t, http.MethodDelete, path+"/labels/team", ""); answer.StatusCode != http.StatusOK {
			t.Errorf("%s: DELETE got %d", kind, answer.StatusCode)
		}
		if answer, _ := r.raw(t, http.MethodDelete, path+"/labels/team", ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: second DELETE got %d, want 404", kind, answer.StatusCode)
		}
	}
	if answer, _ := r.raw(t, http.MethodPost, "/datacenters/"+r.dc+"/lans/1/labels", `{"properties":{"key":"a","value":"b"}}`); answer.StatusCode != http.StatusNotFound {
		t.Errorf("label of a LAN: got %d, want 404", answer.StatusCode)
	}
}

func TestLabelsOfTheSDK(t *testing.T) {
	r := newRig(t)
	if _, _, err := r.sdk.LabelsApi.IpblocksLabelsPost(t.Context(), r.block).Label(ionoscloud.LabelResource{Properties: &ionoscloud.LabelResourceProperties{Key: ptr.To("a"), Value: ptr.To("b")}}).Execute(); err != nil {
		t.Fatal(err)
	}
	labels, _, err := r.sdk.LabelsApi.IpblocksLabelsGet(t.Context(), r.block).Depth(1).Execute()
	if err != nil || len(*labels.Items) != 1 || *(*labels.Items)[0].Properties.Value != "b" {
		t.Errorf("got %v and %v", labels.Items, err)
	}
}
