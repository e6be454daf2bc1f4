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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// group is a failover group.
func group(ip string, master ionoscloud.Nic) ionoscloud.IPFailover {
	return ionoscloud.IPFailover{Ip: &ip, NicUuid: master.Id}
}

// failover are the masters of the groups of the public LAN.
func (r *rig) failover() map[string]string { return r.Snapshot().Datacenters[0].LANs[0].Failover }

// members makes a failover group for the first address, with the first of two servers as master.
func (r *rig) members(t *testing.T) (first, second ionoscloud.Server) {
	t.Helper()
	first, second = r.create(t, "first", nic(publicLAN, r.ips[1], r.ips[0])), r.create(t, "second", nic(publicLAN, r.ips[2]))
	if err := r.patchFailover(t, "1", group(r.ips[0], nicsOf(first)[0])); err != nil {
		t.Fatal(err)
	}
	if err := r.patchNIC(t, nicsOf(second)[0], second, ionoscloud.NicProperties{Ips: &[]string{r.ips[2], r.ips[0]}}); err != nil {
		t.Fatal(err)
	}
	return first, second
}

func TestFailoverInTheRightOrder(t *testing.T) {
	r := newRig(t)
	first, second := r.members(t)
	if diff := cmp.Diff(map[string]string{r.ips[0]: *nicsOf(first)[0].Id}, r.failover()); diff != "" {
		t.Error(diff)
	}
	// The master changes to another member.
	if err := r.patchFailover(t, "1", group(r.ips[0], nicsOf(second)[0])); err != nil {
		t.Fatal(err)
	}
	// Then the first server is a slave, and free to go.
	response, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *first.Id).Execute()
	r.done(t, response, err)
	// The last member: first the group goes, then the address.
	if err := r.patchFailover(t, "1"); err != nil {
		t.Fatal(err)
	}
	if err := r.patchNIC(t, nicsOf(second)[0], second, ionoscloud.NicProperties{Ips: &[]string{r.ips[2]}}); err != nil {
		t.Fatal(err)
	}
	if len(r.failover()) != 0 {
		t.Errorf("groups are left: %v", r.failover())
	}
}

