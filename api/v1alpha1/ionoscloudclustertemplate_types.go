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

// IonosCloudClusterTemplateSpec holds the template.
// +k8s:conversion-gen=false
type IonosCloudClusterTemplateSpec struct {
	// Template is what a cluster is made from.
	// +required
	Template IonosCloudClusterTemplateResource `json:"template,omitempty,omitzero"`
}

// IonosCloudClusterTemplateResource is what a cluster is made from.
// +k8s:conversion-gen=false
type IonosCloudClusterTemplateResource struct {
	// Spec of the cluster.
	// +required
	Spec IonosCloudClusterSpec `json:"spec,omitempty,omitzero"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:path=ionoscloudclustertemplates,scope=Namespaced

// IonosCloudClusterTemplate is a template of IonosCloudCluster.
type IonosCloudClusterTemplate struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// Spec holds the template.
	// +optional
	Spec IonosCloudClusterTemplateSpec `json:"spec,omitempty,omitzero"`
}

// +kubebuilder:object:root=true

// IonosCloudClusterTemplateList is a list of IonosCloudClusterTemplate.
type IonosCloudClusterTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	// Items are the templates.
	Items []IonosCloudClusterTemplate `json:"items"`
}
