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

package network

import (
	"testing"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

func TestAddresses(t *testing.T) {
	v4Of := func(address string) Claim { return held("worker-1.a.ipv4", nodesV4, address) }
	v6Of := func(address string) Claim { return held("worker-1.a.ipv6", nodesV6, address) }
	other := func(server, id string, lan LANID, ipv4 ...string) NIC {
		nic := nic(id, "", lan, ipv4...)
		nic.ServerName = server
		return nic
	}
	v6NIC := func(nic NIC, block string, ipv6 ...string) NIC {
		nic.IPv6Block, nic.IPv6 = prefix(block), addrs(ipv6...)
		return nic
	}
	public, public6 := attach("a", "", v4(nodesV4)), attach("a", "", v6(nodesV6))
	storage := attach("a", "storage", v4(nodesV4))
	tests := map[string]struct {
		attachments []infrav1.Attachment
		claims      []Claim
		nics        []NIC
		others      []NIC
		want        []string
	}{
		"IPv6 from an IPv4 pool":         {attachments: []infrav1.Attachment{public}, claims: []Claim{v4Of("2001:db8:0:1::5")}, want: []string{"FamilyMismatch a ipv4"}},
		"IPv4 from an IPv6 pool":         {attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("203.0.113.20")}, want: []string{"FamilyMismatch a ipv6"}},
		"IPv4 in IPv6 from an IPv6 pool": {attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("::ffff:203.0.113.20")}, want: []string{"FamilyMismatch a ipv6"}},
		"IPv6 with a zone":               {attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("2001:db8:0:1::5%eth0")}, want: []string{"FamilyMismatch a ipv6"}},
		"inside of the subnet":           {attachments: []infrav1.Attachment{storage}, claims: []Claim{v4Of("10.20.3.255")}},
		"outside of the subnet":          {attachments: []infrav1.Attachment{storage}, claims: []Claim{v4Of("10.20.4.0")}, want: []string{"AddressOutsideSubnet a ipv4"}},
		"outside of the subnet, in use":  {attachments: []infrav1.Attachment{storage}, claims: []Claim{v4Of("10.20.4.0")}, nics: []NIC{nic("1", "fleet.worker-1.a", storageLAN, "10.20.4.0")}, want: []string{"?AddressOutsideSubnet a ipv4"}},
		"inside of the LAN's block":      {attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("2001:db8:0:1:ffff:ffff:ffff:ffff")}},
		"outside of the LAN's block":     {attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("2001:db8:0:2::5")}, want: []string{"AddressOutsideLAN a ipv6"}},
		"twice": {
			attachments: []infrav1.Attachment{public, attachLAN("b", backupLAN, v4(backupV4))},
			claims:      []Claim{v4Of("203.0.113.20"), held("worker-1.b.ipv4", backupV4, "203.0.113.20")},
			want:        []string{"DuplicateAddress b ipv4"},
		},
		"two in one /80": {
			attachments: []infrav1.Attachment{public6, attach("b", "", v6(nodesV6))},
			claims:      []Claim{v6Of("2001:db8:0:1::5"), held("worker-1.b.ipv6", nodesV6, "2001:db8:0:1::6")},
			want:        []string{"DuplicateIPv6Block b ipv6"},
		},
		"two in two /80": {
			attachments: []infrav1.Attachment{public6, attach("b", "", v6(nodesV6))},
			claims:      []Claim{v6Of("2001:db8:0:1::5"), held("worker-1.b.ipv6", nodesV6, "2001:db8:0:1:1::5")},
		},
		"on another server, same public LAN":   {attachments: []infrav1.Attachment{public}, claims: []Claim{v4Of("203.0.113.20")}, others: []NIC{other("x", "9", nodesLAN, "198.51.100.1", "203.0.113.20")}, want: []string{"AddressInUse a ipv4"}},
		"on another server, other LAN":         {attachments: []infrav1.Attachment{public}, claims: []Claim{v4Of("203.0.113.20")}, others: []NIC{other("x", "9", backupLAN, "203.0.113.20")}, want: []string{"AddressInUse a ipv4"}},
		"on another server, same private LAN":  {attachments: []infrav1.Attachment{storage}, claims: []Claim{v4Of("10.20.0.5")}, others: []NIC{other("x", "9", storageLAN, "10.20.0.5")}, want: []string{"AddressInUse a ipv4"}},
		"on another server, other private LAN": {attachments: []infrav1.Attachment{storage}, claims: []Claim{v4Of("10.20.0.5")}, others: []NIC{other("x", "9", backupLAN, "10.20.0.5")}},
		"IPv6 on another server":               {attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("2001:db8:0:1::5")}, others: []NIC{v6NIC(other("x", "9", nodesLAN), "2001:db8:0:1::/80", "2001:db8:0:1::5")}, want: []string{"AddressInUse a ipv6"}},
		"/80 on another server":                {attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("2001:db8:0:1::5")}, others: []NIC{v6NIC(other("x", "9", nodesLAN), "2001:db8:0:1::/80", "2001:db8:0:1::6")}, want: []string{"IPv6BlockInUse a ipv6"}},
		"own NICs among those of others": {
			attachments: []infrav1.Attachment{public}, claims: []Claim{v4Of("203.0.113.20")},
			nics: []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "203.0.113.20")}, others: []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "203.0.113.20")},
		},
		"on another NIC of the machine": {
			attachments: []infrav1.Attachment{public}, claims: []Claim{v4Of("203.0.113.20")},
			nics: []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "198.51.100.1"), nic("2", "by-hand", nodesLAN, "203.0.113.20")},
			want: []string{"AddressInUse a ipv4"},
		},
		"on both NICs of the machine": {
			attachments: []infrav1.Attachment{public}, claims: []Claim{v4Of("203.0.113.20")},
			nics: []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "203.0.113.20"), nic("2", "by-hand", nodesLAN, "203.0.113.20")},
			want: []string{"?AddressInUse a ipv4"},
		},
		"on a NIC that is being replaced": {
			attachments: []infrav1.Attachment{public6}, claims: []Claim{v6Of("2001:db8:0:1::5")},
			nics: []NIC{v6NIC(nic("1", "fleet.worker-1.gone", nodesLAN), "2001:db8:0:1::/80", "2001:db8:0:1::6")},
		},
		"/80 of another NIC of the machine": {
			attachments: []infrav1.Attachment{public6, attach("b", "")}, claims: []Claim{v6Of("2001:db8:0:1::5")},
			nics: []NIC{v6NIC(nic("1", "fleet.worker-1.b", nodesLAN), "2001:db8:0:1::/80", "2001:db8:0:1::6")},
			want: []string{"IPv6BlockInUse a ipv6"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in := world(test.attachments...)
			in.Claims, in.NICs, in.OtherNICs = test.claims, test.nics, test.others
			plan := New(in)
			if d := diff(test.want, reasons(plan)); d != "" {
				t.Errorf("reasons differ (-want +got):\n%s", d)
			}
			for _, problem := range plan.Problems {
				if problem.Pool.IsZero() {
					t.Errorf("%s does not name the pool", problem)
				}
			}
			if plan.Blocked() && len(plan.Attach)+len(plan.Change)+len(plan.Detach) > 0 {
				t.Error("a blocked plan has changes")
			}
		})
	}
}

