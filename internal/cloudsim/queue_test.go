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
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	clocktesting "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// start is when the clocks of tests begin.
var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func statusOf(t *testing.T, r *rig, response *ionoscloud.APIResponse) string {
	t.Helper()
	answer, _, err := r.sdk.RequestsApi.RequestsStatusGet(t.Context(), path.Base(path.Dir(response.Header.Get("Location")))).Execute()
	if err != nil {
		t.Fatal(err)
	}
	return *answer.Metadata.Status
}

func TestRequestsOfADatacenterRunOneAfterTheOther(t *testing.T) {
	clock := clocktesting.NewFakeClock(start)
	r := newRig(t, cloudsim.WithClock(clock), cloudsim.WithProvisioningTime(time.Minute))
	other := r.AddDatacenter("other", location)
	lan := func(dc string) *ionoscloud.APIResponse {
		_, response, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{Public: ptr.To(true)}}).Execute()
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	first, second, third := lan(r.dc), lan(r.dc), lan(other)
	_, block, err := r.sdk.IPBlocksApi.IpblocksPost(t.Context()).Ipblock(ionoscloud.IpBlock{Properties: &ionoscloud.IpBlockProperties{Location: ptr.To(location), Size: ptr.To[int32](1)}}).Execute()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][]string{{"RUNNING", "QUEUED", "RUNNING", "RUNNING"}, {"DONE", "RUNNING", "DONE", "DONE"}, {"DONE", "DONE", "DONE", "DONE"}} {
		got := []string{statusOf(t, r, first), statusOf(t, r, second), statusOf(t, r, third), statusOf(t, r, block)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		clock.Step(time.Minute)
	}
}

func TestResourcesAreBusyWhileRequestsWait(t *testing.T) {
	clock := clocktesting.NewFakeClock(start)
	r := newRig(t, cloudsim.WithClock(clock), cloudsim.WithProvisioningTime(time.Minute))
	id := r.AddServer(r.dc, cloudsim.ServerSeed{Name: "node", VolumeName: "vol", NICs: []cloudsim.NICSeed{{LAN: publicLAN, DHCP: true}}})
	states := func() string {
		dc, _, err := r.sdk.DataCentersApi.DatacentersFindById(t.Context(), r.dc).Execute()
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("data center %s %d, server %s", *dc.Metadata.State, *dc.Properties.Version, *r.get(t, id).Metadata.State)
	}
	if got := states(); got != "data center AVAILABLE 1, server AVAILABLE" {
		t.Errorf("before: %s", got)
	}
	for range 2 { // The second write to a BUSY resource is queued, not refused.
		if _, _, err := r.sdk.ServersApi.DatacentersServersPatch(t.Context(), r.dc, id).Server(ionoscloud.ServerProperties{Name: ptr.To("new")}).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	if got := states(); got != "data center BUSY 1, server BUSY" {
		t.Errorf("while both wait: %s", got)
	}
	clock.Step(time.Minute)
	if got := states(); got != "data center BUSY 2, server BUSY" {
		t.Errorf("while one waits: %s", got)
	}
	clock.Step(time.Minute)
	if got := states(); got != "data center AVAILABLE 3, server AVAILABLE" {
		t.Errorf("after: %s", got)
	}
	// What is deleted stays readable until the request is done.
	if _, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, id).Execute(); err != nil {
		t.Fatal(err)
	}
	if got := states(); got != "data center BUSY 3, server BUSY" {
		t.Errorf("while deleted: %s", got)
	}
	clock.Step(time.Minute)
	_, _, err := r.sdk.ServersApi.DatacentersServersFindById(t.Context(), r.dc, id).Execute()
	wantRefusal(t, err, http.StatusNotFound, "", "")
}

func TestNewResourcesAreVisible(t *testing.T) {
	for name, test := range map[string]struct {
		options []cloudsim.Option
		want    int
	}{
		"as BUSY":   {nil, 1},
		"when done": {[]cloudsim.Option{cloudsim.WithHiddenUntilDone()}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, append(test.options, slow())...)
			created, response, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("node", nic(publicLAN))).Execute()
			if err != nil {
				t.Fatal(err)
			}
			seen := func() int {
				servers, _, err := r.sdk.ServersApi.DatacentersServersGet(t.Context(), r.dc).Depth(1).Execute()
				if err != nil {
					t.Fatal(err)
				}
				_, answer, _ := r.sdk.ServersApi.DatacentersServersFindById(t.Context(), r.dc, *created.Id).Execute()
				if found := answer.StatusCode == http.StatusOK; found != (len(*servers.Items) == 1) {
					t.Errorf("GET says %d, the list has %d", answer.StatusCode, len(*servers.Items))
				}
				return len(*servers.Items)
			}
			if got := seen(); got != test.want {
				t.Errorf("%d servers are visible, want %d", got, test.want)
			}
			r.Finish()
			r.done(t, response, nil)
			if got := seen(); got != 1 {
				t.Errorf("%d servers are visible when done, want 1", got)
			}
		})
	}
}

