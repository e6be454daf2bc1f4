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
	"encoding/base64"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

func TestCreateServer(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	id, request, err := w.session.CreateServer(t.Context(), w.datacenterID, w.serverSettings())
	if err != nil {
		t.Fatal(err)
	}
	w.settle(t)

	if status := must(w.session.RequestStatus(t.Context(), request))(t); status.State != "DONE" {
		t.Errorf("the request is %v", status)
	}
	if got := string(w.UserData(id)); got != userData {
		t.Errorf("the guest is told %q", got)
	}
	server := must(w.session.Server(t.Context(), w.datacenterID, id))(t)
	if server.BootVolumeID == "" || len(server.VolumeIDs) != 1 || server.VolumeIDs[0] != server.BootVolumeID {
		t.Errorf("boot volume %q of %q", server.BootVolumeID, server.VolumeIDs)
	}
	if server.Name != "new" || server.State != cloud.StateAvailable || server.VMState != "RUNNING" {
		t.Errorf("server %+v", server)
	}
	got := map[string]network.NIC{}
	for _, nic := range server.NICs {
		if nic.ID == "" || nic.MAC == "" || nic.ServerName != "new" || len(nic.IPv4) == 0 {
			t.Errorf("NIC %+v lacks something", nic)
		}
		got[nic.Name] = network.NIC{LAN: nic.LAN, DHCP: nic.DHCP}
	}
	want := map[string]network.NIC{"ns.new.primary": {LAN: w.publicLAN, DHCP: true}, "ns.new.storage": {LAN: w.private}}
	if diff := cmp.Diff(want, got, byValue); diff != "" {
		t.Errorf("NICs (-want +got):\n%s", diff)
	}
	for _, nic := range server.NICs {
		if nic.LAN == w.private && !slices.Equal(nic.IPv4, addresses("10.7.0.5", "10.7.0.4")) {
			t.Errorf("addresses %v", nic.IPv4)
		}
		if nic.LAN == w.publicLAN && (!nic.IPv6Block.IsValid() || !nic.IPv6Block.Contains(nic.IPv6[0]) || nic.DHCPv6 == nil) {
			t.Errorf("NIC %+v has no IPv6", nic)
		}
	}
	inventory := must(w.session.Inventory(t.Context(), w.datacenterID))(t)
	if diff := cmp.Diff(server, inventory.Servers[0], byValue); diff != "" {
		t.Errorf("the list does not show what the server does (-server +list):\n%s", diff)
	}
}

