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
	"strings"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// nicBlockBits is the prefix length of the IPv6 block of a NIC.
const nicBlockBits = 80

// nicBlock is the block of the NIC that has an IPv6 address.
func nicBlock(addr netip.Addr) netip.Prefix {
	return netip.PrefixFrom(addr, nicBlockBits).Masked()
}

// checkAddresses finds what is wrong with the claimed addresses of an attachment.
func (p *planner) checkAddresses(a *attachment) {
	for _, family := range families {
		address := a.address(family)
		if !address.Addr.IsValid() {
			continue
		}
		if !isOf(address.Addr, family) {
			p.failAddress(a, family, ReasonFamilyMismatch, fmt.Sprintf("the pool gave %s, which is no %s address", address.Addr, family), "name a pool of "+string(family)+" addresses")
			continue
		}
		p.checkSubnet(a, family, address.Addr)
		p.checkTwice(a, family, address.Addr)
		p.checkInUse(a, family, address.Addr)
		if family == IPv6 {
			a.plan.IPv6Block = nicBlock(address.Addr)
			p.checkBlock(a)
		}
	}
}

// checkSubnet checks that an address lies where the network says.
func (p *planner) checkSubnet(a *attachment, family Family, addr netip.Addr) {
	if subnet := a.lan.ipv4Subnet; family == IPv4 && subnet.IsValid() && !subnet.Contains(addr) {
		p.failAddress(a, family, ReasonAddressOutsideSubnet, fmt.Sprintf("the address %s is outside of the subnet %s of cluster network %q", addr, subnet, a.lan.network.Name), "correct the addresses of the pool, or ipv4Subnet")
	}
	if block := a.lan.ipv6Block; family == IPv6 && block.IsValid() && !block.Contains(addr) {
		p.failAddress(a, family, ReasonAddressOutsideLAN, fmt.Sprintf("the address %s is outside of the block %s of the LAN", addr, block), "correct the addresses of the pool")
	}
}

// checkTwice checks that no attachment before this one has the address, or an address in the same block.
func (p *planner) checkTwice(a *attachment, family Family, addr netip.Addr) {
	for _, other := range p.attachments[:a.index] {
		switch held := other.address(family).Addr; {
		case held == addr:
			p.failAddress(a, family, ReasonDuplicateAddress, fmt.Sprintf("the address %s is also that of attachment %q", addr, other.spec.Name), "take the address out of one of the pools")
		case family == IPv6 && isOf(held, IPv6) && nicBlock(held) == nicBlock(addr):
			p.failAddress(a, family, ReasonDuplicateIPv6Block, fmt.Sprintf("the address %s and %s of attachment %q are in one /80, and each NIC needs its own", addr, held, other.spec.Name), "let the pools give addresses of different /80 blocks")
		}
	}
}

// checkInUse checks that no other NIC has the address. A private address may be used again in another LAN.
func (p *planner) checkInUse(a *attachment, family Family, addr netip.Addr) {
	has := func(nic *NIC) bool {
		return (nic.LAN == a.lan.id || family == IPv6 || a.plan.Public) && slices.Contains(addressesOf(nic, family), addr)
	}
	if nic := p.otherNIC(has); nic != nil {
		p.failAddress(a, family, ReasonAddressInUse, fmt.Sprintf("the address %s is in use by %s", addr, nicOfServer(nic)), "take the address out of the pool")
	}
	if nic := p.ownNIC(a, has); nic != nil {
		p.failAddress(a, family, ReasonAddressInUse, fmt.Sprintf("the address %s is in use by another NIC of the machine, %s", addr, nic.ID), "take the address off that NIC")
	}
}

// checkBlock checks that no other NIC has the block of the claimed IPv6 address.
func (p *planner) checkBlock(a *attachment) {
	has := func(nic *NIC) bool {
		return nic.IPv6Block == a.plan.IPv6Block && !slices.Contains(nic.IPv6, a.plan.IPv6.Addr)
	}
	message := fmt.Sprintf("the address %s lies in %s, which is the block of ", a.plan.IPv6.Addr, a.plan.IPv6Block)
	if nic := p.otherNIC(has); nic != nil {
		p.failAddress(a, IPv6, ReasonIPv6BlockInUse, message+nicOfServer(nic), "take the addresses of that block out of the pool")
	}
	if nic := p.ownNIC(a, has); nic != nil {
		p.failAddress(a, IPv6, ReasonIPv6BlockInUse, message+"another NIC of the machine, "+nic.ID, "take the addresses of that block out of the pool")
	}
}

// otherNIC is the first NIC of another server with a property, by server and ID; nil if there is none.
func (p *planner) otherNIC(has func(*NIC) bool) *NIC {
	var first *NIC
	for i := range p.in.OtherNICs {
		nic := &p.in.OtherNICs[i]
		if !has(nic) || slices.ContainsFunc(p.in.NICs, func(own NIC) bool { return own.ID == nic.ID }) {
			continue
		}
		if first == nil || nic.ServerName < first.ServerName || nic.ServerName == first.ServerName && nic.ID < first.ID {
			first = nic
		}
	}
	return first
}

