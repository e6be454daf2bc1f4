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

// legacyMachine is a machine as the v1alpha1 provider made it, converted: a primary NIC with addresses of both
// families, and further ones with a pool, with and without DHCP, two of them in one LAN.
func legacyMachine() Input {
	in := world(
		attach("primary", "", v4(nodesV4), v6(nodesV6)),
		attachLAN("lan-7", legacyLAN, v4(storageV4)),
		attachLAN("lan-9", backupLAN, noDHCP),
		attachLAN("lan-7-2", legacyLAN),
	)
	in.ClusterNetworks = nil
	in.ClusterLANs = []infrav1.ClusterNetworkStatus{{Name: "default", NetworkID: int32(nodesLAN)}}
	in.Claims = []Claim{
		held("nic-worker-1-ipv4", nodesV4, "203.0.113.20"),
		held("nic-worker-1-ipv6", nodesV6, "2001:db8:0:1:a::5"),
		held("nic-worker-1-7-ipv4", storageV4, "10.7.0.10"),
	}
	in.NICs = []NIC{
		nic("n-4", "nic-worker-1", nodesLAN, "203.0.113.20", "198.51.100.7"),
		nic("n-1", "", legacyLAN, "10.7.0.99"),
		nic("n-2", "", backupLAN, "10.9.0.12"),
		nic("n-3", "", legacyLAN, "10.7.0.10"),
	}
	in.NICs[0].IPv6, in.NICs[0].IPv6Block = addrs("2001:db8:0:1:a::5"), prefix("2001:db8:0:1:a::/80")
	in.NICs[0].DHCPv6 = dhcpv6Of(true)
	in.NICs[2].DHCP = false
	return in
}

const legacyPlan = `
	primary: lan 1, ipv4 Pool 203.0.113.20, ipv6 Pool 2001:db8:0:1:a::5, nic n-4
	lan-7: lan 7, ipv4 Pool 10.7.0.10, ipv6 Cloud, nic n-3
	lan-9: lan 9, ipv4 Cloud, ipv6 None, nic n-2
	lan-7-2: lan 7, ipv4 DHCP, ipv6 Cloud, nic n-1
	claim nic-worker-1-7-ipv4 ipv4 storage-v4 exists=true
	claim nic-worker-1-ipv4 ipv4 nodes-v4 exists=true
	claim nic-worker-1-ipv6 ipv6 nodes-v6 exists=true
`

// G3: the machine of the v1alpha1 provider is adopted with nothing to claim, release or change.
func TestLegacyMachine(t *testing.T) {
	in := legacyMachine()
	wantPlan(t, in, legacyPlan)

	// What v1alpha1 records of a NIC has its addresses, and not its ID.
	in.Recorded = []infrav1.AttachmentStatus{
		{Name: "lan-7", NetworkID: 7, IPv4Addresses: []string{"10.7.0.10"}},
		{Name: "lan-7-2", NetworkID: 7, IPv4Addresses: []string{"10.7.0.99"}},
		{Name: "lan-9", NetworkID: 9, IPv4Addresses: []string{"10.9.0.12"}},
		{Name: "primary", NetworkID: 1, IPv4Addresses: []string{"203.0.113.20", "198.51.100.7"}, IPv6Addresses: []string{"2001:db8:0:1:a::5"}},
	}
	wantPlan(t, in, legacyPlan)
}

// G3: an empty list is the implicit attachment, and NICs without a name are nobody's then.
func TestLegacyMachineWithoutNetworks(t *testing.T) {
	in := legacyMachine()
	in.Attachments, in.Claims = nil, nil
	in.NICs[0].IPv6, in.NICs[0].DHCPv6 = addrs("2001:db8:0:1:a::1"), nil
	wantPlan(t, in, `
		primary: lan 1, ipv4 DHCP, ipv6 Cloud, nic n-4
	`)
}

