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
	"fmt"
	"net/netip"
	"slices"

	"github.com/google/uuid"
)

func (c *call) nicResource(n *nic) resource {
	dc := n.server.datacenter
	properties := object{
		"name": n.name, "mac": textOrNil(n.mac), "ips": addressTexts(n.ips), "dhcp": n.dhcp, "lan": n.lan,
		"ipv6CidrBlock": prefixOrNil(n.ipv6Block), "ipv6Ips": addressTexts(n.ipv6), "dhcpv6": nil, "firewallActive": n.firewall,
		"firewallType": "INGRESS", "deviceNumber": n.deviceIndex,
	}
	if n.dhcpv6 != nil {
		properties["dhcpv6"] = *n.dhcpv6
	}
	if n.unborn {
		// What the cloud computes is not there yet.
		properties["mac"], properties["ips"], properties["ipv6Ips"] = nil, []string{}, []string{}
	}
	return resource{
		meta: &n.meta, id: n.id, kind: "nic", href: c.base() + "/datacenters/" + dc.id + "/servers/" + n.server.id + "/nics/" + n.id, properties: properties,
		children: map[string]func() []resource{"firewallrules": func() []resource { return nil }},
	}
}

// nicBody is what is written about a NIC. Fields that were not sent are nil.
type nicBody struct {
	Name          *string         `json:"name"`
	MAC           *string         `json:"mac"`
	IPs           *[]string       `json:"ips"`
	DHCP          *bool           `json:"dhcp"`
	LAN           *int            `json:"lan"`
	IPv6CIDRBlock *string         `json:"ipv6CidrBlock"`
	IPv6IPs       *[]string       `json:"ipv6Ips"`
	DHCPv6        *bool           `json:"dhcpv6"`
	Firewall      *bool           `json:"firewallActive"`
	VNET          *string         `json:"vnet"`
	DeviceNumber  json.RawMessage `json:"deviceNumber"`
	PCISlot       json.RawMessage `json:"pciSlot"`
}

// addresses are the valid ones among the addresses that were sent; check finds the others.
func (b nicBody) addresses() []netip.Addr { return parsed(b.IPs) }

func (b nicBody) ipv6Addresses() []netip.Addr { return parsed(b.IPv6IPs) }

