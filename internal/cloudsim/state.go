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
	"net/netip"
	"slices"
)

// Snapshot is the whole state of the cloud, sorted, made to be compared. Times, and requests that have ended, are left out.
type Snapshot struct {
	Datacenters []DatacenterState `json:"datacenters"`
	IPBlocks    []IPBlockState    `json:"ipBlocks"`
	// Requests are those that have not ended, in the order in which they were accepted.
	Requests []RequestState `json:"requests"`
}

// RequestState is a request that has not ended.
type RequestState struct {
	ID     string `json:"id"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Status string `json:"status"`
}

// DatacenterState is the state of a data center.
type DatacenterState struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Location string            `json:"location"`
	Labels   map[string]string `json:"labels,omitempty"`
	LANs     []LANState        `json:"lans"`
	Servers  []ServerState     `json:"servers"`
	// Volumes are those of no server.
	Volumes []VolumeState `json:"volumes"`
}

// LANState is the state of a LAN.
type LANState struct {
	ID     int32  `json:"id"`
	Name   string `json:"name"`
	Public bool   `json:"public"`
	// IPv4 is the block of a private LAN, IPv6 that of a LAN with IPv6; else they are empty.
	IPv4 string `json:"ipv4,omitempty"`
	IPv6 string `json:"ipv6,omitempty"`
	// Failover has the IDs of the masters, by address.
	Failover map[string]string `json:"failover,omitempty"`
}

// ServerState is the state of a server.
type ServerState struct {
	ID               string            `json:"id"`
	Name             string            `json:"name"`
	Type             string            `json:"type"`
	Cores            int               `json:"cores"`
	RAM              int               `json:"ram"`
	AvailabilityZone string            `json:"availabilityZone"`
	VMState          string            `json:"vmState"`
	State            string            `json:"state"`
	Labels           map[string]string `json:"labels,omitempty"`
	NICs             []NICState        `json:"nics"`
	Volumes          []VolumeState     `json:"volumes"`
	// BootVolume is the ID of one of Volumes.
	BootVolume string `json:"bootVolume"`
}

// NICState is the state of a NIC.
type NICState struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	LAN       int32    `json:"lan"`
	DHCP      bool     `json:"dhcp"`
	DHCPv6    *bool    `json:"dhcpv6,omitempty"`
	IPs       []string `json:"ips"`
	IPv6Block string   `json:"ipv6Block,omitempty"`
	IPv6IPs   []string `json:"ipv6Ips,omitempty"`
	MAC       string   `json:"mac"`
	VNET      string   `json:"vnet,omitempty"`
}

// VolumeState is the state of a volume.
type VolumeState struct {
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Type   string            `json:"type"`
	Image  string            `json:"image,omitempty"`
	Size   float64           `json:"size"`
	Labels map[string]string `json:"labels,omitempty"`
}

// IPBlockState is the state of an IP block.
type IPBlockState struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Location string            `json:"location"`
	IPs      []string          `json:"ips"`
	Labels   map[string]string `json:"labels,omitempty"`
	// UsedBy are the names of the servers that have an address of the block, by address, sorted.
	UsedBy map[string][]string `json:"usedBy,omitempty"`
}

// Snapshot returns the state of the cloud.
func (c *Cloud) Snapshot() Snapshot {
	c.enter()
	defer c.leave()
	var state Snapshot
	for _, dc := range c.sortedDatacenters() {
		state.Datacenters = append(state.Datacenters, dc.snapshot())
	}
	for _, b := range c.sortedIPBlocks() {
		state.IPBlocks = append(state.IPBlocks, c.snapshotOf(b))
	}
	for _, r := range c.requests {
		if r.status == requestQueued || r.status == requestRunning {
			state.Requests = append(state.Requests, RequestState{ID: r.id, Method: r.method, Path: trimURL(r.url), Status: r.status})
		}
	}
	return state
}

func (c *Cloud) snapshotOf(b *ipBlock) IPBlockState {
	state := IPBlockState{ID: b.id, Name: b.name, Location: b.location, IPs: addressTexts(b.ips), Labels: copied(b.labels)}
	for _, n := range c.holders(b) {
		for _, address := range n.ips {
			if !slices.Contains(b.ips, address) {
				continue
			}
			if state.UsedBy == nil {
				state.UsedBy = map[string][]string{}
			}
			text := address.String()
			state.UsedBy[text] = append(state.UsedBy[text], n.server.name)
			slices.Sort(state.UsedBy[text])
		}
	}
	return state
}

func (d *datacenter) snapshot() DatacenterState {
	state := DatacenterState{ID: d.id, Name: d.name, Location: d.location, Labels: copied(d.labels)}
	for _, l := range d.sortedLANs() {
		state.LANs = append(state.LANs, l.snapshot())
	}
	for _, s := range d.sortedServers() {
		state.Servers = append(state.Servers, s.snapshot())
	}
	for _, v := range d.sortedVolumes() {
		if v.server == "" {
			state.Volumes = append(state.Volumes, v.snapshot())
		}
	}
	return state
}

func (l *lan) snapshot() LANState {
	state := LANState{ID: int32(l.number), Name: l.name, Public: l.public, IPv4: prefixText(l.ipv4), IPv6: prefixText(l.ipv6)}
	for _, group := range l.failover {
		if state.Failover == nil {
			state.Failover = map[string]string{}
		}
		state.Failover[group.IP] = group.NICUUID
	}
	return state
}

func (s *server) snapshot() ServerState {
	state := ServerState{
		ID: s.id, Name: s.name, Type: s.kind, Cores: s.cores, RAM: s.ram, AvailabilityZone: s.availabilityZone, VMState: s.vmState, State: s.state(),
		BootVolume: s.bootVolume, Labels: copied(s.labels),
	}
	for _, n := range s.nics {
		state.NICs = append(state.NICs, n.snapshot())
	}
	for _, id := range s.volumes {
		if v := s.datacenter.volumes[id]; v != nil {
			state.Volumes = append(state.Volumes, v.snapshot())
		}
	}
	return state
}

func (n *nic) snapshot() NICState {
	state := NICState{
		ID: n.id, Name: n.name, LAN: int32(n.lan), DHCP: n.dhcp, IPs: addressTexts(n.ips), IPv6Block: prefixText(n.ipv6Block), IPv6IPs: addressTexts(n.ipv6),
		MAC: n.mac, VNET: n.vnet,
	}
	if n.dhcpv6 != nil {
		on := *n.dhcpv6
		state.DHCPv6 = &on
	}
	return state
}

func (v *volume) snapshot() VolumeState {
	return VolumeState{ID: v.id, Name: v.name, Type: v.kind, Image: v.image, Size: v.size, Labels: copied(v.labels)}
}

// copied is a copy of labels; nil if there are none.
func copied(labels map[string]string) map[string]string {
	if len(labels) == 0 {
		return nil
	}
	return maps.Clone(labels)
}

func prefixText(prefix netip.Prefix) string {
	if !prefix.IsValid() {
		return ""
	}
	return prefix.String()
}
