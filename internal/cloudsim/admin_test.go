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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

func TestAdminIsOffUnlessAskedFor(t *testing.T) {
	r := newRig(t)
	for _, path := range []string{"state", "counters", "history", "faults"} {
		if answer, _ := r.raw(t, http.MethodGet, "/_sim/"+path, ""); answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, answer.StatusCode)
		}
	}
	if answer, _ := r.raw(t, http.MethodPost, "/_sim/faults", `{"status":500}`); answer.StatusCode != http.StatusNotFound || len(r.Faults()) != 0 {
		t.Errorf("faults: got %d, want 404", answer.StatusCode)
	}
}

func TestAdminSeedsAndShows(t *testing.T) {
	r := newRig(t, cloudsim.WithAdmin())
	answer, planted := r.raw(t, http.MethodPost, "/_sim/seed", `{
		"datacenters": [{"name": "two", "location": "de/fra/2", "lans": [{"id": 4, "name": "partners", "public": true, "ipv6": "AUTO"}]}],
		"images": [{"name": "flatcar", "location": "de/fra/2", "labels": {"os": "flatcar"}}],
		"ipBlocks": [{"location": "de/fra/2", "first": "203.0.113.40", "last": "203.0.113.42", "ips": ["192.0.2.1"]}]
	}`)
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("got %d with %v", answer.StatusCode, planted)
	}
	blockID := planted["ipBlocks"].([]any)[0].(string)
	block, _, err := r.sdk.IPBlocksApi.IpblocksFindById(t.Context(), blockID).Execute()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"192.0.2.1", "203.0.113.40", "203.0.113.41", "203.0.113.42"}, *block.Properties.Ips); diff != "" {
		t.Error(diff)
	}
	// What is shown is the snapshot.
	_, shown := r.raw(t, http.MethodGet, "/_sim/state", "")
	content, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	var state cloudsim.Snapshot
	if err := json.Unmarshal(content, &state); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Snapshot(), state); diff != "" {
		t.Error(diff)
	}
	if lans := state.Datacenters[1].LANs; len(lans) != 1 || lans[0].ID != 4 || lans[0].IPv6 == "" {
		t.Errorf("got LANs %+v", lans)
	}
}

func TestAdminRefusesWhatMakesNoSense(t *testing.T) {
	r := newRig(t, cloudsim.WithAdmin())
	before := r.Snapshot()
	for path, bodies := range map[string][]string{
		"seed": {
			`{`, `{"machines": []}`, `{"datacenters": [{"name": "a", "location": "nowhere"}]}`, `{"images": [{"name": "a"}]}`,
			`{"datacenters": [{"name": "a", "location": "de/txl"}], "ipBlocks": [{"location": "de/txl", "first": "203.0.113.2", "last": "203.0.113.1"}]}`,
			`{"ipBlocks": [{"location": "de/txl", "ips": ["x"]}]}`, `{"ipBlocks": [{"location": "de/txl"}]}`,
			`{"datacenters": [{"name": "a", "location": "de/txl", "lans": [{"ipv6": "x"}]}]}`,
		},
		"faults":  {`{"status": 200}`, `{"probability": 2}`, `{"delay": "soon"}`, `{"colour": "red"}`},
		"timings": {`{"method": "GET"}`, `{"latency": 5}`},
		"tokens":  {`{}`},
		"quotas":  {`{"coresPerContract": "many"}`},
	} {
		for _, body := range bodies {
			if answer, shown := r.raw(t, http.MethodPost, "/_sim/"+path, body); answer.StatusCode != http.StatusBadRequest {
				t.Errorf("%s %s: got %d with %v, want 400", path, body, answer.StatusCode, shown)
			}
		}
	}
	if diff := cmp.Diff(before, r.Snapshot()); diff != "" {
		t.Error(diff)
	}
}

