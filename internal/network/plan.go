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
	"strings"

	"k8s.io/utils/ptr"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// New plans the NICs and addresses of a machine.
func New(in Input) Plan {
	p := newPlanner(in)
	for _, a := range p.attachments {
		p.locate(a)
	}
	p.settleClaims()
	p.matchNICs()
	for _, a := range p.attachments {
		p.checkAddresses(a)
		p.planRoutes(a)
		p.checkFailover(a)
	}
	return p.finish()
}

// planner is a plan in the making.
type planner struct {
	// in is the input with its lists sorted.
	in          Input
	networks    []infrav1.ClusterNetwork
	attachments []*attachment
	claims      *claimBook
	problems    []Problem
	waits       []Wait
	// attachmentOfNIC says, for each of in.NICs, which attachment it serves; nil if none.
	attachmentOfNIC []*attachment
}

// attachment is what is known of an attachment while it is planned.
type attachment struct {
	spec  infrav1.Attachment
	index int
	lan   lanFacts
	// recorded is what status.networks remembers; the zero value if nothing.
	recorded infrav1.AttachmentStatus
	// formerClaims are the names besides the regular one that its claims may have, by family.
	formerClaims map[Family][]string
	// obscure is set when it cannot be made out which network the attachment means.
	obscure bool
	// waiting is set when something is missing for its NIC.
	waiting bool
	// missing is set when the recorded NIC is gone.
	missing bool
	// nic is the NIC that exists for it.
	nic  *NIC
	plan AttachmentPlan
}

func newPlanner(in Input) *planner {
	p := &planner{in: sorted(in), networks: ResolveNetworks(in.ClusterNetworks)}
	p.claims = newClaimBook(in.Owner, p.in.Claims)
	specs := resolveAttachments(in.Attachments)
	for i := range specs {
		a := &attachment{spec: specs[i], index: i, formerClaims: map[Family][]string{}}
		a.plan = AttachmentPlan{
			Name:        a.spec.Name,
			Primary:     i == 0,
			NICName:     NICName(in.Owner, a.spec.Name),
			DHCP:        ptr.Deref(a.spec.DHCP, true),
			FailoverIPs: slices.Clone(a.spec.FailoverIPs),
			VNET:        a.spec.VNET,
		}
		if r := slices.IndexFunc(p.in.Recorded, func(r infrav1.AttachmentStatus) bool { return r.Name == a.spec.Name }); r >= 0 {
			a.recorded = p.in.Recorded[r]
		}
		for _, family := range families {
			if recorded := recordedClaim(a.recorded, family); recorded != "" {
				a.formerClaims[family] = append(a.formerClaims[family], recorded)
			}
			a.formerClaims[family] = append(a.formerClaims[family], legacyClaimNames(in.Owner, specs, i, family)...)
		}
		if slices.ContainsFunc(specs[:i], func(other infrav1.Attachment) bool { return other.Name == a.spec.Name }) {
			a.obscure = true
			p.fail(a, "", ReasonDuplicateAttachment, "several attachments have this name", "rename all but one of them")
		}
		p.attachments = append(p.attachments, a)
	}
	return p
}

// sorted returns the input with all lists sorted whose order has no meaning and of which a plan shows the order.
func sorted(in Input) Input {
	in.Claims = sortedBy(in.Claims, func(c Claim) string { return c.Name })
	in.LANs = sortedBy(in.LANs, func(l LAN) LANID { return l.ID })
	in.NICs = sortedBy(in.NICs, func(n NIC) string { return n.ID })
	in.ClusterLANs = sortedBy(in.ClusterLANs, func(s infrav1.ClusterNetworkStatus) string { return s.Name })
	in.Recorded = sortedBy(in.Recorded, func(s infrav1.AttachmentStatus) string { return s.Name })
	return in
}

