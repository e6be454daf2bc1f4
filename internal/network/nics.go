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
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	"k8s.io/utils/ptr"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// matchNICs finds the NIC of each attachment: the recorded one, else the one of its name, else one that the v1alpha1
// provider left without a name. What matches nothing is not the provider's, or is detached.
func (p *planner) matchNICs() {
	p.attachmentOfNIC = make([]*attachment, len(p.in.NICs))
	if p.in.NICs == nil {
		return
	}
	p.match(func(a *attachment, nic *NIC) bool { return nic.ID != "" && nic.ID == a.recorded.NICID })
	for _, likely := range []func(*attachment, *NIC) bool{holdsAddress, always} {
		p.match(func(a *attachment, nic *NIC) bool { return nic.Name == a.plan.NICName && likely(a, nic) })
	}
	specs := resolveAttachments(p.in.Attachments)
	p.match(func(a *attachment, nic *NIC) bool {
		return nic.Name == LegacyPrimaryNICName(p.in.Owner.Name) && isLegacyPrimary(specs, a.index)
	})
	if p.isLegacyServer() {
		for _, likely := range []func(*attachment, *NIC) bool{holdsAddress, sameDHCP, always} {
			p.match(func(a *attachment, nic *NIC) bool {
				return nic.Name == "" && a.recorded.NICID == "" && a.spec.NetworkID > 0 && nic.LAN == a.lan.id && likely(a, nic)
			})
		}
	}
	for _, a := range p.attachments {
		switch {
		case a.nic == nil:
			a.missing = a.recorded.NICID != ""
		case a.lan.id != 0 && a.nic.LAN != a.lan.id:
			p.warn(a, "", ReasonNICInOtherLAN, fmt.Sprintf("NIC %s is in LAN %d, and belongs into LAN %d", a.nic.ID, a.nic.LAN, a.lan.id), "move the NIC back, or replace the machine")
		}
	}
}

// match gives each attachment without a NIC the first NIC that fits and serves no other.
func (p *planner) match(fits func(*attachment, *NIC) bool) {
	for _, a := range p.attachments {
		for i := range p.in.NICs {
			nic := &p.in.NICs[i]
			if a.nic != nil || p.attachmentOfNIC[i] != nil || !fits(a, nic) {
				continue
			}
			if recorded := p.recordOf(nic); recorded != nil && recorded.Name != a.spec.Name {
				continue
			}
			a.nic, p.attachmentOfNIC[i] = nic, a
			a.plan.NICID = nic.ID
		}
	}
}

// isLegacyServer tells whether the v1alpha1 provider made the server. Only then a NIC without a name can be the provider's.
func (p *planner) isLegacyServer() bool {
	return slices.ContainsFunc(p.in.NICs, func(nic NIC) bool { return nic.Name == LegacyPrimaryNICName(p.in.Owner.Name) })
}

func always(*attachment, *NIC) bool { return true }

// holdsAddress tells whether a NIC has an address that was claimed or recorded for an attachment.
func holdsAddress(a *attachment, nic *NIC) bool {
	for _, family := range families {
		if slices.ContainsFunc(addressesOf(nic, family), func(addr netip.Addr) bool {
			return addr == a.address(family).Addr || isRecorded(a.recorded, family, addr)
		}) {
			return true
		}
	}
	return false
}

func sameDHCP(a *attachment, nic *NIC) bool { return nic.DHCP == a.plan.DHCP }

// recordOf is the record of a NIC; nil if there is none.
func (p *planner) recordOf(nic *NIC) *infrav1.AttachmentStatus {
	i := slices.IndexFunc(p.in.Recorded, func(r infrav1.AttachmentStatus) bool { return r.NICID != "" && r.NICID == nic.ID })
	if i < 0 {
		return nil
	}
	return &p.in.Recorded[i]
}

// toDetach tells whether a NIC is the provider's and no attachment wants it, and which attachment it was made for.
func (p *planner) toDetach(index int) (string, bool) {
	if p.attachmentOfNIC[index] != nil {
		return "", false
	}
	nic := &p.in.NICs[index]
	if recorded := p.recordOf(nic); recorded != nil {
		// An attachment that is wanted has taken the NIC that is recorded for it.
		return recorded.Name, true
	}
	return attachmentOfNIC(p.in.Owner, nic.Name)
}

