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

// ClusterFinalizer keeps an IonosCloudCluster until everything that was made for it in the cloud is gone.
const ClusterFinalizer = "ionoscloudcluster.infrastructure.cluster.x-k8s.io"

// LegacyProviderAnnotation marks a cluster that was made by a provider of API v1alpha1. Only such a cluster adopts a LAN by the
// name that it had there. Set by the provider.
const LegacyProviderAnnotation = "infrastructure.cluster.x-k8s.io/made-by-v1alpha1"

// DefaultNetworkName is the name that the implicit network of a cluster without networks goes by.
const DefaultNetworkName = "default"

// IonosCloudClusterSpec is what a user asks of a cluster.
// +kubebuilder:validation:XValidation:rule="!has(self.loadBalancerProviderRef) || has(self.location)",message="location is required when loadBalancerProviderRef is set"
// +kubebuilder:validation:XValidation:rule="!has(self.loadBalancerProviderRef) || !has(self.controlPlaneEndpointSource)",message="loadBalancerProviderRef and controlPlaneEndpointSource exclude each other: use controlPlaneEndpointSource with type IPBlock alone"
// +kubebuilder:validation:XValidation:rule="!has(self.controlPlaneEndpointSource) || self.controlPlaneEndpointSource.type == 'Manual' || has(self.location)",message="location is required when the control plane endpoint has a source other than Manual"
// +kubebuilder:validation:XValidation:rule="!has(self.controlPlaneEndpointSource) || !has(self.controlPlaneEndpointSource.networkLoadBalancer) || (has(self.networks) && self.networks.exists(n, n.name == self.controlPlaneEndpointSource.networkLoadBalancer.clusterNetwork && n.type == 'Private'))",message="controlPlaneEndpointSource.networkLoadBalancer.clusterNetwork must name a Private entry of networks"
type IonosCloudClusterSpec struct {
	// controlPlaneEndpoint is where the API server of the cluster is reached. Set by the user, or by the
	// provider from controlPlaneEndpointSource.
	// +optional
	ControlPlaneEndpoint clusterv1.APIEndpoint `json:"controlPlaneEndpoint,omitempty,omitzero"`

	// controlPlaneEndpointSource says where the address of controlPlaneEndpoint comes from. Unset means
	// that the user sets controlPlaneEndpoint.
	// +optional
	ControlPlaneEndpointSource ControlPlaneEndpointSource `json:"controlPlaneEndpointSource,omitempty,omitzero"`

	// location is the IONOS Cloud location of the cluster, for example "de/txl" or "de/fra/2". Immutable.
	// Needed when the provider reserves addresses for the cluster.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	Location string `json:"location,omitempty"`

	// credentialsRef names the secret, in the namespace of the cluster, that holds the cloud credentials
	// in its keys "token", and optionally "apiURL" and "caBundle".
	// +required
	CredentialsRef CredentialsReference `json:"credentialsRef,omitempty,omitzero"`

	// loadBalancerProviderRef asks for one reserved public address as control plane endpoint. Kept for objects
	// that were written as v1alpha1; controlPlaneEndpointSource with type IPBlock does the same.
	// +optional
	LoadBalancerProviderRef *LoadBalancerProviderReference `json:"loadBalancerProviderRef,omitempty"`

	// networks are the cluster's own networks; the first is the default network. A network becomes one LAN in
	// each data center in which a machine of the cluster uses it. Empty means one public network with IPv6,
	// which goes by the name "default".
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Networks []ClusterNetwork `json:"networks,omitempty"`
}

// CredentialsReference names a secret in the same namespace.
// +structType=atomic
type CredentialsReference struct {
	// name of the secret.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name,omitempty"`
}

// LoadBalancerProviderReference names a load balancer provider in the same namespace.
// +structType=atomic
type LoadBalancerProviderReference struct {
	// name of the load balancer provider.
	// +optional
	// +default=""
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"` //nolint:kubeapilinter // Always written, because v1alpha1 defaults it to the empty string.
}

// ControlPlaneEndpointSourceType says where the address of the control plane endpoint comes from.
// +kubebuilder:validation:Enum=Manual;IPPool;IPBlock;NetworkLoadBalancer
type ControlPlaneEndpointSourceType string

