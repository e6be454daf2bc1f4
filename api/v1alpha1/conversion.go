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

// Convert_v1alpha1_IonosCloudMachine_To_v1alpha2_IonosCloudMachine converts a machine. It never fails.
func Convert_v1alpha1_IonosCloudMachine_To_v1alpha2_IonosCloudMachine(in *IonosCloudMachine, out *infrav1.IonosCloudMachine, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, out.Status = machineConversion().up(&out.ObjectMeta, in.Spec, in.Status)
	return nil
}

// Convert_v1alpha2_IonosCloudMachine_To_v1alpha1_IonosCloudMachine converts a machine. It never fails.
func Convert_v1alpha2_IonosCloudMachine_To_v1alpha1_IonosCloudMachine(in *infrav1.IonosCloudMachine, out *IonosCloudMachine, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, out.Status = machineConversion().down(&out.ObjectMeta, in.Spec, in.Status)
	return nil
}

func machineConversion() versions[IonosCloudMachineSpec, IonosCloudMachineStatus, infrav1.IonosCloudMachineSpec, infrav1.IonosCloudMachineStatus] {
	return versions[IonosCloudMachineSpec, IonosCloudMachineStatus, infrav1.IonosCloudMachineSpec, infrav1.IonosCloudMachineStatus]{
		kind: "IonosCloudMachine", lift: liftMachine, project: projectMachine, mergeHub: mergeHubMachine, mergeSpoke: mergeSpokeMachine,
	}
}

// Convert_v1alpha1_IonosCloudCluster_To_v1alpha2_IonosCloudCluster converts a cluster. It never fails.
func Convert_v1alpha1_IonosCloudCluster_To_v1alpha2_IonosCloudCluster(in *IonosCloudCluster, out *infrav1.IonosCloudCluster, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, out.Status = clusterConversion().up(&out.ObjectMeta, in.Spec, in.Status)
	return nil
}

// Convert_v1alpha2_IonosCloudCluster_To_v1alpha1_IonosCloudCluster converts a cluster. It never fails.
func Convert_v1alpha2_IonosCloudCluster_To_v1alpha1_IonosCloudCluster(in *infrav1.IonosCloudCluster, out *IonosCloudCluster, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, out.Status = clusterConversion().down(&out.ObjectMeta, in.Spec, in.Status)
	return nil
}

func clusterConversion() versions[IonosCloudClusterSpec, IonosCloudClusterStatus, infrav1.IonosCloudClusterSpec, infrav1.IonosCloudClusterStatus] {
	return versions[IonosCloudClusterSpec, IonosCloudClusterStatus, infrav1.IonosCloudClusterSpec, infrav1.IonosCloudClusterStatus]{
		kind: "IonosCloudCluster", lift: liftCluster, project: projectCluster, mergeHub: mergeHubCluster, mergeSpoke: mergeSpokeCluster,
	}
}

// Convert_v1alpha1_IonosCloudMachineTemplate_To_v1alpha2_IonosCloudMachineTemplate converts a template. It never fails.
func Convert_v1alpha1_IonosCloudMachineTemplate_To_v1alpha2_IonosCloudMachineTemplate(in *IonosCloudMachineTemplate, out *infrav1.IonosCloudMachineTemplate, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, out.Status = machineTemplateConversion().up(&out.ObjectMeta, in.Spec, noStatus{})
	return nil
}

// Convert_v1alpha2_IonosCloudMachineTemplate_To_v1alpha1_IonosCloudMachineTemplate converts a template. It never fails.
func Convert_v1alpha2_IonosCloudMachineTemplate_To_v1alpha1_IonosCloudMachineTemplate(in *infrav1.IonosCloudMachineTemplate, out *IonosCloudMachineTemplate, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, _ = machineTemplateConversion().down(&out.ObjectMeta, in.Spec, in.Status)
	return nil
}

func machineTemplateConversion() versions[IonosCloudMachineTemplateSpec, noStatus, infrav1.IonosCloudMachineTemplateSpec, infrav1.IonosCloudMachineTemplateStatus] {
	return versions[IonosCloudMachineTemplateSpec, noStatus, infrav1.IonosCloudMachineTemplateSpec, infrav1.IonosCloudMachineTemplateStatus]{
		kind: "IonosCloudMachineTemplate", lift: liftMachineTemplate, project: projectMachineTemplate, mergeHub: mergeHubMachineTemplate, mergeSpoke: mergeSpokeMachineTemplate,
	}
}

// Convert_v1alpha1_IonosCloudClusterTemplate_To_v1alpha2_IonosCloudClusterTemplate converts a template. It never fails.
func Convert_v1alpha1_IonosCloudClusterTemplate_To_v1alpha2_IonosCloudClusterTemplate(in *IonosCloudClusterTemplate, out *infrav1.IonosCloudClusterTemplate, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, _ = clusterTemplateConversion().up(&out.ObjectMeta, in.Spec, noStatus{})
	return nil
}

// Convert_v1alpha2_IonosCloudClusterTemplate_To_v1alpha1_IonosCloudClusterTemplate converts a template. It never fails.
func Convert_v1alpha2_IonosCloudClusterTemplate_To_v1alpha1_IonosCloudClusterTemplate(in *infrav1.IonosCloudClusterTemplate, out *IonosCloudClusterTemplate, _ apiconversion.Scope) error {
	out.ObjectMeta = in.ObjectMeta
	out.Spec, _ = clusterTemplateConversion().down(&out.ObjectMeta, in.Spec, noStatus{})
	return nil
}

func clusterTemplateConversion() versions[IonosCloudClusterTemplateSpec, noStatus, infrav1.IonosCloudClusterTemplateSpec, noStatus] {
	return versions[IonosCloudClusterTemplateSpec, noStatus, infrav1.IonosCloudClusterTemplateSpec, noStatus]{
		kind: "IonosCloudClusterTemplate", lift: liftClusterTemplate, project: projectClusterTemplate, mergeHub: mergeHubClusterTemplate, mergeSpoke: mergeSpokeClusterTemplate,
	}
}
