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

package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
)

// ServerType is the kind of CPU of a server.
// +kubebuilder:validation:Enum=ENTERPRISE;VCPU
type ServerType string

// AvailabilityZone is a zone of a data center.
type AvailabilityZone string

// VolumeDiskType is the kind of storage of a volume.
// +kubebuilder:validation:Enum=HDD;SSD Standard;SSD Premium
type VolumeDiskType string

// ImageSelectorResolutionPolicy says what to do when a selector matches several images.
// +kubebuilder:validation:Enum=Exact;Newest
type ImageSelectorResolutionPolicy string

// IonosCloudMachineSpec is what a user asks of a machine.
// +kubebuilder:validation:XValidation:rule="!has(oldSelf.networkID) || has(self.networkID)",message="networkID cannot be removed once set"
// +k8s:conversion-gen=false
type IonosCloudMachineSpec struct {
	// ProviderID is "ionos://" followed by the UUID of the server.
	// +optional
	ProviderID *string `json:"providerID,omitempty"`

	// DatacenterID is the UUID of the data center of the server. Immutable.
	// +required
	// +kubebuilder:validation:Format=uuid
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="datacenterID is immutable"
	DatacenterID string `json:"datacenterID,omitempty"`

	// NumCores is the number of CPU cores.
	// +optional
	// +kubebuilder:default=1
	// +kubebuilder:validation:Minimum=1
	NumCores int32 `json:"numCores,omitempty"`

	// AvailabilityZone is the zone of the server.
	// +optional
	// +kubebuilder:default=AUTO
	// +kubebuilder:validation:Enum=AUTO;ZONE_1;ZONE_2
	AvailabilityZone AvailabilityZone `json:"availabilityZone,omitempty"`

	// MemoryMB is the memory in MB, a multiple of 1024 and at least 2048.
	// +optional
	// +kubebuilder:default=3072
	// +kubebuilder:validation:Minimum=2048
	// +kubebuilder:validation:MultipleOf=1024
	MemoryMB int32 `json:"memoryMB,omitempty"`

	// CPUFamily is the CPU family of an ENTERPRISE server.
	// +optional
	CPUFamily *string `json:"cpuFamily,omitempty"`

	// Disk is the boot volume.
	// +required
	Disk Volume `json:"disk,omitempty,omitzero"`

	// AdditionalNetworks are the LANs that the server has NICs in, besides the primary NIC.
	// +optional
	AdditionalNetworks []Network `json:"additionalNetworks,omitzero"`

	IPAMConfig `json:",inline"`

	// FailoverIP is the address of the IP failover group that the primary NIC joins: AUTO or an IPv4 address. Immutable.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="failoverIP is immutable"
	// +kubebuilder:validation:XValidation:rule=`self == "AUTO" || self.matches("((25[0-5]|(2[0-4]|1\\d|[1-9]|)\\d)\\.?\\b){4}$")`,message="failoverIP must be AUTO or an IPv4 address"
	FailoverIP *string `json:"failoverIP,omitempty"`

	// NetworkID is the ID of an existing LAN for the primary NIC. Immutable.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="networkID is immutable"
	NetworkID *string `json:"networkID,omitempty"`

	// Type is the kind of server. Immutable.
	// +optional
	// +kubebuilder:default=ENTERPRISE
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="type is immutable"
	Type ServerType `json:"type,omitempty"`
}

// IPAMConfig are the pools that the addresses of a NIC are claimed from.
// +k8s:conversion-gen=false
type IPAMConfig struct {
	// IPv4PoolRef is the pool of the IPv4 address. Unset means DHCP.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.apiGroup == 'ipam.cluster.x-k8s.io'",message="ipv4PoolRef allows only IPAM apiGroup ipam.cluster.x-k8s.io"
	// +kubebuilder:validation:XValidation:rule="self.kind == 'InClusterIPPool' || self.kind == 'GlobalInClusterIPPool'",message="ipv4PoolRef allows either InClusterIPPool or GlobalInClusterIPPool"
	// +kubebuilder:validation:XValidation:rule="self.name != ''",message="ipv4PoolRef.name is required"
	IPv4PoolRef *TypedLocalObjectReference `json:"ipv4PoolRef,omitempty"`

	// IPv6PoolRef is the pool of the IPv6 address. Unset means DHCP.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.apiGroup == 'ipam.cluster.x-k8s.io'",message="ipv6PoolRef allows only IPAM apiGroup ipam.cluster.x-k8s.io"
	// +kubebuilder:validation:XValidation:rule="self.kind == 'InClusterIPPool' || self.kind == 'GlobalInClusterIPPool'",message="ipv6PoolRef allows either InClusterIPPool or GlobalInClusterIPPool"
	// +kubebuilder:validation:XValidation:rule="self.name != ''",message="ipv6PoolRef.name is required"
	IPv6PoolRef *TypedLocalObjectReference `json:"ipv6PoolRef,omitempty"`
}

// TypedLocalObjectReference names an object of some kind in the same namespace.
// +structType=atomic
// +k8s:conversion-gen=false
type TypedLocalObjectReference struct {
	// APIGroup of the object.
	// +optional
	APIGroup *string `json:"apiGroup,omitempty"`
	// Kind of the object.
	// +required
	Kind string `json:"kind"`
	// Name of the object.
	// +required
	Name string `json:"name"`
}

// Network is a LAN that the server has a NIC in.
// +k8s:conversion-gen=false
type Network struct {
	// NetworkID is the ID of an existing LAN.
	// +required
	// +kubebuilder:validation:Minimum=1
	NetworkID int32 `json:"networkID,omitempty"`

	// VNET is for internal use and needs special privileges.
	// +optional
	VNET *string `json:"vnet,omitempty"`

	// DHCP is whether the cloud's DHCP serves the NIC.
	// +optional
	// +kubebuilder:default=true
	DHCP *bool `json:"dhcp,omitempty"`

	IPAMConfig `json:",inline"`
}

