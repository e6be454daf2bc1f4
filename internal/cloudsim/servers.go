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

const (
	// maxDevices is how many NICs and volumes a server can have together.
	maxDevices  = 24
	vmRunning   = "RUNNING"
	vmShutOff   = "SHUTOFF"
	typeVCPU    = "VCPU"
	typeCube    = "CUBE"
	typeGPU     = "GPU"
	typeDefault = "ENTERPRISE"
	zoneAuto    = "AUTO"
)

func (c *call) serverResource(s *server) resource {
	href := c.base() + "/datacenters/" + s.datacenter.id + "/servers/" + s.id
	properties := object{
		"name": s.name, "hostname": textOrNil(s.hostname), "cores": s.cores, "ram": s.ram, "availabilityZone": s.availabilityZone,
		"vmState": textOrNil(s.vmState), "type": s.kind, "cpuFamily": textOrNil(s.cpuFamily), "bootVolume": nil, "bootCdrom": nil,
		"templateUuid": textOrNil(s.templateUUID),
	}
	if s.nicMultiQueue != nil {
		properties["nicMultiQueue"] = *s.nicMultiQueue
	}
	if s.bootVolume != "" && !s.unborn {
		properties["bootVolume"] = object{"id": s.bootVolume, "type": "volume", "href": c.base() + "/datacenters/" + s.datacenter.id + "/volumes/" + s.bootVolume}
	}
	return resource{
		meta: &s.meta, id: s.id, kind: "server", href: href, properties: properties,
		children: map[string]func() []resource{
			"nics":    func() []resource { return c.serverNICs(s) },
			"volumes": func() []resource { return c.serverVolumes(s) },
			"cdroms":  func() []resource { return nil },
		},
	}
}

func (c *call) serverNICs(s *server) []resource {
	var items []resource
	for _, n := range s.nics {
		if !c.hidden(&n.meta) {
			items = append(items, c.nicResource(n))
		}
	}
	return items
}

func (c *call) serverVolumes(s *server) []resource {
	var items []resource
	for _, id := range s.volumes {
		if v := s.datacenter.volumes[id]; v != nil && !c.hidden(&v.meta) {
			items = append(items, c.volumeResource(s.datacenter, v))
		}
	}
	return items
}

func listServers(c *call, dc *datacenter) (*response, *apiError) {
	var items []resource
	for _, s := range dc.sortedServers() {
		if !c.hidden(&s.meta) {
			items = append(items, c.serverResource(s))
		}
	}
	return c.list(dc.id+"/servers", items, pageLimit)
}

func (d *datacenter) sortedServers() []*server {
	servers := make([]*server, 0, len(d.servers))
	for _, s := range d.servers {
		servers = append(servers, s)
	}
	slices.SortFunc(servers, func(a, b *server) int {
		if order := compareText(a.name, b.name); order != 0 {
			return order
		}
		return compareText(a.id, b.id)
	})
	return servers
}

func getServer(c *call, s *server) (*response, *apiError) {
	return c.show(c.serverResource(s))
}

func createServer(c *call, dc *datacenter) (*response, *apiError) {
	var body serverTree
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	cloud := c.cloud
	if failure := cloud.checkServerTree(dc, nil, body); failure != nil {
		return nil, failure
	}
	s := cloud.newServer(dc, body.Properties)
	touched := []touch{c.touchServer(s)}
	for _, item := range body.Entities.Volumes.Items {
		v := cloud.newVolume(dc, item.Properties)
		s.plugVolume(v)
		touched = append(touched, c.touchVolume(dc, v))
	}
	// Others may be attached while the request waits.
	volumes := slices.Clone(s.volumes)
	wanted := map[*nic]nicBody{}
	var nics []*nic
	for _, item := range body.Entities.NICs.Items {
		n := cloud.newNIC(s, item.Properties)
		nics, wanted[n] = append(nics, n), item.Properties
		touched = append(touched, touch{&n.meta, target{"nic", n.id, c.nicResource(n).href}})
	}
	execute := func() *apiError {
		if failure := cloud.checkServerTree(dc, s, body); failure != nil {
			return failure
		}
		for _, n := range nics {
			if failure := cloud.plug(dc, n, wanted[n]); failure != nil {
				return failure
			}
		}
		if len(volumes) > 0 {
			s.bootVolume = volumes[0]
		}
		if s.kind == typeDefault && s.cpuFamily == "" {
			s.cpuFamily = cpuFamilyDefault
		}
		cloud.boot(s)
		return nil
	}
	undo := func() { cloud.removeServer(s, volumes) }
	return c.enqueue(dc, touched, execute, undo, func() resource { return c.serverResource(s) })
}

// newServer makes a server, which does not run yet.
func (c *Cloud) newServer(dc *datacenter, properties serverBody) *server {
	s := &server{
		meta: c.newMeta(uuid.NewString()), datacenter: dc, name: deref(properties.Name), hostname: deref(properties.Hostname), cores: deref(properties.Cores),
		ram: deref(properties.RAM), availabilityZone: orText(deref(properties.AvailabilityZone), zoneAuto), cpuFamily: deref(properties.CPUFamily),
		kind: orText(deref(properties.Type), typeDefault), templateUUID: deref(properties.TemplateUUID), nicMultiQueue: properties.NICMultiQueue,
	}
	if s.templateUUID != "" {
		s.cores, s.ram = templateCores, templateRAM
	}
	s.unborn = true
	dc.servers[s.id] = s
	return s
}

// removeServer removes a server with its NICs, and with those of its volumes that are named. The others stay.
func (c *Cloud) removeServer(s *server, volumes []string) {
	dc := s.datacenter
	for _, n := range slices.Clone(s.nics) {
		s.unplug(n)
	}
	for _, id := range slices.Clone(s.volumes) {
		v := dc.volumes[id]
		if v == nil {
			continue
		}
		dc.unplugVolume(v)
		if slices.Contains(volumes, id) {
			dc.removeVolume(v)
		}
	}
	s.gone = true
	delete(dc.servers, s.id)
}

func setIf[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
