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
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	"github.com/google/uuid"
)

// AddDatacenter adds a data center, and returns its ID.
func (c *Cloud) AddDatacenter(name, location string) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.newDatacenter(name, location).id
}

// DatacenterIPv6 is the /56 of a data center.
func (c *Cloud) DatacenterIPv6(id string) netip.Prefix {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.mustDatacenter(id).ipv6
}

// mustDatacenter panics for a data center that does not exist: that is a mistake in a test.
func (c *Cloud) mustDatacenter(id string) *datacenter {
	dc := c.datacenters[id]
	if dc == nil {
		panic(fmt.Sprintf("cloudsim: there is no data center %q", id))
	}
	return dc
}

// LANSeed describes a LAN to add.
type LANSeed struct {
	// ID is the number of the LAN; zero means the next.
	ID     int32
	Name   string
	Public bool
	// IPv6 is empty for a LAN without IPv6, "AUTO", or a /64.
	IPv6 string
}

// AddLAN adds a LAN, and returns its number.
func (c *Cloud) AddLAN(datacenterID string, seed LANSeed) int32 {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	dc := c.mustDatacenter(datacenterID)
	var l *lan
	if seed.ID == 0 {
		l = c.newLAN(dc, seed.Name, seed.Public)
	} else {
		l = c.lanNumbered(dc, int(seed.ID), seed.Name, seed.Public)
	}
	switch seed.IPv6 {
	case "":
	case "AUTO":
		l.ipv6 = dc.freeLANBlock()
	default:
		l.ipv6 = netip.MustParsePrefix(seed.IPv6)
	}
	return int32(l.number)
}

// LANIPv6 is the /64 of a LAN; the zero value if it has none.
func (c *Cloud) LANIPv6(datacenterID string, id int32) netip.Prefix {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.mustDatacenter(datacenterID).lans[int(id)].ipv6
}

// AddImage adds an image, and returns its ID.
func (c *Cloud) AddImage(location, name string, labels map[string]string) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	i := &image{meta: meta{id: uuid.NewString(), created: c.clock.Now()}, name: name, location: location, labels: labels}
	c.images[i.id] = i
	return i.id
}

// AddIPBlock reserves the given addresses, and returns the ID of their block.
func (c *Cloud) AddIPBlock(location string, ips ...string) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	b := &ipBlock{meta: meta{id: uuid.NewString(), created: c.clock.Now()}, location: location, size: len(ips), labels: map[string]string{}}
	for _, ip := range ips {
		b.ips = append(b.ips, netip.MustParseAddr(ip))
	}
	c.ipBlocks[b.id] = b
	return b.id
}

// NICSeed describes a NIC of a server to add.
type NICSeed struct {
	Name string
	LAN  int32
	DHCP bool
	// IPs are IPv4 addresses; none lets the cloud assign.
	IPs []string
	// IPv6IPs are addresses in one /80.
	IPv6IPs []string
}

// ServerSeed describes a server to add.
type ServerSeed struct {
	Name, VolumeName string
	NICs             []NICSeed
}

// AddServer adds a server that runs, and returns its ID.
func (c *Cloud) AddServer(datacenterID string, seed ServerSeed) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	dc := c.mustDatacenter(datacenterID)
	s := &server{
		meta: meta{id: uuid.NewString(), created: c.clock.Now()}, datacenter: dc, name: seed.Name, cores: 1, ram: 2048,
		availabilityZone: "AUTO", kind: typeDefault, vmState: vmRunning, labels: map[string]string{},
	}
	dc.servers[s.id] = s
	if seed.VolumeName != "" {
		size := 20.0
		v := c.newVolume(dc, volumeBody{Name: &seed.VolumeName, Size: &size})
		v.unborn, v.server = false, s.id
		s.volumes, s.bootVolume = []string{v.id}, v.id
	}
	for _, nicSeed := range seed.NICs {
		number := int(nicSeed.LAN)
		body := nicBody{Name: &nicSeed.Name, LAN: &number, DHCP: &nicSeed.DHCP, IPs: &nicSeed.IPs}
		if len(nicSeed.IPv6IPs) > 0 {
			block := netip.PrefixFrom(netip.MustParseAddr(nicSeed.IPv6IPs[0]), 80).Masked().String()
			body.IPv6IPs, body.IPv6CIDRBlock = &nicSeed.IPv6IPs, &block
		}
		n := c.newNIC(s, body)
		n.unborn = false
		if failure := c.plug(dc, n, body); failure != nil {
			panic("cloudsim: " + failure.message)
		}
	}
	return s.id
}

// AddVolume adds a volume to a server, as a storage driver would, and returns its ID.
func (c *Cloud) AddVolume(datacenterID, serverID, name string) string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	dc := c.mustDatacenter(datacenterID)
	size := 10.0
	v := c.newVolume(dc, volumeBody{Name: &name, Size: &size})
	v.unborn = false
	if s := dc.servers[serverID]; s != nil {
		v.server = s.id
		s.volumes = append(s.volumes, v.id)
	}
	return v.id
}

// DeleteServer removes a server and its volumes by hand: at once, without a request.
func (c *Cloud) DeleteServer(datacenterID, id string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if s := c.mustDatacenter(datacenterID).servers[id]; s != nil {
		c.removeServer(s, true)
	}
}

// DeleteNIC removes a NIC by hand.
func (c *Cloud) DeleteNIC(datacenterID, serverID, id string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if s := c.mustDatacenter(datacenterID).servers[serverID]; s != nil {
		s.nics = slices.DeleteFunc(s.nics, func(n *nic) bool { return n.id == id })
	}
}

// DeleteLAN removes a LAN, with the NICs in it, by hand.
func (c *Cloud) DeleteLAN(datacenterID string, id int32) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	dc := c.mustDatacenter(datacenterID)
	if l := dc.lans[int(id)]; l != nil {
		c.removeLAN(dc, l)
	}
}

// DeleteDatacenter removes a data center, with all that is in it, by hand.
func (c *Cloud) DeleteDatacenter(id string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.datacenters, id)
}

// StopServer turns a server off by hand.
func (c *Cloud) StopServer(datacenterID, id string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if s := c.mustDatacenter(datacenterID).servers[id]; s != nil {
		s.stop()
	}
}

// UserData is what the boot volume of a server tells its guest; nil if there is no such server.
func (c *Cloud) UserData(serverID string) []byte {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, dc := range c.datacenters {
		if s := dc.servers[serverID]; s != nil && len(s.volumes) > 0 {
			return slices.Clone(dc.volumes[s.volumes[0]].userData)
		}
	}
	return nil
}

// seedIPs makes the addresses from first to last, both included.
func seedIPs(first, last string) ([]string, error) {
	begin, err := netip.ParseAddr(first)
	if err != nil {
		return nil, err
	}
	end, err := netip.ParseAddr(last)
	if err != nil {
		return nil, err
	}
	var ips []string
	for address := begin; address.Compare(end) <= 0 && len(ips) < 4096; address = address.Next() {
		ips = append(ips, address.String())
	}
	if len(ips) == 0 {
		return nil, fmt.Errorf("%s comes after %s", first, strconv.Quote(last))
	}
	return ips, nil
}
