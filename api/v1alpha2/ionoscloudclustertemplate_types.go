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
)

// IonosCloudClusterTemplateSpec holds the template.
type IonosCloudClusterTemplateSpec struct {
	// template is what a cluster is made from. Immutable.
	// +required
	Template IonosCloudClusterTemplateResource `json:"template,omitempty,omitzero"`
}

// IonosCloudClusterTemplateResource is what a cluster is made from.
type IonosCloudClusterTemplateResource struct {
	// metadata are labels and annotations for the cluster.
	// +optional
	ObjectMeta clusterv1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// spec of the cluster.
	// +required
	Spec IonosCloudClusterSpec `json:"spec,omitempty,omitzero"`
}

// +kubebuilder:object:root=true
// +kubebuilder:storageversion
// +kubebuilder:metadata:labels={"cluster.x-k8s.io/v1beta1=v1alpha1","cluster.x-k8s.io/v1beta2=v1alpha2"}
// +kubebuilder:resource:path=ionoscloudclustertemplates,scope=Namespaced
// +kubebuilder:printcolumn:name="Age",type="date",JSONPath=".metadata.creationTimestamp",description="Time since creation"

// IonosCloudClusterTemplate is a template of IonosCloudCluster, for use in a ClusterClass.
// +kubebuilder:validation:XValidation:rule="has(self.spec) || (oldSelf.hasValue() && !has(oldSelf.value().spec))",optionalOldSelf=true,reason=FieldValueRequired,message="spec must be set",fieldPath=".spec"
type IonosCloudClusterTemplate struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard object's metadata.
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty,omitzero"`

	// spec holds the template. Only an object that was written as v1alpha1 may lack it.
	// +optional
	Spec IonosCloudClusterTemplateSpec `json:"spec,omitempty,omitzero"`
}

// +kubebuilder:object:root=true

// IonosCloudClusterTemplateList is a list of IonosCloudClusterTemplate.
type IonosCloudClusterTemplateList struct {
	metav1.TypeMeta `json:",inline"`
	// metadata is the standard list's metadata.
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`
	// items are the templates.
	Items []IonosCloudClusterTemplate `json:"items"`
}
