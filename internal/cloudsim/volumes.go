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

	"github.com/google/uuid"
)

func (c *call) volumeResource(dc *datacenter, v *volume) resource {
	return resource{
		meta: &v.meta, id: v.id, kind: "volume", href: c.base() + "/datacenters/" + dc.id + "/volumes/" + v.id,
		properties: object{
			"name": v.name, "type": v.kind, "size": v.size, "availabilityZone": v.availabilityZone, "image": textOrNil(v.image),
			"licenceType": textOrNil(v.licence), "bus": "VIRTIO", "bootServer": textOrNil(v.server), "sshKeys": nil,
		},
	}
}

// volumeBody is what is written about a volume. Fields that were not sent are nil.
type volumeBody struct {
	Name             *string  `json:"name"`
	Type             *string  `json:"type"`
	Size             *float64 `json:"size"`
	AvailabilityZone *string  `json:"availabilityZone"`
	Image            *string  `json:"image"`
	LicenceType      *string  `json:"licenceType"`
	ImagePassword    *string  `json:"imagePassword"`
	UserData         *string  `json:"userData"`
}

// checkVolume tells whether a volume can be made.
func (c *Cloud) checkVolume(dc *datacenter, body volumeBody) *apiError {
	switch {
	case !slices.Contains([]string{"HDD", "SSD", "SSD Standard", "SSD Premium", "DAS"}, orText(deref(body.Type), "HDD")):
		return invalid(codeEnum, "type", "%q is none of HDD, SSD, SSD Standard, SSD Premium, DAS", *body.Type)
	case body.AvailabilityZone != nil && !slices.Contains([]string{"AUTO", "ZONE_1", "ZONE_2", "ZONE_3"}, *body.AvailabilityZone):
		return invalid(codeEnum, "availabilityZone", "%q is none of AUTO, ZONE_1, ZONE_2, ZONE_3", *body.AvailabilityZone)
	case deref(body.Size) < 1:
		return invalid(codeConstraint, "size", "size is required")
	case body.Image == nil && body.LicenceType == nil:
		return invalid(codeConstraint, "licenceType", "licenceType is required without an image")
	case body.Image == nil && (body.ImagePassword != nil || body.UserData != nil):
		return invalid(codeConstraint, "image", "imagePassword and userData need an image")
	}
	if body.Image != nil {
		found := c.images[*body.Image]
		if found == nil {
			return invalid(codeConstraint, "image", "image %q does not exist", *body.Image)
		}
		if found.location != dc.location {
			return invalid(codeConstraint, "image", "image %q is in location %s, and the data center is in %s", *body.Image, found.location, dc.location)
		}
	}
	_, failure := decodeUserData(deref(body.UserData))
	return failure
}

func (c *Cloud) newVolume(dc *datacenter, body volumeBody) *volume {
	data, _ := decodeUserData(deref(body.UserData)) // It was checked.
	v := &volume{
		meta: meta{id: uuid.NewString(), created: c.clock.Now(), unborn: true}, name: deref(body.Name), kind: orText(deref(body.Type), "HDD"),
		size: deref(body.Size), availabilityZone: orText(deref(body.AvailabilityZone), "AUTO"), image: deref(body.Image), licence: deref(body.LicenceType),
		userData: data, labels: map[string]string{},
	}
	dc.volumes[v.id] = v
	return v
}

func (d *datacenter) sortedVolumes() []*volume {
	volumes := make([]*volume, 0, len(d.volumes))
	for _, v := range d.volumes {
		volumes = append(volumes, v)
	}
	slices.SortFunc(volumes, func(a, b *volume) int {
		if order := compareText(a.name, b.name); order != 0 {
			return order
		}
		return compareText(a.id, b.id)
	})
	return volumes
}

func listVolumes(c *call, dc *datacenter) (*response, *apiError) {
	var items []resource
	for _, v := range dc.sortedVolumes() {
		if !c.hidden(&v.meta) {
			items = append(items, c.volumeResource(dc, v))
		}
	}
	return c.list(dc.id+"/volumes", items, 1000)
}

func (c *call) datacenterOf() *datacenter { return c.cloud.datacenters[c.request.PathValue("dc")] }

func (c *call) touchVolume(v *volume) touch {
	return touch{&v.meta, target{"volume", v.id, c.volumeResource(c.datacenterOf(), v).href}}
}

func getVolume(c *call, v *volume) (*response, *apiError) {
	return ok(c.volumeResource(c.datacenterOf(), v).show(c.depth()))
}

func createVolume(c *call, dc *datacenter) (*response, *apiError) {
	var body struct {
		Properties volumeBody `json:"properties"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	if failure := c.cloud.checkVolume(dc, body.Properties); failure != nil {
		return nil, failure
	}
	v := c.cloud.newVolume(dc, body.Properties)
	execute := func() *apiError { return c.cloud.checkVolume(dc, body.Properties) }
	undo := func() { delete(dc.volumes, v.id) }
	return c.enqueue(dc, []touch{c.touchVolume(v)}, execute, undo, func() any { return c.volumeResource(dc, v).show(c.depth()) })
}

func deleteVolume(c *call, v *volume) (*response, *apiError) {
	dc := c.datacenterOf()
	execute := func() *apiError {
		dc.unplugVolume(v)
		delete(dc.volumes, v.id)
		return nil
	}
	return c.enqueue(dc, []touch{c.touchVolume(v)}, execute, nil, nil)
}

// unplugVolume takes a volume off its server.
func (d *datacenter) unplugVolume(v *volume) {
	if s := d.servers[v.server]; s != nil {
		s.volumes = slices.DeleteFunc(s.volumes, func(id string) bool { return id == v.id })
		if s.bootVolume == v.id {
			s.bootVolume = ""
		}
	}
	v.server = ""
}

func listServerVolumes(c *call, s *server) (*response, *apiError) {
	return c.list(s.id+"/volumes", c.serverVolumes(s), 1000)
}

func attachVolume(c *call, s *server) (*response, *apiError) {
	var body struct {
		ID string `json:"id"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	v := s.datacenter.volumes[body.ID]
	if v == nil {
		return nil, notFound()
	}
	if len(s.nics)+len(s.volumes)+1 > maxDevices {
		return nil, invalid(codeConstraint, "entities", "a server can have at most %d NICs and volumes", maxDevices)
	}
	execute := func() *apiError {
		s.datacenter.unplugVolume(v)
		v.server = s.id
		s.volumes = append(s.volumes, v.id)
		if s.bootVolume == "" {
			s.bootVolume = v.id
		}
		return nil
	}
	return c.enqueue(s.datacenter, []touch{c.touchVolume(v), c.touchServer(s)}, execute, nil, func() any { return c.volumeResource(s.datacenter, v).show(c.depth()) })
}

func detachVolume(c *call, s *server) (*response, *apiError) {
	v := s.datacenter.volumes[c.request.PathValue("volume")]
	if v == nil || v.server != s.id {
		return nil, notFound()
	}
	return c.enqueue(s.datacenter, []touch{c.touchVolume(v), c.touchServer(s)}, func() *apiError { s.datacenter.unplugVolume(v); return nil }, nil, nil)
}
