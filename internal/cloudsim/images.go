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

	"github.com/google/uuid"
)

// cloudInitV1 says that an image takes user data.
const cloudInitV1 = "V1"

// hotPlug are the changes that a running server takes. The zero value is none.
type hotPlug struct {
	CPUHotPlug          bool `json:"cpuHotPlug"`
	RAMHotPlug          bool `json:"ramHotPlug"`
	NICHotPlug          bool `json:"nicHotPlug"`
	NICHotUnplug        bool `json:"nicHotUnplug"`
	DiscVirtioHotPlug   bool `json:"discVirtioHotPlug"`
	DiscVirtioHotUnplug bool `json:"discVirtioHotUnplug"`
}

func (h hotPlug) show(properties object) {
	properties["cpuHotPlug"], properties["ramHotPlug"] = h.CPUHotPlug, h.RAMHotPlug
	properties["nicHotPlug"], properties["nicHotUnplug"] = h.NICHotPlug, h.NICHotUnplug
	properties["discVirtioHotPlug"], properties["discVirtioHotUnplug"] = h.DiscVirtioHotPlug, h.DiscVirtioHotUnplug
}

// ImageSeed is an image.
type ImageSeed struct {
	Name     string            `json:"name"`
	Location string            `json:"location"`
	Labels   map[string]string `json:"labels"`
	// Aliases are other names that a volume may use.
	Aliases []string `json:"aliases"`
	// Public is set for an image of the provider's, which needs a password or SSH keys.
	Public bool `json:"public"`
	// Size is in GB; zero means 3.
	Size float64 `json:"size"`
	// LicenceType is LINUX unless set, CloudInit is V1 unless set to NONE.
	LicenceType string `json:"licenceType"`
	CloudInit   string `json:"cloudInit"`
	// NoHotPlug is set for an image whose servers take changes only when they are off.
	NoHotPlug bool `json:"noHotPlug"`
}

func (i *image) hotPlug() hotPlug {
	if i.NoHotPlug {
		return hotPlug{}
	}
	return hotPlug{true, true, true, true, true, true}
}

// AddImage adds an image that takes user data, and returns its ID.
func (c *Cloud) AddImage(location, name string, labels map[string]string) string {
	return c.PlantImage(ImageSeed{Name: name, Location: location, Labels: labels})
}

// PlantImage adds an image, and returns its ID.
func (c *Cloud) PlantImage(seed ImageSeed) string {
	c.enter()
	defer c.leave()
	if seed.Size == 0 {
		seed.Size = 3
	}
	seed.LicenceType, seed.CloudInit = orText(seed.LicenceType, "LINUX"), orText(seed.CloudInit, cloudInitV1)
	i := &image{meta: c.newMeta(uuid.NewString()), ImageSeed: seed}
	maps.Copy(i.labels, seed.Labels)
	c.images[i.id] = i
	return i.id
}

func (c *call) imageResource(i *image) resource {
	aliases := i.Aliases
	if aliases == nil {
		aliases = []string{}
	}
	properties := object{
		"name": i.Name, "location": i.Location, "size": i.Size, "licenceType": i.LicenceType, "imageType": "HDD", "public": i.Public, "cloudInit": i.CloudInit,
		"imageAliases": aliases, "description": "",
	}
	i.hotPlug().show(properties)
	return resource{meta: &i.meta, id: i.id, kind: "image", href: c.base() + "/images/" + i.id, properties: properties}
}

func (c *Cloud) sortedImages() []*image {
	all := slices.Collect(maps.Values(c.images))
	slices.SortFunc(all, func(a, b *image) int { return compareText(a.id, b.id) })
	return all
}

func listImages(c *call) (*response, *apiError) {
	images := c.cloud.sortedImages()
	items := make([]resource, 0, len(images))
	for _, i := range images {
		items = append(items, c.imageResource(i))
	}
	return c.list("images", items, withoutLimit)
}

// withImage finds the image of a call.
func withImage(handle func(*call, *image) (*response, *apiError)) handler {
	return func(c *call) (*response, *apiError) {
		found := c.cloud.images[c.request.PathValue("image")]
		if found == nil {
			return nil, notFound()
		}
		return handle(c, found)
	}
}

func getImage(c *call, i *image) (*response, *apiError) { return c.show(c.imageResource(i)) }
