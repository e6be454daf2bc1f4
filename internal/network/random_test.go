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
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"

	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// generator makes random inputs, with few names, LANs and addresses, so that they meet.
type generator struct {
	*rand.Rand
	// tame makes inputs that mostly make sense, so that plans get as far as changes.
	tame bool
}

func newGenerator(seed uint64) generator {
	g := generator{Rand: rand.New(rand.NewPCG(seed, 0))} //nolint:gosec // Inputs must come again from their seed.
	g.tame = g.oneIn(2)
	return g
}

// rarely is true one time in n, and never where things make sense.
func (g generator) rarely(n int) bool { return g.oneIn(n) && !g.tame }

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

func (g generator) oneIn(n int) bool { return g.IntN(n) == 0 }

func (g generator) input() Input {
	in := Input{Owner: pick(g, owner, Owner{Namespace: "n", Name: "m.a"})}
	if g.rarely(8) {
		in.Owner = Owner{}
	}
	for _, name := range shuffle(g, []string{"primary", "a", "b", "lan-7", "lan-7-2"})[:g.IntN(6)] {
		in.Attachments = append(in.Attachments, g.attachment(name))
	}
	if g.rarely(16) {
		in.Attachments = append(in.Attachments, g.attachment("a"))
	}
	for _, name := range []string{"nodes", "storage", "third"}[:g.IntN(4)] {
		in.ClusterNetworks = append(in.ClusterNetworks, infrav1.ClusterNetwork{
			Name: name, Type: pick(g, infrav1.ClusterNetworkPublic, infrav1.ClusterNetworkPrivate),
			IPv4PoolRef: g.poolRef(), IPv6PoolRef: g.poolRef(),
			IPv4Subnet:    pick(g, "", "", "", "", "10.0.0.0/24", "10.0.0.0/24", "10.0.0.0/30", "2001:db8::/64"),
			IPv6CIDRBlock: pick(g, "", "", "AUTO", "None", "2001:db8::/64", "x"), Routes: g.routes(),
		})
	}
	for _, name := range []string{"nodes", "storage", "default", "nodes"}[:max(g.IntN(5), g.IntN(5))] {
		in.ClusterLANs = append(in.ClusterLANs, infrav1.ClusterNetworkStatus{
			Name: name, NetworkID: int32(g.IntN(4)), IPv6CIDRBlock: pick(g, "", "2001:db8::/64", "x"),
		})
	}
	if !g.oneIn(4) {
		in.LANs = []LAN{}
		for _, id := range []LANID{1, 2, 3, 4}[:g.IntN(5)] {
			in.LANs = append(in.LANs, LAN{ID: id, Public: g.oneIn(2), IPv6Block: pick(g, prefix0, prefix("2001:db8::/64")), IPv4Block: pick(g, prefix0, prefix("10.0.0.0/24"))})
		}
	}
	for range g.IntN(8) {
		in.Claims = append(in.Claims, g.claim(in))
	}
	for range g.IntN(4) {
		in.Recorded = append(in.Recorded, infrav1.AttachmentStatus{
			Name: g.name(), NICID: pick(g, "", g.nicID(), g.nicID()), NetworkID: int32(g.lan()),
			IPv4Addresses: texts(g.addrs()), IPv6Addresses: texts(g.addrs()),
			IPv4ClaimName: pick(g, "", g.claimName(in)), IPv6ClaimName: pick(g, "", g.claimName(in)),
		})
	}
	if !g.oneIn(3) {
		in.NICs = []NIC{}
		for range g.IntN(6) {
			in.NICs = append(in.NICs, g.nic(in))
		}
	}
	for range g.IntN(4) {
		if g.tame {
			break
		}
		other := g.nic(in)
		other.ServerName, other.ID = pick(g, "x", "y"), pick(g, "o-1", "o-2", other.ID)
		in.OtherNICs = append(in.OtherNICs, other)
	}
	if g.tame {
		for _, a := range in.Attachments {
			if pool := poolOf(a.IPv4PoolRef); !pool.IsZero() && !g.oneIn(4) {
				name := ClaimName(in.Owner, a.Name, IPv4)
				in.Claims = append(in.Claims, held(name, pool, g.addrOf(name).String()))
			}
		}
		in.LANs = []LAN{{ID: 1, Public: true, IPv6Block: prefix("2001:db8::/64")}, {ID: 2}, {ID: 3}}
		in.ClusterLANs = []infrav1.ClusterNetworkStatus{{Name: "nodes", NetworkID: 1}, {Name: "storage", NetworkID: 2}}
		in.ClusterNetworks = []infrav1.ClusterNetwork{{Name: "nodes", Type: infrav1.ClusterNetworkPublic, IPv4PoolRef: g.poolRef()}, {Name: "storage"}}
	}
	return in
}