// The body is compared as a whole: what the rules do not allow must not be in it (C22, C30).
func TestCreateServerBody(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	block := w.LANIPv6(w.datacenterID, int32(w.publicLAN))
	address := block.Addr().Next()
	dhcpv6 := false
	volume := `"volumes":{"items":[{"properties":{"name":"vol-new","type":"HDD","size":20,"availabilityZone":"AUTO","image":"` + w.imageID +
		`","userData":"` + base64.StdEncoding.EncodeToString([]byte(userData)) + `"}}]}`
	nics := `"nics":{"items":[{"properties":{"name":"ns.new.primary","lan":1,"dhcp":true}},` +
		`{"properties":{"name":"ns.new.storage","lan":2,"dhcp":false,"ips":["10.7.0.5","10.7.0.4"]}}]}`
	tests := map[string]struct {
		change func(*cloud.ServerSettings)
		want   string
	}{
		"everything": {
			func(*cloud.ServerSettings) {},
			`{"properties":{"name":"new","cores":2,"ram":4096,"availabilityZone":"AUTO","cpuFamily":"INTEL_SKYLAKE","type":"ENTERPRISE"},"entities":{` + volume + `,` + nics + `}}`,
		},
		"VCPU has no CPU family": {
			func(s *cloud.ServerSettings) { s.Type = "VCPU" },
			`{"properties":{"name":"new","cores":2,"ram":4096,"availabilityZone":"AUTO","type":"VCPU"},"entities":{` + volume + `,` + nics + `}}`,
		},
		"the cloud's defaults": {
			func(s *cloud.ServerSettings) {
				s.AvailabilityZone, s.CPUFamily, s.Type, s.NICs = "", "", "", nil
				s.Volume = cloud.VolumeSettings{Name: "vol-new", ImageID: w.imageID, SizeGB: 20}
			},
			`{"properties":{"name":"new","cores":2,"ram":4096},"entities":{"volumes":{"items":[{"properties":{"name":"vol-new","size":20,"image":"` + w.imageID + `"}}]},"nics":{"items":[]}}}`,
		},
		"IPv6 address with its block": {
			func(s *cloud.ServerSettings) {
				s.Volume.UserData = nil
				s.NICs = []network.NICSettings{{Name: "n", LAN: w.publicLAN, DHCP: true, DHCPv6: &dhcpv6, IPv6: addresses(address.String())}}
			},
			`{"properties":{"name":"new","cores":2,"ram":4096,"availabilityZone":"AUTO","cpuFamily":"INTEL_SKYLAKE","type":"ENTERPRISE"},"entities":{` +
				`"volumes":{"items":[{"properties":{"name":"vol-new","type":"HDD","size":20,"availabilityZone":"AUTO","image":"` + w.imageID + `"}}]},` +
				`"nics":{"items":[{"properties":{"name":"n","lan":1,"dhcp":true,"dhcpv6":false,"ipv6Ips":["` + address.String() + `"],"ipv6CidrBlock":"` + block.Addr().String() + `/80"}}]}}}`,
		},
		"IPv6 address with the given block, and a VNET": {
			func(s *cloud.ServerSettings) {
				s.Volume.UserData = nil
				s.NICs = []network.NICSettings{{Name: "n", LAN: w.publicLAN, DHCP: true, DHCPv6: &dhcpv6, IPv6: addresses(address.String()), IPv6Block: netip.PrefixFrom(block.Addr(), 80), VNET: "v"}}
			},
			`{"properties":{"name":"new","cores":2,"ram":4096,"availabilityZone":"AUTO","cpuFamily":"INTEL_SKYLAKE","type":"ENTERPRISE"},"entities":{` +
				`"volumes":{"items":[{"properties":{"name":"vol-new","type":"HDD","size":20,"availabilityZone":"AUTO","image":"` + w.imageID + `"}}]},` +
				`"nics":{"items":[{"properties":{"name":"n","lan":1,"dhcp":true,"dhcpv6":false,"ipv6Ips":["` + address.String() + `"],"ipv6CidrBlock":"` + block.Addr().String() + `/80","vnet":"v"}}]}}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := len(w.history(http.MethodPost, "/servers"))
			settings := w.serverSettings()
			test.change(&settings)
			id, _, err := w.session.CreateServer(t.Context(), w.datacenterID, settings)
			if err != nil {
				t.Fatal(err)
			}
			w.settle(t)
			bodies := w.history(http.MethodPost, "/servers")
			if len(bodies) != before+1 {
				t.Fatalf("%d servers were made", len(bodies)-before)
			}
			if diff := cmp.Diff(decode(t, test.want), decode(t, bodies[before])); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
			w.DeleteServer(w.datacenterID, id)
		})
	}
}

func TestDeleteServer(t *testing.T) {
	for name, test := range map[string]struct {
		withVolumes bool
		left        int
	}{"with its volumes": {true, 0}, "alone": {false, 2}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, cloud.ContractsOptions{})
			w.AddVolume(w.datacenterID, w.serverID, "data")
			request := must(w.session.DeleteServer(t.Context(), w.datacenterID, w.serverID, test.withVolumes))(t)
			w.settle(t)
			if status := must(w.session.RequestStatus(t.Context(), request))(t); status.State != "DONE" {
				t.Errorf("the request is %v", status)
			}
			if _, err := w.session.Server(t.Context(), w.datacenterID, w.serverID); !errors.Is(err, cloud.ErrNotFound) {
				t.Errorf("the server is there: %v", err)
			}
			datacenter := w.Snapshot().Datacenters[0]
			if len(datacenter.Servers) != 0 || len(datacenter.Volumes) != test.left {
				t.Errorf("what is left: %+v", datacenter)
			}
		})
	}
}

// The boot volume goes alone while the server exists, and so its data volumes stay.
func TestDeleteVolume(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	data := w.AddVolume(w.datacenterID, w.serverID, "data")
	must(w.session.DeleteVolume(t.Context(), w.datacenterID, w.volumeID))(t)
	w.settle(t)
	server := must(w.session.Server(t.Context(), w.datacenterID, w.serverID))(t)
	if diff := cmp.Diff([]string{data}, server.VolumeIDs); diff != "" {
		t.Errorf("volumes (-want +got):\n%s", diff)
	}
	if _, err := w.session.DeleteVolume(t.Context(), w.datacenterID, w.volumeID); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

func TestFindVolumes(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	twins := []string{w.AddVolume(w.datacenterID, "", "vol-new"), w.AddVolume(w.datacenterID, "", "vol-new")}
	w.AddVolume(w.datacenterID, "", "vol-new-2")
	for name, want := range map[string][]string{"vol-new": twins, "vol-old": {w.volumeID}, "vol": nil} {
		var got []string
		for _, volume := range must(w.session.FindVolumes(t.Context(), w.datacenterID, name))(t) {
			got = append(got, volume.ID)
			if volume.Name != name || volume.State != cloud.StateAvailable || (volume.BootServerID == w.serverID) != (name == "vol-old") {
				t.Errorf("%s: %+v", name, volume)
			}
		}
		if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Errorf("volumes named %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestStartServer(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	w.StopServer(w.datacenterID, w.serverID)
	if server := must(w.session.Server(t.Context(), w.datacenterID, w.serverID))(t); server.VMState != "SHUTOFF" {
		t.Fatalf("the server is %s", server.VMState)
	}
	must(w.session.StartServer(t.Context(), w.datacenterID, w.serverID))(t)
	w.settle(t)
	if server := must(w.session.Server(t.Context(), w.datacenterID, w.serverID))(t); server.VMState != "RUNNING" {
		t.Errorf("the server is %s", server.VMState)
	}
}

// A server that does not show yet is not found; that it is coming is seen in the queue.
func TestServerHiddenUntilDone(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{}, cloudsim.WithHiddenUntilDone())
	w.inject(http.MethodPost, "/datacenters/{}/servers", cloudsim.Fault{Delay: longTime})
	id, _, err := w.session.CreateServer(t.Context(), w.datacenterID, w.serverSettings())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.session.Server(t.Context(), w.datacenterID, id); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("the server shows: %v", err)
	}
	found := must(w.session.FindRequests(t.Context(), w.datacenterID, cloud.RequestCreateServer, longTime))(t)
	if len(found) != 1 || found[0].TargetIDs["server"][0] != id {
		t.Errorf("the queue has %+v", found)
	}
}
