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
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
)

func (c *call) lanResource(dc *datacenter, l *lan) resource {
	id := strconv.Itoa(l.number)
	var ipv4 any
	if !l.public && !l.unborn {
		ipv4 = prefixOrNil(l.ipv4)
	}
	groups := slices.Clone(l.failover)
	if groups == nil {
		groups = []failoverGroup{}
	}
	return resource{
		meta: &l.meta, id: id, kind: "lan", href: c.base() + "/datacenters/" + dc.id + "/lans/" + id,
		properties: object{
			"name": l.name, "public": l.public, "ipFailover": groups, "ipv4CidrBlock": ipv4, "ipv6CidrBlock": prefixOrNil(l.ipv6), "pcc": textOrNil(l.pcc),
		},
		children: map[string]func() []resource{"nics": func() []resource { return c.lanNICs(dc, l) }},
	}
}

func (c *call) lanNICs(dc *datacenter, l *lan) []resource {
	var items []resource
	for _, n := range dc.nicsIn(l.number) {
		if !c.hidden(&n.meta) && !c.hidden(&n.server.meta) {
			items = append(items, c.nicResource(n))
		}
	}
	return items
}

func (d *datacenter) sortedLANs() []*lan {
	lans := make([]*lan, 0, len(d.lans))
	for _, l := range d.lans {
		lans = append(lans, l)
	}
	slices.SortFunc(lans, func(a, b *lan) int { return a.number - b.number })
	return lans
}

func listLANs(c *call, dc *datacenter) (*response, *apiError) {
	var items []resource
	for _, l := range dc.sortedLANs() {
		if !c.hidden(&l.meta) {
			items = append(items, c.lanResource(dc, l))
		}
	}
	return c.list(dc.id+"/lans", items, 1000)
}

func getLAN(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	return ok(c.lanResource(dc, l).show(c.depth()))
}

func listLANNICs(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	return c.list(strconv.Itoa(l.number)+"/nics", c.lanNICs(dc, l), 1000)
}

// lanBody is what is written about a LAN. Fields that were not sent are nil.
type lanBody struct {
	Name          *string          `json:"name"`
	Public        *bool            `json:"public"`
	IPFailover    *[]failoverGroup `json:"ipFailover"`
	IPv4CIDRBlock *json.RawMessage `json:"ipv4CidrBlock"`
	IPv6CIDRBlock json.RawMessage  `json:"ipv6CidrBlock"`
	PCC           *string          `json:"pcc"`
}

// ipv6 reads ipv6CidrBlock: whether it was sent, and the block it asks for.
func (b lanBody) ipv6(dc *datacenter, but *lan) (block netip.Prefix, sent bool, failure *apiError) {
	if len(b.IPv6CIDRBlock) == 0 {
		return netip.Prefix{}, false, nil
	}
	var text *string
	if err := json.Unmarshal(b.IPv6CIDRBlock, &text); err != nil {
		return netip.Prefix{}, true, invalid(codeConstraint, "ipv6CidrBlock", "must be a string or null")
	}
	switch {
	case text == nil:
		return netip.Prefix{}, true, nil
	case *text == "AUTO":
		if but != nil && but.ipv6.IsValid() {
			return but.ipv6, true, nil
		}
		return dc.freeLANBlock(), true, nil
	}
	block, err := netip.ParsePrefix(*text)
	if err != nil || block.Bits() != 64 || !dc.ipv6.Contains(block.Addr()) {
		return netip.Prefix{}, true, invalid(codeConstraint, "ipv6CidrBlock", "%q is no /64 of the data center's block %s", *text, dc.ipv6)
	}
	if dc.lanHasBlock(block, but) {
		return netip.Prefix{}, true, invalid(codeConstraint, "ipv6CidrBlock", "%s is already used", block)
	}
	return block, true, nil
}