func TestRequestsAreCheckedAgainWhenExecuted(t *testing.T) {
	r := newRig(t, slow())
	post := func(name string) *ionoscloud.APIResponse {
		_, response, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server(name, nic(publicLAN, r.ips[0]))).Execute()
		if err != nil {
			t.Fatal(err)
		}
		return response
	}
	first, second := post("first"), post("second")
	r.Finish()
	r.done(t, first, nil)
	r.failed(t, second, nil, "already used")
	answer, _, err := r.sdk.RequestsApi.RequestsStatusGet(t.Context(), path.Base(path.Dir(second.Header.Get("Location")))).Execute()
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, target := range *answer.Metadata.Targets {
		targets = append(targets, string(*target.Target.Type)+" "+*target.Status)
	}
	if diff := cmp.Diff([]string{"server FAILED", "volume FAILED", "nic FAILED"}, targets); diff != "" {
		t.Error(diff)
	}
	if state := r.Snapshot().Datacenters[0]; len(state.Servers) != 1 || len(state.Volumes) != 0 {
		t.Errorf("a request that failed left %d servers and %d volumes", len(state.Servers)-1, len(state.Volumes))
	}
}

func TestRequestsForWhatIsGoneFail(t *testing.T) {
	r := newRig(t, slow())
	id := r.AddServer(r.dc, cloudsim.ServerSeed{Name: "node"})
	if _, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, id).Execute(); err != nil {
		t.Fatal(err)
	}
	_, attach, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsPost(t.Context(), r.dc, id).Nic(ionoscloud.Nic{Properties: ptr.To(nic(publicLAN))}).Execute()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.sdk.DataCentersApi.DatacentersDelete(t.Context(), r.dc).Execute(); err != nil {
		t.Fatal(err)
	}
	_, lan, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{}}).Execute()
	if err != nil {
		t.Fatal(err)
	}
	r.Finish()
	r.failed(t, attach, nil, "does not exist")
	r.failed(t, lan, nil, "does not exist")
	if state := r.Snapshot(); len(state.Datacenters) != 0 || len(state.Requests) != 0 {
		t.Errorf("got %+v, want nothing", state)
	}
}

func TestPendingRequestsAreInTheSnapshot(t *testing.T) {
	r := newRig(t, slow())
	for range 2 {
		if _, _, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{}}).Execute(); err != nil {
			t.Fatal(err)
		}
	}
	got := r.Snapshot().Requests
	for i := range got {
		got[i].ID = ""
	}
	lans := "/datacenters/" + r.dc + "/lans"
	if diff := cmp.Diff([]cloudsim.RequestState{{Method: "POST", Path: lans, Status: "RUNNING"}, {Method: "POST", Path: lans, Status: "QUEUED"}}, got); diff != "" {
		t.Error(diff)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := r.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait returned %v while requests wait", err)
	}
	r.Finish()
	if err := r.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if history := r.History(); len(history) != 2 || history[0].Path != lans || history[0].Method != http.MethodPost {
		t.Errorf("got history %v", history)
	}
}

func TestRequestsEndThoughNobodyAsks(t *testing.T) {
	r := newRig(t, cloudsim.WithProvisioningTime(time.Millisecond))
	booted := make(chan cloudsim.Boot, 1)
	r.OnServerBoot(func(boot cloudsim.Boot) { booted <- boot })
	if _, _, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("node", nic(publicLAN))).Execute(); err != nil {
		t.Fatal(err)
	}
	select {
	case boot := <-booted:
		if boot.DatacenterID != r.dc || boot.Server.Name != "node" || len(boot.Server.NICs) != 1 || string(boot.UserData) != "hello" {
			t.Errorf("got %+v", boot)
		}
	case <-t.Context().Done():
	case <-time.After(10 * time.Second):
		t.Error("nobody was told that the server boots")
	}
}

func TestHooksAreToldOfEachBootInOrder(t *testing.T) {
	r := newRig(t)
	var booted []string
	r.OnServerBoot(func(boot cloudsim.Boot) {
		r.Snapshot() // A hook may look at the cloud.
		booted = append(booted, boot.Server.Name)
	})
	server := r.create(t, "a")
	r.create(t, "b")
	for _, power := range []func() (*ionoscloud.APIResponse, error){
		r.sdk.ServersApi.DatacentersServersStopPost(t.Context(), r.dc, *server.Id).Execute,
		r.sdk.ServersApi.DatacentersServersStartPost(t.Context(), r.dc, *server.Id).Execute,
		r.sdk.ServersApi.DatacentersServersStartPost(t.Context(), r.dc, *server.Id).Execute, // It runs already.
	} {
		response, err := power()
		r.done(t, response, err)
	}
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "b", "a"}, booted); diff != "" {
		t.Error(diff)
	}
}

func TestCloseStopsWhatIsUnderWay(t *testing.T) {
	clock := clocktesting.NewFakeClock(start)
	r := newRig(t, cloudsim.WithClock(clock), cloudsim.WithProvisioningTime(time.Minute))
	r.OnServerBoot(func(cloudsim.Boot) { t.Error("a server boots after Close") })
	if _, _, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("node")).Execute(); err != nil {
		t.Fatal(err)
	}
	if !clock.HasWaiters() {
		t.Error("nobody waits for the request to end")
	}
	r.Cloud.Close()
	if clock.HasWaiters() {
		t.Error("something still waits after Close")
	}
	clock.Step(time.Hour)
	if state := r.Snapshot(); len(state.Requests) != 1 {
		t.Errorf("the request ended after Close: %+v", state)
	}
}

func TestCloudsShareNothing(t *testing.T) {
	one, two := newRig(t), newRig(t)
	before := two.Snapshot()
	one.create(t, "node", nic(publicLAN, one.ips[0]))
	if diff := cmp.Diff(before, two.Snapshot()); diff != "" {
		t.Error(diff)
	}
	two.create(t, "node", nic(publicLAN, two.ips[0]))
	if one.Counters()["POST /datacenters/{dc}/servers"] != 1 {
		t.Errorf("got %v", one.Counters())
	}
}