// planChanges fills in how the NICs that exist become what they should be.
func (p *planner) planChanges(plan *Plan) {
	if p.in.NICs == nil {
		// The server is made in one request with all of its NICs.
		if len(plan.Waits) == 0 {
			for _, a := range p.attachments {
				plan.Attach = append(plan.Attach, a.settings())
			}
		}
		return
	}
	for i := range p.in.NICs {
		if attachment, detach := p.toDetach(i); detach {
			plan.Detach = append(plan.Detach, NICDetachment{Attachment: attachment, NICID: p.in.NICs[i].ID})
		}
	}
	slices.SortFunc(plan.Detach, func(a, b NICDetachment) int {
		return cmp.Or(cmp.Compare(a.Attachment, b.Attachment), cmp.Compare(a.NICID, b.NICID))
	})
	for _, a := range p.attachments {
		switch {
		case a.waiting || a.missing:
		case a.nic == nil:
			plan.Attach = append(plan.Attach, a.settings())
		case a.nic.LAN == a.lan.id:
			if change, needed := a.change(); needed {
				plan.Change = append(plan.Change, change)
			}
		}
	}
}

// settings are those of a new NIC for the attachment.
func (a *attachment) settings() NICSettings {
	settings := NICSettings{
		Attachment: a.spec.Name,
		Name:       a.plan.NICName,
		LAN:        a.lan.id,
		DHCP:       a.plan.DHCP,
		DHCPv6:     a.plan.DHCPv6,
		VNET:       a.plan.VNET,
	}
	if addr := a.plan.IPv4.Addr; addr.IsValid() {
		settings.IPv4 = []netip.Addr{addr}
	}
	if addr := a.plan.IPv6.Addr; addr.IsValid() {
		settings.IPv6, settings.IPv6Block = []netip.Addr{addr}, a.plan.IPv6Block
	}
	return settings
}

// change is what the NIC of the attachment lacks. Addresses that it has besides are left alone.
func (a *attachment) change() (NICChange, bool) {
	change := NICChange{Attachment: a.spec.Name, NICID: a.nic.ID}
	needed := false
	if addr := a.plan.IPv4.Addr; addr.IsValid() && first(a.nic.IPv4) != addr {
		change.IPv4, needed = putFirst(addr, a.nic.IPv4), true
	}
	if addr := a.plan.IPv6.Addr; addr.IsValid() {
		// An address can only be one of the NIC's own block, so that a NIC that has the address has the block.
		block := cmp.Or(a.nic.IPv6Block, a.plan.IPv6Block)
		if first(a.nic.IPv6) != addr || block != a.plan.IPv6Block {
			change.IPv6, change.IPv6Block, needed = putFirst(addr, inBlock(a.nic.IPv6, a.plan.IPv6Block)), a.plan.IPv6Block, true
		}
	}
	if a.spec.DHCP != nil && a.nic.DHCP != a.plan.DHCP {
		change.DHCP, needed = ptr.To(a.plan.DHCP), true
	}
	if a.plan.DHCPv6 != nil && a.lan.ipv6 == present && !ptr.Equal(a.nic.DHCPv6, a.plan.DHCPv6) {
		change.DHCPv6, needed = ptr.To(*a.plan.DHCPv6), true
	}
	return change, needed
}

// first is the first address of a list; the zero value of an empty one.
func first(addrs []netip.Addr) netip.Addr {
	if len(addrs) == 0 {
		return netip.Addr{}
	}
	return addrs[0]
}

// putFirst returns the list with an address in front, and nowhere else.
func putFirst(addr netip.Addr, addrs []netip.Addr) []netip.Addr {
	result := []netip.Addr{addr}
	for _, other := range addrs {
		if other != addr {
			result = append(result, other)
		}
	}
	return result
}

// inBlock returns those of the addresses that lie in a block.
func inBlock(addrs []netip.Addr, block netip.Prefix) []netip.Addr {
	return slices.DeleteFunc(slices.Clone(addrs), func(addr netip.Addr) bool { return !block.Contains(addr) })
}
