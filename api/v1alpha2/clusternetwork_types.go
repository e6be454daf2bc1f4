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

package v1alpha2

import (
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
)

// ClusterNetworkType says whether a network is connected to the Internet.
// +kubebuilder:validation:Enum=Public;Private
type ClusterNetworkType string

const (
	// ClusterNetworkPublic is a network that is connected to the Internet.
	ClusterNetworkPublic ClusterNetworkType = "Public"
	// ClusterNetworkPrivate is a network that is not connected to the Internet.
	ClusterNetworkPrivate ClusterNetworkType = "Private"
)

const (
	// IPv6CIDRBlockAuto lets the cloud choose the IPv6 block of a LAN.
	IPv6CIDRBlockAuto = "AUTO"
	// IPv6CIDRBlockNone makes a LAN without IPv6.
	IPv6CIDRBlockNone = "None"
)

// ClusterNetwork is a network of the cluster.
// +kubebuilder:validation:XValidation:rule="self.type == 'Private' || !has(self.ipv4Subnet)",message="ipv4Subnet is for Private networks only"
// +kubebuilder:validation:XValidation:rule="self.type == 'Private' || !has(self.crossConnectID)",message="crossConnectID is for Private networks only"
// +kubebuilder:validation:XValidation:rule="self.type == 'Private' || !has(self.natGateway)",message="natGateway is for Private networks only"
// +kubebuilder:validation:XValidation:rule="!has(self.natGateway) || has(self.ipv4Subnet)",message="natGateway needs the ipv4Subnet whose traffic it translates"
// +kubebuilder:validation:XValidation:rule="!has(self.natGateway) || !has(self.natGateway.gatewayIP) || !has(self.ipv4Subnet) || !isCIDR(self.ipv4Subnet) || !isIP(self.natGateway.gatewayIP) || cidr(self.ipv4Subnet).containsIP(self.natGateway.gatewayIP)",message="natGateway.gatewayIP must lie in ipv4Subnet"
// +kubebuilder:validation:XValidation:rule="!has(self.natGateway) || has(self.natGateway.gatewayIP) || has(self.ipv4PoolRef)",message="natGateway needs a gatewayIP, or an ipv4PoolRef of the network to claim it from"
type ClusterNetwork struct {
	// name is the identity of the network in the cluster.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name,omitempty"`

	// type is Public for a network that is connected to the Internet, else Private. Immutable.
	// +required
	Type ClusterNetworkType `json:"type,omitempty"`

	// ipv4PoolRef is the pool for the IPv4 address of every NIC in this network whose attachment names none.
	// +optional
	IPv4PoolRef ipamv1.IPPoolReference `json:"ipv4PoolRef,omitempty,omitzero"`

	// ipv6PoolRef is the pool for the IPv6 address of every NIC in this network whose attachment names none.
	// +optional
	IPv6PoolRef ipamv1.IPPoolReference `json:"ipv6PoolRef,omitempty,omitzero"`

	// ipv4Subnet is the IPv4 subnet of a Private network, for example "10.20.0.0/22". Claimed addresses
	// must lie in it, and a NAT gateway translates its traffic.
	// +optional
	// +kubebuilder:validation:MinLength=9
	// +kubebuilder:validation:MaxLength=18
	// +kubebuilder:validation:XValidation:rule="isCIDR(self) && cidr(self).ip().family() == 4 && cidr(self) == cidr(self).masked()",message="ipv4Subnet must be an IPv4 CIDR without host bits, such as 10.20.0.0/22"
	IPv4Subnet string `json:"ipv4Subnet,omitempty"`

	// ipv6CIDRBlock is AUTO for a block that the cloud chooses, None for a LAN without IPv6, or a /64 of the
	// data center's own IPv6 block. Unset means AUTO for a Public and None for a Private network.
	// +optional
	// +kubebuilder:validation:MinLength=4
	// +kubebuilder:validation:MaxLength=43
	// +kubebuilder:validation:XValidation:rule="self == 'AUTO' || self == 'None' || (isCIDR(self) && cidr(self).ip().family() == 6 && cidr(self).prefixLength() == 64 && cidr(self) == cidr(self).masked())",message="ipv6CIDRBlock must be AUTO, None or an IPv6 /64 without host bits"
	IPv6CIDRBlock string `json:"ipv6CIDRBlock,omitempty"`

	// crossConnectID is the cross connect that joins this network's LANs of several data centers.
	// +optional
	// +kubebuilder:validation:Format=uuid
	// +kubebuilder:validation:MinLength=36
	// +kubebuilder:validation:MaxLength=36
	CrossConnectID string `json:"crossConnectID,omitempty"`

	// natGateway gives the machines of a Private network a way out to the Internet.
	// +optional
	NATGateway *NATGateway `json:"natGateway,omitempty"`

	// routes are static routes for every machine that is attached to this network.
	// +optional
	// +listType=map
	// +listMapKey=destination
	// +kubebuilder:validation:MaxItems=32
	Routes []Route `json:"routes,omitempty"`
}

