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

import "slices"

// DeleteServer removes a server and its volumes by hand: at once, without a request.
func (c *Cloud) DeleteServer(datacenterID, id string) {
	c.enter()
	defer c.leave()
	if s := c.mustDatacenter(datacenterID).servers[id]; s != nil {
		c.removeServer(s, slices.Clone(s.volumes))
	}
}

// DeleteNIC removes a NIC by hand.
func (c *Cloud) DeleteNIC(datacenterID, serverID, id string) {
	c.enter()
	defer c.leave()
	if s := c.mustDatacenter(datacenterID).servers[serverID]; s != nil {
		for _, n := range slices.Clone(s.nics) {
			if n.id == id {
				s.unplug(n)
			}
		}
	}
}

// DeleteLAN removes a LAN, with the NICs in it, by hand.
func (c *Cloud) DeleteLAN(datacenterID string, id int32) {
	c.enter()
	defer c.leave()
	dc := c.mustDatacenter(datacenterID)
	if l := dc.lans[int(id)]; l != nil {
		c.removeLAN(dc, l)
	}
}

// DeleteDatacenter removes a data center, with all that is in it, by hand.
func (c *Cloud) DeleteDatacenter(id string) {
	c.enter()
	defer c.leave()
	c.removeDatacenter(c.mustDatacenter(id))
}

// StopServer turns a server off by hand.
func (c *Cloud) StopServer(datacenterID, id string) {
	c.enter()
	defer c.leave()
	if s := c.mustDatacenter(datacenterID).servers[id]; s != nil {
		c.turnOff(s)
	}
}

// UserData is what the boot volume of a server tells its guest; nil if there is no such server or volume.
func (c *Cloud) UserData(serverID string) []byte {
	c.enter()
	defer c.leave()
	for _, dc := range c.datacenters {
		if s := dc.servers[serverID]; s != nil && dc.volumes[s.bootVolume] != nil {
			return slices.Clone(dc.volumes[s.bootVolume].userData)
		}
	}
	return nil
}
