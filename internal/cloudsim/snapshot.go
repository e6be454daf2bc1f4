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
	"strings"
)

// Snapshot is the whole state of the cloud, sorted, made to be compared. Times and requests are left out.
type Snapshot struct {
	Datacenters []DatacenterState `json:"datacenters"`
	IPBlocks    []IPBlockState    `json:"ipBlocks"`
}

// DatacenterState is the state of a data center.
type DatacenterState struct {
	ID, Name, Location string
	LANs               []LANState
	Servers            []ServerState
	// Volumes are those of no server.
	Volumes []VolumeState
}

// LANState is the state of a LAN.
type LANState struct {
	ID       int32
	Name     string
	Public   bool
	IPv6     string
	Failover map[string]string
}

// ServerState is the state of a server.
type ServerState struct {
	ID, Name, VMState, State string
	NICs                     []NICState
	Volumes                  []VolumeState
	BootVolume               string
}

// NICState is the state of a NIC.
type NICState struct {
	ID, Name  string
	LAN       int32
	DHCP      bool
	DHCPv6    *bool
	IPs       []string
	IPv6Block string
	IPv6IPs   []string
	MAC       string
}

// VolumeState is the state of a volume.
type VolumeState struct {
	ID, Name, Type, Image string
	Size                  float64
}

// IPBlockState is the state of an IP block.
type IPBlockState struct {
	ID, Name, Location string
	IPs                []string
	// UsedBy are the names of the servers that have an address of the block, by address.
	UsedBy map[string]string
}

// Event is a change that was executed.
type Event struct {
	Method, Path, Body string
}

// Snapshot returns the state of the cloud.
func (c *Cloud) Snapshot() Snapshot {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var snapshot Snapshot
	for _, dc := range c.sortedDatacenters() {
		snapshot.Datacenters = append(snapshot.Datacenters, dc.snapshot())
	}
	for _, b := range c.sortedIPBlocks() {
		state := IPBlockState{ID: b.id, Name: b.name, Location: b.location, IPs: addressTexts(b.ips), UsedBy: map[string]string{}}
		for _, n := range c.holders(b) {
			for _, address := range n.ips {
				for _, own := range b.ips {
					if address == own {
						state.UsedBy[address.String()] = n.server.name
					}
				}
			}
		}
		snapshot.IPBlocks = append(snapshot.IPBlocks, state)
	}
	return snapshot
}

func (d *datacenter) snapshot() DatacenterState {
	state := DatacenterState{ID: d.id, Name: d.name, Location: d.location}
	for _, l := range d.sortedLANs() {
		lanState := LANState{ID: int32(l.number), Name: l.name, Public: l.public, Failover: map[string]string{}}
		if l.ipv6.IsValid() {
			lanState.IPv6 = l.ipv6.String()
		}
		for _, group := range l.failover {
			lanState.Failover[group.IP] = group.NICUUID
		}
		state.LANs = append(state.LANs, lanState)
	}
	for _, s := range d.sortedServers() {
		serverState := ServerState{ID: s.id, Name: s.name, VMState: s.vmState, State: s.meta.state(), BootVolume: s.bootVolume}
		for _, n := range s.nics {
			nicState := NICState{ID: n.id, Name: n.name, LAN: int32(n.lan), DHCP: n.dhcp, DHCPv6: n.dhcpv6, IPs: addressTexts(n.ips), IPv6IPs: addressTexts(n.ipv6), MAC: n.mac}
			if n.ipv6Block.IsValid() {
				nicState.IPv6Block = n.ipv6Block.String()
			}
			serverState.NICs = append(serverState.NICs, nicState)
		}
		for _, id := range s.volumes {
			if v := d.volumes[id]; v != nil {
				serverState.Volumes = append(serverState.Volumes, v.snapshot())
			}
		}
		state.Servers = append(state.Servers, serverState)
	}
	for _, v := range d.sortedVolumes() {
		if v.server == "" {
			state.Volumes = append(state.Volumes, v.snapshot())
		}
	}
	return state
}

func (v *volume) snapshot() VolumeState {
	return VolumeState{ID: v.id, Name: v.name, Type: v.kind, Image: v.image, Size: v.size}
}

// Counters are the numbers of calls, as "POST /datacenters/{}/servers".
func (c *Cloud) Counters() map[string]int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return maps.Clone(c.counters)
}

// ResetCounters sets all counters to zero.
func (c *Cloud) ResetCounters() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	clear(c.counters)
}

// Writes is the number of calls that were not reads.
func (c *Cloud) Writes() int {
	writes := 0
	for route, count := range c.Counters() {
		if !strings.HasPrefix(route, "GET ") && route != "unknown" {
			writes += count
		}
	}
	return writes
}

// History are the changes that were executed, in order.
func (c *Cloud) History() []Event {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return append([]Event(nil), c.history...)
}
