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
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// locations are those that the cloud has.
var locations = [...]string{"de/fra", "de/fra/2", "de/txl", "de/fkb", "gb/lhr", "gb/bhx", "es/vit", "fr/par", "us/las", "us/ewr", "us/mci"}

func (c *call) datacenterResource(dc *datacenter) resource {
	href := c.base() + "/datacenters/" + dc.id
	return resource{
		meta: &dc.meta, id: dc.id, kind: "datacenter", href: href,
		properties: object{"name": dc.name, "location": dc.location, "version": dc.version, "features": []string{"SSD"}, "ipv6CidrBlock": prefixOrNil(dc.ipv6), "description": ""},
		children: map[string]func() []resource{
			"servers": func() []resource {
				var items []resource
				for _, s := range dc.sortedServers() {
					items = append(items, c.serverResource(s))
				}
				return items
			},
			"lans": func() []resource {
				var items []resource
				for _, l := range dc.sortedLANs() {
					items = append(items, c.lanResource(dc, l))
				}
				return items
			},
			"volumes": func() []resource {
				var items []resource
				for _, v := range dc.sortedVolumes() {
					items = append(items, c.volumeResource(dc, v))
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
	return c.list("datacenters", items, 100)
}

func (c *Cloud) sortedDatacenters() []*datacenter {
	all := slices.Collect(maps.Values(c.datacenters))
	slices.SortFunc(all, func(a, b *datacenter) int { return a.number - b.number })
	return all
}

func getDatacenter(c *call, dc *datacenter) (*response, *apiError) {
	return ok(c.datacenterResource(dc).show(c.depth()))
}

func createDatacenter(c *call) (*response, *apiError) {
	var body struct {
		Properties struct {
			Name     *string `json:"name"`
			Location *string `json:"location"`
		} `json:"properties"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	location := deref(body.Properties.Location)
	if !slices.Contains(locations[:], location) {
		return nil, invalid(codeConstraint, "location", "location %q does not exist", location)
	}
	dc := c.cloud.newDatacenter(deref(body.Properties.Name), location)
	dc.unborn = true
	t := touch{&dc.meta, target{"datacenter", dc.id, c.datacenterResource(dc).href}}
	return c.enqueue(nil, []touch{t}, func() *apiError { return nil }, func() { delete(c.cloud.datacenters, dc.id) }, func() any { return c.datacenterResource(dc).show(c.depth()) })
}

func (c *Cloud) newDatacenter(name, location string) *datacenter {
	c.nextDatacenter++
	dc := &datacenter{
		meta: meta{id: uuid.NewString(), created: c.clock.Now()}, number: c.nextDatacenter, name: name, location: location, version: 1,
		ipv6: datacenterIPv6(c.nextDatacenter), lans: map[int]*lan{}, servers: map[string]*server{}, volumes: map[string]*volume{}, labels: map[string]string{},
	}
	c.datacenters[dc.id] = dc
	return dc
}

func deleteDatacenter(c *call, dc *datacenter) (*response, *apiError) {
	t := touch{&dc.meta, target{"datacenter", dc.id, c.datacenterResource(dc).href}}
	return c.enqueue(nil, []touch{t}, func() *apiError { delete(c.cloud.datacenters, dc.id); return nil }, nil, nil)
}

func (c *call) locationResource(id string) resource {
	return resource{
		id: id, kind: "location", href: c.base() + "/locations/" + id,
		properties: object{
			"name": id, "features": []string{"SSD"}, "imageAliases": []string{},
			"cpuArchitecture": []object{{"cpuFamily": "INTEL_SKYLAKE", "maxCores": 51, "maxRam": 245760, "vendor": "GenuineIntel"}},
		},
	}
}

func listLocations(c *call) (*response, *apiError) {
	var items []resource
	for _, id := range locations {
		items = append(items, c.locationResource(id))
	}
	return c.list("locations", items, 1000)
}

func getLocation(c *call) (*response, *apiError) {
	id := strings.TrimRight(c.request.PathValue("region")+"/"+c.request.PathValue("location"), "/")
	if !slices.Contains(locations[:], id) {
		return nil, notFound()
	}
	return ok(c.locationResource(id).show(c.depth()))
}

func getContracts(c *call) (*response, *apiError) {
	limits := object{}
	for name, value := range c.cloud.quotas {
		limits[name] = value
	}
	return ok(object{
		"id": "contracts", "type": "collection", "href": c.base() + "/contracts",
		"items": []object{{"type": "contract", "properties": object{"contractNumber": 31000000, "owner": "simulator", "status": "BILLABLE", "regDomain": "simulator", "resourceLimits": limits}}},
	})
}