func parsed(texts *[]string) []netip.Addr {
	var addresses []netip.Addr
	for _, text := range deref(texts) {
		if address, err := netip.ParseAddr(text); err == nil {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

// block is the /80 that was sent; the zero value for none and for one that the cloud chooses.
func (b nicBody) block() netip.Prefix {
	block, err := netip.ParsePrefix(deref(b.IPv6CIDRBlock))
	if err != nil {
		return netip.Prefix{}
	}
	return block
}

// checkNIC tells whether a NIC can be what is asked for. n is nil before the NIC is made.
func (c *Cloud) checkNIC(dc *datacenter, n *nic, body nicBody, create bool) *apiError {
	if len(body.DeviceNumber) > 0 || len(body.PCISlot) > 0 {
		return invalid(codeReadOnly, "deviceNumber", "Attribute is read-only")
	}
	number := deref(body.LAN)
	switch {
	case create && number < 1:
		return invalid(codeConstraint, "lan", "lan is required")
	case body.LAN == nil:
		number = n.lan
	}
	if !create && body.MAC != nil && *body.MAC != n.mac {
		return invalid(codeReadOnly, "mac", "Attribute is read-only")
	}
	if len(body.addresses()) != len(deref(body.IPs)) {
		return invalid(codeConstraint, "ips", "%q has something that is no address", deref(body.IPs))
	}
	if len(body.ipv6Addresses()) != len(deref(body.IPv6IPs)) {
		return invalid(codeConstraint, "ipv6Ips", "%q has something that is no address", deref(body.IPv6IPs))
	}
	if text := deref(body.IPv6CIDRBlock); text != "" && text != "AUTO" && !body.block().IsValid() {
		return invalid(codeConstraint, "ipv6CidrBlock", "%q is no block", text)
	}
	l := dc.lans[number]
	if l != nil && l.unborn {
		return invalid(codeConstraint, "lan", "LAN %d is not available yet", number)
	}
	if failure := c.checkAddresses(dc, l, n, body.addresses()); failure != nil {
		return failure
	}
	return c.checkIPv6(dc, l, n, body.block(), body.ipv6Addresses(), body.DHCPv6)
}

// newNIC makes a NIC of a server, which is not plugged in yet.
func (c *Cloud) newNIC(s *server, body nicBody) *nic {
	n := &nic{
		meta: meta{id: uuid.NewString(), created: c.clock.Now(), unborn: true}, server: s, name: deref(body.Name), vnet: deref(body.VNET),
		lan: deref(body.LAN), dhcp: body.DHCP == nil || *body.DHCP, dhcpv6: body.DHCPv6, firewall: deref(body.Firewall), deviceIndex: len(s.nics) + 1,
		mac: deref(body.MAC),
	}
	if n.mac == "" {
		id := uuid.New()
		n.mac = fmt.Sprintf("02:01:%02x:%02x:%02x:%02x", id[0], id[1], id[2], id[3])
	}
	s.nics = append(s.nics, n)
	return n
}

// plug connects a NIC with its LAN, which is made if it does not exist, and gives it its addresses.
func (c *Cloud) plug(dc *datacenter, n *nic, body nicBody) *apiError {
	if failure := c.checkNIC(dc, n, body, true); failure != nil {
		return failure
	}
	l := dc.lans[n.lan]
	if l == nil {
		l = c.lanNumbered(dc, n.lan, "", false)
	}
	n.ips, n.explicit = body.addresses(), len(body.addresses()) > 0
	n.ipv6Block, n.ipv6 = body.block(), body.ipv6Addresses()
	c.assign(dc, l, n)
	return nil
}

func listNICs(c *call, s *server) (*response, *apiError) {
	return c.list(s.id+"/nics", c.serverNICs(s), 1000)
}

func getNIC(c *call, n *nic) (*response, *apiError) { return ok(c.nicResource(n).show(c.depth())) }

func (c *call) touchNIC(n *nic) []touch {
	return []touch{{&n.meta, target{"nic", n.id, c.nicResource(n).href}}, c.touchServer(n.server)}
}

func attachNIC(c *call, s *server) (*response, *apiError) {
	var body struct {
		Properties nicBody `json:"properties"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	dc := s.datacenter
	check := func(n *nic, others int) *apiError {
		if others+len(s.volumes)+1 > maxDevices {
			return invalid(codeConstraint, "entities", "a server can have at most %d NICs and volumes", maxDevices)
		}
		return c.cloud.checkNIC(dc, n, body.Properties, true)
	}
	if failure := check(nil, len(s.nics)); failure != nil {
		return nil, failure
	}
	n := c.cloud.newNIC(s, body.Properties)
	execute := func() *apiError {
		if dc.servers[s.id] == nil {
			return notFound()
		}
		if failure := check(n, len(s.nics)-1); failure != nil {
			return failure
		}
		return c.cloud.plug(dc, n, body.Properties)
	}
	undo := func() { s.nics = slices.DeleteFunc(s.nics, func(other *nic) bool { return other == n }) }
	return c.enqueue(dc, c.touchNIC(n), execute, undo, func() any { return c.nicResource(n).show(c.depth()) })
}

func patchNIC(c *call, n *nic) (*response, *apiError) {
	var properties nicBody
	if failure := c.decode(&properties); failure != nil {
		return nil, failure
	}
	dc := n.server.datacenter
	check := func() *apiError {
		if failure := c.cloud.checkNIC(dc, n, properties, false); failure != nil {
			return failure
		}
		if properties.IPs == nil {
			return nil
		}
		return c.cloud.checkKeepsGroups(dc, n, properties.addresses())
	}
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		c.cloud.change(dc, n, properties)
		return nil
	}
	return c.enqueue(dc, c.touchNIC(n), execute, nil, func() any { return c.nicResource(n).show(c.depth()) })
}

// change gives a NIC what a patch asks for. Lists are replaced.
func (c *Cloud) change(dc *datacenter, n *nic, body nicBody) {
	setIf(&n.name, body.Name)
	setIf(&n.dhcp, body.DHCP)
	setIf(&n.firewall, body.Firewall)
	if body.DHCPv6 != nil {
		n.dhcpv6 = body.DHCPv6
	}
	if body.LAN != nil && *body.LAN != n.lan {
		n.lan, n.ipv6Block, n.ipv6 = *body.LAN, netip.Prefix{}, nil
		if dc.lans[n.lan] == nil {
			c.lanNumbered(dc, n.lan, "", false)
		}
	}
	if body.IPs != nil {
		n.ips, n.explicit = body.addresses(), len(body.addresses()) > 0
	}
	if block := body.block(); block.IsValid() && block != n.ipv6Block {
		n.ipv6Block, n.ipv6 = block, nil
	}
	if body.IPv6IPs != nil {
		n.ipv6 = body.ipv6Addresses()
	}
	c.assign(dc, dc.lans[n.lan], n)
}

// checkKeepsGroups tells whether a NIC may have these addresses only: the master of a failover group keeps its address.
func (c *Cloud) checkKeepsGroups(dc *datacenter, n *nic, addresses []netip.Addr) *apiError {
	l := dc.lans[n.lan]
	if l == nil {
		return nil
	}
	for _, group := range l.failover {
		if group.NICUUID == n.id && !slices.Contains(addressTexts(addresses), group.IP) {
			return invalid(codeFailover, "ips", "NIC %s is the master of the failover group of %s", n.id, group.IP)
		}
	}
	return nil
}

// checkDetach tells whether a NIC may go: the master of a failover group may not.
func (c *Cloud) checkDetach(dc *datacenter, n *nic) *apiError { return c.checkKeepsGroups(dc, n, nil) }

func detachNIC(c *call, n *nic) (*response, *apiError) {
	dc := n.server.datacenter
	if failure := c.cloud.checkDetach(dc, n); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := c.cloud.checkDetach(dc, n); failure != nil {
			return failure
		}
		n.server.nics = slices.DeleteFunc(n.server.nics, func(other *nic) bool { return other == n })
		return nil
	}
	return c.enqueue(dc, c.touchNIC(n), execute, nil, nil)
}
