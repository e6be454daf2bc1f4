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
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

func TestAttachAndDetachNIC(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	settings := network.NICSettings{Name: "ns.old.storage", LAN: w.private, IPv4: addresses("10.7.0.9")}
	id, request, err := w.session.AttachNIC(t.Context(), w.datacenterID, w.serverID, settings)
	if err != nil {
		t.Fatal(err)
	}
	w.settle(t)
	if status := must(w.session.RequestStatus(t.Context(), request))(t); status.State != "DONE" {
		t.Errorf("the request is %v", status)
	}
	if body := w.history(http.MethodPost, "/nics"); !cmp.Equal(decode(t, body[0]), decode(t, `{"properties":{"name":"ns.old.storage","lan":2,"dhcp":false,"ips":["10.7.0.9"]}}`)) {
		t.Errorf("body: %s", body)
	}
	names := func() map[string]string {
		found := map[string]string{}
		for _, nic := range must(w.session.Server(t.Context(), w.datacenterID, w.serverID))(t).NICs {
			found[nic.ID] = nic.Name
		}
		return found
	}
	if diff := cmp.Diff(map[string]string{w.nicID: "ns.old.primary", id: "ns.old.storage"}, names()); diff != "" {
		t.Errorf("NICs (-want +got):\n%s", diff)
	}
	must(w.session.DetachNIC(t.Context(), w.datacenterID, w.serverID, id))(t)
	w.settle(t)
	if diff := cmp.Diff(map[string]string{w.nicID: "ns.old.primary"}, names()); diff != "" {
		t.Errorf("NICs (-want +got):\n%s", diff)
	}
	if _, err := w.session.DetachNIC(t.Context(), w.datacenterID, w.serverID, id); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("detached twice: %v", err)
	}
}

// Only what changes is sent: the cloud refuses an echo of what is read-only (C23), and of what the LAN does not have (C22).
func TestChangeNICBody(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	block := w.LANIPv6(w.datacenterID, int32(w.publicLAN)).Addr()
	first := block.Next()
	w.AddIPBlock(location, "203.0.113.7", "203.0.113.8")
	yes, no := true, false
	tests := []struct {
		name   string
		change network.NICChange
		want   string
	}{
		{"addresses, the first apart (C20)", network.NICChange{IPv4: addresses("203.0.113.8", "203.0.113.7")}, `{"ips":["203.0.113.8","203.0.113.7"]}`},
		{"no more addresses", network.NICChange{IPv4: addresses()}, `{"ips":[]}`},
		{"DHCP", network.NICChange{DHCP: &no}, `{"dhcp":false}`},
		{"DHCPv6", network.NICChange{DHCPv6: &yes}, `{"dhcpv6":true}`},
		{"IPv6 address with its block (C30)", network.NICChange{IPv6: addresses(first.String())}, `{"ipv6Ips":["` + first.String() + `"],"ipv6CidrBlock":"` + block.String() + `/80"}`},
		{"no more IPv6 addresses", network.NICChange{IPv6: addresses()}, `{"ipv6Ips":[]}`},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.change.NICID = w.nicID
			must(w.session.ChangeNIC(t.Context(), w.datacenterID, w.serverID, test.change))(t)
			w.settle(t)
			bodies := w.history(http.MethodPatch, "/nics/"+w.nicID)
			if len(bodies) != i+1 {
				t.Fatalf("%d changes", len(bodies))
			}
			if diff := cmp.Diff(decode(t, test.want), decode(t, bodies[i])); diff != "" {
				t.Errorf("body (-want +got):\n%s", diff)
			}
		})
	}
}
