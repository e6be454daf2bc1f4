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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
)

// MachineFinalizer keeps an IonosCloudMachine until its server and its claims are gone.
const MachineFinalizer = "ionoscloudmachine.infrastructure.cluster.x-k8s.io"

// InvalidNetworkID marks an attachment that was written as v1alpha1 with a networkID that is no LAN number.
// No LAN has it, and admission refuses it, so that such an attachment never lands in another LAN.
const InvalidNetworkID int32 = -1

// FailoverIPAuto asks the provider to reserve the address of a failover group.
const FailoverIPAuto = "AUTO"

// ServerType is the kind of CPU of a server.
// +kubebuilder:validation:Enum=ENTERPRISE;VCPU
type ServerType string

const (
	// ServerTypeEnterprise is a server with dedicated cores.
	ServerTypeEnterprise ServerType = "ENTERPRISE"
	// ServerTypeVCPU is a server with shared cores.
	ServerTypeVCPU ServerType = "VCPU"
)

// AvailabilityZone is a zone of a data center.
type AvailabilityZone string

const (
	// AvailabilityZoneAuto lets the cloud choose.
	AvailabilityZoneAuto AvailabilityZone = "AUTO"
	// AvailabilityZoneOne is the first zone.
	AvailabilityZoneOne AvailabilityZone = "ZONE_1"
	// AvailabilityZoneTwo is the second zone.
	AvailabilityZoneTwo AvailabilityZone = "ZONE_2"
	// AvailabilityZoneThree is the third zone, of volumes only.
	AvailabilityZoneThree AvailabilityZone = "ZONE_3"
)

// VolumeDiskType is the kind of storage of a volume.
// +kubebuilder:validation:Enum=HDD;SSD Standard;SSD Premium
type VolumeDiskType string

const (
	// VolumeDiskTypeHDD is a hard disk.
	VolumeDiskTypeHDD VolumeDiskType = "HDD"
	// VolumeDiskTypeSSDStandard is a standard solid state disk.
	VolumeDiskTypeSSDStandard VolumeDiskType = "SSD Standard"
	// VolumeDiskTypeSSDPremium is a premium solid state disk.
	VolumeDiskTypeSSDPremium VolumeDiskType = "SSD Premium"
)

// ImageSelectorResolutionPolicy says what to do when a selector matches several images.
// +kubebuilder:validation:Enum=Exact;Newest
type ImageSelectorResolutionPolicy string

const (
	// ResolutionPolicyExact takes the image only if exactly one matches.
	ResolutionPolicyExact ImageSelectorResolutionPolicy = "Exact"
	// ResolutionPolicyNewest takes the newest of the images that match.
	ResolutionPolicyNewest ImageSelectorResolutionPolicy = "Newest"
)

// IonosCloudMachineSpec is what a user asks of a machine.
// +kubebuilder:validation:XValidation:rule="!has(self.type) || self.type != 'VCPU' || !has(self.cpuFamily)",message="cpuFamily must not be set when type is VCPU",fieldPath=".cpuFamily"
type IonosCloudMachineSpec struct {
	// providerID is "ionos://" followed by the UUID of the server. Set by the provider.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	ProviderID string `json:"providerID,omitempty"`

	// datacenterID is the UUID of the data center of the server. Immutable.
	// +required
	// +kubebuilder:validation:Format=uuid
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	DatacenterID string `json:"datacenterID,omitempty"`

	// numCores is the number of CPU cores.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	NumCores int32 `json:"numCores,omitempty"`

	// availabilityZone is the zone of the server: AUTO, ZONE_1 or ZONE_2.
	// +optional
	// +kubebuilder:default=AUTO
	// +kubebuilder:validation:Enum=AUTO;ZONE_1;ZONE_2
	AvailabilityZone AvailabilityZone `json:"availabilityZone,omitempty"`

	// memoryMB is the memory in MB, a multiple of 1024 and at least 2048.
	// +optional
	// +kubebuilder:default=3072
	// +kubebuilder:validation:Minimum=2048
	// +kubebuilder:validation:MultipleOf=1024
	MemoryMB int32 `json:"memoryMB,omitempty"`

	// cpuFamily is the CPU family of an ENTERPRISE server. Unset lets the cloud choose.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	CPUFamily string `json:"cpuFamily,omitempty"`

	// disk is the boot volume.
	// +required
	Disk Volume `json:"disk,omitempty,omitzero"`

	// networks are the attachments of the machine: its NICs, in order. The first is the primary NIC.
	// Empty means one attachment to the cluster's default network, with DHCP.
	// An entry cannot be changed; entries can be added and removed.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=23
	Networks []Attachment `json:"networks,omitempty"`

	// type is the kind of server. Immutable.
	// +optional
	// +kubebuilder:default=ENTERPRISE
	Type ServerType `json:"type,omitempty"`
}