func createLAN(c *call, dc *datacenter) (*response, *apiError) {
	var body struct {
		Properties lanBody `json:"properties"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	properties := body.Properties
	if properties.IPv4CIDRBlock != nil {
		return nil, invalid(codeReadOnly, "ipv4CidrBlock", "Attribute is not allowed in create requests")
	}
	if _, _, failure := properties.ipv6(dc, nil); failure != nil {
		return nil, failure
	}
	l := c.cloud.newLAN(dc, deref(properties.Name), deref(properties.Public))
	l.unborn = true
	l.pcc = deref(properties.PCC)
	execute := func() *apiError {
		block, _, failure := properties.ipv6(dc, nil)
		if failure != nil {
			return failure
		}
		l.ipv6 = block
		return nil
	}
	undo := func() { delete(dc.lans, l.number) }
	return c.enqueue(dc, []touch{c.touchLAN(dc, l)}, execute, undo, func() any { return c.lanResource(dc, l).show(c.depth()) })
}

// newLAN makes a LAN with the next number.
func (c *Cloud) newLAN(dc *datacenter, name string, public bool) *lan {
	for dc.nextLAN++; dc.lans[dc.nextLAN] != nil; dc.nextLAN++ {
	}
	return c.lanNumbered(dc, dc.nextLAN, name, public)
}

func (c *Cloud) lanNumbered(dc *datacenter, number int, name string, public bool) *lan {
	l := &lan{meta: meta{id: strconv.Itoa(number), created: c.clock.Now()}, number: number, name: name, public: public}
	if !public {
		l.ipv4 = netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(100 + dc.number%100), byte(number), 0}), 24)
	}
	dc.lans[number] = l
	return l
}

func (c *call) touchLAN(dc *datacenter, l *lan) touch {
	return touch{&l.meta, target{"lan", strconv.Itoa(l.number), c.lanResource(dc, l).href}}
}

func patchLAN(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	var properties lanBody
	if failure := c.decode(&properties); failure != nil {
		return nil, failure
	}
	check := func() *apiError {
		if properties.IPv4CIDRBlock != nil {
			return invalid(codeReadOnly, "ipv4CidrBlock", "Attribute is read-only")
		}
		if properties.Public != nil && *properties.Public != l.public {
			return invalid(codeConstraint, "public", "a LAN cannot be switched between public and private")
		}
		if _, _, failure := properties.ipv6(dc, l); failure != nil {
			return failure
		}
		return c.cloud.checkFailover(dc, l, properties.IPFailover)
	}
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		if properties.Name != nil {
			l.name = *properties.Name
		}
		if properties.IPFailover != nil {
			l.failover = slices.Clone(*properties.IPFailover)
		}
		if block, sent, _ := properties.ipv6(dc, l); sent && block != l.ipv6 {
			l.ipv6 = block
			for _, n := range dc.nicsIn(l.number) {
				n.ipv6Block, n.ipv6 = netip.Prefix{}, nil
				c.cloud.assign(dc, l, n)
			}
		}
		return nil
	}
	return c.enqueue(dc, []touch{c.touchLAN(dc, l)}, execute, nil, func() any { return c.lanResource(dc, l).show(c.depth()) })
}

// checkFailover tells whether the failover groups of a LAN may be replaced by these.
func (c *Cloud) checkFailover(dc *datacenter, l *lan, groups *[]failoverGroup) *apiError {
	if groups == nil {
		return nil
	}
	if !l.public && len(*groups) > 0 && !c.privateFailover {
		return invalid(codeConstraint, "ipFailover", "failover groups need a public LAN")
	}
	nics := dc.nicsIn(l.number)
	for i, group := range *groups {
		if slices.ContainsFunc((*groups)[:i], func(other failoverGroup) bool { return other.IP == group.IP }) {
			return invalid(codeConstraint, "ipFailover", "%s has two groups", group.IP)
		}
		if !slices.ContainsFunc(nics, func(n *nic) bool { return n.id == group.NICUUID && slices.Contains(addressTexts(n.ips), group.IP) }) {
			return invalid(codeConstraint, "ipFailover", "NIC %s does not have %s", group.NICUUID, group.IP)
		}
	}
	for _, old := range l.failover {
		if slices.ContainsFunc(*groups, func(group failoverGroup) bool { return group.IP == old.IP }) {
			continue
		}
		if slices.ContainsFunc(nics, func(n *nic) bool { return n.id != old.NICUUID && slices.Contains(addressTexts(n.ips), old.IP) }) {
			return invalid(codeFailover, "ipFailover", "The failover group of %s cannot be deleted, because slave NICs still have the address", old.IP)
		}
	}
	return nil
}

func deleteLAN(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	check := func() *apiError {
		if n := len(dc.nicsIn(l.number)); n > 0 && !c.cloud.allowLANDeletion {
			return invalid(codeConstraint, "lan", "LAN %d still has %d NICs", l.number, n)
		}
		return nil
	}
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		c.cloud.removeLAN(dc, l)
		return nil
	}
	return c.enqueue(dc, []touch{c.touchLAN(dc, l)}, execute, nil, nil)
}

// removeLAN removes a LAN, and the NICs in it.
func (c *Cloud) removeLAN(dc *datacenter, l *lan) {
	for _, s := range dc.servers {
		s.nics = slices.DeleteFunc(s.nics, func(n *nic) bool { return n.lan == l.number })
	}
	delete(dc.lans, l.number)
}

func deref[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}
