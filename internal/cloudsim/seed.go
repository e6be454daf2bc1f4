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
	"strconv"

	"github.com/google/uuid"
)

// AddDatacenter adds a data center, and returns its ID.
func (c *Cloud) AddDatacenter(name, location string) string {
	c.enter()
	defer c.leave()
	return c.newDatacenter(name, location).id
}

// DatacenterIPv6 is the /56 of a data center.
func (c *Cloud) DatacenterIPv6(id string) netip.Prefix {
	c.enter()
	defer c.leave()
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
	ID     int32  `json:"id"`
	Name   string `json:"name"`
	Public bool   `json:"public"`
	// IPv6 is empty for a LAN without IPv6, "AUTO", or a /64.
	IPv6 string `json:"ipv6"`
}

// AddLAN adds a LAN, and returns its number.
func (c *Cloud) AddLAN(datacenterID string, seed LANSeed) int32 {
	c.enter()
	defer c.leave()
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
		block, failure := dc.freeLANBlock()
		if failure != nil {
			panic("cloudsim: " + failure.message)
		}
		l.ipv6 = block
	default:
		l.ipv6 = netip.MustParsePrefix(seed.IPv6)
	}
	return int32(l.number)
}

// LANIPv6 is the /64 of a LAN; the zero value if it has none.
func (c *Cloud) LANIPv6(datacenterID string, id int32) netip.Prefix {
	c.enter()
	defer c.leave()
	return c.mustDatacenter(datacenterID).lans[int(id)].ipv6
}

// AddIPBlock reserves the given addresses, and returns the ID of their block.
func (c *Cloud) AddIPBlock(location string, ips ...string) string {
	c.enter()
	defer c.leave()
	b := &ipBlock{meta: c.newMeta(uuid.NewString()), location: location, size: len(ips)}
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
	c.enter()
	defer c.leave()
	dc := c.mustDatacenter(datacenterID)
	cores, ram, size := 1, 2048, 20.0
	s := c.newServer(dc, serverBody{Name: &seed.Name, Cores: &cores, RAM: &ram})
	s.unborn, s.vmState, s.cpuFamily = false, vmRunning, cpuFamilyDefault
	if seed.VolumeName != "" {
		v := c.newVolume(dc, volumeBody{Name: &seed.VolumeName, Size: &size})
		v.unborn = false
		s.plugVolume(v)
		s.bootVolume = v.id
	}
	for _, nicSeed := range seed.NICs {
		number := int(nicSeed.LAN)
		body := nicBody{Name: &nicSeed.Name, LAN: &number, DHCP: &nicSeed.DHCP, IPs: &nicSeed.IPs}
		if len(nicSeed.IPv6IPs) > 0 {
			block := netip.PrefixFrom(netip.MustParseAddr(nicSeed.IPv6IPs[0]), nicBits).Masked().String()
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

// AddVolume adds a volume to a server, as a storage driver would, and returns its ID. Without a server it is in the data
// center only.
func (c *Cloud) AddVolume(datacenterID, serverID, name string) string {
	c.enter()
	defer c.leave()
	dc := c.mustDatacenter(datacenterID)
	size := 10.0
	v := c.newVolume(dc, volumeBody{Name: &name, Size: &size})
	v.unborn = false
	if s := dc.servers[serverID]; s != nil {
		s.plugVolume(v)
	}
	return v.id
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