// sortedBy returns a list sorted by a key. Where the key is not unique, as it should be, one value stays. Nil stays nil.
func sortedBy[T any, K cmp.Ordered](list []T, key func(T) K) []T {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b T) int {
		if c := cmp.Compare(key(a), key(b)); c != 0 {
			return c
		}
		return strings.Compare(content(a), content(b))
	})
	return slices.CompactFunc(list, func(a, b T) bool { return key(a) == key(b) })
}

// content tells values apart that have one key.
func content(value any) string {
	if nic, isNIC := value.(NIC); isNIC {
		dhcpv6 := "unset"
		if nic.DHCPv6 != nil {
			dhcpv6 = fmt.Sprint(*nic.DHCPv6)
		}
		nic.DHCPv6 = nil
		return fmt.Sprint(nic, dhcpv6)
	}
	return fmt.Sprint(value)
}

// settleClaims finds the addresses of all attachments. Those that want a pool choose first, so that a claim of a former
// name never goes to an attachment that could do without.
func (p *planner) settleClaims() {
	p.noteUse()
	for _, wantsPool := range []bool{true, false} {
		for _, a := range p.attachments {
			for _, family := range families {
				if pool := a.pool(family); !a.obscure && pool.IsZero() != wantsPool {
					p.settleClaim(a, family, pool)
				}
			}
		}
	}
	for _, a := range p.attachments {
		if a.obscure {
			p.keepClaims(a, families[:]...)
		}
	}
	p.problems = append(p.problems, p.claims.problems...)
	p.waits = append(p.waits, p.claims.waits...)
	for _, wait := range p.claims.waits {
		p.named(wait.Network).waiting = true
	}
}

// noteUse tells the claims which addresses are in use, and by which network as far as recorded.
func (p *planner) noteUse() {
	for i := range p.in.NICs {
		for _, addr := range slices.Concat(p.in.NICs[i].IPv4, p.in.NICs[i].IPv6) {
			p.claims.inUse[addr] = true
		}
	}
	for i := range p.in.Recorded {
		recorded := &p.in.Recorded[i]
		for _, text := range slices.Concat(recorded.IPv4Addresses, recorded.IPv6Addresses) {
			if addr, err := netip.ParseAddr(text); err == nil {
				p.claims.inUse[addr] = true
			}
		}
		for _, family := range families {
			if name := recordedClaim(*recorded, family); name != "" {
				p.claims.recordedFor[name] = recorded.Name
			}
		}
	}
}

func (p *planner) settleClaim(a *attachment, family Family, pool PoolRef) {
	if family == IPv6 && a.lan.ipv6 == absent {
		if !pool.IsZero() {
			p.keepClaims(a, IPv6)
			p.lacksIPv6(a, pool)
		}
		return
	}
	address, claimed := p.claims.settle(claimDemand{
		network:       a.spec.Name,
		family:        family,
		pool:          pool,
		formerNames:   a.formerClaims[family],
		recordedClaim: recordedClaim(a.recorded, family),
		served:        p.isServed(a, family),
	})
	if claimed {
		*a.address(family) = address
	}
}

// keepClaims keeps the claims that an attachment may hold, because it cannot be made out what it needs.
func (p *planner) keepClaims(a *attachment, families ...Family) {
	for _, family := range families {
		p.claims.keep(a.spec.Name, family, a.formerClaims[family])
	}
}

// isServed tells whether the recorded NIC of an attachment has a recorded address.
func (p *planner) isServed(a *attachment, family Family) bool {
	i := slices.IndexFunc(p.in.NICs, func(nic NIC) bool { return nic.ID != "" && nic.ID == a.recorded.NICID })
	if i < 0 {
		return false
	}
	return slices.ContainsFunc(addressesOf(&p.in.NICs[i], family), func(addr netip.Addr) bool {
		return isRecorded(a.recorded, family, addr)
	})
}

