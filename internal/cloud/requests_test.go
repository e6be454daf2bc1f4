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

package cloud_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

func TestRequestStatus(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	want := cloud.RequestStatus{State: "DONE", Message: "Request has been successfully executed"}
	location, err := url.Parse(w.request.Path)
	if err != nil {
		t.Fatal(err)
	}
	// The path that a request was accepted with, also by another version of the provider or behind another URL.
	for _, path := range []string{w.request.Path, location.Path, "https://elsewhere.example.com" + location.Path, strings.TrimPrefix(location.Path, "/cloudapi/v6"), location.Path + "/"} {
		if got := must(w.session.RequestStatus(t.Context(), cloud.Request{Method: http.MethodPost, Path: path}))(t); got != want {
			t.Errorf("%s: got %+v", path, got)
		}
	}
	for _, path := range []string{"/requests/7c8a2d3e-0000-4000-8000-000000000000/status", "", "/", "/requests//status", "rubbish", "https://[", "/datacenters/x/status"} {
		if _, err := w.session.RequestStatus(t.Context(), cloud.Request{Path: path}); !errors.Is(err, cloud.ErrNotFound) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestFindRequests(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	w.inject(http.MethodPost, "/datacenters/{}/lans", cloudsim.Fault{FailRequest: "no more LANs", Skip: 1, Count: 1})
	other := w.AddDatacenter("other", location)

	serverID, create, err := w.session.CreateServer(t.Context(), w.datacenterID, w.serverSettings())
	if err != nil {
		t.Fatal(err)
	}
	w.settle(t)
	nicID, attach, err := w.session.AttachNIC(t.Context(), w.datacenterID, w.serverID, network.NICSettings{Name: "ns.old.storage", LAN: w.private})
	if err != nil {
		t.Fatal(err)
	}
	lanID, lan, err := w.session.CreateLAN(t.Context(), w.datacenterID, cloud.LANSettings{Name: "l"})
	if err != nil {
		t.Fatal(err)
	}
	failedID, failed, err := w.session.CreateLAN(t.Context(), w.datacenterID, cloud.LANSettings{Name: "l"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.session.CreateLAN(t.Context(), other, cloud.LANSettings{Name: "l"}); err != nil {
		t.Fatal(err)
	}
	must(w.session.DeleteLAN(t.Context(), w.datacenterID, w.emptyLAN))(t)
	w.settle(t)

	done := cloud.RequestStatus{State: "DONE", Message: "Request has been successfully executed"}
	server := must(w.session.Server(t.Context(), w.datacenterID, serverID))(t)
	dc := "datacenters/" + w.datacenterID
	lanRequest := func(request cloud.Request, id network.LANID, status cloud.RequestStatus) cloud.QueuedRequest {
		return cloud.QueuedRequest{Request: request, RequestStatus: status, URL: dc + "/lans", Name: "l", TargetIDs: map[string][]string{"lan": {fmt.Sprint(id)}}}
	}
	for name, test := range map[string]struct {
		kind cloud.RequestKind
		want []cloud.QueuedRequest
	}{
		"servers": {cloud.RequestCreateServer, []cloud.QueuedRequest{{
			Request: create, RequestStatus: done, URL: dc + "/servers", Name: "new", NICNames: []string{"ns.new.primary", "ns.new.storage"},
			TargetIDs: map[string][]string{"server": {serverID}, "volume": {server.BootVolumeID}, "nic": {server.NICs[0].ID, server.NICs[1].ID}},
		}}},
		"LANs": {cloud.RequestCreateLAN, []cloud.QueuedRequest{lanRequest(failed, failedID, cloud.RequestStatus{State: "FAILED", Message: "no more LANs"}), lanRequest(lan, lanID, done)}},
		"NICs": {cloud.RequestAttachNIC(w.serverID), []cloud.QueuedRequest{{
			Request: attach, RequestStatus: done, URL: dc + "/servers/" + w.serverID + "/nics", Name: "ns.old.storage",
			TargetIDs: map[string][]string{"nic": {nicID}, "server": {w.serverID}},
		}}},
		"volumes": {cloud.RequestCreateVolume, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := must(w.session.FindRequests(t.Context(), w.datacenterID, test.kind, time.Hour))(t)
			for i := range got {
				if time.Since(got[i].Created).Abs() > time.Minute {
					t.Errorf("created %v", got[i].Created)
				}
				got[i].Created = time.Time{}
			}
			sortTargets := cmp.Transformer("set", func(ids []string) map[string]bool {
				set := map[string]bool{}
				for _, id := range ids {
					set[id] = true
				}
				return set
			})
			// The two LANs were asked for within a second, which is as exact as the cloud's times are.
			byPath := cmp.Transformer("byPath", func(requests []cloud.QueuedRequest) map[string]cloud.QueuedRequest {
				all := map[string]cloud.QueuedRequest{}
				for _, request := range requests {
					all[request.Path] = request
				}
				return all
			})
			if diff := cmp.Diff(test.want, got, sortTargets, byPath); diff != "" || len(got) != len(test.want) {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

// A request without path or body of a form that is known is followed by what it has, the newest first, whatever the
// order and the form of URLs; what is not asked for is not among them.
func TestFindRequestsForms(t *testing.T) {
	const path = "datacenters/dc/servers"
	request := func(id, created, url, status string) string {
		return fmt.Sprintf(`{"id":%q,"type":"request","metadata":{"createdDate":%q%s},"properties":{"method":"POST","url":%q,"body":"no JSON"}}`, id, created, status, url)
	}
	status := func(text string) string {
		return `,"requestStatus":{"id":"x/status","type":"request-status","metadata":{"status":"` + text + `","targets":[{"target":{"id":"s","type":"server","href":"/datacenters//servers/s"}},{"target":null}]}}`
	}
	items := []string{
		request("2", "2026-01-01T00:00:02Z", "https://api.ionos.com/cloudapi/v6/"+path, status("DONE")),
		request("4", "2026-01-01T00:00:04", "https://api.ionos.com/cloudapi/v6/"+path+"/?depth=0&pretty=true", status("QUEUED")),
		request("1", "2026-01-01T00:00:01Z", "/"+path, status("FAILED")),
		request("3", "2026-01-01T00:00:03Z", path, status("RUNNING")),
		request("1", "2026-01-01T00:00:01Z", "/"+path, status("FAILED")),
		request("nic", "2026-01-01T00:00:05Z", "/cloudapi/v6/"+path+"/s/nics", status("DONE")),
		request("other", "2026-01-01T00:00:06Z", "/cloudapi/v6/xdatacenters/dc/servers", status("DONE")),
	}
	r, session := answering(t, http.StatusOK, nil, `{"items":[`+strings.Join(items, ",")+`]}`)
	var got []string
	for _, found := range must(session.FindRequests(t.Context(), "dc", cloud.RequestCreateServer, time.Hour))(t) {
		got = append(got, found.Path+" "+found.State+" "+found.URL+" "+found.TargetIDs["server"][0])
	}
	want := []string{
		"/cloudapi/v6/requests/4/status QUEUED " + path + " s", "/cloudapi/v6/requests/3/status RUNNING " + path + " s",
		"/cloudapi/v6/requests/2/status DONE " + path + " s", "/cloudapi/v6/requests/1/status FAILED " + path + " s",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	query := r.sent()[0].URL.Query()
	after, err := time.Parse("2006-01-02 15:04:05", query.Get("filter.createdAfter"))
	if query.Get("filter.method") != "POST" || query.Get("filter.url") != path || query.Get("depth") != "2" || err != nil || time.Since(after.Add(time.Hour)).Abs() > time.Minute {
		t.Errorf("asked with %v", query)
	}

	// One that cannot be followed is not passed over, for what it makes would be made again (G5).
	_, session = answering(t, http.StatusOK, nil, `{"items":[`+request("5", "2026-01-01T00:00:05Z", path, "")+`]}`)
	if _, err := session.FindRequests(t.Context(), "dc", cloud.RequestCreateServer, time.Hour); !cloud.IsTemporary(err) || !strings.Contains(err.Error(), "request 5 without status") {
		t.Errorf("got %v", err)
	}
}

func TestFindRequestsSince(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	w := newWorld(t, cloud.ContractsOptions{Clock: clock})
	if _, _, err := w.session.CreateLAN(t.Context(), w.datacenterID, cloud.LANSettings{Name: "l"}); err != nil {
		t.Fatal(err)
	}
	for since, want := range map[time.Duration]int{25 * time.Hour: 1, 23 * time.Hour: 0} {
		clock.SetTime(time.Now().Add(24 * time.Hour))
		if got := must(w.session.FindRequests(t.Context(), w.datacenterID, cloud.RequestCreateLAN, since))(t); len(got) != want {
			t.Errorf("since %v: %d requests", since, len(got))
		}
	}
}

func TestFindRequestsPages(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	for range 1100 {
		if _, err := w.session.StartServer(t.Context(), w.datacenterID, w.serverID); err != nil {
			t.Fatal(err)
		}
	}
	must(w.session.FindRequests(t.Context(), w.datacenterID, "servers/"+cloud.RequestKind(w.serverID)+"/start", time.Hour))(t)
	if calls := w.calls()["GET /requests"]; calls != 2 {
		t.Errorf("%d pages", calls)
	}
}

// Who searches at the same time shares a search, that began after he asked.
func TestFindRequestsIsShared(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	w.inject(http.MethodGet, "/requests", cloudsim.Fault{Latency: 50 * time.Millisecond})
	var group sync.WaitGroup
	for range 30 {
		group.Go(func() {
			if _, err := w.session.FindRequests(t.Context(), w.datacenterID, cloud.RequestCreateServer, time.Hour); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if calls := w.calls()["GET /requests"]; calls > 5 {
		t.Errorf("%d searches", calls)
	}
	before := w.calls()["GET /requests"]
	must(w.session.FindRequests(t.Context(), w.datacenterID, cloud.RequestCreateServer, time.Hour))(t)
	if calls := w.calls()["GET /requests"]; calls != before+1 {
		t.Error("an old search was used")
	}
}
