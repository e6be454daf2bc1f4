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

// IonosCloudClusterSpec is what a user asks of a cluster.
// +kubebuilder:validation:XValidation:rule="!has(self.loadBalancerProviderRef) || has(self.location)",message="location is required when loadBalancerProviderRef is set"
// +k8s:conversion-gen=false
type IonosCloudClusterSpec struct {
	// ControlPlaneEndpoint is where the API server of the cluster is reached.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self.host == '' && self.port == 0 || self.port > 0 && self.port < 65536",message="port must be within 1-65535"
	ControlPlaneEndpoint *APIEndpoint `json:"controlPlaneEndpoint,omitempty"`

	// Location is the IONOS Cloud location of the cluster. Immutable.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:XValidation:rule="self == oldSelf",message="location is immutable"
	Location string `json:"location,omitempty"`

	// CredentialsRef names the secret that holds the cloud credentials.
	// +required
	// +kubebuilder:validation:XValidation:rule="has(self.name) && self.name != ''",message="credentialsRef.name must be provided"
	CredentialsRef LocalObjectReference `json:"credentialsRef,omitempty,omitzero"`

	// LoadBalancerProviderRef asks for one reserved public address as control plane endpoint.
	// +optional
	LoadBalancerProviderRef *LocalObjectReference `json:"loadBalancerProviderRef,omitempty"`
}

// APIEndpoint is where an API server is reached.
// +k8s:conversion-gen=false
type APIEndpoint struct {
	// Host is the name or address of the API server.
	// +required
	// +kubebuilder:validation:MaxLength=512
	Host string `json:"host"`

	// Port is the port of the API server.
	// +required
	Port int32 `json:"port"`
}

// LocalObjectReference names an object in the same namespace.
// +structType=atomic
// +k8s:conversion-gen=false
type LocalObjectReference struct {
	// Name of the object.
	// +optional
	// +kubebuilder:default=""
	Name string `json:"name"`
}

// IonosCloudClusterStatus is what the provider observed of a cluster.
// +k8s:conversion-gen=false
type IonosCloudClusterStatus struct {
	// Ready is true once the cluster's infrastructure stands.
	// +optional
	Ready *bool `json:"ready,omitempty"`

	// Conditions are the observations of the cluster's state.
	// +optional
	Conditions clusterv1beta1.Conditions `json:"conditions,omitzero"`

	// CurrentRequestByDatacenter are the cloud requests under way, by data center ID.
	// +optional
	CurrentRequestByDatacenter map[string]ProvisioningRequest `json:"currentRequest,omitzero"`

	// CurrentClusterRequest is the cloud request under way for a thing outside of any data center.
	// +optional
	CurrentClusterRequest *ProvisioningRequest `json:"currentClusterRequest,omitempty"`

	// ControlPlaneEndpointIPBlockID is the IP block that was reserved for the control plane endpoint.
	// +optional
	ControlPlaneEndpointIPBlockID *string `json:"controlPlaneEndpointIPBlockID,omitempty"`
}

// RequestState is the state of a cloud request.
// +kubebuilder:validation:Enum=QUEUED;RUNNING;DONE;FAILED
type RequestState string

// ProvisioningRequest is a cloud request that was sent and is followed until it ends.
// +k8s:conversion-gen=false
type ProvisioningRequest struct {
	// Method is the HTTP method of the request.
	// +required
	Method string `json:"method"`

	// RequestPath is where the status of the request is read.
	// +required
	RequestPath string `json:"requestPath"`

	// State is the state in which the request was last seen.
	// +optional
	State RequestState `json:"state,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:path=ionoscloudclusters,scope=Namespaced,categories=cluster-api;ionoscloud,shortName=icc
// +kubebuilder:printcolumn:name="Cluster",type="string",JSONPath=".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",description="Cluster that this belongs to"
// +kubebuilder:printcolumn:name="Ready",type="string",JSONPath=".status.ready",description="Whether the infrastructure is ready"
// +kubebuilder:printcolumn:name="Endpoint",type="string",JSONPath=".spec.controlPlaneEndpoint",description="Address of the API server"

// IonosCloudCluster is the infrastructure of a cluster on IONOS Cloud.
type IonosCloudCluster struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// Spec is what the user asks for.
	// +optional
	Spec IonosCloudClusterSpec `json:"spec,omitempty,omitzero"`
	// Status is what the provider observed.
	// +optional
	Status IonosCloudClusterStatus `json:"status,omitempty,omitzero"`
}

// +kubebuilder:object:root=true

// IonosCloudClusterList is a list of IonosCloudCluster.
type IonosCloudClusterList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	// Items are the clusters.
	Items []IonosCloudCluster `json:"items"`
}
