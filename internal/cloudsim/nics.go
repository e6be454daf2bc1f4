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
	"net"
	"net/netip"
	"slices"

	"github.com/google/uuid"
)

func (c *call) nicResource(n *nic) resource {
	dc := n.server.datacenter
	properties := object{
		"name": n.name, "mac": textOrNil(n.mac), "ips": addressTexts(n.ips), "dhcp": n.dhcp, "lan": n.lan,
		"ipv6CidrBlock": prefixOrNil(n.ipv6Block), "ipv6Ips": addressTexts(n.ipv6), "dhcpv6": nil, "firewallActive": n.firewall,
		"firewallType": orText(n.firewallType, "INGRESS"), "deviceNumber": n.deviceNumber, "pciSlot": n.deviceNumber + 5, "vnet": textOrNil(n.vnet),
	}
	if n.dhcpv6 != nil {
		properties["dhcpv6"] = *n.dhcpv6
	}
	if n.unborn {
		// What the cloud computes is not there yet.
		properties["mac"], properties["ips"], properties["ipv6Ips"], properties["ipv6CidrBlock"] = nil, []string{}, []string{}, nil
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
	FirewallType  *string         `json:"firewallType"`
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

// checkValues tells whether what is asked for makes sense by itself.
func (b nicBody) checkValues() *apiError {
	switch {
	case len(b.DeviceNumber) > 0:
		return invalid(codeReadOnly, "deviceNumber", "Attribute is read-only")
	case len(b.PCISlot) > 0:
		return invalid(codeReadOnly, "pciSlot", "Attribute is read-only")
	case b.FirewallType != nil && !slices.Contains([]string{"INGRESS", "EGRESS", "BIDIRECTIONAL"}, *b.FirewallType):
		return invalid(codeEnum, "firewallType", "%q is none of INGRESS, EGRESS, BIDIRECTIONAL", *b.FirewallType)
	case b.LAN != nil && *b.LAN < 1:
		return invalid(codeConstraint, "lan", "%d is no LAN", *b.LAN)
	case len(b.addresses()) != len(deref(b.IPs)):
		return invalid(codeConstraint, "ips", "%q has something that is no address", deref(b.IPs))
	case len(b.ipv6Addresses()) != len(deref(b.IPv6IPs)):
		return invalid(codeConstraint, "ipv6Ips", "%q has something that is no address", deref(b.IPv6IPs))
	}
	if text := deref(b.IPv6CIDRBlock); text != "" && text != "AUTO" && !b.block().IsValid() {
		return invalid(codeConstraint, "ipv6CidrBlock", "%q is no block", text)
	}
	if b.MAC != nil {
		if _, err := net.ParseMAC(*b.MAC); err != nil {
			return invalid(codeConstraint, "mac", "%q is no MAC address", *b.MAC)
		}
	}
	return nil
}

// checkNewNIC tells whether a NIC can be made. n is nil before it is.
func (c *Cloud) checkNewNIC(dc *datacenter, n *nic, body nicBody) *apiError {
	if failure := body.checkValues(); failure != nil {
		return failure
	}
	if body.LAN == nil {
		return invalid(codeConstraint, "lan", "lan is required")
	}
	return c.checkInLAN(dc, n, *body.LAN, body, body.addresses())
}

// checkChangedNIC tells whether a NIC can become what is asked for.
func (c *Cloud) checkChangedNIC(dc *datacenter, n *nic, body nicBody) *apiError {
	if failure := body.checkValues(); failure != nil {
		return failure
	}
	if body.MAC != nil && *body.MAC != n.mac {
		return invalid(codeReadOnly, "mac", "Attribute is read-only")
	}
	number, addresses, moves := n.lan, body.addresses(), body.LAN != nil && *body.LAN != n.lan
	if moves {
		number = *body.LAN
	}
	if body.IPs == nil && n.explicit && moves {
		addresses = n.ips
	}
	if failure := c.checkInLAN(dc, n, number, body, addresses); failure != nil {
		return failure
	}
	if moves {
		return c.checkKeepsGroups(dc, n, nil)
	}
	if body.IPs != nil {
		return c.checkKeepsGroups(dc, n, addresses)
	}
	return nil
}

// checkInLAN tells whether a NIC can be in a LAN with these addresses.
func (c *Cloud) checkInLAN(dc *datacenter, n *nic, number int, body nicBody, addresses []netip.Addr) *apiError {
	l := dc.lans[number]
	if l != nil && l.unborn {
		return invalid(codeConstraint, "lan", "LAN %d is not available yet", number)
	}
	if failure := c.checkAddresses(dc, l, n, addresses); failure != nil {
		return failure
	}
	return c.checkIPv6(dc, l, n, body.block(), body.ipv6Addresses(), body.DHCPv6)
}

// newNIC makes a NIC of a server, which is not plugged in yet.
func (c *Cloud) newNIC(s *server, body nicBody) *nic {
	n := &nic{
		meta: c.newMeta(uuid.NewString()), server: s, name: deref(body.Name), vnet: deref(body.VNET), lan: deref(body.LAN),
		dhcp: body.DHCP == nil || *body.DHCP, dhcpv6: body.DHCPv6, firewall: deref(body.Firewall), firewallType: deref(body.FirewallType), mac: deref(body.MAC),
	}
	n.unborn, n.labels = true, nil
	for _, other := range s.nics {
		n.deviceNumber = max(n.deviceNumber, other.deviceNumber)
	}
	n.deviceNumber++
	if n.mac == "" {
		id := uuid.New()
		n.mac = fmt.Sprintf("02:01:%02x:%02x:%02x:%02x", id[0], id[1], id[2], id[3])
	}
	s.nics = append(s.nics, n)
	return n
}

// plug connects a NIC with its LAN, which is made if it does not exist, and gives it its addresses.
func (c *Cloud) plug(dc *datacenter, n *nic, body nicBody) *apiError {
	if failure := c.checkNewNIC(dc, n, body); failure != nil {
		return failure
	}
	n.ips, n.explicit = body.addresses(), len(body.addresses()) > 0
	n.ipv6Block, n.ipv6 = body.block(), body.ipv6Addresses()
	return c.assign(dc, c.lanOf(dc, n.lan), n)
}

// lanOf is a LAN by its number; it is made if it does not exist.
func (c *Cloud) lanOf(dc *datacenter, number int) *lan {
	if l := dc.lans[number]; l != nil {
		return l
	}
	return c.lanNumbered(dc, number, "", c.implicitPublic)
}

// unplug takes a NIC off its server.
func (s *server) unplug(n *nic) {
	n.gone = true
	s.datacenter.dropGroups(n)
	s.nics = slices.DeleteFunc(s.nics, func(other *nic) bool { return other == n })
}

func listNICs(c *call, s *server) (*response, *apiError) {
	return c.list(s.id+"/nics", c.serverNICs(s), pageLimit)
}

func getNIC(c *call, n *nic) (*response, *apiError) { return c.show(c.nicResource(n)) }

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
		if failure := checkDevices(others + len(s.volumes) + 1); failure != nil {
			return failure
		}
		return c.cloud.checkNewNIC(dc, n, body.Properties)
	}
	if failure := check(nil, len(s.nics)); failure != nil {
		return nil, failure
	}
	n := c.cloud.newNIC(s, body.Properties)
	execute := func() *apiError {
		if failure := check(n, len(s.nics)-1); failure != nil {
			return failure
		}
		return c.cloud.plug(dc, n, body.Properties)
	}
	undo := func() { s.unplug(n) }
	return c.enqueue(dc, c.touchNIC(n), execute, undo, func() resource { return c.nicResource(n) })
}

