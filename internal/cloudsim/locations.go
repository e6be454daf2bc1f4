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
	"slices"
	"strings"
)

// locations are those that the cloud has.
var locations = [...]string{"de/fra", "de/fra/2", "de/txl", "de/fkb", "gb/lhr", "gb/bhx", "es/vit", "fr/par", "us/las", "us/ewr", "us/mci"}

// cpuFamilyDefault is the CPU family of a dedicated-core server that names none.
const cpuFamilyDefault = "INTEL_ICELAKE"

func isLocation(id string) bool { return slices.Contains(locations[:], id) }

// cpuArchitecture are the CPU families of each location and data center.
func cpuArchitecture() []object {
	families := make([]object, 0, 2)
	for _, family := range []string{cpuFamilyDefault, "INTEL_SKYLAKE"} {
		families = append(families, object{"cpuFamily": family, "maxCores": 51, "maxRam": 245760, "vendor": "GenuineIntel"})
	}
	return families
}

func (c *call) locationResource(id string) resource {
	aliases := []string{}
	for _, i := range c.cloud.sortedImages() {
		if i.Location == id {
			aliases = append(aliases, i.Aliases...)
		}
	}
	slices.Sort(aliases)
	return resource{
		id: id, kind: "location", href: c.base() + "/locations/" + id,
		properties: object{"name": id, "features": []string{"SSD"}, "imageAliases": aliases, "cpuArchitecture": cpuArchitecture()},
	}
}

func (c *call) locationsBelow(prefix string) []resource {
	var items []resource
	for _, id := range locations {
		if strings.HasPrefix(id, prefix) {
			items = append(items, c.locationResource(id))
		}
	}
	return items
}

func listLocations(c *call) (*response, *apiError) {
	return c.list("locations", c.locationsBelow(""), withoutLimit)
}

func listRegion(c *call) (*response, *apiError) {
	region := c.request.PathValue("region")
	items := c.locationsBelow(region + "/")
	if len(items) == 0 {
		return nil, notFound()
	}
	return c.list(region, items, withoutLimit)
}

func getLocation(c *call) (*response, *apiError) {
	id := strings.TrimRight(c.request.PathValue("region")+"/"+c.request.PathValue("location")+"/"+c.request.PathValue("part"), "/")
	if !isLocation(id) {
		return nil, notFound()
	}
	return c.show(c.locationResource(id))
}