func (g generator) name() string { return pick(g, "primary", "a", "b", "lan-7", "lan-7-2") }

func (g generator) lan() LANID { return LANID(g.IntN(4)) }

func (g generator) nicID() string { return fmt.Sprintf("n-%d", g.IntN(6)) }

func (g generator) poolRef() ipamv1.IPPoolReference {
	return pick(g, ipamv1.IPPoolReference{}, ipamv1.IPPoolReference{}, ref(nodesV4), ref(storageV4))
}

func (g generator) attachment(name string) infrav1.Attachment {
	a := infrav1.Attachment{
		Name: name, DHCP: pick(g, nil, dhcpv6Of(true), dhcpv6Of(false)), DHCPv6: pick(g, nil, nil, dhcpv6Of(true), dhcpv6Of(false)),
		IPv4PoolRef: g.poolRef(), IPv6PoolRef: g.poolRef(), Routes: g.routes(),
	}
	switch g.IntN(4) {
	case 0:
		a.NetworkID = pick(g, int32(1), 2, 3, 3)
	case 1:
		a.ClusterNetwork = pick(g, "nodes", "storage", "default")
	}
	if g.tame && a.ClusterNetwork == "default" {
		a.ClusterNetwork = "storage"
	}
	if g.tame && (a.ClusterNetwork != "" || a.NetworkID > 1) {
		a.IPv6PoolRef = ipamv1.IPPoolReference{}
	}
	if g.rarely(16) {
		a.NetworkID, a.ClusterNetwork = pick(g, int32(1), infrav1.InvalidNetworkID), pick(g, "", "nodes")
	}
	if g.rarely(8) {
		a.FailoverIPs = []string{pick(g, "AUTO", "10.0.0.1", "198.51.100.7", "x", "2001:db8::1")}
	}
	return a
}

func (g generator) routes() []infrav1.Route {
	if !g.rarely(8) {
		return nil
	}
	return []infrav1.Route{{
		Destination: pick(g, "10.9.0.0/16", "10.9.0.1/16", "2001:db8:9::/48", "x", ""),
		Gateway:     pick(g, "10.0.0.1", "10.1.0.1", "2001:db8::1", "fe80::1", "x", ""),
	}}
}

func (g generator) addr() netip.Addr {
	return pick(g, netip.Addr{}, addr("10.0.0.1"), addr("10.0.0.2"), addr("10.0.0.9"), addr("2001:db8::1"), addr("2001:db8::2"),
		addr("2001:db8::1:0:0:1"), addr("2001:db8:0:1::1"), addr("::ffff:10.0.0.1"), addr("2001:db8::1%eth0"))
}