// G3: two NICs without a pool in one LAN are told apart by their DHCP.
func TestLegacyNICsAreMatchedByDHCP(t *testing.T) {
	in := legacyMachine()
	in.Attachments[1], in.Attachments[3] = attachLAN("lan-7", legacyLAN), attachLAN("lan-7-2", legacyLAN, noDHCP)
	in.Claims = in.Claims[:2]
	in.NICs[1].DHCP = false
	wantPlan(t, in, `
		primary: lan 1, ipv4 Pool 203.0.113.20, ipv6 Pool 2001:db8:0:1:a::5, nic n-4
		lan-7: lan 7, ipv4 DHCP, ipv6 Cloud, nic n-3
		lan-9: lan 9, ipv4 Cloud, ipv6 None, nic n-2
		lan-7-2: lan 7, ipv4 Cloud, ipv6 Cloud, nic n-1
		claim nic-worker-1-ipv4 ipv4 nodes-v4 exists=true
		claim nic-worker-1-ipv6 ipv6 nodes-v6 exists=true
	`)
}

// C31: where both NICs of a LAN got one claim, the second one gets its own. Its address comes first, the old one stays.
func TestLegacyNICsThatShareAClaim(t *testing.T) {
	in := legacyMachine()
	in.Attachments[3] = attachLAN("lan-7-2", legacyLAN, v4(storageV4))
	in.Claims = append(in.Claims, held("worker-1.lan-7-2.ipv4", storageV4, "10.7.0.11"))
	plan := New(in)
	want := []NICChange{{Attachment: "lan-7-2", NICID: "n-1", IPv4: addrs("10.7.0.11", "10.7.0.99")}}
	if d := diff(want, plan.Change); d != "" || !plan.Ready() {
		t.Errorf("changes differ (-want +got):\n%s\n%s", d, render(plan))
	}
}