// Attachment is the connection of a machine to a network: a NIC and its addresses.
// +kubebuilder:validation:XValidation:rule="!has(self.clusterNetwork) || !has(self.networkID)",message="clusterNetwork and networkID exclude each other"
type Attachment struct {
	// name is the identity of the attachment in the machine. It is part of the names of its NIC and claims.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	Name string `json:"name,omitempty"`

	// clusterNetwork is the name of a network of the cluster. Without it and without networkID the
	// attachment is to the cluster's default network.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	// +kubebuilder:validation:Pattern=`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	ClusterNetwork string `json:"clusterNetwork,omitempty"`

	// networkID is the ID of an existing LAN in the machine's data center. The provider never deletes that LAN.
	// +optional
	// +kubebuilder:validation:Minimum=1
	NetworkID int32 `json:"networkID,omitempty"`

	// dhcp is whether the cloud's DHCP serves this NIC with IPv4, pool addresses included.
	// +optional
	// +kubebuilder:default=true
	DHCP *bool `json:"dhcp,omitempty"`

	// dhcpv6 is whether the cloud's DHCP serves this NIC with IPv6. Unset leaves the cloud's default.
	// Only sent where the LAN has IPv6.
	// +optional
	DHCPv6 *bool `json:"dhcpv6,omitempty"`

	// ipv4PoolRef is the pool that the IPv4 address is claimed from. Unset means the pool of the cluster
	// network, if that has one; else the cloud assigns an address.
	// +optional
	IPv4PoolRef ipamv1.IPPoolReference `json:"ipv4PoolRef,omitempty,omitzero"`

	// ipv6PoolRef is the pool that the IPv6 address is claimed from. Unset means the pool of the cluster
	// network, if that has one; else the cloud assigns an address where the LAN has IPv6.
	// +optional
	IPv6PoolRef ipamv1.IPPoolReference `json:"ipv6PoolRef,omitempty,omitzero"`

	// failoverIPs are the addresses of the IP failover groups that this NIC joins. AUTO reserves one.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=8
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=15
	// +kubebuilder:validation:items:XValidation:rule="self == 'AUTO' || (isIP(self) && ip(self).family() == 4)",message="failoverIPs must be AUTO or IPv4 addresses"
	FailoverIPs []string `json:"failoverIPs,omitempty"`

	// routes are static routes that the guest gets for this NIC.
	// +optional
	// +listType=map
	// +listMapKey=destination
	// +kubebuilder:validation:MaxItems=32
	Routes []Route `json:"routes,omitempty"`

	// vnet is for internal use and needs special privileges.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	VNET string `json:"vnet,omitempty"`
}

// Volume is a boot volume.
type Volume struct {
	// name of the volume. Unset means "vol-" followed by the name of the machine.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	Name string `json:"name,omitempty"`

	// diskType is the kind of storage.
	// +optional
	// +kubebuilder:default=HDD
	DiskType VolumeDiskType `json:"diskType,omitempty"`

	// sizeGB is the size in GB, at least 10.
	// +optional
	// +kubebuilder:default=20
	// +kubebuilder:validation:Minimum=10
	SizeGB int64 `json:"sizeGB,omitempty"`

	// availabilityZone is the zone of the volume: AUTO, ZONE_1, ZONE_2 or ZONE_3.
	// +optional
	// +kubebuilder:default=AUTO
	// +kubebuilder:validation:Enum=AUTO;ZONE_1;ZONE_2;ZONE_3
	AvailabilityZone AvailabilityZone `json:"availabilityZone,omitempty"`

	// image is what the volume is made from.
	// +required
	Image ImageSpec `json:"image,omitempty,omitzero"`
}

// ImageSpec names an image, by ID or by labels.
// +kubebuilder:validation:XValidation:rule="has(self.id) != has(self.selector)",message="exactly one of id and selector must be set"
type ImageSpec struct {
	// id is the UUID of the image.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=255
	ID string `json:"id,omitempty"`

	// selector finds the image, in the location of the data center, by its labels.
	// +optional
	Selector *ImageSelector `json:"selector,omitempty"`
}

