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
	"encoding/base64"
	"slices"

	"github.com/google/uuid"
)

func (c *call) volumeResource(dc *datacenter, v *volume) resource {
	properties := object{
		"name": v.name, "type": v.kind, "size": v.size, "availabilityZone": v.availabilityZone, "image": textOrNil(v.image), "licenceType": textOrNil(v.licence),
		"bus": v.bus, "bootOrder": v.bootOrder, "bootServer": nil, "sshKeys": nil, "deviceNumber": nil,
	}
	v.hotPlug.show(properties)
	if v.server != "" && !v.unborn {
		properties["bootServer"], properties["deviceNumber"] = v.server, v.deviceNumber
	}
	return resource{meta: &v.meta, id: v.id, kind: "volume", href: c.base() + "/datacenters/" + dc.id + "/volumes/" + v.id, properties: properties}
}

// newVolume makes a volume that has been checked.
func (c *Cloud) newVolume(dc *datacenter, body volumeBody) *volume {
	data, _ := base64.StdEncoding.DecodeString(deref(body.UserData))
	v := &volume{
		meta: c.newMeta(uuid.NewString()), name: deref(body.Name), kind: orText(deref(body.Type), diskDefault), size: deref(body.Size),
		availabilityZone: orText(deref(body.AvailabilityZone), zoneAuto), licence: deref(body.LicenceType), bus: orText(deref(body.Bus), busDefault),
		bootOrder: orText(deref(body.BootOrder), zoneAuto), userData: data,
	}
	v.unborn = true
	if from, _ := c.imageOf(dc, body); from != nil {
		v.image, v.hotPlug, v.licence = from.id, from.hotPlug(), orText(v.licence, from.LicenceType)
		v.size = max(v.size, from.Size)
	}
	v.change(body)
	dc.volumes[v.id] = v
	return v
}

// change gives a volume what a request asks for.
func (v *volume) change(body volumeBody) {
	setIf(&v.name, body.Name)
	setIf(&v.size, body.Size)
	setIf(&v.bus, body.Bus)
	setIf(&v.bootOrder, body.BootOrder)
	setIf(&v.hotPlug.CPUHotPlug, body.CPUHotPlug)
	setIf(&v.hotPlug.RAMHotPlug, body.RAMHotPlug)
	setIf(&v.hotPlug.NICHotPlug, body.NICHotPlug)
	setIf(&v.hotPlug.NICHotUnplug, body.NICHotUnplug)
	setIf(&v.hotPlug.DiscVirtioHotPlug, body.DiscVirtioHotPlug)
	setIf(&v.hotPlug.DiscVirtioHotUnplug, body.DiscVirtioHotUnplug)
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
	return c.list(dc.id+"/volumes", items, pageLimit)
}

func (c *call) datacenterOf() *datacenter { return c.cloud.datacenters[c.request.PathValue("dc")] }

func (c *call) touchVolume(dc *datacenter, v *volume) touch {
	return touch{&v.meta, target{"volume", v.id, c.volumeResource(dc, v).href}}
}

func getVolume(c *call, v *volume) (*response, *apiError) {
	return c.show(c.volumeResource(c.datacenterOf(), v))
}

func createVolume(c *call, dc *datacenter) (*response, *apiError) {
	var body struct {
		Properties volumeBody `json:"properties"`
	}
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	properties := body.Properties
	check := func(but *volume) *apiError {
		if deref(properties.Type) == diskDAS {
			return invalid(codeConstraint, "type", "a DAS volume is made with its CUBE")
		}
		if failure := c.cloud.checkNewVolume(dc, properties); failure != nil {
			return failure
		}
		return c.cloud.checkStorage(but, orText(deref(properties.Type), diskDefault), int(*properties.Size*mbPerGB))
	}
	if failure := check(nil); failure != nil {
		return nil, failure
	}
	v := c.cloud.newVolume(dc, properties)
	execute := func() *apiError { return check(v) }
	undo := func() { dc.removeVolume(v) }
	return c.enqueue(dc, []touch{c.touchVolume(dc, v)}, execute, undo, func() resource { return c.volumeResource(dc, v) })
}