func TestNICs(t *testing.T) {
	pooled := world(attach("a", "", v4(nodesV4), v6(nodesV6)))
	pooled.Claims = []Claim{held("worker-1.a.ipv4", nodesV4, "203.0.113.20"), held("worker-1.a.ipv6", nodesV6, "2001:db8:0:1:a::5")}
	poolNIC := func(id, name string) NIC {
		n := nic(id, name, nodesLAN, "203.0.113.20")
		n.IPv6, n.IPv6Block = addrs("2001:db8:0:1:a::5"), prefix("2001:db8:0:1:a::/80")
		return n
	}
	edited := func(n NIC, edit func(*NIC)) NIC {
		edit(&n)
		return n
	}
	record := func(name, id string) infrav1.AttachmentStatus {
		return infrav1.AttachmentStatus{Name: name, NICID: id}
	}
	plain := world(attach("a", ""))
	tests := map[string]struct {
		in       Input
		nics     []NIC
		recorded []infrav1.AttachmentStatus
		// want are the lines of the plan that are about NICs.
		want string
	}{
		"as it should be":   {in: pooled, nics: []NIC{poolNIC("1", "fleet.worker-1.a")}},
		"renamed, recorded": {in: pooled, nics: []NIC{poolNIC("1", "by-hand")}, recorded: []infrav1.AttachmentStatus{record("a", "1")}},
		// C20: the order of the other addresses never causes a change.
		"other addresses in any order": {in: pooled, nics: []NIC{edited(poolNIC("1", "fleet.worker-1.a"), func(n *NIC) {
			n.IPv4 = addrs("203.0.113.20", "198.51.100.9", "198.51.100.7")
			n.IPv6 = addrs("2001:db8:0:1:a::5", "2001:db8:0:1:a::9", "2001:db8:0:1:a::7")
		})}},
		// C20: the first address is what DHCP hands out.
		"another address first": {in: pooled, nics: []NIC{edited(poolNIC("1", "fleet.worker-1.a"), func(n *NIC) { n.IPv4 = addrs("198.51.100.7", "203.0.113.20") })},
			want: "change a 1 ipv4=[203.0.113.20 198.51.100.7] ipv6=[] block=invalid Prefix dhcp=- dhcpv6=-"},
		"address is missing": {in: pooled, nics: []NIC{edited(poolNIC("1", "fleet.worker-1.a"), func(n *NIC) { n.IPv4 = nil })},
			want: "change a 1 ipv4=[203.0.113.20] ipv6=[] block=invalid Prefix dhcp=- dhcpv6=-"},
		// C30: block and address go together.
		"another /80": {in: pooled, nics: []NIC{edited(poolNIC("1", "fleet.worker-1.a"), func(n *NIC) {
			n.IPv6, n.IPv6Block = addrs("2001:db8:0:1:b::1"), prefix("2001:db8:0:1:b::/80")
		})}, want: "change a 1 ipv4=[] ipv6=[2001:db8:0:1:a::5] block=2001:db8:0:1:a::/80 dhcp=- dhcpv6=-"},
		"another address of the /80": {in: pooled, nics: []NIC{edited(poolNIC("1", "fleet.worker-1.a"), func(n *NIC) { n.IPv6 = addrs("2001:db8:0:1:a::1") })},
			want: "change a 1 ipv4=[] ipv6=[2001:db8:0:1:a::5 2001:db8:0:1:a::1] block=2001:db8:0:1:a::/80 dhcp=- dhcpv6=-"},
		"block is not shown": {in: pooled, nics: []NIC{edited(poolNIC("1", "fleet.worker-1.a"), func(n *NIC) { n.IPv6Block = prefix0 })}},
		"DHCP differs": {in: plain, nics: []NIC{edited(nic("1", "fleet.worker-1.a", nodesLAN), func(n *NIC) { n.DHCP = false })},
			want: "change a 1 ipv4=[] ipv6=[] block=invalid Prefix dhcp=true dhcpv6=-"},
		"DHCP differs, unset":   {in: world(attach("a", "", func(a *infrav1.Attachment) { a.DHCP = nil })), nics: []NIC{edited(nic("1", "fleet.worker-1.a", nodesLAN), func(n *NIC) { n.DHCP = false })}},
		"DHCPv6 differs, unset": {in: plain, nics: []NIC{edited(nic("1", "fleet.worker-1.a", nodesLAN), func(n *NIC) { n.DHCPv6 = dhcpv6Of(true) })}},
		"DHCPv6 differs": {in: world(attach("a", "", dhcpv6(false))), nics: []NIC{edited(nic("1", "fleet.worker-1.a", nodesLAN), func(n *NIC) { n.DHCPv6 = dhcpv6Of(true) })},
			want: "change a 1 ipv4=[] ipv6=[] block=invalid Prefix dhcp=- dhcpv6=false"},
		// C22.
		"DHCPv6 on a LAN without IPv6": {in: world(attachLAN("a", backupLAN, dhcpv6(true))), nics: []NIC{nic("1", "fleet.worker-1.a", backupLAN)},
			want: `warning DHCPv6Ignored Network "a", ipv6: dhcpv6 is set and the LAN has no IPv6, so it is not sent; remove dhcpv6, or enable IPv6 on the LAN`},
		"server without NICs": {in: plain, nics: []NIC{},
			want: "attach a fleet.worker-1.a lan=1 dhcp=true dhcpv6=- ipv4=[] ipv6=[] block=invalid Prefix"},
		"recorded NIC is gone":                               {in: plain, nics: []NIC{nic("2", "by-hand", nodesLAN)}, recorded: []infrav1.AttachmentStatus{record("a", "1")}, want: "missing a"},
		"recorded NIC is gone, and one of its name is there": {in: plain, nics: []NIC{nic("2", "fleet.worker-1.a", nodesLAN)}, recorded: []infrav1.AttachmentStatus{record("a", "1")}},
		"foreign NICs":                                       {in: plain, nics: []NIC{nic("1", "fleet.worker-1.a", nodesLAN), nic("2", "", nodesLAN), nic("3", "eth7", nodesLAN), nic("4", "fleet.worker-1.x.a", nodesLAN), nic("5", "other.worker-1.a", nodesLAN)}},
		// Only the v1alpha1 provider left NICs without a name.
		"NIC without a name": {in: world(attachLAN("a", legacyLAN)), nics: []NIC{nic("1", "", legacyLAN)},
			want: "attach a fleet.worker-1.a lan=7 dhcp=true dhcpv6=- ipv4=[] ipv6=[] block=invalid Prefix"},
		"removed attachments, by name and by record": {in: plain, nics: []NIC{nic("1", "fleet.worker-1.a", nodesLAN), nic("2", "fleet.worker-1.c", nodesLAN), nic("3", "", legacyLAN)}, recorded: []infrav1.AttachmentStatus{record("b", "3")},
			want: "detach b 3\ndetach c 2"},
		"replaced attachment": {in: plain, nics: []NIC{nic("1", "fleet.worker-1.old", nodesLAN)},
			want: "detach old 1\nattach a fleet.worker-1.a lan=1 dhcp=true dhcpv6=- ipv4=[] ipv6=[] block=invalid Prefix"},
		// G5: the twin of a NIC whose creation was sent twice; the one with the address stays.
		"twins": {in: pooled, nics: []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "198.51.100.1"), poolNIC("2", "fleet.worker-1.a")}, want: "detach a 1"},
		"in another LAN": {in: pooled, nics: []NIC{edited(poolNIC("1", "fleet.worker-1.a"), func(n *NIC) { n.LAN, n.IPv4 = backupLAN, nil })},
			want: `warning NICInOtherLAN Network "a": NIC 1 is in LAN 9, and belongs into LAN 1; move the NIC back, or replace the machine`},
		"recorded NIC of the v1alpha1 provider is gone, and a foreign one is in its LAN": {
			in: world(attach("primary", ""), attachLAN("lan-7", legacyLAN)), nics: []NIC{nic("1", "nic-worker-1", nodesLAN), nic("3", "", legacyLAN)},
			recorded: []infrav1.AttachmentStatus{record("primary", "1"), record("lan-7", "2")}, want: "missing lan-7",
		},
		"removed primary of the v1alpha1 provider, recorded": {in: world(attachLAN("lan-7", legacyLAN)), nics: []NIC{nic("1", "nic-worker-1", nodesLAN), nic("2", "", legacyLAN)}, recorded: []infrav1.AttachmentStatus{record("primary", "1")},
			want: "detach primary 1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in := test.in
			in.NICs, in.Recorded = test.nics, test.recorded
			plan := New(in)
			plan.Attachments, plan.Claims = nil, nil
			want := test.want
			if want != "" {
				want += "\n"
			}
			if d := diff(want, render(plan)); d != "" {
				t.Errorf("plan differs (-want +got):\n%s", d)
			}
		})
	}
}

