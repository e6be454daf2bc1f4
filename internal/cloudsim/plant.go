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
)

// Seed is what a cloud has at the beginning.
type Seed struct {
	Datacenters []DatacenterSeed `json:"datacenters"`
	Images      []ImageSeed      `json:"images"`
	IPBlocks    []IPBlockSeed    `json:"ipBlocks"`
}

// DatacenterSeed is a data center with its LANs.
type DatacenterSeed struct {
	Name     string    `json:"name"`
	Location string    `json:"location"`
	LANs     []LANSeed `json:"lans"`
}

// IPBlockSeed is a block of given addresses: IPs, and those from First to Last.
type IPBlockSeed struct {
	Location string   `json:"location"`
	IPs      []string `json:"ips"`
	First    string   `json:"first"`
	Last     string   `json:"last"`
}

// addresses are all addresses of the block.
func (s IPBlockSeed) addresses() ([]string, error) {
	for _, ip := range s.IPs {
		if _, err := netip.ParseAddr(ip); err != nil {
			return nil, fmt.Errorf("read the addresses of an IP block: %w", err)
		}
	}
	if s.First == "" && s.Last == "" && len(s.IPs) > 0 {
		return s.IPs, nil
	}
	ips, err := seedIPs(s.First, s.Last)
	if err != nil {
		return nil, fmt.Errorf("read the addresses of an IP block: %w", err)
	}
	return append(slices.Clone(s.IPs), ips...), nil
}

// check tells whether all of a seed can be planted.
func (s Seed) check() error {
	for _, dc := range s.Datacenters {
		if !isLocation(dc.Location) {
			return fmt.Errorf("data center %q: location %q does not exist", dc.Name, dc.Location)
		}
		for _, l := range dc.LANs {
			if _, err := netip.ParsePrefix(l.IPv6); err != nil && l.IPv6 != "" && l.IPv6 != "AUTO" {
				return fmt.Errorf("LAN %q: %w", l.Name, err)
			}
		}
	}
	for _, i := range s.Images {
		if !isLocation(i.Location) {
			return fmt.Errorf("image %q: location %q does not exist", i.Name, i.Location)
		}
	}
	for _, b := range s.IPBlocks {
		if !isLocation(b.Location) {
			return fmt.Errorf("IP block: location %q does not exist", b.Location)
		}
		if _, err := b.addresses(); err != nil {
			return err
		}
	}
	return nil
}

// Planted are the IDs of what a Seed became, in its order.
type Planted struct {
	Datacenters []string `json:"datacenters"`
	Images      []string `json:"images"`
	IPBlocks    []string `json:"ipBlocks"`
}

// Plant adds what a seed describes: all of it, or nothing.
func (c *Cloud) Plant(seed Seed) (Planted, error) {
	var planted Planted
	if err := seed.check(); err != nil {
		return planted, err
	}
	for _, block := range seed.IPBlocks {
		ips, err := block.addresses()
		if err != nil {
			return planted, err
		}
		planted.IPBlocks = append(planted.IPBlocks, c.AddIPBlock(block.Location, ips...))
	}
	for _, dc := range seed.Datacenters {
		id := c.AddDatacenter(dc.Name, dc.Location)
		for _, l := range dc.LANs {
			c.AddLAN(id, l)
		}
		planted.Datacenters = append(planted.Datacenters, id)
	}
	for _, i := range seed.Images {
		planted.Images = append(planted.Images, c.PlantImage(i))
	}
	return planted, nil
}
