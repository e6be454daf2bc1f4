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
	"strconv"
)

// Where the cloud takes the addresses from that it assigns.
var (
	publicRange = netip.MustParsePrefix("198.18.0.0/15")
	ipv6Range   = netip.MustParsePrefix("2001:db8::/32")
)

// firstPrivate is the last byte of the first address that is assigned in a private LAN.
const firstPrivate = 10

func atoi(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return number
}

// datacenterIPv6 is the /56 of a data center.
func datacenterIPv6(number int) netip.Prefix {
	bytes := ipv6Range.Addr().As16()
	binary.BigEndian.PutUint16(bytes[4:], uint16(number))
	return netip.PrefixFrom(netip.AddrFrom16(bytes), 56)
}

// subnet is the n-th block of the given length inside a block, for lengths at byte borders.
func subnet(block netip.Prefix, bits, n int) netip.Prefix {
	bytes := block.Addr().As16()
	switch bits {
	case 64:
		bytes[7] = byte(n)
	case 80:
		binary.BigEndian.PutUint16(bytes[8:], uint16(n))
	}
	return netip.PrefixFrom(netip.AddrFrom16(bytes), bits)
}

// freeLANBlock is the first /64 of the data center that no LAN has.
func (d *datacenter) freeLANBlock() netip.Prefix {
	for n := 1; n < 256; n++ {
		block := subnet(d.ipv6, 64, n)
		if !d.lanHasBlock(block, nil) {
			return block
		}
	}
	return netip.Prefix{}
}

func (d *datacenter) lanHasBlock(block netip.Prefix, but *lan) bool {
	for _, l := range d.lans {
		if l != but && l.ipv6 == block {
			return true
		}
	}
	return false
}