// Volume is a boot volume.
// +k8s:conversion-gen=false
type Volume struct {
	// Name of the volume.
	// +optional
	Name *string `json:"name,omitempty"`

	// DiskType is the kind of storage.
	// +optional
	// +kubebuilder:default=HDD
	DiskType VolumeDiskType `json:"diskType,omitempty"`

	// SizeGB is the size in GB.
	// +optional
	// +kubebuilder:default=20
	// +kubebuilder:validation:Minimum=10
	SizeGB int `json:"sizeGB,omitempty"`

	// AvailabilityZone is the zone of the volume.
	// +optional
	// +kubebuilder:default=AUTO
	// +kubebuilder:validation:Enum=AUTO;ZONE_1;ZONE_2;ZONE_3
	AvailabilityZone AvailabilityZone `json:"availabilityZone,omitempty"`

	// Image is what the volume is made from.
	// +required
	Image ImageSpec `json:"image,omitempty,omitzero"`
}

// ImageSpec names an image, by ID or by labels.
// +kubebuilder:validation:ExactlyOneOf=id;selector
// +k8s:conversion-gen=false
type ImageSpec struct {
	// ID is the UUID of the image.
	// +optional
	ID *string `json:"id,omitempty"`

	// Selector finds the image by its labels.
	// +optional
	Selector *ImageSelector `json:"selector,omitempty"`
}

// ImageSelector finds an image by its labels.
// +k8s:conversion-gen=false
type ImageSelector struct {
	// MatchLabels are the labels that the image must carry.
	// +required
	// +kubebuilder:validation:MinProperties=1
	MatchLabels map[string]string `json:"matchLabels,omitzero"`

	// ResolutionPolicy says what to do when several images match.
	// +optional
	// +kubebuilder:default=Exact
	ResolutionPolicy ImageSelectorResolutionPolicy `json:"resolutionPolicy,omitempty"`

	// UseMachineVersion also asks that the name of the image contains the Kubernetes version of the machine.
	// +optional
	// +kubebuilder:default=true
	UseMachineVersion *bool `json:"useMachineVersion,omitempty"`
}

// IonosCloudMachineStatus is what the provider observed of a machine.
// +k8s:conversion-gen=false
type IonosCloudMachineStatus struct {
	// Ready is true once the server runs.
	// +optional
	Ready *bool `json:"ready,omitempty"`

	// MachineNetworkInfo describes the NICs of the server.
	// +optional
	MachineNetworkInfo *MachineNetworkInfo `json:"machineNetworkInfo,omitempty"`

	// Conditions are the observations of the machine's state.
	// +optional
	Conditions clusterv1beta1.Conditions `json:"conditions,omitzero"`

	// CurrentRequest is the cloud request under way for the machine.
	// +optional
	CurrentRequest *ProvisioningRequest `json:"currentRequest,omitempty"`

	// Location is the location of the machine's data center.
	// +optional
	Location *string `json:"location,omitempty"`
}

// MachineNetworkInfo describes the NICs of a server.
// +k8s:conversion-gen=false
type MachineNetworkInfo struct {
	// NICInfo has an entry for each NIC.
	// +optional
	NICInfo []NICInfo `json:"nicInfo,omitzero"`
}

// NICInfo describes a NIC.
// +k8s:conversion-gen=false
type NICInfo struct {
	// IPv4Addresses of the NIC.
	// +optional
	IPv4Addresses []string `json:"ipv4Addresses,omitzero"`

	// IPv6Addresses of the NIC.
	// +optional
	IPv6Addresses []string `json:"ipv6Addresses,omitzero"`

	// NetworkID is the ID of the LAN.
	// +required
	NetworkID int32 `json:"networkID"`

	// Primary is whether this is the primary NIC.
	// +required
	Primary bool `json:"primary"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=ionoscloudmachines,scope=Namespaced,categories=cluster-api;ionoscloud,shortName=icm
// +kubebuilder:printcolumn:name="Cluster",type="string",JSONPath=".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",description="Cluster that this belongs to"
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.ready",description="Whether the machine is ready"
// +kubebuilder:printcolumn:name="IPv4 Addresses",type="string",JSONPath=".status.machineNetworkInfo.nicInfo[*].ipv4Addresses"
// +kubebuilder:printcolumn:name="Machine Connected Networks",type="string",JSONPath=".status.machineNetworkInfo.nicInfo[*].networkID"
// +kubebuilder:printcolumn:name="IPv6 Addresses",type="string",JSONPath=".status.machineNetworkInfo.nicInfo[*].ipv6Addresses",priority=1

// IonosCloudMachine is the infrastructure of a machine on IONOS Cloud.
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(self.spec.type) || self.spec.type != 'VCPU' || !has(self.spec.cpuFamily)",message="cpuFamily must not be specified when using VCPU",fieldPath=".spec.cpuFamily"
type IonosCloudMachine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// Spec is what the user asks for.
	// +optional
	Spec IonosCloudMachineSpec `json:"spec,omitempty,omitzero"`
	// Status is what the provider observed.
	// +optional
	Status IonosCloudMachineStatus `json:"status,omitempty,omitzero"`
}

// +kubebuilder:object:root=true

// IonosCloudMachineList is a list of IonosCloudMachine.
type IonosCloudMachineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	// Items are the machines.
	Items []IonosCloudMachine `json:"items"`
}
