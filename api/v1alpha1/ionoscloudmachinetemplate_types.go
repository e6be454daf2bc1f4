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
)

// IonosCloudMachineTemplateSpec holds the template.
// +k8s:conversion-gen=false
type IonosCloudMachineTemplateSpec struct {
	// Template is what a machine is made from.
	// +required
	Template IonosCloudMachineTemplateResource `json:"template,omitempty,omitzero"`
}

// IonosCloudMachineTemplateResource is what a machine is made from.
// +k8s:conversion-gen=false
type IonosCloudMachineTemplateResource struct {
	// ObjectMeta are labels and annotations for the machine.
	// +optional
	ObjectMeta *ObjectMeta `json:"metadata,omitempty"`

	// Spec of the machine.
	// +required
	Spec IonosCloudMachineSpec `json:"spec,omitempty,omitzero"`
}

// ObjectMeta are labels and annotations for an object made from a template.
// +k8s:conversion-gen=false
type ObjectMeta struct {
	// Labels of the object.
	// +optional
	Labels map[string]string `json:"labels,omitzero"`

	// Annotations of the object.
	// +optional
	Annotations map[string]string `json:"annotations,omitzero"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=ionoscloudmachinetemplates,scope=Namespaced

// IonosCloudMachineTemplate is a template of IonosCloudMachine.
type IonosCloudMachineTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// Spec holds the template.
	// +optional
	Spec IonosCloudMachineTemplateSpec `json:"spec,omitempty,omitzero"`
}

// +kubebuilder:object:root=true

// IonosCloudMachineTemplateList is a list of IonosCloudMachineTemplate.
type IonosCloudMachineTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	// Items are the templates.
	Items []IonosCloudMachineTemplate `json:"items"`
}