// NATGateway describes the NAT gateway of a private network, one in each data center.
// +kubebuilder:validation:XValidation:rule="!has(self.publicIPs) || !has(self.publicIPPoolRef)",message="publicIPs and publicIPPoolRef exclude each other"
type NATGateway struct {
	// publicIPs are the reserved public IPv4 addresses that the gateway translates to.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MinLength=7
	// +kubebuilder:validation:items:MaxLength=15
	// +kubebuilder:validation:items:XValidation:rule="isIP(self) && ip(self).family() == 4",message="publicIPs must be IPv4 addresses"
	PublicIPs []string `json:"publicIPs,omitempty"`

	// publicIPPoolRef is the pool that the public address is claimed from. Without it and without publicIPs
	// a block of one address is reserved.
	// +optional
	PublicIPPoolRef ipamv1.IPPoolReference `json:"publicIPPoolRef,omitempty,omitzero"`

	// gatewayIP is the gateway's address in the network. Unset means that it is claimed from the network's ipv4PoolRef.
	// +optional
	// +kubebuilder:validation:MinLength=7
	// +kubebuilder:validation:MaxLength=15
	// +kubebuilder:validation:XValidation:rule="isIP(self) && ip(self).family() == 4",message="gatewayIP must be an IPv4 address"
	GatewayIP string `json:"gatewayIP,omitempty"`

	// rules are the source NAT rules. Empty means one rule for all protocols and the whole subnet.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=32
	Rules []NATRule `json:"rules,omitempty"`
}

// NATProtocol is a protocol that a NAT rule applies to.
// +kubebuilder:validation:Enum=ALL;TCP;UDP;ICMP
type NATProtocol string

const (
	// NATProtocolAll is every protocol.
	NATProtocolAll NATProtocol = "ALL"
	// NATProtocolTCP is TCP.
	NATProtocolTCP NATProtocol = "TCP"
	// NATProtocolUDP is UDP.
	NATProtocolUDP NATProtocol = "UDP"
	// NATProtocolICMP is ICMP.
	NATProtocolICMP NATProtocol = "ICMP"
)

