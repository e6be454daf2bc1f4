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

package poolstandin

import (
	"fmt"
	"net/netip"
	"strings"
)

// addressRange is a range of addresses, both ends included.
type addressRange struct{ first, last netip.Addr }

// subnet is a pool's spec with its addresses parsed.
type subnet struct {
	ranges  []addressRange
	prefix  int
	gateway netip.Addr
}

func parse(spec PoolSpec) (subnet, error) {
	s := subnet{prefix: int(spec.Prefix)}
	for i, entry := range spec.Addresses {
		r, err := parseRange(entry)
		if err != nil {
			return subnet{}, fmt.Errorf("spec.addresses[%d]: %w", i, err)
		}
		if s.prefix < 0 || s.prefix > r.first.BitLen() {
			return subnet{}, fmt.Errorf("spec.prefix: %d is no prefix length for %s", s.prefix, r.first)
		}
		s.ranges = append(s.ranges, r)
	}
	if spec.Gateway != "" {
		gateway, err := netip.ParseAddr(spec.Gateway)
		if err != nil {
			return subnet{}, fmt.Errorf("spec.gateway: %w", err)
		}
		s.gateway = gateway
	}
	return s, nil
}

func parseRange(entry string) (addressRange, error) {
	if prefix, err := netip.ParsePrefix(entry); err == nil {
		return addressRange{first: prefix.Masked().Addr(), last: lastOf(prefix)}, nil
	}
	first, last, isRange := strings.Cut(entry, "-")
	if !isRange {
		last = first
	}
	var (
		r   addressRange
		err error
	)
	if r.first, err = netip.ParseAddr(first); err != nil {
		return addressRange{}, fmt.Errorf("parse %q as an address, a range or a CIDR: %w", entry, err)
	}
	if r.last, err = netip.ParseAddr(last); err != nil {
		return addressRange{}, fmt.Errorf("parse the end of the range %q: %w", entry, err)
	}
	if r.first.BitLen() != r.last.BitLen() || r.last.Less(r.first) {
		return addressRange{}, fmt.Errorf("parse %q: the end of a range must not lie before its start", entry)
	}
	return r, nil
}

// lastOf is the last address of a prefix.
func lastOf(prefix netip.Prefix) netip.Addr {
	bytes := prefix.Masked().Addr().AsSlice()
	for i := prefix.Bits(); i < len(bytes)*8; i++ {
		bytes[i/8] |= 0x80 >> (i % 8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}

// nextFree is the first address, in the order of the spec, that is not in use and may be given to a machine.
func (s subnet) nextFree(used map[netip.Addr]bool) (netip.Addr, bool) {
	for _, r := range s.ranges {
		for addr := r.first; addr.IsValid() && !r.last.Less(addr); addr = addr.Next() {
			if !used[addr] && !s.reserved(addr) {
				return addr, true
			}
		}
	}
	return netip.Addr{}, false
}

// reserved says whether an address has a meaning of its own: the gateway, the first address of a subnet, and the last
// of an IPv4 subnet. In subnets of one or two addresses each is as good as the other.
func (s subnet) reserved(addr netip.Addr) bool {
	if addr == s.gateway {
		return true
	}
	if s.prefix >= addr.BitLen()-1 {
		return false
	}
	prefix := netip.PrefixFrom(addr, s.prefix)
	return addr == prefix.Masked().Addr() || (addr.Is4() && addr == lastOf(prefix))
}