func TestFailoverInTheWrongOrder(t *testing.T) {
	for name, test := range map[string]struct {
		do         func(*testing.T, *rig, ionoscloud.Server, ionoscloud.Server) error
		code, text string
	}{
		"group goes before its slaves": {func(t *testing.T, r *rig, _, _ ionoscloud.Server) error {
			t.Helper()
			return r.patchFailover(t, "1")
		}, "184", "slave"},
		"a stale list leaves the group out": {func(t *testing.T, r *rig, _, second ionoscloud.Server) error {
			t.Helper()
			return r.patchFailover(t, "1", group(r.ips[2], nicsOf(second)[0]))
		}, "184", "slave"},
		"master loses the address": {func(t *testing.T, r *rig, first, _ ionoscloud.Server) error {
			t.Helper()
			return r.patchNIC(t, nicsOf(first)[0], first, ionoscloud.NicProperties{Ips: &[]string{r.ips[1]}})
		}, "184", "master"},
		"master moves away": {func(t *testing.T, r *rig, first, _ ionoscloud.Server) error {
			t.Helper()
			return r.patchNIC(t, nicsOf(first)[0], first, ionoscloud.NicProperties{Lan: ptr.To[int32](9), Ips: &[]string{}})
		}, "184", "master"},
		"master is deleted": {func(t *testing.T, r *rig, first, _ ionoscloud.Server) error {
			t.Helper()
			_, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *first.Id).Execute()
			return err
		}, "184", "master"},
		"master's NIC is deleted": {func(t *testing.T, r *rig, first, _ ionoscloud.Server) error {
			t.Helper()
			_, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsDelete(t.Context(), r.dc, *first.Id, *nicsOf(first)[0].Id).Execute()
			return err
		}, "184", "master"},
		"master without the address": {func(t *testing.T, r *rig, first, second ionoscloud.Server) error {
			t.Helper()
			return r.patchFailover(t, "1", group(r.ips[0], nicsOf(first)[0]), group(r.ips[1], nicsOf(second)[0]))
		}, "100", "does not have"},
		"two groups for one address": {func(t *testing.T, r *rig, first, second ionoscloud.Server) error {
			t.Helper()
			return r.patchFailover(t, "1", group(r.ips[0], nicsOf(first)[0]), group(r.ips[0], nicsOf(second)[0]))
		}, "100", "two groups"},
		"address that is not reserved": {func(t *testing.T, r *rig, first, _ ionoscloud.Server) error {
			t.Helper()
			auto := r.create(t, "auto", nic(publicLAN))
			return r.patchFailover(t, "1", group(r.ips[0], nicsOf(first)[0]), group((*nicsOf(auto)[0].Properties.Ips)[0], nicsOf(auto)[0]))
		}, "100", "not reserved"},
		"slave comes before the group": {func(t *testing.T, r *rig, _, second ionoscloud.Server) error {
			t.Helper()
			return r.patchNIC(t, nicsOf(second)[0], second, ionoscloud.NicProperties{Ips: &[]string{r.ips[2], r.ips[1]}})
		}, "100", "already used"},
		"member in another LAN": {func(t *testing.T, r *rig, _, second ionoscloud.Server) error {
			t.Helper()
			other := r.AddLAN(r.dc, cloudsim.LANSeed{Public: true})
			_, err := r.attach(t, second, nic(other, r.ips[0]))
			return err
		}, "100", "already used"},
		"private LAN": {func(t *testing.T, r *rig, first, _ ionoscloud.Server) error {
			t.Helper()
			n, err := r.attach(t, first, nic(privateLAN, "10.0.0.1"))
			if err != nil {
				return err
			}
			return r.patchFailover(t, "2", group("10.0.0.1", n))
		}, "100", "public LAN"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			first, second := r.members(t)
			before := r.failover()
			wantRefusal(t, test.do(t, r, first, second), http.StatusUnprocessableEntity, test.code, test.text)
			if diff := cmp.Diff(before, r.failover()); diff != "" {
				t.Errorf("a refused call changed the groups:\n%s", diff)
			}
		})
	}
}

func TestFailoverListIsReplaced(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN, r.ips[0], r.ips[1]))
	n := nicsOf(server)[0]
	for _, ip := range []string{r.ips[0], r.ips[1]} {
		if err := r.patchFailover(t, "1", group(ip, n)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{ip: *n.Id}, r.failover()); diff != "" {
			t.Errorf("the list is not replaced:\n%s", diff)
		}
	}
}

func TestFailoverSwitches(t *testing.T) {
	r := newRig(t, cloudsim.WithPrivateFailover(), cloudsim.WithMasterDeletion())
	first, second := r.create(t, "first", nic(privateLAN, "10.0.0.1")), r.create(t, "second", nic(privateLAN, "10.0.0.2"))
	if err := r.patchFailover(t, "2", group("10.0.0.1", nicsOf(first)[0])); err != nil {
		t.Fatal(err)
	}
	if err := r.patchNIC(t, nicsOf(second)[0], second, ionoscloud.NicProperties{Ips: &[]string{"10.0.0.2", "10.0.0.1"}}); err != nil {
		t.Fatal(err)
	}
	response, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *first.Id).Execute()
	r.done(t, response, err)
	if groups := r.Snapshot().Datacenters[0].LANs[1].Failover; len(groups) != 0 {
		t.Errorf("groups are left without master: %v", groups)
	}
}

func TestServerThatBecomesMasterIsNotDeleted(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN, r.ips[0]))
	r.SetProvisioningTime(cloudsim.Pattern{}, time.Hour)
	groups := []ionoscloud.IPFailover{group(r.ips[0], nicsOf(server)[0])}
	if _, _, err := r.sdk.LANsApi.DatacentersLansPatch(t.Context(), r.dc, "1").Lan(ionoscloud.LanProperties{IpFailover: &groups}).Execute(); err != nil {
		t.Fatal(err)
	}
	response, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *server.Id).Execute()
	if err != nil {
		t.Fatal(err)
	}
	r.Finish()
	r.failed(t, response, nil, "master")
	if got := r.servers(t); got != 1 {
		t.Errorf("got %d servers, want 1", got)
	}
}