// nicsIn are the NICs in a LAN, in a stable order.
func (d *datacenter) nicsIn(number int) []*nic {
	var nics []*nic
	for _, s := range d.servers {
		for _, n := range s.nics {
			if n.lan == number {
				nics = append(nics, n)
			}
		}
	}
	slices.SortFunc(nics, func(a, b *nic) int { return compareText(a.id, b.id) })
	return nics
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// checkAddresses tells whether a NIC may have these addresses in a LAN. l is nil for a LAN that the NIC makes.
func (c *Cloud) checkAddresses(dc *datacenter, l *lan, n *nic, addresses []netip.Addr) *apiError {
	for i, address := range addresses {
		if !address.Is4() {
			return invalid(codeConstraint, "ips", "%s is no IPv4 address", address)
		}
		if slices.Contains(addresses[:i], address) {
			return invalid(codeConstraint, "ips", "%s is given twice", address)
		}
		if l != nil && l.public {
			if failure := c.checkPublic(dc, l, n, address); failure != nil {
				return failure
			}
			continue
		}
		if !address.IsPrivate() {
			return invalid(codeConstraint, "ips", "%s is no private address, and the LAN is private", address)
		}
		if l == nil || c.duplicatePrivate {
			continue
		}
		for _, other := range dc.nicsIn(l.number) {
			if other != n && slices.Contains(other.ips, address) {
				return invalid(codeConstraint, "ips", "%s is already used in LAN %d", address, l.number)
			}
		}
	}
	return nil
}

// checkPublic tells whether a NIC may have a public address: it must be reserved in the location, and be used once,
// but for the members of a failover group.
func (c *Cloud) checkPublic(dc *datacenter, l *lan, n *nic, address netip.Addr) *apiError {
	if n != nil && slices.Contains(n.ips, address) {
		return nil
	}
	reserved := false
	for _, block := range c.ipBlocks {
		if slices.Contains(block.ips, address) && block.location == dc.location && !block.unborn {
			reserved = true
		}
	}
	if !reserved {
		return invalid(codeConstraint, "ips", "%s is not reserved in location %s", address, dc.location)
	}
	isGroup := slices.ContainsFunc(l.failover, func(g failoverGroup) bool { return g.IP == address.String() })
	for _, other := range c.datacenters {
		for _, s := range other.servers {
			for _, holder := range s.nics {
				if holder == n || !slices.Contains(holder.ips, address) {
					continue
				}
				if isGroup && other == dc && holder.lan == l.number {
					continue
				}
				return invalid(codeConstraint, "ips", "%s is already used by NIC %s", address, holder.id)
			}
		}
	}
	return nil
}

// checkIPv6 tells whether a NIC may have this block and these addresses.
func (c *Cloud) checkIPv6(dc *datacenter, l *lan, n *nic, block netip.Prefix, addresses []netip.Addr, dhcpv6 *bool) *apiError {
	if l == nil || !l.ipv6.IsValid() {
		if block.IsValid() || len(addresses) > 0 || dhcpv6 != nil {
			return invalid(codeConstraint, "dhcpv6", "IPv6 settings are only allowed in a LAN with IPv6")
		}
		return nil
	}
	if block.IsValid() {
		if block.Bits() != 80 || !l.ipv6.Contains(block.Addr()) || block.Masked() != block {
			return invalid(codeConstraint, "ipv6CidrBlock", "%s is no /80 of the LAN's block %s", block, l.ipv6)
		}
		for _, other := range dc.nicsIn(l.number) {
			if other != n && other.ipv6Block == block {
				return invalid(codeConstraint, "ipv6CidrBlock", "%s is already used by NIC %s", block, other.id)
			}
		}
	}
	if !block.IsValid() && n != nil {
		block = n.ipv6Block
	}
	if len(addresses) > 50 {
		return invalid(codeConstraint, "ipv6Ips", "at most 50 addresses are allowed")
	}
	for _, address := range addresses {
		if !block.IsValid() || !block.Contains(address) {
			return invalid(codeConstraint, "ipv6Ips", "%s is not in the NIC's ipv6CidrBlock", address)
		}
	}
	return nil
}

// assign gives a NIC the addresses that it does not name.
func (c *Cloud) assign(dc *datacenter, l *lan, n *nic) {
	if len(n.ips) == 0 {
		if l.public {
			if n.dhcp {
				n.ips = []netip.Addr{c.nextPublicAddress()}
			}
		} else if address, free := freePrivate(dc, l); free {
			n.ips = []netip.Addr{address}
		}
	}
	if !l.ipv6.IsValid() {
		n.ipv6Block, n.ipv6, n.dhcpv6 = netip.Prefix{}, nil, nil
		return
	}
	if !n.ipv6Block.IsValid() {
		n.ipv6Block = freeNICBlock(dc, l)
	}
	if len(n.ipv6) == 0 {
		n.ipv6 = []netip.Addr{n.ipv6Block.Addr().Next()}
	}
	if n.dhcpv6 == nil {
		on := true
		n.dhcpv6 = &on
	}
}

// nextPublicAddress is an address that nobody has reserved.
func (c *Cloud) nextPublicAddress() netip.Addr {
	c.nextPublic++
	bytes := publicRange.Addr().As4()
	binary.BigEndian.PutUint16(bytes[2:], uint16(c.nextPublic))
	return netip.AddrFrom4(bytes)
}

func freePrivate(dc *datacenter, l *lan) (netip.Addr, bool) {
	used := map[netip.Addr]bool{}
	for _, n := range dc.nicsIn(l.number) {
		for _, address := range n.ips {
			used[address] = true
		}
	}
	bytes := l.ipv4.Addr().As4()
	for last := firstPrivate; last < 255; last++ {
		bytes[3] = byte(last)
		if address := netip.AddrFrom4(bytes); !used[address] {
			return address, true
		}
	}
	return netip.Addr{}, false
}

func freeNICBlock(dc *datacenter, l *lan) netip.Prefix {
	used := map[netip.Prefix]bool{}
	for _, n := range dc.nicsIn(l.number) {
		used[n.ipv6Block] = true
	}
	// The cloud begins where static addresses rarely are.
	for n := 0x8000; n <= 0xffff; n++ {
		if block := subnet(l.ipv6, 80, n); !used[block] {
			return block
		}
	}
	return netip.Prefix{}
}
