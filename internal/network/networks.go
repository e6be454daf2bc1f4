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

package network

import (
	"slices"

	"k8s.io/utils/ptr"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// DefaultAttachment is the attachment of a machine that names none: the cluster's default network, with DHCP.
func DefaultAttachment() infrav1.Attachment {
	return infrav1.Attachment{Name: PrimaryAttachmentName, DHCP: ptr.To(true)}
}

// ResolveNetworks returns the cluster networks with what is implied: the public default network if there is none, and
// ipv6CIDRBlock where it is unset. The first one is the default network.
func ResolveNetworks(networks []infrav1.ClusterNetwork) []infrav1.ClusterNetwork {
	if len(networks) == 0 {
		networks = []infrav1.ClusterNetwork{{Name: infrav1.DefaultNetworkName, Type: infrav1.ClusterNetworkPublic}}
	}
	resolved := slices.Clone(networks)
	for i := range resolved {
		if resolved[i].IPv6CIDRBlock != "" {
			continue
		}
		resolved[i].IPv6CIDRBlock = infrav1.IPv6CIDRBlockNone
		if resolved[i].Type == infrav1.ClusterNetworkPublic {
			resolved[i].IPv6CIDRBlock = infrav1.IPv6CIDRBlockAuto
		}
	}
	return resolved
}

// NetworksInUse are the names of the cluster networks that a machine uses, sorted. A network that left the cluster's
// spec is among them while the machine names it.
func NetworksInUse(networks []infrav1.ClusterNetwork, attachments []infrav1.Attachment) []string {
	var names []string
	for _, attachment := range resolveAttachments(attachments) {
		switch {
		case attachment.ClusterNetwork != "":
			names = append(names, attachment.ClusterNetwork)
		case attachment.NetworkID == 0:
			names = append(names, ResolveNetworks(networks)[0].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// resolveAttachments returns the attachments, or the implicit one if there are none.
func resolveAttachments(attachments []infrav1.Attachment) []infrav1.Attachment {
	if len(attachments) == 0 {
		return []infrav1.Attachment{DefaultAttachment()}
	}
	return attachments
}

// poolOf is the pool that a reference names; the zero value if it names none.
func poolOf(ref ipamv1.IPPoolReference) PoolRef {
	return PoolRef{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}
}