// ownNIC is the first NIC of the owner's server, besides the attachment's and those to detach, with a property.
func (p *planner) ownNIC(a *attachment, has func(*NIC) bool) *NIC {
	for i := range p.in.NICs {
		nic := &p.in.NICs[i]
		if nic == a.nic || !has(nic) {
			continue
		}
		if _, detach := p.toDetach(i); !detach {
			return nic
		}
	}
	return nil
}

// failAddress reports what is wrong with a claimed address. Where the NIC has the address already, nothing is left to
// be prevented, and it is a warning.
func (p *planner) failAddress(a *attachment, family Family, reason Reason, message, remedy string) {
	address := a.address(family)
	held := a.nic != nil && slices.Contains(addressesOf(a.nic, family), address.Addr)
	if !held {
		remedy += ", then delete claim " + address.ClaimName
	}
	p.problems = append(p.problems, Problem{
		Reason: reason, Network: a.spec.Name, Family: family, Pool: address.Pool,
		Message: message, Remedy: remedy, Warning: held,
	})
}

// planRoutes plans the routes of an attachment: its own, and those of its cluster network to other destinations.
func (p *planner) planRoutes(a *attachment) {
	for _, spec := range slices.Concat(a.spec.Routes, a.lan.network.Routes) {
		route, family, ok := p.parseRoute(a, spec)
		if !ok || slices.ContainsFunc(a.plan.Routes, func(other Route) bool { return other.Destination == route.Destination }) {
			continue
		}
		a.plan.Routes = append(a.plan.Routes, route)
		p.checkGateway(a, family, route)
	}
}

func (p *planner) parseRoute(a *attachment, spec infrav1.Route) (Route, Family, bool) {
	destination, destinationErr := netip.ParsePrefix(spec.Destination)
	gateway, gatewayErr := netip.ParseAddr(spec.Gateway)
	family := IPv4
	if destination.Addr().Is6() || destinationErr != nil && gateway.Is6() {
		family = IPv6
	}
	switch {
	case destinationErr != nil:
		p.fail(a, family, ReasonInvalidRoute, fmt.Sprintf("the destination %q of a route is no CIDR", spec.Destination), "correct the route")
	case gatewayErr != nil:
		p.fail(a, family, ReasonInvalidRoute, fmt.Sprintf("the gateway %q of the route to %s is no IP address", spec.Gateway, spec.Destination), "correct the route")
	case !isOf(gateway, family):
		p.fail(a, family, ReasonInvalidRoute, fmt.Sprintf("the gateway %s of the route to %s is of another address family", gateway, destination), "correct the route")
	default:
		return Route{Destination: destination.Masked(), Gateway: gateway}, family, true
	}
	return Route{}, family, false
}

// checkGateway warns of a gateway that lies in none of the subnets that are known of the network.
func (p *planner) checkGateway(a *attachment, family Family, route Route) {
	if route.Gateway.IsLinkLocalUnicast() {
		return
	}
	subnets := []netip.Prefix{a.lan.ipv4Subnet, a.lan.ipv4Block}
	if family == IPv6 {
		subnets = []netip.Prefix{a.lan.ipv6Block}
	}
	// The zero address makes an invalid prefix.
	subnets = append(subnets, netip.PrefixFrom(a.address(family).Addr, a.address(family).Bits).Masked())
	subnets = slices.DeleteFunc(subnets, func(subnet netip.Prefix) bool { return !subnet.IsValid() })
	if len(subnets) == 0 || slices.ContainsFunc(subnets, func(subnet netip.Prefix) bool { return subnet.Contains(route.Gateway) }) {
		return
	}
	texts := make([]string, 0, len(subnets))
	for _, subnet := range subnets {
		texts = append(texts, subnet.String())
	}
	slices.Sort(texts)
	p.warn(a, family, ReasonUnreachableGateway,
		fmt.Sprintf("the gateway %s of the route to %s is outside of %s", route.Gateway, route.Destination, strings.Join(slices.Compact(texts), " and ")),
		"check the gateway")
}

// checkFailover finds failover IPs that the cloud would not take.
func (p *planner) checkFailover(a *attachment) {
	if len(a.spec.FailoverIPs) > 0 && a.lan.public == absent {
		p.fail(a, IPv4, ReasonFailoverOnPrivateLAN, "failoverIPs are set and the LAN is private", "remove failoverIPs, or use a public network")
	}
	for _, text := range a.spec.FailoverIPs {
		if text == infrav1.FailoverIPAuto {
			continue
		}
		switch addr, err := netip.ParseAddr(text); {
		case err != nil || !addr.Is4():
			p.fail(a, IPv4, ReasonInvalidFailoverIP, fmt.Sprintf("the failover IP %q is neither AUTO nor an IPv4 address", text), "correct failoverIPs")
		case addr == a.plan.IPv4.Addr:
			p.fail(a, IPv4, ReasonInvalidFailoverIP, fmt.Sprintf("the failover IP %s is the NIC's own address", addr), "remove it from failoverIPs, and take it out of the pool")
		}
	}
}

// isOf tells whether an address is of a family, and one that a NIC can have.
func isOf(addr netip.Addr, family Family) bool {
	if family == IPv6 {
		return addr.Is6() && !addr.Is4In6() && addr.Zone() == ""
	}
	return addr.Is4()
}

// nicOfServer names a NIC of another server.
func nicOfServer(nic *NIC) string {
	return fmt.Sprintf("server %s (NIC %s)", nic.ServerName, nic.ID)
}
