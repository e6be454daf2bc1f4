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
	"maps"
	"net/netip"
	"slices"

	"github.com/google/uuid"
)

func (c *call) ipBlockResource(b *ipBlock) resource {
	ips := addressTexts(b.ips)
	if b.unborn {
		ips = []string{}
	}
	return resource{
		meta: &b.meta, id: b.id, kind: "ipblock", href: c.base() + "/ipblocks/" + b.id,
		properties: object{"name": textOrNil(b.name), "location": b.location, "size": b.size, "ips": ips, "ipConsumers": c.consumers(b)},
	}
}

// consumers are the uses of the addresses of a block.
func (c *call) consumers(b *ipBlock) []object {
	consumers := []object{}
	for _, n := range c.cloud.holders(b) {
		dc := n.server.datacenter
		for _, address := range n.ips {
			if slices.Contains(b.ips, address) {
				consumers = append(consumers, object{
					"ip": address.String(), "mac": n.mac, "nicId": n.id, "serverId": n.server.id, "serverName": n.server.name, "datacenterId": dc.id, "datacenterName": dc.name,
				})
			}
		}
	}
	return consumers
}

// holders are the NICs that have an address of a block.
func (c *Cloud) holders(b *ipBlock) []*nic {
	var nics []*nic
	for _, dc := range c.sortedDatacenters() {
		for _, s := range dc.sortedServers() {
			for _, n := range s.nics {
				if slices.ContainsFunc(n.ips, func(address netip.Addr) bool { return slices.Contains(b.ips, address) }) {
					nics = append(nics, n)
				}
			}
		}
	}
	return nics
}

func (c *Cloud) sortedIPBlocks() []*ipBlock {
	all := slices.Collect(maps.Values(c.ipBlocks))
	slices.SortFunc(all, func(a, b *ipBlock) int { return compareText(a.id, b.id) })
	return all
}

func listIPBlocks(c *call) (*response, *apiError) {
	var items []resource
	for _, b := range c.cloud.sortedIPBlocks() {
		if !c.hidden(&b.meta) {
			items = append(items, c.ipBlockResource(b))
		}
	}
	return c.list("ipblocks", items, smallLimit)
}

func getIPBlock(c *call, b *ipBlock) (*response, *apiError) {
	return c.show(c.ipBlockResource(b))
}

type ipBlockBody struct {
	Name     *string         `json:"name"`
	Location *string         `json:"location"`
	Size     *int            `json:"size"`
	IPs      json.RawMessage `json:"ips"`
}

func createIPBlock(c *call) (*response, *apiError) {
	var body struct {
		Properties ipBlockBody `json:"properties"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	properties := body.Properties
	check := func(but *ipBlock) *apiError {
		switch {
		case len(properties.IPs) > 0:
			return invalid(codeReadOnly, "ips", "Attribute is not allowed in create requests")
		case !isLocation(deref(properties.Location)):
			return invalid(codeConstraint, "location", "location %q does not exist", deref(properties.Location))
		case deref(properties.Size) < 1:
			return invalid(codeConstraint, "size", "size is required")
		}
		return c.cloud.checkQuota(quotaIPs, "size", c.cloud.reservedIPs(but), *properties.Size)
	}
	if failure := check(nil); failure != nil {
		return nil, failure
	}
	b := &ipBlock{meta: c.cloud.newMeta(uuid.NewString()), name: deref(properties.Name), location: *properties.Location, size: *properties.Size}
	b.unborn = true
	c.cloud.ipBlocks[b.id] = b
	execute := func() *apiError {
		if failure := check(b); failure != nil {
			return failure
		}
		for range b.size {
			b.ips = append(b.ips, c.cloud.nextPublicAddress())
		}
		return nil
	}
	return c.enqueue(nil, []touch{c.touchIPBlock(b)}, execute, func() { c.cloud.removeIPBlock(b) }, func() resource { return c.ipBlockResource(b) })
}

func (c *call) touchIPBlock(b *ipBlock) touch {
	return touch{&b.meta, target{"ipblock", b.id, c.ipBlockResource(b).href}}
}

func (c *Cloud) removeIPBlock(b *ipBlock) {
	b.gone = true
	delete(c.ipBlocks, b.id)
}

func changeIPBlock(c *call, b *ipBlock) (*response, *apiError) {
	var properties ipBlockBody
	if failure := c.decodeChange(&properties); failure != nil {
		return nil, failure
	}
	switch {
	case len(properties.IPs) > 0:
		return nil, invalid(codeReadOnly, "ips", "Attribute is read-only")
	case properties.Location != nil && *properties.Location != b.location:
		return nil, invalid(codeReadOnly, "location", "Attribute is immutable")
	case properties.Size != nil && *properties.Size != b.size:
		return nil, invalid(codeReadOnly, "size", "Attribute is immutable")
	}
	execute := func() *apiError { setIf(&b.name, properties.Name); return nil }
	return c.enqueue(nil, []touch{c.touchIPBlock(b)}, execute, nil, func() resource { return c.ipBlockResource(b) })
}

func deleteIPBlock(c *call, b *ipBlock) (*response, *apiError) {
	check := func() *apiError {
		if holders := c.cloud.holders(b); len(holders) > 0 {
			return invalid(codeConstraint, "ips", "IP block %s is used by NIC %s", b.id, holders[0].id)
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
		c.cloud.removeIPBlock(b)
		return nil
	}
	return c.enqueue(nil, []touch{c.touchIPBlock(b)}, execute, nil, nil)
}