// An attachment that waits holds up neither another one of a server that exists, nor is it attached half done.
func TestWaitHoldsUpItsOwnNIC(t *testing.T) {
	in := world(attach("a", ""), attach("b", "storage"), attach("c", ""))
	in.NICs = []NIC{nic("1", "fleet.worker-1.a", nodesLAN)}
	plan := New(in)
	if len(plan.Attach) != 1 || plan.Attach[0].Attachment != "c" || plan.Ready() {
		t.Errorf("got %s", render(plan))
	}
	in.NICs = nil
	if plan := New(in); len(plan.Attach) > 0 {
		t.Errorf("the server would be made without an address: %s", render(plan))
	}
}

// What a v1alpha1 client adds to a NIC that exists comes first, once it is there; until then nothing changes.
func TestPoolForANICThatExists(t *testing.T) {
	in := world(attach("a", "", v4(nodesV4)))
	in.NICs = []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "198.51.100.1")}
	in.Recorded = []infrav1.AttachmentStatus{{Name: "a", NICID: "1", IPv4Addresses: []string{"198.51.100.1"}}}
	if plan := New(in); len(plan.Change) > 0 || len(plan.Claims) != 1 || plan.Claims[0].Exists {
		t.Errorf("got %s", render(plan))
	}
	in.Claims = []Claim{held("worker-1.a.ipv4", nodesV4, "203.0.113.20")}
	want := []NICChange{{Attachment: "a", NICID: "1", IPv4: addrs("203.0.113.20", "198.51.100.1")}}
	if d := diff(want, New(in).Change); d != "" {
		t.Errorf("changes differ (-want +got):\n%s", d)
	}
}