// ImageSelector finds an image by its labels.
type ImageSelector struct {
	// matchLabels are the labels that the image must carry.
	// +required
	// +kubebuilder:validation:MinProperties=1
	MatchLabels map[string]string `json:"matchLabels,omitempty"`

	// resolutionPolicy says what to do when several images match: Exact is an error, Newest takes the newest.
	// +optional
	// +kubebuilder:default=Exact
	ResolutionPolicy ImageSelectorResolutionPolicy `json:"resolutionPolicy,omitempty"`

	// useMachineVersion also asks that the name of the image contains the Kubernetes version of the machine.
	// +optional
	// +kubebuilder:default=true
	UseMachineVersion *bool `json:"useMachineVersion,omitempty"`
}

// IonosCloudMachineStatus is what the provider observed of a machine.
// +kubebuilder:validation:MinProperties=1
type IonosCloudMachineStatus struct {
	// conditions are the observations of the machine's state: Ready, Paused, Deleting, NetworksPlanned,
	// AddressesReady, ServerProvisioned and NetworksAttached.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// initialization reports the progress of the first provisioning. Part of the Cluster API contract.
	// +optional
	Initialization IonosCloudMachineInitializationStatus `json:"initialization,omitempty,omitzero"`

	// addresses are the addresses of the machine, those of the primary NIC first.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=512
	Addresses []clusterv1.MachineAddress `json:"addresses,omitempty"`

	// networks are the attachments as they are: one entry for each NIC.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=64
	Networks []AttachmentStatus `json:"networks,omitempty"`

	// location is the location of the machine's data center.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Location string `json:"location,omitempty"`

	// failureDomain is where the machine was placed, where known.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	FailureDomain string `json:"failureDomain,omitempty"`

	// currentRequest is the cloud request under way for the machine.
	// +optional
	CurrentRequest ProvisioningRequest `json:"currentRequest,omitempty,omitzero"`

	// deprecated holds status fields that will be removed.
	// +optional
	Deprecated *IonosCloudMachineDeprecatedStatus `json:"deprecated,omitempty"`
}

// IonosCloudMachineInitializationStatus reports the progress of the first provisioning of a machine.
// +kubebuilder:validation:MinProperties=1
type IonosCloudMachineInitializationStatus struct {
	// provisioned is true once the server runs with its NICs and addresses. It never becomes false again.
	// +optional
	Provisioned *bool `json:"provisioned,omitempty"`
}

// AttachmentStatus is an attachment as it is.
type AttachmentStatus struct {
	// name of the attachment.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	Name string `json:"name,omitempty"`

	// networkID is the ID of the LAN.
	// +optional
	// +kubebuilder:validation:Minimum=1
	NetworkID int32 `json:"networkID,omitempty"`

	// nicID is the UUID of the NIC.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	NICID string `json:"nicID,omitempty"`

	// macAddress of the NIC.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=32
	MACAddress string `json:"macAddress,omitempty"`

	// ipv4Addresses of the NIC, the first one first.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=39
	IPv4Addresses []string `json:"ipv4Addresses,omitempty"`

	// ipv6Addresses of the NIC.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=39
	IPv6Addresses []string `json:"ipv6Addresses,omitempty"`

	// ipv4ClaimName is the IPAddressClaim that the IPv4 address comes from.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	IPv4ClaimName string `json:"ipv4ClaimName,omitempty"`

	// ipv6ClaimName is the IPAddressClaim that the IPv6 address comes from.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	IPv6ClaimName string `json:"ipv6ClaimName,omitempty"`
}

// IonosCloudMachineDeprecatedStatus groups the status fields that will be removed, by the contract that they belong to.
type IonosCloudMachineDeprecatedStatus struct {
	// v1beta1 groups the fields of the Cluster API v1beta1 contract.
	// +optional
	V1Beta1 *IonosCloudMachineV1Beta1DeprecatedStatus `json:"v1beta1,omitempty"`
}

