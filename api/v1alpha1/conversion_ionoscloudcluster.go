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
	"maps"
	"slices"

	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

type (
	hubCluster   = side[infrav1.IonosCloudClusterSpec, infrav1.IonosCloudClusterStatus]
	spokeCluster = side[IonosCloudClusterSpec, IonosCloudClusterStatus]
)

// liftCluster says in v1alpha2 what a v1alpha1 cluster says.
func liftCluster(spec IonosCloudClusterSpec, status IonosCloudClusterStatus) (infrav1.IonosCloudClusterSpec, infrav1.IonosCloudClusterStatus) {
	return liftClusterSpec(spec), liftClusterStatus(status)
}

func liftClusterSpec(spec IonosCloudClusterSpec) infrav1.IonosCloudClusterSpec {
	hub := infrav1.IonosCloudClusterSpec{
		Location:       spec.Location,
		CredentialsRef: infrav1.CredentialsReference{Name: spec.CredentialsRef.Name},
	}
	if endpoint := spec.ControlPlaneEndpoint; endpoint != nil {
		hub.ControlPlaneEndpoint = clusterv1.APIEndpoint{Host: endpoint.Host, Port: endpoint.Port}
	}
	if provider := spec.LoadBalancerProviderRef; provider != nil {
		hub.LoadBalancerProviderRef = &infrav1.LoadBalancerProviderReference{Name: provider.Name}
	}
	return hub
}

func liftClusterStatus(status IonosCloudClusterStatus) infrav1.IonosCloudClusterStatus {
	hub := infrav1.IonosCloudClusterStatus{
		Initialization:                infrav1.IonosCloudClusterInitializationStatus{Provisioned: status.Ready},
		ControlPlaneEndpointIPBlockID: ptr.Deref(status.ControlPlaneEndpointIPBlockID, ""),
		CurrentClusterRequest:         liftRequest(status.CurrentClusterRequest),
	}
	for _, datacenterID := range slices.Sorted(maps.Keys(status.CurrentRequestByDatacenter)) {
		request := status.CurrentRequestByDatacenter[datacenterID]
		hub.CurrentRequests = append(hub.CurrentRequests, infrav1.DatacenterRequest{DatacenterID: datacenterID, Request: liftRequest(&request)})
	}
	if len(status.Conditions) > 0 {
		hub.Deprecated = &infrav1.IonosCloudClusterDeprecatedStatus{
			V1Beta1: &infrav1.IonosCloudClusterV1Beta1DeprecatedStatus{Conditions: liftConditions(status.Conditions)},
		}
	}
	return hub
}

// projectCluster says in v1alpha1 what it can of a v1alpha2 cluster.
func projectCluster(spec infrav1.IonosCloudClusterSpec, status infrav1.IonosCloudClusterStatus) (IonosCloudClusterSpec, IonosCloudClusterStatus) {
	return projectClusterSpec(spec), projectClusterStatus(status)
}

func projectClusterSpec(spec infrav1.IonosCloudClusterSpec) IonosCloudClusterSpec {
	spoke := IonosCloudClusterSpec{
		Location:       spec.Location,
		CredentialsRef: LocalObjectReference{Name: spec.CredentialsRef.Name},
	}
	if endpoint := spec.ControlPlaneEndpoint; !endpoint.IsZero() {
		spoke.ControlPlaneEndpoint = &APIEndpoint{Host: endpoint.Host, Port: endpoint.Port}
	}
	if provider := spec.LoadBalancerProviderRef; provider != nil {
		spoke.LoadBalancerProviderRef = &LocalObjectReference{Name: provider.Name}
	}
	return spoke
}

func projectClusterStatus(status infrav1.IonosCloudClusterStatus) IonosCloudClusterStatus {
	spoke := IonosCloudClusterStatus{
		Ready:                         status.Initialization.Provisioned,
		ControlPlaneEndpointIPBlockID: nonEmptyPointer(status.ControlPlaneEndpointIPBlockID),
		CurrentClusterRequest:         projectRequest(status.CurrentClusterRequest),
	}
	for _, entry := range status.CurrentRequests {
		if spoke.CurrentRequestByDatacenter == nil {
			spoke.CurrentRequestByDatacenter = map[string]ProvisioningRequest{}
		}
		request := entry.Request
		spoke.CurrentRequestByDatacenter[entry.DatacenterID] = ProvisioningRequest{Method: request.Method, RequestPath: request.RequestPath, State: RequestState(request.State)}
	}
	if status.Deprecated != nil && status.Deprecated.V1Beta1 != nil {
		spoke.Conditions = projectConditions(status.Deprecated.V1Beta1.Conditions)
	}
	return spoke
}

func mergeHubCluster(base, remembered, incoming hubCluster) hubCluster {
	return hubCluster{
		spec:   merge3(base.spec, remembered.spec, incoming.spec),
		status: merge3(base.status, remembered.status, incoming.status),
	}
}

func mergeSpokeCluster(base, remembered, incoming spokeCluster) spokeCluster {
	return spokeCluster{
		spec:   merge3(base.spec, remembered.spec, incoming.spec),
		status: merge3(base.status, remembered.status, incoming.status),
	}
}