// NATRule is a source NAT rule.
// +kubebuilder:validation:XValidation:rule="!has(self.targetPortRange) || (has(self.protocol) && self.protocol in ['TCP', 'UDP'])",message="targetPortRange needs protocol TCP or UDP"
type NATRule struct {
	// name is the identity of the rule in the gateway.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Name string `json:"name,omitempty"`

	// protocol that the rule applies to. Unset means ALL.
	// +optional
	Protocol NATProtocol `json:"protocol,omitempty"`

	// sourceSubnet is the IPv4 CIDR whose traffic is translated. Unset means the network's ipv4Subnet.
	// +optional
	// +kubebuilder:validation:MinLength=9
	// +kubebuilder:validation:MaxLength=18
	// +kubebuilder:validation:XValidation:rule="isCIDR(self) && cidr(self).ip().family() == 4",message="sourceSubnet must be an IPv4 CIDR"
	SourceSubnet string `json:"sourceSubnet,omitempty"`

	// publicIP is the gateway's public address that the traffic leaves with. Unset means the first.
	// +optional
	// +kubebuilder:validation:MinLength=7
	// +kubebuilder:validation:MaxLength=15
	// +kubebuilder:validation:XValidation:rule="isIP(self) && ip(self).family() == 4",message="publicIP must be an IPv4 address"
	PublicIP string `json:"publicIP,omitempty"`

	// targetSubnet is the IPv4 CIDR of the destinations. Unset means every destination.
	// +optional
	// +kubebuilder:validation:MinLength=9
	// +kubebuilder:validation:MaxLength=18
	// +kubebuilder:validation:XValidation:rule="isCIDR(self) && cidr(self).ip().family() == 4",message="targetSubnet must be an IPv4 CIDR"
	TargetSubnet string `json:"targetSubnet,omitempty"`

	// targetPortRange are the destination ports. Unset means every port.
	// +optional
	TargetPortRange PortRange `json:"targetPortRange,omitempty,omitzero"`
}

// PortRange is a range of ports, both ends included.
// +kubebuilder:validation:XValidation:rule="self.start <= self.end",message="start must not be greater than end"
type PortRange struct {
	// start is the first port.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Start int32 `json:"start,omitempty"`

	// end is the last port.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	End int32 `json:"end,omitempty"`
}

// Route is a static route.
// +kubebuilder:validation:XValidation:rule="!isCIDR(self.destination) || !isIP(self.gateway) || cidr(self.destination).ip().family() == ip(self.gateway).family()",message="destination and gateway must be of one address family"
type Route struct {
	// destination is the CIDR that is routed.
	// +required
	// +kubebuilder:validation:MinLength=4
	// +kubebuilder:validation:MaxLength=43
	// +kubebuilder:validation:XValidation:rule="isCIDR(self) && cidr(self) == cidr(self).masked()",message="destination must be a CIDR without host bits"
	Destination string `json:"destination,omitempty"`

	// gateway is the address of the next hop.
	// +required
	// +kubebuilder:validation:MinLength=2
	// +kubebuilder:validation:MaxLength=39
	// +kubebuilder:validation:XValidation:rule="isIP(self)",message="gateway must be an IP address"
	Gateway string `json:"gateway,omitempty"`
}

// ClusterNetworkStatus is the LAN of a cluster network in one data center.
type ClusterNetworkStatus struct {
	// name of the network in spec.networks, or "default" for the implicit network.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	Name string `json:"name,omitempty"`

	// datacenterID is the data center of the LAN.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	DatacenterID string `json:"datacenterID,omitempty"`

	// networkID is the ID of the LAN.
	// +optional
	// +kubebuilder:validation:Minimum=1
	NetworkID int32 `json:"networkID,omitempty"`

	// ipv6CIDRBlock is the /64 of the LAN, if it has IPv6.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=43
	IPv6CIDRBlock string `json:"ipv6CIDRBlock,omitempty"`

	// natGateway is the network's NAT gateway in this data center.
	// +optional
	NATGateway NATGatewayStatus `json:"natGateway,omitempty,omitzero"`
}

// NATGatewayStatus is what was observed of a NAT gateway.
type NATGatewayStatus struct {
	// id of the gateway.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	ID string `json:"id,omitempty"`

	// publicIPs are the addresses that traffic leaves with.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=39
	PublicIPs []string `json:"publicIPs,omitempty"`

	// gatewayIPs are the gateway's addresses in the network.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=43
	GatewayIPs []string `json:"gatewayIPs,omitempty"`
}
