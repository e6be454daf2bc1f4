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
	"net/netip"
	"slices"
	"strings"
)

func (c *call) touchServer(s *server) touch {
	return touch{&s.meta, target{"server", s.id, c.serverResource(s).href}}
}

func changeServer(c *call, s *server) (*response, *apiError) {
	var properties serverBody
	if failure := c.decodeChange(&properties); failure != nil {
		return nil, failure
	}
	check := func() *apiError {
		if properties.Type != nil && *properties.Type != s.kind {
			return invalid(codeReadOnly, "type", "Attribute is immutable")
		}
		if failure := properties.checkValues(s.kind); failure != nil {
			return failure
		}
		if boot := properties.BootVolume; boot != nil && !slices.Contains(s.volumes, boot.ID) {
			return invalid(codeConstraint, "bootVolume", "volume %q is not attached", boot.ID)
		}
		cores, ram := s.cores, s.ram
		setIf(&cores, properties.Cores)
		setIf(&ram, properties.RAM)
		return c.cloud.checkCompute(s, cores, ram)
	}
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		setIf(&s.name, properties.Name)
		setIf(&s.hostname, properties.Hostname)
		setIf(&s.cores, properties.Cores)
		setIf(&s.ram, properties.RAM)
		setIf(&s.availabilityZone, properties.AvailabilityZone)
		setIf(&s.cpuFamily, properties.CPUFamily)
		if properties.NICMultiQueue != nil {
			s.nicMultiQueue = properties.NICMultiQueue
		}
		if properties.BootVolume != nil {
			s.bootVolume = properties.BootVolume.ID
		}
		return nil
	}
	return c.enqueue(s.datacenter, []touch{c.touchServer(s)}, execute, nil, func() resource { return c.serverResource(s) })
}

// power accepts a request that turns a server on or off. Servers by template are suspended and resumed instead.
func (c *call) power(s *server, execute func() *apiError) (*response, *apiError) {
	if s.kind == typeCube || s.kind == typeGPU {
		return nil, invalid(codeConstraint, "type", "a server of type %s cannot be started or stopped", s.kind)
	}
	return c.enqueue(s.datacenter, []touch{c.touchServer(s)}, execute, nil, nil)
}

func startServer(c *call, s *server) (*response, *apiError) {
	return c.power(s, func() *apiError {
		if s.vmState == vmRunning {
			return nil
		}
		return c.cloud.turnOn(s)
	})
}

func rebootServer(c *call, s *server) (*response, *apiError) {
	return c.power(s, func() *apiError { return c.cloud.turnOn(s) })
}

func stopServer(c *call, s *server) (*response, *apiError) {
	return c.power(s, func() *apiError { c.cloud.turnOff(s); return nil })
}

// turnOn boots a server. NICs that have lost their address get another one.
func (c *Cloud) turnOn(s *server) *apiError {
	for _, n := range s.nics {
		if l := s.datacenter.lans[n.lan]; l != nil && !n.unborn {
			if failure := c.assign(s.datacenter, l, n); failure != nil {
				return failure
			}
		}
	}
	c.boot(s)
	return nil
}

// turnOff turns a server off. Public addresses that are not reserved are lost.
func (c *Cloud) turnOff(s *server) {
	s.vmState = vmShutOff
	for _, n := range s.nics {
		if l := s.datacenter.lans[n.lan]; l != nil && l.public {
			n.ips = slices.DeleteFunc(n.ips, func(address netip.Addr) bool { return !c.isReserved(s.datacenter.location, address) })
		}
	}
}

func deleteServer(c *call, s *server) (*response, *apiError) {
	withVolumes := strings.EqualFold(c.request.URL.Query().Get("deleteVolumes"), "true")
	check := func() *apiError {
		for _, n := range s.nics {
			if failure := c.cloud.checkLeaves(s.datacenter, n); failure != nil {
				return failure
			}
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
		var volumes []string
		if withVolumes {
			volumes = s.volumes
		}
		c.cloud.removeServer(s, slices.Clone(volumes))
		return nil
	}
	touched := []touch{c.touchServer(s)}
	if withVolumes {
		for _, id := range s.volumes {
			if v := s.datacenter.volumes[id]; v != nil {
				touched = append(touched, c.touchVolume(s.datacenter, v))
			}
		}
	}
	return c.enqueue(s.datacenter, touched, execute, nil, nil)
}