// IonosCloudMachineV1Beta1DeprecatedStatus groups the status fields of the Cluster API v1beta1 contract.
type IonosCloudMachineV1Beta1DeprecatedStatus struct {
	// conditions are the conditions of the v1beta1 contract, as v1alpha1 shows them.
	// +optional
	Conditions clusterv1.Conditions `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"cluster.x-k8s.io/v1beta1=v1alpha1","cluster.x-k8s.io/v1beta2=v1alpha2"}
// +kubebuilder:resource:path=ionoscloudmachines,scope=Namespaced,categories=cluster-api;ionoscloud,shortName=icm
// +kubebuilder:printcolumn:name="Cluster",type="string",JSONPath=".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",description="Cluster that this belongs to"
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status",description="Whether the machine is ready"
// +kubebuilder:printcolumn:name="Reason",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].reason",description="Why the machine is, or is not, ready"
// +kubebuilder:printcolumn:name="Networks",type="string",JSONPath=".status.networks[*].name",description="Attachments, the primary one first"
// +kubebuilder:printcolumn:name="LANs",type="string",JSONPath=".status.networks[*].networkID",description="LANs of the attachments"
// +kubebuilder:printcolumn:name="IPv4 Addresses",type="string",JSONPath=".status.networks[*].ipv4Addresses",description="IPv4 addresses of the attachments"
// +kubebuilder:printcolumn:name="IPv6 Addresses",type="string",JSONPath=".status.networks[*].ipv6Addresses",description="IPv6 addresses of the attachments",priority=1
// +kubebuilder:printcolumn:name="Provider ID",type="string",JSONPath=".spec.providerID",description="Server of the machine",priority=1
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp",description="Time since creation"

// IonosCloudMachine is the infrastructure of a machine on IONOS Cloud: a server with its boot volume and NICs.
// +kubebuilder:validation:XValidation:rule="has(self.spec) || (oldSelf.hasValue() && !has(oldSelf.value().spec))",optionalOldSelf=true,reason=FieldValueRequired,message="spec must be set",fieldPath=".spec"
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(oldSelf.spec) || self.spec.datacenterID == oldSelf.spec.datacenterID",message="spec.datacenterID is immutable",fieldPath=".spec.datacenterID"
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(oldSelf.spec) || !has(oldSelf.spec.type) || (has(self.spec.type) && self.spec.type == oldSelf.spec.type)",message="spec.type is immutable",fieldPath=".spec.type"
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(oldSelf.spec) || !has(oldSelf.spec.networks) || !has(self.spec.networks) || self.spec.networks.all(n, oldSelf.spec.networks.all(o, o.name != n.name || o == n))",message="an attachment is immutable: remove it and add another under a new name",fieldPath=".spec.networks"
type IonosCloudMachine struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// spec is what the user asks for. Only an object that was written as v1alpha1 may lack it.
	// +optional
	Spec IonosCloudMachineSpec `json:"spec,omitempty,omitzero"`
	// status is what the provider observed.
	// +optional
	Status IonosCloudMachineStatus `json:"status,omitempty,omitzero"`
}

// GetConditions returns the conditions of the machine.
func (m *IonosCloudMachine) GetConditions() []metav1.Condition { return m.Status.Conditions }

// SetConditions replaces the conditions of the machine.
func (m *IonosCloudMachine) SetConditions(conditions []metav1.Condition) {
	m.Status.Conditions = conditions
}

// GetV1Beta1Conditions returns the conditions of the v1beta1 contract.
func (m *IonosCloudMachine) GetV1Beta1Conditions() clusterv1.Conditions {
	if m.Status.Deprecated == nil || m.Status.Deprecated.V1Beta1 == nil {
		return nil
	}
	return m.Status.Deprecated.V1Beta1.Conditions
}

// SetV1Beta1Conditions replaces the conditions of the v1beta1 contract.
func (m *IonosCloudMachine) SetV1Beta1Conditions(conditions clusterv1.Conditions) {
	if m.Status.Deprecated == nil {
		m.Status.Deprecated = &IonosCloudMachineDeprecatedStatus{}
	}
	if m.Status.Deprecated.V1Beta1 == nil {
		m.Status.Deprecated.V1Beta1 = &IonosCloudMachineV1Beta1DeprecatedStatus{}
	}
	m.Status.Deprecated.V1Beta1.Conditions = conditions
}

// +kubebuilder:object:root=true

// IonosCloudMachineList is a list of IonosCloudMachine.
type IonosCloudMachineList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`
	// items are the machines.
	Items []IonosCloudMachine `json:"items"`
}