func TestAdminChangesWhatHappens(t *testing.T) {
	r := newRig(t, cloudsim.WithAdmin())
	do := func(method, path, body string) {
		t.Helper()
		if answer, shown := r.raw(t, method, "/_sim/"+path, body); answer.StatusCode != http.StatusNoContent {
			t.Fatalf("%s %s: got %d with %v", method, path, answer.StatusCode, shown)
		}
	}
	status := func() int {
		answer, _ := r.raw(t, http.MethodGet, "/ipblocks", "")
		return answer.StatusCode
	}
	do(http.MethodPost, "faults", `{"method": "GET", "path": "/ipblocks", "status": 503, "count": 2, "latency": "1ms"}`)
	if got := status(); got != http.StatusServiceUnavailable {
		t.Errorf("got %d, want the fault", got)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/_sim/faults", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var faults []map[string]any
	if err := json.NewDecoder(response.Body).Decode(&faults); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{"method": "GET", "path": "/ipblocks", "status": 503.0, "count": 2.0, "latency": "1ms", "happened": 1.0}}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Error(diff)
	}
	do(http.MethodDelete, "faults", "")
	if got := status(); got != http.StatusOK {
		t.Errorf("got %d after the faults were removed", got)
	}
	do(http.MethodDelete, "tokens/"+token, "")
	if got := status(); got != http.StatusUnauthorized {
		t.Errorf("got %d after the token was revoked", got)
	}
	do(http.MethodPost, "tokens", `{"token": "`+token+`"}`)
	do(http.MethodPost, "quotas", `{"coresPerContract": 1}`)
	wantRefusal(t, r.second(t), http.StatusUnprocessableEntity, "", "quota")
	do(http.MethodPost, "quotas", `{"coresPerContract": 9}`)
	do(http.MethodPost, "timings", `{"path": "/datacenters/**", "provisioning": "1h", "latency": "1ms"}`)
	if err := r.second(t); err != nil || len(r.Snapshot().Requests) != 1 {
		t.Errorf("got %v and %+v, want a request that runs for an hour", err, r.Snapshot().Requests)
	}
	do(http.MethodPost, "finish", "")
	if requests := r.Snapshot().Requests; len(requests) != 0 {
		t.Errorf("got %+v after all were finished", requests)
	}
	do(http.MethodDelete, "counters", "")
	if counters := r.Counters(); len(counters) != 0 {
		t.Errorf("got %v after a reset", counters)
	}
	if history := r.History(); len(history) != 1 || !strings.HasSuffix(history[0].Path, "/servers") {
		t.Errorf("got history %+v", history)
	}
}

func TestByHand(t *testing.T) {
	r := newRig(t)
	block := block80(r.LANIPv6(r.dc, publicLAN), 5)
	id := r.AddServer(r.dc, cloudsim.ServerSeed{Name: "node", VolumeName: "vol", NICs: []cloudsim.NICSeed{
		{Name: "a", LAN: publicLAN, DHCP: true, IPs: r.ips[:1], IPv6IPs: []string{block.Addr().Next().String()}}, {Name: "b", LAN: privateLAN},
	}})
	server := r.get(t, id)
	if ips := *nicsOf(server)[0].Properties.Ipv6Ips; ips[0] != block.Addr().Next().String() || *server.Properties.VmState != "RUNNING" {
		t.Errorf("got %v and %s", ips, *server.Properties.VmState)
	}
	r.StopServer(r.dc, id)
	if state := *r.get(t, id).Properties.VmState; state != "SHUTOFF" {
		t.Errorf("server is %s", state)
	}
	r.DeleteNIC(r.dc, id, *nicsOf(server)[0].Id)
	r.DeleteLAN(r.dc, privateLAN)
	if nics := nicsOf(r.get(t, id)); len(nics) != 0 {
		t.Errorf("%d NICs are left", len(nics))
	}
	r.DeleteServer(r.dc, id)
	if state := r.Snapshot().Datacenters[0]; len(state.Servers)+len(state.Volumes) != 0 || len(state.LANs) != 1 {
		t.Errorf("got %+v", state)
	}
	r.DeleteDatacenter(r.dc)
	if state := r.Snapshot(); len(state.Datacenters) != 0 {
		t.Errorf("got %+v", state)
	}
	if r.Writes() != 0 {
		t.Errorf("%d writes were counted", r.Writes())
	}
}