func changeNIC(c *call, n *nic) (*response, *apiError) {
	var properties nicBody
	if failure := c.decodeChange(&properties); failure != nil {
		return nil, failure
	}
	return changeNICTo(c, n, properties)
}

// changeNICTo accepts a change of a NIC.
func changeNICTo(c *call, n *nic, properties nicBody) (*response, *apiError) {
	dc := n.server.datacenter
	check := func() *apiError { return c.cloud.checkChangedNIC(dc, n, properties) }
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		return c.cloud.change(dc, n, properties)
	}
	return c.enqueue(dc, c.touchNIC(n), execute, nil, func() resource { return c.nicResource(n) })
}

// change gives a NIC what a patch asks for. Lists are replaced.
func (c *Cloud) change(dc *datacenter, n *nic, body nicBody) *apiError {
	setIf(&n.name, body.Name)
	setIf(&n.dhcp, body.DHCP)
	setIf(&n.firewall, body.Firewall)
	setIf(&n.firewallType, body.FirewallType)
	setIf(&n.vnet, body.VNET)
	if body.DHCPv6 != nil {
		n.dhcpv6 = body.DHCPv6
	}
	if body.LAN != nil && *body.LAN != n.lan {
		n.lan, n.ipv6Block = *body.LAN, netip.Prefix{}
		if !n.explicit {
			n.ips = nil
		}
	}
	if body.IPs != nil {
		n.ips, n.explicit = body.addresses(), len(body.addresses()) > 0
	}
	if block := body.block(); block.IsValid() {
		n.ipv6Block = block
	}
	if body.IPv6IPs != nil {
		n.ipv6 = body.ipv6Addresses()
	}
	return c.assign(dc, c.lanOf(dc, n.lan), n)
}

func detachNIC(c *call, n *nic) (*response, *apiError) {
	dc := n.server.datacenter
	check := func() *apiError { return c.cloud.checkLeaves(dc, n) }
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		n.server.unplug(n)
		return nil
	}
	return c.enqueue(dc, c.touchNIC(n), execute, nil, nil)
}
