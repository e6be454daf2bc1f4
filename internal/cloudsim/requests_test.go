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
	"encoding/json"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

func TestRequestList(t *testing.T) {
	clock := clocktesting.NewFakeClock(start)
	r := newRig(t, cloudsim.WithClock(clock))
	r.create(t, "first")
	clock.Step(time.Hour)
	server := r.create(t, "second", nic(publicLAN))
	response, err := r.sdk.ServersApi.DatacentersServersStopPost(t.Context(), r.dc, *server.Id).Execute()
	r.done(t, response, err)

	list := func() ionoscloud.ApiRequestsGetRequest { return r.sdk.RequestsApi.RequestsGet(t.Context()).Depth(2) }
	servers := "datacenters/" + r.dc + "/servers"
	for name, test := range map[string]struct {
		call ionoscloud.ApiRequestsGetRequest
		want int
	}{
		"all":                          {list(), 3},
		"method":                       {list().FilterMethod("POST"), 3},
		"no such method":               {list().FilterMethod("PATCH"), 0},
		"url is searched for a part":   {list().FilterUrl(servers), 3},
		"other url":                    {list().FilterUrl("ipblocks"), 0},
		"created after":                {list().FilterCreatedAfter("2026-01-02 03:30:00"), 2},
		"created before":               {list().FilterCreatedBefore("2026-01-02 03:30:00"), 1},
		"body":                         {list().FilterBody(`"name":"second"`), 1},
		"status":                       {list().FilterStatus("DONE"), 3},
		"other status":                 {list().FilterStatus("QUEUED"), 0},
		"limit":                        {list().Limit(2), 2},
		"offset":                       {list().Offset(2), 1},
		"several filters must all fit": {list().FilterMethod("POST").FilterBody("second"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := test.call.Execute()
			if err != nil {
				t.Fatal(err)
			}
			if len(*got.Items) != test.want {
				t.Errorf("got %d requests, want %d", len(*got.Items), test.want)
			}
		})
	}
	_, _, err = list().FilterCreatedAfter("yesterday").Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "", "createdAfter")
}

func TestRequestShowsWhatWasAsked(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN))
	list, _, err := r.sdk.RequestsApi.RequestsGet(t.Context()).Depth(2).Execute()
	if err != nil {
		t.Fatal(err)
	}
	got := (*list.Items)[0]
	if *got.Properties.Method != http.MethodPost || !strings.Contains(*got.Properties.Url, "/cloudapi/v6/datacenters/"+r.dc+"/servers?") {
		t.Errorf("got %s %s", *got.Properties.Method, *got.Properties.Url)
	}
	var body struct {
		Properties struct {
			Name string `json:"name"`
		} `json:"properties"`
	}
	if err := json.Unmarshal([]byte(*got.Properties.Body), &body); err != nil || body.Properties.Name != "node" {
		t.Errorf("got body %q: %v", *got.Properties.Body, err)
	}
	if text, err := json.Marshal(list); err != nil || strings.Contains(string(text), token) {
		t.Errorf("the request tells the token (%v)", err)
	}
	status := got.Metadata.RequestStatus
	if *status.Href != r.URL+"/cloudapi/v6/requests/"+*got.Id+"/status" || *status.Metadata.Status != "DONE" {
		t.Errorf("got status %s at %s", *status.Metadata.Status, *status.Href)
	}
	targets := map[string]string{}
	for _, target := range *status.Metadata.Targets {
		targets[string(*target.Target.Type)] = *target.Target.Id
	}
	want := map[string]string{"server": *server.Id, "volume": *server.Properties.BootVolume.Id, "nic": *nicsOf(server)[0].Id}
	if diff := cmp.Diff(want, targets); diff != "" {
		t.Error(diff)
	}
}

func TestRequestDepth(t *testing.T) {
	r := newRig(t)
	r.create(t, "node")
	for depth, test := range []struct{ properties, targets bool }{{false, false}, {true, false}, {true, true}} {
		list, _, err := r.sdk.RequestsApi.RequestsGet(t.Context()).Depth(int32(depth)).Execute()
		if err != nil {
			t.Fatal(err)
		}
		got := (*list.Items)[0]
		hasTargets := got.Metadata != nil && got.Metadata.RequestStatus.Metadata != nil && got.Metadata.RequestStatus.Metadata.Targets != nil
		if (got.Properties != nil) != test.properties || hasTargets != test.targets {
			t.Errorf("depth %d: properties %v and targets %v, want %v", depth, got.Properties != nil, hasTargets, test)
		}
	}
}

func TestUnknownRequest(t *testing.T) {
	r := newRig(t)
	_, _, err := r.sdk.RequestsApi.RequestsStatusGet(t.Context(), "nope").Execute()
	wantRefusal(t, err, http.StatusNotFound, "", "")
	// This call of the SDK looks at no status: an unknown request is an empty status without an error.
	status, _, err := r.sdk.GetRequestStatus(t.Context(), r.URL+"/cloudapi/v6/requests/nope/status")
	if err != nil || status.Metadata != nil {
		t.Errorf("got %+v and %v", status, err)
	}
}

func TestSDKWaitsForRequests(t *testing.T) {
	r := newRig(t)
	_, response, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{Public: ptr.To(true)}}).Execute()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.sdk.WaitForRequest(t.Context(), response.Header.Get("Location")); err != nil {
		t.Error(err)
	}
	request, _, err := r.sdk.RequestsApi.RequestsFindById(t.Context(), path.Base(path.Dir(response.Header.Get("Location")))).Depth(1).Execute()
	if err != nil || *request.Metadata.RequestStatus.Metadata.Status != "DONE" {
		t.Errorf("got %+v and %v", request, err)
	}
}

func TestNewestRequestsFirst(t *testing.T) {
	for _, newestFirst := range []bool{false, true} {
		var options []cloudsim.Option
		if newestFirst {
			options = append(options, cloudsim.WithNewestRequestsFirst())
		}
		r := newRig(t, options...)
		r.create(t, "old")
		r.create(t, "new")
		list, _, err := r.sdk.RequestsApi.RequestsGet(t.Context()).Depth(1).Execute()
		if err != nil {
			t.Fatal(err)
		}
		if isNew := strings.Contains(*(*list.Items)[0].Properties.Body, `"new"`); isNew != newestFirst {
			t.Errorf("with %v the first request is the newest: %v", newestFirst, isNew)
		}
	}
}
