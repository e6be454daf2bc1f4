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

package cloudsim

import (
	"encoding/binary"
	"net/netip"
	"slices"
)

// ipv6Range is where the blocks of the data centers come from.
var ipv6Range = netip.MustParsePrefix("2001:db8::/32")

const (
	datacenterBits, lanBits, nicBits = 56, 64, 80
	// maxIPv6LANs is how many LANs of a data center can have IPv6.
	maxIPv6LANs = 256
	// maxIPv6Addresses is how many IPv6 addresses a NIC can have.
	maxIPv6Addresses = 50
	// firstNICBlock is where the cloud begins to assign, far from what people choose.
	firstNICBlock, lastNICBlock = 0x8000, 0xffff
)

// datacenterIPv6 is the /56 of a data center.
func datacenterIPv6(number int) netip.Prefix {
	bytes := ipv6Range.Addr().As16()
	binary.BigEndian.PutUint16(bytes[4:], uint16(number))
	return netip.PrefixFrom(netip.AddrFrom16(bytes), datacenterBits)
}

// freeLANBlock is the first /64 of the data center that no LAN has.
func (d *datacenter) freeLANBlock() (netip.Prefix, *apiError) {
	bytes := d.ipv6.Addr().As16()
	// The first one comes last, as it is the least telling.
	for n := 1; n <= maxIPv6LANs; n++ {
		bytes[7] = byte(n)
		if block := netip.PrefixFrom(netip.AddrFrom16(bytes), lanBits); !d.lanHasBlock(block, nil) {
			return block, nil
		}
	}
	return netip.Prefix{}, invalid(codeConstraint, "ipv6CidrBlock", "at most %d LANs of a data center can have IPv6", maxIPv6LANs)
}

func (d *datacenter) lanHasBlock(block netip.Prefix, but *lan) bool {
	for _, l := range d.lans {
		if l != but && l.ipv6 == block {
			return true
		}
	}
	return false
}

// freeNICBlock is the first /80 of a LAN that no NIC has, among those that the cloud assigns.
func freeNICBlock(dc *datacenter, l *lan) netip.Prefix {
	used := map[netip.Prefix]bool{}
	for _, n := range dc.nicsIn(l.number) {
		used[n.ipv6Block] = true
	}
	bytes := l.ipv6.Addr().As16()
	for n := firstNICBlock; n <= lastNICBlock; n++ {
		binary.BigEndian.PutUint16(bytes[8:], uint16(n))
		if block := netip.PrefixFrom(netip.AddrFrom16(bytes), nicBits); !used[block] {
			return block
		}
	}
	return netip.Prefix{}
}

// checkIPv6 tells whether a NIC may have this block and these addresses. An address must be in the block that is sent
// with it, or else in the one that the NIC has.
func (c *Cloud) checkIPv6(dc *datacenter, l *lan, n *nic, block netip.Prefix, addresses []netip.Addr, dhcpv6 *bool) *apiError {
	if l == nil || !l.ipv6.IsValid() {
		switch {
		case dhcpv6 != nil:
			return invalid(codeConstraint, "dhcpv6", "dhcpv6 can only be set in a LAN with IPv6")
		case block.IsValid():
			return invalid(codeConstraint, "ipv6CidrBlock", "ipv6CidrBlock can only be set in a LAN with IPv6")
		case len(addresses) > 0:
			return invalid(codeConstraint, "ipv6Ips", "ipv6Ips can only be set in a LAN with IPv6")
		}
		return nil
	}
	if block.IsValid() {
		if block.Bits() != nicBits || !l.ipv6.Contains(block.Addr()) || block.Masked() != block {
			return invalid(codeConstraint, "ipv6CidrBlock", "%s is no /80 of the LAN's block %s", block, l.ipv6)
		}
		for _, other := range dc.nicsIn(l.number) {
			if other != n && other.ipv6Block == block {
				return invalid(codeConstraint, "ipv6CidrBlock", "%s is already used by NIC %s", block, other.id)
			}
		}
	}
	if !block.IsValid() && n != nil && n.lan == l.number {
		block = n.ipv6Block
	}
	if len(addresses) > maxIPv6Addresses {
		return invalid(codeConstraint, "ipv6Ips", "at most %d addresses are allowed", maxIPv6Addresses)
	}
	for i, address := range addresses {
		switch {
		case !block.IsValid() || !block.Contains(address):
			return invalid(codeConstraint, "ipv6Ips", "%s is not in the NIC's ipv6CidrBlock", address)
		case slices.Contains(addresses[:i], address):
			return invalid(codeConstraint, "ipv6Ips", "%s is given twice", address)
		}
	}
	return nil
}

// assignIPv6 gives a NIC the block and addresses that it does not name; in a LAN without IPv6 it takes them. Addresses of
// another block are replaced by as many of the new one.
func (c *Cloud) assignIPv6(dc *datacenter, l *lan, n *nic) {
	if !l.ipv6.IsValid() {
		n.ipv6Block, n.ipv6, n.dhcpv6 = netip.Prefix{}, nil, nil
		return
	}
	if !n.ipv6Block.IsValid() {
		n.ipv6Block = freeNICBlock(dc, l)
	}
	if len(n.ipv6) == 0 || !n.ipv6Block.Contains(n.ipv6[0]) {
		count := max(len(n.ipv6), 1)
		n.ipv6 = make([]netip.Addr, 0, count)
		for address := n.ipv6Block.Addr().Next(); len(n.ipv6) < count; address = address.Next() {
			n.ipv6 = append(n.ipv6, address)
		}
	}
	if n.dhcpv6 == nil {
		on := true
		n.dhcpv6 = &on
	}
}