// addrOf is an address for a claim, mostly of the family that the claim is for.
func (g generator) addrOf(claim string) netip.Addr {
	family := IPv4
	if strings.HasSuffix(claim, string(IPv6)) {
		family = IPv6
	}
	if g.tame {
		// Each name has its address.
		number := 0
		for _, char := range claim {
			number = (number*31 + int(char)) % 200
		}
		if family == IPv6 {
			return addr(fmt.Sprintf("2001:db8::%x:0:0:1", number))
		}
		return addr(fmt.Sprintf("10.0.0.%d", number))
	}
	for range 4 {
		if addr := g.addr(); !addr.IsValid() || isOf(addr, family) {
			return addr
		}
	}
	return g.addr()
}

func (g generator) addrs() []netip.Addr {
	var list []netip.Addr
	for range g.IntN(4) {
		if addr := g.addr(); addr.IsValid() && !slices.Contains(list, addr) {
			list = append(list, addr)
		}
	}
	return list
}

func (g generator) nic(in Input) NIC {
	nic := NIC{
		ID:   g.nicID(),
		Name: pick(g, "", "", "by-hand", NICName(in.Owner, g.name()), NICName(in.Owner, g.name()), LegacyPrimaryNICName(in.Owner.Name)),
		LAN:  g.lan(), DHCP: g.oneIn(2), DHCPv6: pick(g, nil, dhcpv6Of(true), dhcpv6Of(false)),
		IPv4: g.addrs(), IPv6: g.addrs(),
	}
	if g.tame {
		nic.ID = fmt.Sprintf("n-%d", len(in.NICs))
		nic.IPv4, nic.IPv6 = addrs(fmt.Sprintf("192.0.2.%d", len(in.NICs))), nil
		if attachment, ours := attachmentOfNIC(in.Owner, nic.Name); ours && g.oneIn(2) {
			nic.IPv4 = append(nic.IPv4, g.addrOf(ClaimName(in.Owner, attachment, IPv4)))
		}
	}
	if len(nic.IPv6) > 0 && !g.oneIn(3) {
		nic.IPv6Block = netip.PrefixFrom(nic.IPv6[0], min(nicBlockBits, nic.IPv6[0].BitLen())).Masked()
	}
	return nic
}

func (g generator) claimName(in Input) string {
	names := append(CandidateClaimNames(in.Owner, in.Attachments), "odd", ClaimName(in.Owner, g.name(), IPv4))
	return pick(g, names...)
}

func (g generator) claim(in Input) Claim {
	name := g.claimName(in)
	claim := Claim{
		Name: name, Pool: pick(g, poolOf(g.poolRef()), nodesV4), Owned: !g.oneIn(5), Deleting: g.oneIn(6),
		Attachment: pick(g, "", "", "", g.name()), Family: pick(g, "", "", IPv4, IPv6),
		Address: g.addrOf(name), Bits: pick(g, 24, 64, 0, -1, 200),
	}
	claim.Failure = pick(g, "", "", "PoolExhausted: none is free")
	claim.OtherOwner = pick(g, "", "Machine x")
	if g.rarely(8) {
		claim.Conflict = "another claim's"
	}
	if g.tame {
		claim.Owned = true
	}
	return claim
}

// shuffled is the input with every list in another order whose order has no meaning.
func (g generator) shuffled(in Input) Input {
	in.Claims, in.LANs, in.NICs, in.OtherNICs = shuffle(g, in.Claims), shuffle(g, in.LANs), shuffle(g, in.NICs), shuffle(g, in.OtherNICs)
	in.ClusterLANs, in.Recorded = shuffle(g, in.ClusterLANs), shuffle(g, in.Recorded)
	if len(in.ClusterNetworks) > 2 {
		// Only the first one means more than the others.
		in.ClusterNetworks = slices.Concat(in.ClusterNetworks[:1], shuffle(g, in.ClusterNetworks[1:]))
	}
	return in
}

func shuffle[T any](g generator, list []T) []T {
	list = slices.Clone(list)
	g.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func texts(addrs []netip.Addr) []string {
	list := make([]string, 0, len(addrs))
	for _, addr := range addrs {
		list = append(list, addr.String())
	}
	return list
}
