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
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

type (
	hubClusterTemplate   = side[infrav1.IonosCloudClusterTemplateSpec, noStatus]
	spokeClusterTemplate = side[IonosCloudClusterTemplateSpec, noStatus]
	hubMachineTemplate   = side[infrav1.IonosCloudMachineTemplateSpec, infrav1.IonosCloudMachineTemplateStatus]
	spokeMachineTemplate = side[IonosCloudMachineTemplateSpec, noStatus]
)

func liftClusterTemplate(spec IonosCloudClusterTemplateSpec, _ noStatus) (infrav1.IonosCloudClusterTemplateSpec, noStatus) {
	return infrav1.IonosCloudClusterTemplateSpec{Template: infrav1.IonosCloudClusterTemplateResource{Spec: liftClusterSpec(spec.Template.Spec)}}, noStatus{}
}

func projectClusterTemplate(spec infrav1.IonosCloudClusterTemplateSpec, _ noStatus) (IonosCloudClusterTemplateSpec, noStatus) {
	return IonosCloudClusterTemplateSpec{Template: IonosCloudClusterTemplateResource{Spec: projectClusterSpec(spec.Template.Spec)}}, noStatus{}
}

func mergeHubClusterTemplate(base, remembered, incoming hubClusterTemplate) hubClusterTemplate {
	return hubClusterTemplate{spec: merge3(base.spec, remembered.spec, incoming.spec)}
}

func mergeSpokeClusterTemplate(base, remembered, incoming spokeClusterTemplate) spokeClusterTemplate {
	return spokeClusterTemplate{spec: merge3(base.spec, remembered.spec, incoming.spec)}
}

func liftMachineTemplate(spec IonosCloudMachineTemplateSpec, _ noStatus) (infrav1.IonosCloudMachineTemplateSpec, infrav1.IonosCloudMachineTemplateStatus) {
	machine, _ := liftMachine(spec.Template.Spec, IonosCloudMachineStatus{})
	hub := infrav1.IonosCloudMachineTemplateSpec{Template: infrav1.IonosCloudMachineTemplateResource{Spec: machine}}
	if meta := spec.Template.ObjectMeta; meta != nil {
		hub.Template.ObjectMeta = clusterv1.ObjectMeta{Labels: nonEmptyMap(meta.Labels), Annotations: nonEmptyMap(meta.Annotations)}
	}
	return hub, infrav1.IonosCloudMachineTemplateStatus{}
}

func projectMachineTemplate(spec infrav1.IonosCloudMachineTemplateSpec, _ infrav1.IonosCloudMachineTemplateStatus) (IonosCloudMachineTemplateSpec, noStatus) {
	machine, _ := projectMachine(spec.Template.Spec, infrav1.IonosCloudMachineStatus{})
	spoke := IonosCloudMachineTemplateSpec{Template: IonosCloudMachineTemplateResource{Spec: machine}}
	if meta := spec.Template.ObjectMeta; len(meta.Labels) > 0 || len(meta.Annotations) > 0 {
		spoke.Template.ObjectMeta = &ObjectMeta{Labels: nonEmptyMap(meta.Labels), Annotations: nonEmptyMap(meta.Annotations)}
	}
	return spoke, noStatus{}
}

func mergeHubMachineTemplate(base, remembered, incoming hubMachineTemplate) hubMachineTemplate {
	merged := hubMachineTemplate{
		spec:   merge3(base.spec, remembered.spec, incoming.spec),
		status: merge3(base.status, remembered.status, incoming.status),
	}
	merged.spec.Template.Spec.Networks = mergeAttachments(
		base.spec.Template.Spec.Networks, remembered.spec.Template.Spec.Networks, incoming.spec.Template.Spec.Networks, nil)
	return merged
}

func mergeSpokeMachineTemplate(base, remembered, incoming spokeMachineTemplate) spokeMachineTemplate {
	merged := spokeMachineTemplate{spec: merge3(base.spec, remembered.spec, incoming.spec)}
	merged.spec.Template.Spec.AdditionalNetworks = mergeSpokeList(
		base.spec.Template.Spec.AdditionalNetworks, remembered.spec.Template.Spec.AdditionalNetworks, incoming.spec.Template.Spec.AdditionalNetworks, networkKey)
	return merged
}
