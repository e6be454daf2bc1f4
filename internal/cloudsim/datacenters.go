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
	"slices"

	"github.com/google/uuid"
)

func (c *call) datacenterResource(dc *datacenter) resource {
	href := c.base() + "/datacenters/" + dc.id
	return resource{
		meta: &dc.meta, id: dc.id, kind: "datacenter", href: href,
		properties: object{
			"name": dc.name, "location": dc.location, "version": dc.version, "features": []string{"SSD"}, "ipv6CidrBlock": prefixOrNil(dc.ipv6),
			"description": dc.description, "secAuthProtection": false, "cpuArchitecture": cpuArchitecture(),
		},
		children: map[string]func() []resource{
			"servers": func() []resource {
				var items []resource
				for _, s := range dc.sortedServers() {
					if !c.hidden(&s.meta) {
						items = append(items, c.serverResource(s))
					}
				}
				return items
			},
			"lans": func() []resource {
				var items []resource
				for _, l := range dc.sortedLANs() {
					if !c.hidden(&l.meta) {
						items = append(items, c.lanResource(dc, l))
					}
				}
				return items
			},
			"volumes": func() []resource {
				var items []resource
				for _, v := range dc.sortedVolumes() {
					if !c.hidden(&v.meta) {
						items = append(items, c.volumeResource(dc, v))
					}
				}
				return items
			},
		},
	}
}

func listDatacenters(c *call) (*response, *apiError) {
	var items []resource
	for _, dc := range c.cloud.sortedDatacenters() {
		if !c.hidden(&dc.meta) {
			items = append(items, c.datacenterResource(dc))
		}
	}
	return c.list("datacenters", items, smallLimit)
}

func (c *Cloud) sortedDatacenters() []*datacenter {
	all := slices.Collect(maps.Values(c.datacenters))
	slices.SortFunc(all, func(a, b *datacenter) int { return a.number - b.number })
	return all
}

func getDatacenter(c *call, dc *datacenter) (*response, *apiError) {
	return c.show(c.datacenterResource(dc))
}

// datacenterBody is what is written about a data center. Fields that were not sent are nil.
type datacenterBody struct {
	Name          *string         `json:"name"`
	Description   *string         `json:"description"`
	Location      *string         `json:"location"`
	Version       json.RawMessage `json:"version"`
	IPv6CIDRBlock json.RawMessage `json:"ipv6CidrBlock"`
}

func createDatacenter(c *call) (*response, *apiError) {
	var body struct {
		Properties datacenterBody `json:"properties"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	properties := body.Properties
	switch {
	case len(properties.Version) > 0:
		return nil, invalid(codeReadOnly, "version", "Attribute is not allowed in create requests")
	case len(properties.IPv6CIDRBlock) > 0:
		return nil, invalid(codeReadOnly, "ipv6CidrBlock", "Attribute is not allowed in create requests")
	case !isLocation(deref(properties.Location)):
		return nil, invalid(codeConstraint, "location", "location %q does not exist", deref(properties.Location))
	}
	dc := c.cloud.newDatacenter(deref(properties.Name), *properties.Location)
	dc.description, dc.unborn = deref(properties.Description), true
	execute := func() *apiError { return nil }
	undo := func() { c.cloud.removeDatacenter(dc) }
	return c.enqueue(dc, []touch{c.touchDatacenter(dc)}, execute, undo, func() resource { return c.datacenterResource(dc) })
}

func (c *call) touchDatacenter(dc *datacenter) touch {
	return touch{&dc.meta, target{"datacenter", dc.id, c.datacenterResource(dc).href}}
}

func (c *Cloud) newDatacenter(name, location string) *datacenter {
	c.nextDatacenter++
	dc := &datacenter{
		meta: c.newMeta(uuid.NewString()), number: c.nextDatacenter, name: name, location: location, version: 1,
		ipv6: datacenterIPv6(c.nextDatacenter), lans: map[int]*lan{}, servers: map[string]*server{}, volumes: map[string]*volume{},
	}
	c.datacenters[dc.id] = dc
	return dc
}

func changeDatacenter(c *call, dc *datacenter) (*response, *apiError) {
	var properties datacenterBody
	if failure := c.decodeChange(&properties); failure != nil {
		return nil, failure
	}
	switch {
	case len(properties.Version) > 0:
		return nil, invalid(codeReadOnly, "version", "Attribute is read-only")
	case len(properties.IPv6CIDRBlock) > 0:
		return nil, invalid(codeReadOnly, "ipv6CidrBlock", "Attribute is read-only")
	case properties.Location != nil && *properties.Location != dc.location:
		return nil, invalid(codeReadOnly, "location", "Attribute is immutable")
	}
	execute := func() *apiError {
		setIf(&dc.name, properties.Name)
		setIf(&dc.description, properties.Description)
		return nil
	}
	return c.enqueue(dc, []touch{c.touchDatacenter(dc)}, execute, nil, func() resource { return c.datacenterResource(dc) })
}

func deleteDatacenter(c *call, dc *datacenter) (*response, *apiError) {
	execute := func() *apiError { c.cloud.removeDatacenter(dc); return nil }
	return c.enqueue(dc, []touch{c.touchDatacenter(dc)}, execute, nil, nil)
}

// removeDatacenter removes a data center with everything in it. Requests that still wait fail.
func (c *Cloud) removeDatacenter(dc *datacenter) {
	dc.gone = true
	delete(c.datacenters, dc.id)
}
