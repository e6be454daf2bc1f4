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
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
)

// IonosCloudMachineTemplateSpec holds the template.
type IonosCloudMachineTemplateSpec struct {
	// template is what a machine is made from. Immutable.
	// +required
	Template IonosCloudMachineTemplateResource `json:"template,omitempty,omitzero"`
}

// IonosCloudMachineTemplateResource is what a machine is made from.
type IonosCloudMachineTemplateResource struct {
	// metadata are labels and annotations for the machine.
	// +optional
	ObjectMeta clusterv1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// spec of the machine.
	// +required
	Spec IonosCloudMachineSpec `json:"spec,omitempty,omitzero"`
}

// IonosCloudMachineTemplateStatus is what the cluster autoscaler reads to scale from zero.
// +kubebuilder:validation:MinProperties=1
type IonosCloudMachineTemplateStatus struct {
	// capacity is what a node made from this template has to offer.
	// +optional
	Capacity corev1.ResourceList `json:"capacity,omitempty"`

	// nodeInfo describes a node made from this template.
	// +optional
	NodeInfo NodeInfo `json:"nodeInfo,omitempty,omitzero"`
}

// Architecture is a CPU architecture of a node.
// +kubebuilder:validation:Enum=amd64;arm64
type Architecture string

const (
	// ArchitectureAmd64 is the 64-bit x86 architecture.
	ArchitectureAmd64 Architecture = "amd64"
	// ArchitectureArm64 is the 64-bit ARM architecture.
	ArchitectureArm64 Architecture = "arm64"
)

// NodeInfo describes a node.
// +kubebuilder:validation:MinProperties=1
type NodeInfo struct {
	// architecture is the CPU architecture of the node.
	// +optional
	Architecture Architecture `json:"architecture,omitempty"`

	// operatingSystem is the operating system of the node, for example "linux".
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	OperatingSystem string `json:"operatingSystem,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"cluster.x-k8s.io/v1beta1=v1alpha1","cluster.x-k8s.io/v1beta2=v1alpha2"}
// +kubebuilder:resource:path=ionoscloudmachinetemplates,scope=Namespaced
// +kubebuilder:printcolumn:name="Cores",type="integer",JSONPath=".spec.template.spec.numCores",description="CPU cores of a machine"
// +kubebuilder:printcolumn:name="Memory MB",type="integer",JSONPath=".spec.template.spec.memoryMB",description="Memory of a machine in MB"
// +kubebuilder:printcolumn:name="Networks",type="string",JSONPath=".spec.template.spec.networks[*].name",description="Attachments of a machine"
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp",description="Time since creation"

// IonosCloudMachineTemplate is a template of IonosCloudMachine.
// +kubebuilder:validation:XValidation:rule="has(self.spec) || (oldSelf.hasValue() && !has(oldSelf.value().spec))",optionalOldSelf=true,reason=FieldValueRequired,message="spec must be set",fieldPath=".spec"
type IonosCloudMachineTemplate struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// spec holds the template. Only an object that was written as v1alpha1 may lack it.
	// +optional
	Spec IonosCloudMachineTemplateSpec `json:"spec,omitempty,omitzero"`
	// status is what the cluster autoscaler reads.
	// +optional
	Status IonosCloudMachineTemplateStatus `json:"status,omitempty,omitzero"`
}

// +kubebuilder:object:root=true

// IonosCloudMachineTemplateList is a list of IonosCloudMachineTemplate.
type IonosCloudMachineTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`
	// items are the templates.
	Items []IonosCloudMachineTemplate `json:"items"`
}
