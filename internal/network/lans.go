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
	"net/netip"
	"slices"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// presence says whether a LAN has something.
type presence int

const (
	unknown presence = iota
	absent
	present
)

func presenceOf(is bool) presence {
	if is {
		return present
	}
	return absent
}

// lanFacts is what is known of the LAN of an attachment.
type lanFacts struct {
	id LANID
	// network is the cluster network; the zero value for an attachment by LAN number.
	network infrav1.ClusterNetwork
	public  presence
	ipv6    presence
	// ipv6Expected is whether the cluster network asks for IPv6, and the LAN gets it if it has none yet.
	ipv6Expected bool
	// ipv4Block, ipv4Subnet and ipv6Block are the zero value when there is none or it is not known.
	ipv4Block, ipv4Subnet, ipv6Block netip.Prefix
}

// locate finds the LAN of an attachment.
func (p *planner) locate(a *attachment) {
	switch {
	case a.spec.ClusterNetwork != "" && a.spec.NetworkID != 0:
		a.obscure = true
		p.fail(a, "", ReasonAmbiguousNetwork,
			fmt.Sprintf("the attachment names cluster network %q and networkID %d", a.spec.ClusterNetwork, a.spec.NetworkID),
			"remove one of the two")
	case a.spec.NetworkID < 0:
		a.obscure = true
		p.fail(a, "", ReasonInvalidNetworkID, "networkID is no LAN number", "set networkID to the number of a LAN of the data center")
	case a.spec.NetworkID > 0:
		p.locateByNumber(a)
	default:
		p.locateClusterNetwork(a)
	}
	a.plan.LAN = a.lan.id
	a.plan.Public = a.lan.public == present
	a.plan.ClusterNetwork = a.lan.network.Name
	p.planDHCPv6(a)
}

func (p *planner) locateByNumber(a *attachment) {
	id := LANID(a.spec.NetworkID)
	if p.in.LANs == nil {
		a.lan.id = id
		return
	}
	if !p.observeLAN(a, id) {
		// The cloud would make a LAN of a number that it does not know, so that this one must not be sent.
		p.fail(a, "", ReasonLANNotFound, fmt.Sprintf("the data center has no LAN %d", id), "correct networkID, or create the LAN")
		return
	}
	a.lan.id = id
}

func (p *planner) locateClusterNetwork(a *attachment) {
	name := a.spec.ClusterNetwork
	if name == "" {
		name = p.networks[0].Name
	}
	n := slices.IndexFunc(p.networks, func(network infrav1.ClusterNetwork) bool { return network.Name == name })
	if n < 0 {
		a.obscure = true
		p.fail(a, "", ReasonUnknownClusterNetwork, fmt.Sprintf("the cluster has no network %q", name), "correct clusterNetwork, or add the network to the cluster")
		return
	}
	network := p.networks[n]
	a.lan.network = network
	a.lan.public = presenceOf(network.Type == infrav1.ClusterNetworkPublic)
	a.lan.ipv6Expected = network.IPv6CIDRBlock != infrav1.IPv6CIDRBlockNone
	a.lan.ipv6 = presenceOf(a.lan.ipv6Expected)
	if block, err := netip.ParsePrefix(network.IPv6CIDRBlock); err == nil {
		a.lan.ipv6Block = block.Masked()
	}
	p.readSubnet(a, network.IPv4Subnet)

	l := slices.IndexFunc(p.in.ClusterLANs, func(lan infrav1.ClusterNetworkStatus) bool { return lan.Name == name && lan.NetworkID > 0 })
	if l < 0 {
		p.await(a, "", ReasonWaitingForLAN, fmt.Sprintf("cluster network %q has no LAN in the data center yet", name))
		return
	}
	id := LANID(p.in.ClusterLANs[l].NetworkID)
	if p.in.LANs == nil {
		block, err := netip.ParsePrefix(p.in.ClusterLANs[l].IPv6CIDRBlock)
		a.lan.id, a.lan.ipv6, a.lan.ipv6Block = id, presenceOf(err == nil), block
		return
	}
	if !p.observeLAN(a, id) {
		p.await(a, "", ReasonWaitingForLAN, fmt.Sprintf("LAN %d of cluster network %q is not in the data center", id, name))
		return
	}
	a.lan.id = id
}

// observeLAN takes over what the cloud says of a LAN. It returns whether the LAN exists.
func (p *planner) observeLAN(a *attachment, id LANID) bool {
	i := slices.IndexFunc(p.in.LANs, func(lan LAN) bool { return lan.ID == id })
	if i < 0 {
		return false
	}
	lan := p.in.LANs[i]
	a.lan.public = presenceOf(lan.Public)
	a.lan.ipv6 = presenceOf(lan.IPv6Block.IsValid())
	a.lan.ipv4Block, a.lan.ipv6Block = lan.IPv4Block, lan.IPv6Block
	return true
}

func (p *planner) readSubnet(a *attachment, subnet string) {
	if subnet == "" {
		return
	}
	prefix, err := netip.ParsePrefix(subnet)
	if err != nil || !prefix.Addr().Is4() {
		p.fail(a, IPv4, ReasonInvalidSubnet, fmt.Sprintf("ipv4Subnet %q of cluster network %q is no IPv4 CIDR", subnet, a.lan.network.Name), "correct ipv4Subnet")
		return
	}
	a.lan.ipv4Subnet = prefix.Masked()
}

// planDHCPv6 plans dhcpv6, which the cloud refuses on a LAN without IPv6, whichever value it has.
func (p *planner) planDHCPv6(a *attachment) {
	if a.spec.DHCPv6 == nil || a.obscure {
		return
	}
	switch {
	case a.lan.ipv6 != absent:
		dhcpv6 := *a.spec.DHCPv6
		a.plan.DHCPv6 = &dhcpv6
	case a.lan.ipv6Expected:
		p.await(a, IPv6, ReasonWaitingForIPv6, p.noIPv6Yet(a))
	default:
		p.warn(a, IPv6, ReasonDHCPv6Ignored, "dhcpv6 is set and the LAN has no IPv6, so it is not sent", "remove dhcpv6, or enable IPv6 on the LAN")
	}
}

// lacksIPv6 reports a pool of IPv6 addresses where the LAN has no IPv6.
func (p *planner) lacksIPv6(a *attachment, pool PoolRef) {
	if a.lan.ipv6Expected {
		p.await(a, IPv6, ReasonWaitingForIPv6, p.noIPv6Yet(a))
		return
	}
	p.problems = append(p.problems, Problem{
		Reason: ReasonNoIPv6, Network: a.spec.Name, Family: IPv6, Pool: pool,
		Message: "an IPv6 address is asked for and the LAN has no IPv6",
		Remedy:  "remove ipv6PoolRef, or enable IPv6 on the LAN",
	})
}

func (p *planner) noIPv6Yet(a *attachment) string {
	return fmt.Sprintf("LAN %d of cluster network %q has no IPv6 block yet", a.lan.id, a.lan.network.Name)
}
