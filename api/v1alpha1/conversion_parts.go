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
	apiconversion "k8s.io/apimachinery/pkg/conversion"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// The parts of an object convert as far as the other version can say them. Only whole objects have a memory for the rest.

// Convert_v1alpha1_IonosCloudClusterSpec_To_v1alpha2_IonosCloudClusterSpec converts a part of an object.
func Convert_v1alpha1_IonosCloudClusterSpec_To_v1alpha2_IonosCloudClusterSpec(in *IonosCloudClusterSpec, out *infrav1.IonosCloudClusterSpec, _ apiconversion.Scope) error {
	*out = liftClusterSpec(*in)
	return nil
}

// Convert_v1alpha2_IonosCloudClusterSpec_To_v1alpha1_IonosCloudClusterSpec converts a part of an object.
func Convert_v1alpha2_IonosCloudClusterSpec_To_v1alpha1_IonosCloudClusterSpec(in *infrav1.IonosCloudClusterSpec, out *IonosCloudClusterSpec, _ apiconversion.Scope) error {
	*out = projectClusterSpec(*in)
	return nil
}

// Convert_v1alpha1_IonosCloudClusterStatus_To_v1alpha2_IonosCloudClusterStatus converts a part of an object.
func Convert_v1alpha1_IonosCloudClusterStatus_To_v1alpha2_IonosCloudClusterStatus(in *IonosCloudClusterStatus, out *infrav1.IonosCloudClusterStatus, _ apiconversion.Scope) error {
	*out = liftClusterStatus(*in)
	return nil
}

// Convert_v1alpha2_IonosCloudClusterStatus_To_v1alpha1_IonosCloudClusterStatus converts a part of an object.
func Convert_v1alpha2_IonosCloudClusterStatus_To_v1alpha1_IonosCloudClusterStatus(in *infrav1.IonosCloudClusterStatus, out *IonosCloudClusterStatus, _ apiconversion.Scope) error {
	*out = projectClusterStatus(*in)
	return nil
}

// Convert_v1alpha1_IonosCloudClusterTemplateSpec_To_v1alpha2_IonosCloudClusterTemplateSpec converts a part of an object.
func Convert_v1alpha1_IonosCloudClusterTemplateSpec_To_v1alpha2_IonosCloudClusterTemplateSpec(in *IonosCloudClusterTemplateSpec, out *infrav1.IonosCloudClusterTemplateSpec, _ apiconversion.Scope) error {
	*out, _ = liftClusterTemplate(*in, noStatus{})
	return nil
}

// Convert_v1alpha2_IonosCloudClusterTemplateSpec_To_v1alpha1_IonosCloudClusterTemplateSpec converts a part of an object.
func Convert_v1alpha2_IonosCloudClusterTemplateSpec_To_v1alpha1_IonosCloudClusterTemplateSpec(in *infrav1.IonosCloudClusterTemplateSpec, out *IonosCloudClusterTemplateSpec, _ apiconversion.Scope) error {
	*out, _ = projectClusterTemplate(*in, noStatus{})
	return nil
}

// Convert_v1alpha1_IonosCloudMachineSpec_To_v1alpha2_IonosCloudMachineSpec converts a part of an object.
func Convert_v1alpha1_IonosCloudMachineSpec_To_v1alpha2_IonosCloudMachineSpec(in *IonosCloudMachineSpec, out *infrav1.IonosCloudMachineSpec, _ apiconversion.Scope) error {
	*out, _ = liftMachine(*in, IonosCloudMachineStatus{})
	return nil
}

// Convert_v1alpha2_IonosCloudMachineSpec_To_v1alpha1_IonosCloudMachineSpec converts a part of an object.
func Convert_v1alpha2_IonosCloudMachineSpec_To_v1alpha1_IonosCloudMachineSpec(in *infrav1.IonosCloudMachineSpec, out *IonosCloudMachineSpec, _ apiconversion.Scope) error {
	*out, _ = projectMachine(*in, infrav1.IonosCloudMachineStatus{})
	return nil
}

// Convert_v1alpha1_IonosCloudMachineStatus_To_v1alpha2_IonosCloudMachineStatus converts a part of an object.
func Convert_v1alpha1_IonosCloudMachineStatus_To_v1alpha2_IonosCloudMachineStatus(in *IonosCloudMachineStatus, out *infrav1.IonosCloudMachineStatus, _ apiconversion.Scope) error {
	*out = liftMachineStatus(*in)
	return nil
}

// Convert_v1alpha2_IonosCloudMachineStatus_To_v1alpha1_IonosCloudMachineStatus converts a part of an object.
func Convert_v1alpha2_IonosCloudMachineStatus_To_v1alpha1_IonosCloudMachineStatus(in *infrav1.IonosCloudMachineStatus, out *IonosCloudMachineStatus, _ apiconversion.Scope) error {
	*out = projectMachineStatus(*in, primaryAttachmentName)
	return nil
}

// Convert_v1alpha1_IonosCloudMachineTemplateSpec_To_v1alpha2_IonosCloudMachineTemplateSpec converts a part of an object.
func Convert_v1alpha1_IonosCloudMachineTemplateSpec_To_v1alpha2_IonosCloudMachineTemplateSpec(in *IonosCloudMachineTemplateSpec, out *infrav1.IonosCloudMachineTemplateSpec, _ apiconversion.Scope) error {
	*out, _ = liftMachineTemplate(*in, noStatus{})
	return nil
}

// Convert_v1alpha2_IonosCloudMachineTemplateSpec_To_v1alpha1_IonosCloudMachineTemplateSpec converts a part of an object.
func Convert_v1alpha2_IonosCloudMachineTemplateSpec_To_v1alpha1_IonosCloudMachineTemplateSpec(in *infrav1.IonosCloudMachineTemplateSpec, out *IonosCloudMachineTemplateSpec, _ apiconversion.Scope) error {
	*out, _ = projectMachineTemplate(*in, infrav1.IonosCloudMachineTemplateStatus{})
	return nil
}
