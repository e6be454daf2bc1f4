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

package cloud

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// serverFrom makes a value of a server and what is shown inside it.
func serverFrom(in ionoscloud.Server) (Server, error) {
	out := Server{ID: deref(in.Id)}
	// Without its name, a server would count as somebody else's.
	if out.ID == "" || in.Properties == nil {
		return Server{}, errors.New("a server without ID or properties")
	}
	out.Name = deref(in.Properties.Name)
	out.VMState = deref(in.Properties.VmState)
	if in.Properties.BootVolume != nil {
		out.BootVolumeID = deref(in.Properties.BootVolume.Id)
	}
	if in.Metadata != nil {
		out.State = State(deref(in.Metadata.State))
	}
	if in.Entities == nil {
		return out, nil
	}
	if volumes := in.Entities.Volumes; volumes != nil {
		for _, volume := range deref(volumes.Items) {
			out.VolumeIDs = append(out.VolumeIDs, deref(volume.Id))
		}
		slices.Sort(out.VolumeIDs)
	}
	if nics := in.Entities.Nics; nics != nil {
		for _, item := range deref(nics.Items) {
			nic, err := nicFrom(item)
			if err != nil {
				return Server{}, fmt.Errorf("server %s: %w", out.ID, err)
			}
			nic.ServerName = out.Name
			out.NICs = append(out.NICs, nic)
		}
		slices.SortFunc(out.NICs, func(a, b network.NIC) int { return cmp.Compare(a.ID, b.ID) })
	}
	return out, nil
}

// nicFrom makes a value of a NIC.
func nicFrom(in ionoscloud.Nic) (network.NIC, error) {
	out := network.NIC{ID: deref(in.Id)}
	properties := in.Properties
	if out.ID == "" || properties == nil {
		return network.NIC{}, errors.New("a NIC without ID or properties")
	}
	out.Name = deref(properties.Name)
	out.MAC = deref(properties.Mac)
	out.LAN = network.LANID(deref(properties.Lan))
	out.DHCP = deref(properties.Dhcp)
	if properties.Dhcpv6 != nil {
		out.DHCPv6 = ptr.To(*properties.Dhcpv6)
	}
	var err error
	if out.IPv4, err = addressesFrom(deref(properties.Ips)); err != nil {
		return network.NIC{}, fmt.Errorf("NIC %s: %w", out.ID, err)
	}
	if out.IPv6, err = addressesFrom(deref(properties.Ipv6Ips)); err != nil {
		return network.NIC{}, fmt.Errorf("NIC %s: %w", out.ID, err)
	}
	if out.IPv6Block, err = prefixFrom(properties.Ipv6CidrBlock); err != nil {
		return network.NIC{}, fmt.Errorf("NIC %s: %w", out.ID, err)
	}
	return out, nil
}

// lanFrom makes a value of a LAN.
func lanFrom(in ionoscloud.Lan) (LAN, error) {
	id, err := strconv.ParseInt(deref(in.Id), 10, 32)
	if err != nil {
		return LAN{}, fmt.Errorf("a LAN whose ID %q is no number", deref(in.Id))
	}
	out := LAN{LAN: network.LAN{ID: network.LANID(id)}}
	if in.Metadata != nil {
		out.State = State(deref(in.Metadata.State))
	}
	properties := in.Properties
	if properties == nil {
		return LAN{}, fmt.Errorf("LAN %d without properties", id)
	}
	out.Name = deref(properties.Name)
	out.Public = deref(properties.Public)
	if out.IPv4Block, err = prefixFrom(properties.Ipv4CidrBlock); err != nil {
		return LAN{}, fmt.Errorf("LAN %d: %w", id, err)
	}
	if out.IPv6Block, err = prefixFrom(properties.Ipv6CidrBlock); err != nil {
		return LAN{}, fmt.Errorf("LAN %d: %w", id, err)
	}
	return out, nil
}

// addressesFrom parses addresses, in the cloud's order. Empty ones are left out.
func addressesFrom(texts []string) ([]netip.Addr, error) {
	var addresses []netip.Addr
	for _, text := range texts {
		if text == "" {
			continue
		}
		address, err := netip.ParseAddr(text)
		if err != nil {
			return nil, fmt.Errorf("address: %w", err)
		}
		addresses = append(addresses, address)
	}
	return addresses, nil
}

// prefixFrom parses a block. Nothing, and a block that is still being chosen, is the zero value.
func prefixFrom(text *string) (netip.Prefix, error) {
	if deref(text) == "" || *text == autoBlock {
		return netip.Prefix{}, nil
	}
	prefix, err := netip.ParsePrefix(*text)
	if err != nil {
		return netip.Prefix{}, fmt.Errorf("address block: %w", err)
	}
	return prefix, nil
}

const (
	// autoBlock asks the cloud to choose a block.
	autoBlock = "AUTO"
	// nicBlockBits is the length of the IPv6 block of a NIC.
	nicBlockBits = 80
)

// nicProperties are the properties of a new NIC.
func nicProperties(settings network.NICSettings) *ionoscloud.NicProperties {
	properties := &ionoscloud.NicProperties{
		Name:   ptr.To(settings.Name),
		Lan:    ptr.To(int32(settings.LAN)),
		Dhcp:   ptr.To(settings.DHCP),
		Dhcpv6: settings.DHCPv6,
	}
	if len(settings.IPv4) > 0 {
		properties.Ips = ptr.To(addressTexts(settings.IPv4))
	}
	if len(settings.IPv6) > 0 {
		properties.Ipv6Ips = ptr.To(addressTexts(settings.IPv6))
		properties.Ipv6CidrBlock = ptr.To(nicBlock(settings.IPv6Block, settings.IPv6).String())
	}
	if settings.VNET != "" {
		properties.Vnet = ptr.To(settings.VNET)
	}
	return properties
}

// nicBlock is the block that goes with the IPv6 addresses of a NIC: the cloud only takes addresses inside the NIC's own
// block, and that one is not known before unless it is sent along.
func nicBlock(block netip.Prefix, addresses []netip.Addr) netip.Prefix {
	if block.IsValid() {
		return block
	}
	return netip.PrefixFrom(addresses[0], nicBlockBits).Masked()
}

func addressTexts(addresses []netip.Addr) []string {
	texts := make([]string, 0, len(addresses))
	for _, address := range addresses {
		texts = append(texts, address.String())
	}
	return texts
}

// deref is the value of a pointer, or the zero value.
func deref[T any](pointer *T) T {
	if pointer == nil {
		var zero T
		return zero
	}
	return *pointer
}