func TestRoutes(t *testing.T) {
	networkRoutes := func(in *Input) {
		in.ClusterNetworks[1].Routes = []infrav1.Route{
			{Destination: "10.99.0.0/16", Gateway: "10.20.0.1"},
			{Destination: "10.98.0.0/16", Gateway: "10.20.0.1"},
		}
	}
	tests := map[string]struct {
		in     Input
		edit   func(*Input)
		routes []Route
		want   []string
	}{
		"in the subnet": {in: world(attach("a", "storage", route("10.99.0.0/16", "10.20.0.2"))), routes: []Route{{prefix("10.99.0.0/16"), addr("10.20.0.2")}}},
		"own and the network's": {
			in: world(attach("a", "storage", route("10.99.0.0/16", "10.20.0.2"))), edit: networkRoutes,
			routes: []Route{{prefix("10.99.0.0/16"), addr("10.20.0.2")}, {prefix("10.98.0.0/16"), addr("10.20.0.1")}},
		},
		"in the LAN's block":         {in: world(attach("a", "storage", route("10.99.0.0/16", "10.7.226.1"))), routes: []Route{{prefix("10.99.0.0/16"), addr("10.7.226.1")}}},
		"outside of what is known":   {in: world(attach("a", "storage", route("10.99.0.0/16", "10.21.0.1"))), routes: []Route{{prefix("10.99.0.0/16"), addr("10.21.0.1")}}, want: []string{"?UnreachableGateway a ipv4"}},
		"nothing is known":           {in: world(attachLAN("a", backupLAN, route("10.99.0.0/16", "10.21.0.1"))), routes: []Route{{prefix("10.99.0.0/16"), addr("10.21.0.1")}}},
		"in the subnet of the pool":  {in: world(attachLAN("a", backupLAN, v4(backupV4), route("10.99.0.0/16", "10.30.0.1"))), edit: claims(held("worker-1.a.ipv4", backupV4, "10.30.0.5")), routes: []Route{{prefix("10.99.0.0/16"), addr("10.30.0.1")}}},
		"outside of the pool":        {in: world(attachLAN("a", backupLAN, v4(backupV4), route("10.99.0.0/16", "10.30.1.1"))), edit: claims(held("worker-1.a.ipv4", backupV4, "10.30.0.5")), routes: []Route{{prefix("10.99.0.0/16"), addr("10.30.1.1")}}, want: []string{"?UnreachableGateway a ipv4"}},
		"IPv6 in the LAN's block":    {in: world(attach("a", "", route("2001:db8:9::/48", "2001:db8:0:1::1"))), routes: []Route{{prefix("2001:db8:9::/48"), addr("2001:db8:0:1::1")}}},
		"IPv6 by a link's address":   {in: world(attach("a", "", route("2001:db8:9::/48", "fe80::1"))), routes: []Route{{prefix("2001:db8:9::/48"), addr("fe80::1")}}},
		"IPv6 outside of the block":  {in: world(attach("a", "", route("2001:db8:9::/48", "2001:db8::1"))), routes: []Route{{prefix("2001:db8:9::/48"), addr("2001:db8::1")}}, want: []string{"?UnreachableGateway a ipv6"}},
		"destination with host bits": {in: world(attachLAN("a", backupLAN, route("10.99.0.1/16", "10.21.0.1"))), routes: []Route{{prefix("10.99.0.0/16"), addr("10.21.0.1")}}},
		"no destination":             {in: world(attachLAN("a", backupLAN, route("default", "10.21.0.1"))), want: []string{"InvalidRoute a ipv4"}},
		"no destination, IPv6":       {in: world(attachLAN("a", backupLAN, route("default", "2001:db8::1"))), want: []string{"InvalidRoute a ipv6"}},
		"no gateway":                 {in: world(attachLAN("a", backupLAN, route("2001:db8:9::/48", "router"))), want: []string{"InvalidRoute a ipv6"}},
		"two families":               {in: world(attachLAN("a", backupLAN, route("10.99.0.0/16", "2001:db8::1"))), want: []string{"InvalidRoute a ipv4"}},
		"two families of 4 in 6":     {in: world(attachLAN("a", backupLAN, route("10.99.0.0/16", "::ffff:10.0.0.1"))), want: []string{"InvalidRoute a ipv4"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.in.ClusterNetworks[1].IPv4PoolRef = ref(PoolRef{})
			if test.edit != nil {
				test.edit(&test.in)
			}
			plan := New(test.in)
			if d := diff(test.want, reasons(plan)); d != "" {
				t.Errorf("reasons differ (-want +got):\n%s", d)
			}
			if d := diff(test.routes, plan.Attachments[0].Routes); d != "" {
				t.Errorf("routes differ (-want +got):\n%s", d)
			}
		})
	}
}