const (
	// ControlPlaneEndpointSourceManual means that the user sets spec.controlPlaneEndpoint.
	ControlPlaneEndpointSourceManual ControlPlaneEndpointSourceType = "Manual"
	// ControlPlaneEndpointSourceIPPool means that the address is claimed from a pool.
	ControlPlaneEndpointSourceIPPool ControlPlaneEndpointSourceType = "IPPool"
	// ControlPlaneEndpointSourceIPBlock means that the provider reserves one public address.
	ControlPlaneEndpointSourceIPBlock ControlPlaneEndpointSourceType = "IPBlock"
	// ControlPlaneEndpointSourceNetworkLoadBalancer means that a managed network load balancer is put before the control plane.
	ControlPlaneEndpointSourceNetworkLoadBalancer ControlPlaneEndpointSourceType = "NetworkLoadBalancer"
)

// ControlPlaneEndpointSource is a union by type.
// +kubebuilder:validation:XValidation:rule="has(self.poolRef) == (self.type == 'IPPool')",message="poolRef is required with type IPPool, and forbidden otherwise"
// +kubebuilder:validation:XValidation:rule="has(self.networkLoadBalancer) == (self.type == 'NetworkLoadBalancer')",message="networkLoadBalancer is required with type NetworkLoadBalancer, and forbidden otherwise"
type ControlPlaneEndpointSource struct {
	// type selects the source.
	// +required
	Type ControlPlaneEndpointSourceType `json:"type,omitempty"`

	// port is the port of the endpoint. Unset means 6443.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port int32 `json:"port,omitempty"`

	// poolRef is the pool that the endpoint address is claimed from, with type IPPool.
	// +optional
	PoolRef ipamv1.IPPoolReference `json:"poolRef,omitempty,omitzero"`

	// networkLoadBalancer describes the load balancer, with type NetworkLoadBalancer.
	// +optional
	NetworkLoadBalancer NetworkLoadBalancerSource `json:"networkLoadBalancer,omitempty,omitzero"`
}

// NetworkLoadBalancerSource describes the managed network load balancer of a control plane.
type NetworkLoadBalancerSource struct {
	// clusterNetwork is the private cluster network on which the load balancer reaches the control plane machines.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=40
	ClusterNetwork string `json:"clusterNetwork,omitempty"`

	// poolRef is the pool that the listener's address is claimed from. Unset means that one public address is reserved.
	// +optional
	PoolRef ipamv1.IPPoolReference `json:"poolRef,omitempty,omitzero"`
}

// IonosCloudClusterStatus is what the provider observed of a cluster.
// +kubebuilder:validation:MinProperties=1
type IonosCloudClusterStatus struct {
	// conditions are the observations of the cluster's state: Ready, Paused, Deleting, CredentialsAvailable,
	// NetworksReady and ControlPlaneEndpointReady.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=32
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// initialization reports the progress of the first provisioning. Part of the Cluster API contract.
	// +optional
	Initialization IonosCloudClusterInitializationStatus `json:"initialization,omitempty,omitzero"`

	// networks are the LANs of the cluster's networks, one entry for each network and data center.
	// Written by the cluster controller alone.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +listMapKey=datacenterID
	// +kubebuilder:validation:MaxItems=512
	Networks []ClusterNetworkStatus `json:"networks,omitempty"`

	// controlPlaneEndpointIPBlockID is the IP block that was reserved for the control plane endpoint.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	ControlPlaneEndpointIPBlockID string `json:"controlPlaneEndpointIPBlockID,omitempty"`

	// currentClusterRequest is the cloud request under way for a thing outside of any data center.
	// +optional
	CurrentClusterRequest ProvisioningRequest `json:"currentClusterRequest,omitempty,omitzero"`

	// currentRequests are the cloud requests under way, at most one in each data center.
	// +optional
	// +listType=map
	// +listMapKey=datacenterID
	// +kubebuilder:validation:MaxItems=256
	CurrentRequests []DatacenterRequest `json:"currentRequests,omitempty"`

	// deprecated holds status fields that will be removed.
	// +optional
	Deprecated *IonosCloudClusterDeprecatedStatus `json:"deprecated,omitempty"`
}

// IonosCloudClusterInitializationStatus reports the progress of the first provisioning of a cluster.
// +kubebuilder:validation:MinProperties=1
type IonosCloudClusterInitializationStatus struct {
	// provisioned is true once the cluster's infrastructure stands for the first time. It never becomes false again.
	// +optional
	Provisioned *bool `json:"provisioned,omitempty"`
}