func changeVolume(c *call, v *volume) (*response, *apiError) {
	var properties volumeBody
	if failure := c.decodeChange(&properties); failure != nil {
		return nil, failure
	}
	dc := c.datacenterOf()
	check := func() *apiError {
		switch {
		case properties.UserData != nil:
			return invalid(codeReadOnly, "userData", "Attribute is immutable")
		case properties.Image != nil && *properties.Image != v.image:
			return invalid(codeReadOnly, "image", "Attribute is immutable")
		case properties.Type != nil && *properties.Type != v.kind:
			return invalid(codeReadOnly, "type", "Attribute is immutable")
		case properties.AvailabilityZone != nil && *properties.AvailabilityZone != v.availabilityZone:
			return invalid(codeReadOnly, "availabilityZone", "Attribute is immutable")
		case properties.Size != nil && *properties.Size < v.size:
			return invalid(codeConstraint, "size", "a volume cannot shrink")
		}
		if failure := properties.checkValues(); failure != nil || properties.Size == nil {
			return failure
		}
		return c.cloud.checkStorage(v, v.kind, int(*properties.Size*mbPerGB))
	}
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		v.change(properties)
		return nil
	}
	return c.enqueue(dc, []touch{c.touchVolume(dc, v)}, execute, nil, func() resource { return c.volumeResource(dc, v) })
}

func deleteVolume(c *call, v *volume) (*response, *apiError) {
	dc := c.datacenterOf()
	execute := func() *apiError { dc.removeVolume(v); return nil }
	return c.enqueue(dc, c.touchAttached(dc, v), execute, nil, nil)
}

// touchAttached touches a volume, and its server if it has one.
func (c *call) touchAttached(dc *datacenter, v *volume) []touch {
	touched := []touch{c.touchVolume(dc, v)}
	if s := dc.servers[v.server]; s != nil {
		touched = append(touched, c.touchServer(s))
	}
	return touched
}

// removeVolume removes a volume, from its server too.
func (d *datacenter) removeVolume(v *volume) {
	d.unplugVolume(v)
	v.gone = true
	delete(d.volumes, v.id)
}

// plugVolume gives a volume to a server.
func (s *server) plugVolume(v *volume) {
	for _, id := range s.volumes {
		if other := s.datacenter.volumes[id]; other != nil {
			v.deviceNumber = max(v.deviceNumber, other.deviceNumber)
		}
	}
	v.deviceNumber++
	v.server = s.id
	s.volumes = append(s.volumes, v.id)
}

// unplugVolume takes a volume off its server.
func (d *datacenter) unplugVolume(v *volume) {
	if s := d.servers[v.server]; s != nil {
		s.volumes = slices.DeleteFunc(s.volumes, func(id string) bool { return id == v.id })
		if s.bootVolume == v.id {
			s.bootVolume = ""
		}
	}
	v.server, v.deviceNumber = "", 0
}

func listServerVolumes(c *call, s *server) (*response, *apiError) {
	return c.list(s.id+"/volumes", c.serverVolumes(s), pageLimit)
}

func attachVolume(c *call, s *server) (*response, *apiError) {
	var body reference
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	dc := s.datacenter
	v := dc.volumes[body.ID]
	if v == nil || c.hidden(&v.meta) {
		return nil, invalid(codeConstraint, "id", "volume %q does not exist in the data center", body.ID)
	}
	check := func() *apiError {
		if v.server != "" {
			return invalid(codeConstraint, "id", "volume %s is attached to server %s", v.id, v.server)
		}
		return checkDevices(len(s.nics) + len(s.volumes) + 1)
	}
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		s.plugVolume(v)
		if s.bootVolume == "" {
			s.bootVolume = v.id
		}
		return nil
	}
	return c.enqueue(dc, []touch{c.touchVolume(dc, v), c.touchServer(s)}, execute, nil, func() resource { return c.volumeResource(dc, v) })
}

// attachedVolume is the volume of a call about a server's volume; nil if the server has no such volume.
func (c *call) attachedVolume(s *server) *volume {
	v := s.datacenter.volumes[c.request.PathValue("volume")]
	if v == nil || v.server != s.id || c.hidden(&v.meta) {
		return nil
	}
	return v
}

func getServerVolume(c *call, s *server) (*response, *apiError) {
	v := c.attachedVolume(s)
	if v == nil {
		return nil, notFound()
	}
	return c.show(c.volumeResource(s.datacenter, v))
}

func detachVolume(c *call, s *server) (*response, *apiError) {
	v := c.attachedVolume(s)
	if v == nil {
		return nil, notFound()
	}
	execute := func() *apiError {
		if v.server != s.id {
			return notFound()
		}
		s.datacenter.unplugVolume(v)
		return nil
	}
	return c.enqueue(s.datacenter, c.touchAttached(s.datacenter, v), execute, nil, nil)
}