// finish puts the plan together.
func (p *planner) finish() Plan {
	plan := Plan{
		Claims:   p.claims.plans,
		Unwanted: p.claims.unwanted(),
		Problems: sortProblems(p.problems),
		Waits:    sortWaits(p.waits),
	}
	slices.SortFunc(plan.Claims, func(a, b ClaimPlan) int { return cmp.Compare(a.Name, b.Name) })
	for _, a := range p.attachments {
		p.chooseSource(a)
		plan.Attachments = append(plan.Attachments, a.plan)
		if a.missing {
			plan.Missing = append(plan.Missing, a.spec.Name)
		}
	}
	slices.Sort(plan.Missing)
	if !plan.Blocked() {
		p.planChanges(&plan)
	}
	return plan
}

// chooseSource says where the addresses come from that no pool gives.
func (p *planner) chooseSource(a *attachment) {
	if a.plan.IPv4.Source == "" {
		a.plan.IPv4.Source = assigned(a.plan.DHCP)
	}
	if a.plan.IPv6.Source != "" {
		return
	}
	switch a.lan.ipv6 {
	case present:
		dhcpv6 := a.plan.DHCPv6
		if dhcpv6 == nil && a.nic != nil {
			dhcpv6 = a.nic.DHCPv6
		}
		a.plan.IPv6.Source = assigned(ptr.Deref(dhcpv6, false))
	case absent:
		a.plan.IPv6.Source = SourceNone
	case unknown:
		a.plan.IPv6.Source = SourceUnknown
	}
}

// assigned is the source of an address that the cloud assigns.
func assigned(dhcp bool) Source {
	if dhcp {
		return SourceDHCP
	}
	return SourceCloud
}

// named is the first attachment of a name.
func (p *planner) named(name string) *attachment {
	i := slices.IndexFunc(p.attachments, func(a *attachment) bool { return a.spec.Name == name })
	return p.attachments[i]
}

// address is where the plan of a family stands.
func (a *attachment) address(family Family) *Address {
	if family == IPv6 {
		return &a.plan.IPv6
	}
	return &a.plan.IPv4
}

// pool is the pool that an address of a family is wanted from: the attachment's own, else that of its cluster network.
func (a *attachment) pool(family Family) PoolRef {
	own, inherited := a.spec.IPv4PoolRef, a.lan.network.IPv4PoolRef
	if family == IPv6 {
		own, inherited = a.spec.IPv6PoolRef, a.lan.network.IPv6PoolRef
	}
	if pool := poolOf(own); !pool.IsZero() {
		return pool
	}
	return poolOf(inherited)
}

func (p *planner) fail(a *attachment, family Family, reason Reason, message, remedy string) {
	p.problems = append(p.problems, Problem{Reason: reason, Network: a.spec.Name, Family: family, Message: message, Remedy: remedy})
}

func (p *planner) warn(a *attachment, family Family, reason Reason, message, remedy string) {
	p.problems = append(p.problems, Problem{Reason: reason, Network: a.spec.Name, Family: family, Message: message, Remedy: remedy, Warning: true})
}

func (p *planner) await(a *attachment, family Family, reason Reason, message string) {
	a.waiting = true
	wait := Wait{Reason: reason, Network: a.spec.Name, Family: family, Message: message}
	if family != "" {
		wait.Pool = a.pool(family)
	}
	p.waits = append(p.waits, wait)
}

// recordedClaim is the claim of a family that is recorded for an attachment.
func recordedClaim(recorded infrav1.AttachmentStatus, family Family) string {
	if family == IPv6 {
		return recorded.IPv6ClaimName
	}
	return recorded.IPv4ClaimName
}

// isRecorded tells whether an address is recorded for an attachment.
func isRecorded(recorded infrav1.AttachmentStatus, family Family, addr netip.Addr) bool {
	texts := recorded.IPv4Addresses
	if family == IPv6 {
		texts = recorded.IPv6Addresses
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		parsed, err := netip.ParseAddr(text)
		return err == nil && parsed == addr
	})
}

// addressesOf are the addresses of a NIC.
func addressesOf(nic *NIC, family Family) []netip.Addr {
	if family == IPv6 {
		return nic.IPv6
	}
	return nic.IPv4
}