// IonosCloudClusterDeprecatedStatus groups the status fields that will be removed, by the contract that they belong to.
type IonosCloudClusterDeprecatedStatus struct {
	// v1beta1 groups the fields of the Cluster API v1beta1 contract.
	// +optional
	V1Beta1 *IonosCloudClusterV1Beta1DeprecatedStatus `json:"v1beta1,omitempty"`
}

// IonosCloudClusterV1Beta1DeprecatedStatus groups the status fields of the Cluster API v1beta1 contract.
type IonosCloudClusterV1Beta1DeprecatedStatus struct {
	// conditions are the conditions of the v1beta1 contract, as v1alpha1 shows them.
	// +optional
	Conditions clusterv1.Conditions `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"cluster.x-k8s.io/v1beta1=v1alpha1","cluster.x-k8s.io/v1beta2=v1alpha2"}
// +kubebuilder:resource:path=ionoscloudclusters,scope=Namespaced,categories=cluster-api;ionoscloud,shortName=icc
// +kubebuilder:printcolumn:name="Cluster",type="string",JSONPath=".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",description="Cluster that this belongs to"
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status",description="Whether the infrastructure is ready"
// +kubebuilder:printcolumn:name="Reason",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].reason",description="Why the infrastructure is, or is not, ready"
// +kubebuilder:printcolumn:name="Endpoint",type="string",JSONPath=".spec.controlPlaneEndpoint.host",description="Address of the API server"
// +kubebuilder:printcolumn:name="Networks",type="string",JSONPath=".status.networks[*].name",description="Cluster networks that have a LAN",priority=1
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp",description="Time since creation"

// IonosCloudCluster is the infrastructure of a cluster on IONOS Cloud.
// +kubebuilder:validation:XValidation:rule="has(self.spec) || (oldSelf.hasValue() && !has(oldSelf.value().spec))",optionalOldSelf=true,reason=FieldValueRequired,message="spec must be set",fieldPath=".spec"
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(oldSelf.spec) || !has(oldSelf.spec.location) || (has(self.spec.location) && self.spec.location == oldSelf.spec.location)",message="spec.location is immutable once set",fieldPath=".spec.location"
// +kubebuilder:validation:XValidation:rule="!has(self.spec) || !has(oldSelf.spec) || !has(oldSelf.spec.networks) || !has(self.spec.networks) || self.spec.networks.all(n, oldSelf.spec.networks.all(o, o.name != n.name || o.type == n.type))",message="the type of a network is immutable: remove the network and add another under a new name",fieldPath=".spec.networks"
type IonosCloudCluster struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// spec is what the user asks for. Only an object that was written as v1alpha1 may lack it.
	// +optional
	Spec IonosCloudClusterSpec `json:"spec,omitempty,omitzero"`
	// status is what the provider observed.
	// +optional
	Status IonosCloudClusterStatus `json:"status,omitempty,omitzero"`
}

// GetConditions returns the conditions of the cluster.
func (c *IonosCloudCluster) GetConditions() []metav1.Condition { return c.Status.Conditions }

// SetConditions replaces the conditions of the cluster.
func (c *IonosCloudCluster) SetConditions(conditions []metav1.Condition) {
	c.Status.Conditions = conditions
}

// GetV1Beta1Conditions returns the conditions of the v1beta1 contract.
func (c *IonosCloudCluster) GetV1Beta1Conditions() clusterv1.Conditions {
	if c.Status.Deprecated == nil || c.Status.Deprecated.V1Beta1 == nil {
		return nil
	}
	return c.Status.Deprecated.V1Beta1.Conditions
}

// SetV1Beta1Conditions replaces the conditions of the v1beta1 contract.
func (c *IonosCloudCluster) SetV1Beta1Conditions(conditions clusterv1.Conditions) {
	if c.Status.Deprecated == nil {
		c.Status.Deprecated = &IonosCloudClusterDeprecatedStatus{}
	}
	if c.Status.Deprecated.V1Beta1 == nil {
		c.Status.Deprecated.V1Beta1 = &IonosCloudClusterV1Beta1DeprecatedStatus{}
	}
	c.Status.Deprecated.V1Beta1.Conditions = conditions
}

// +kubebuilder:object:root=true

// IonosCloudClusterList is a list of IonosCloudCluster.
type IonosCloudClusterList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`
	// items are the clusters.
	Items []IonosCloudCluster `json:"items"`
}
