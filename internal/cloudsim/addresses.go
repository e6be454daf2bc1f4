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

// publicRange is where the cloud takes the public addresses from that it assigns or reserves.
var publicRange = netip.MustParsePrefix("198.18.0.0/15")

const (
	publicCount = 1 << 17
	// publicStride spreads the addresses that are assigned one after the other; it has no factor in common with their count.
	publicStride = 7919
	// firstPrivate and lastPrivate are the last bytes of the addresses that are assigned in a private LAN.
	firstPrivate, lastPrivate = 10, 254
)

func atoi(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return number
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

// checkAddresses tells whether a NIC may have these addresses in a LAN. l is nil for a LAN that the NIC makes, n for a NIC
// that is not made yet.
func (c *Cloud) checkAddresses(dc *datacenter, l *lan, n *nic, addresses []netip.Addr) *apiError {
	public := c.implicitPublic
	if l != nil {
		public = l.public
	}
	for i, address := range addresses {
		switch {
		case !address.Is4():
			return invalid(codeConstraint, "ips", "%s is no IPv4 address", address)
		case slices.Contains(addresses[:i], address):
			return invalid(codeConstraint, "ips", "%s is given twice", address)
		}
		check := c.checkPrivate
		if public {
			check = c.checkPublic
		}
		if failure := check(dc, l, n, address); failure != nil {
			return failure
		}
	}
	return nil
}

// checkPrivate tells whether a NIC in a private LAN may have an address: any private one that no other NIC there has.
func (c *Cloud) checkPrivate(dc *datacenter, l *lan, n *nic, address netip.Addr) *apiError {
	if !address.IsPrivate() {
		return invalid(codeConstraint, "ips", "%s is no private address, and the LAN is private", address)
	}
	if l == nil || c.duplicatePrivate || l.hasGroup(address) {
		return nil
	}
	for _, other := range dc.nicsIn(l.number) {
		if other != n && slices.Contains(other.ips, address) {
			return invalid(codeConstraint, "ips", "%s is already used in LAN %d by NIC %s", address, l.number, other.id)
		}
	}
	return nil
}

// checkPublic tells whether a NIC in a public LAN may have an address: it must be reserved in the location, and be used
// once, but for the members of a failover group. One that the cloud assigned may be kept.
func (c *Cloud) checkPublic(dc *datacenter, l *lan, n *nic, address netip.Addr) *apiError {
	if !c.isReserved(dc.location, address) {
		if n != nil && l != nil && n.lan == l.number && slices.Contains(n.ips, address) {
			return nil
		}
		return invalid(codeConstraint, "ips", "%s is not reserved in location %s", address, dc.location)
	}
	for _, other := range c.datacenters {
		for _, s := range other.servers {
			for _, holder := range s.nics {
				isMember := l != nil && other == dc && holder.lan == l.number && l.hasGroup(address)
				if holder != n && !isMember && slices.Contains(holder.ips, address) {
					return invalid(codeConstraint, "ips", "%s is already used by NIC %s", address, holder.id)
				}
			}
		}
	}
	return nil
}

// isReserved tells whether an address is in an IP block of a location.
func (c *Cloud) isReserved(location string, address netip.Addr) bool {
	for _, block := range c.ipBlocks {
		if block.location == location && !block.unborn && slices.Contains(block.ips, address) {
			return true
		}
	}
	return false
}

// assign gives a NIC the addresses that it does not name.
func (c *Cloud) assign(dc *datacenter, l *lan, n *nic) *apiError {
	switch {
	case len(n.ips) > 0 || l.public && !n.dhcp && !c.addressWithoutDHCP:
	case l.public:
		n.ips = []netip.Addr{c.nextPublicAddress()}
	default:
		address, isFree := freePrivate(dc, l)
		if !isFree {
			return invalid(codeConstraint, "ips", "no address is left in %s of LAN %d", l.ipv4, l.number)
		}
		n.ips = []netip.Addr{address}
	}
	c.assignIPv6(dc, l, n)
	return nil
}

// nextPublicAddress is a public address that nobody has had.
func (c *Cloud) nextPublicAddress() netip.Addr {
	for {
		c.nextPublic++
		bytes := publicRange.Addr().As4()
		offset := uint32(c.nextPublic * publicStride % publicCount)
		binary.BigEndian.PutUint32(bytes[:], binary.BigEndian.Uint32(bytes[:])+offset)
		address := netip.AddrFrom4(bytes)
		isSeeded := false
		for _, block := range c.ipBlocks {
			isSeeded = isSeeded || slices.Contains(block.ips, address)
		}
		if !isSeeded && bytes[3] != 0 && bytes[3] != 255 {
			return address
		}
	}
}

// freePrivate is the first address of a private LAN's block that no NIC has.
func freePrivate(dc *datacenter, l *lan) (netip.Addr, bool) {
	used := map[netip.Addr]bool{}
	for _, n := range dc.nicsIn(l.number) {
		for _, address := range n.ips {
			used[address] = true
		}
	}
	bytes := l.ipv4.Addr().As4()
	for last := firstPrivate; last <= lastPrivate; last++ {
		bytes[3] = byte(last)
		if address := netip.AddrFrom4(bytes); !used[address] {
			return address, true
		}
	}
	return netip.Addr{}, false
}

// freeIPv4Block is the /24 of a private LAN; those of a data center differ.
func (d *datacenter) freeIPv4Block(number int) netip.Prefix {
	for n := d.number*256 + number; ; n++ {
		block := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(100 + n/256), byte(n), 0}), 24)
		isUsed := false
		for _, l := range d.lans {
			isUsed = isUsed || l.ipv4 == block
		}
		if !isUsed {
			return block
		}
	}
}
