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
	return c.list(dc.id+"/lans", items, pageLimit)
}

func getLAN(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	return c.show(c.lanResource(dc, l))
}

func listLANNICs(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	return c.list(strconv.Itoa(l.number)+"/nics", c.lanNICs(dc, l), pageLimit)
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
		block, failure = dc.freeLANBlock()
		return block, true, failure
	}
	block, err := netip.ParsePrefix(*text)
	if err != nil || block.Bits() != 64 || !dc.ipv6.Contains(block.Addr()) {
		return netip.Prefix{}, true, invalid(codeConstraint, "ipv6CidrBlock", "%q is no /64 of the data center's block %s", *text, dc.ipv6)
	}
	if block.Masked() != block {
		return netip.Prefix{}, true, invalid(codeConstraint, "ipv6CidrBlock", "%s has bits behind its prefix", block)
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
	if len(deref(properties.IPFailover)) > 0 {
		return nil, invalid(codeConstraint, "ipFailover", "a LAN without NICs cannot have failover groups")
	}
	public := c.cloud.publicByDefault
	setIf(&public, properties.Public)
	l := c.cloud.newLAN(dc, deref(properties.Name), public)
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
	undo := func() { c.cloud.removeLAN(dc, l) }
	return c.enqueue(dc, []touch{c.touchLAN(dc, l)}, execute, undo, func() resource { return c.lanResource(dc, l) })
}

// newLAN makes a LAN with the next number.
func (c *Cloud) newLAN(dc *datacenter, name string, public bool) *lan {
	dc.nextLAN++
	for dc.lans[dc.nextLAN] != nil {
		dc.nextLAN++
	}
	return c.lanNumbered(dc, dc.nextLAN, name, public)
}

func (c *Cloud) lanNumbered(dc *datacenter, number int, name string, public bool) *lan {
	l := &lan{meta: c.newMeta(strconv.Itoa(number)), number: number, name: name, public: public}
	l.labels = nil
	if !public {
		l.ipv4 = dc.freeIPv4Block(number)
	}
	dc.lans[number] = l
	return l
}

func (c *call) touchLAN(dc *datacenter, l *lan) touch {
	return touch{&l.meta, target{"lan", strconv.Itoa(l.number), c.lanResource(dc, l).href}}
}

func changeLAN(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	var properties lanBody
	if failure := c.decodeChange(&properties); failure != nil {
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
		setIf(&l.pcc, properties.PCC)
		if block, sent, _ := properties.ipv6(dc, l); sent && block != l.ipv6 {
			l.ipv6 = block
			for _, n := range dc.nicsIn(l.number) {
				n.ipv6Block = netip.Prefix{}
				c.cloud.assignIPv6(dc, l, n)
			}
		}
		return nil
	}
	return c.enqueue(dc, []touch{c.touchLAN(dc, l)}, execute, nil, func() resource { return c.lanResource(dc, l) })
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
	for _, n := range dc.nicsIn(l.number) {
		n.server.unplug(n)
	}
	l.gone = true
	delete(dc.lans, l.number)
}

func getLANNIC(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	for _, n := range dc.nicsIn(l.number) {
		if n.id == c.request.PathValue("nic") && !c.hidden(&n.meta) {
			return c.show(c.nicResource(n))
		}
	}
	return nil, notFound()
}

// moveNIC moves a NIC that exists to a LAN.
func moveNIC(c *call, dc *datacenter, l *lan) (*response, *apiError) {
	var body struct {
		ID string `json:"id"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	for _, s := range dc.servers {
		for _, n := range s.nics {
			if n.id == body.ID && !c.hidden(&n.meta) {
				return changeNICTo(c, n, nicBody{LAN: &l.number})
			}
		}
	}
	return nil, invalid(codeConstraint, "id", "NIC %q does not exist in the data center", body.ID)
}

func deref[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}
