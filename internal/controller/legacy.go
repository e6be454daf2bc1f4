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

package controller

import (
	"context"
	"fmt"

	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/annotations"
	"sigs.k8s.io/cluster-api/util/conditions"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// markLegacy remembers on a cluster that the v1alpha1 provider worked on it. Such a cluster has a status, but not
// one condition of ours yet.
func markLegacy(ionosCluster *infrav1.IonosCloudCluster) {
	if conditions.Has(ionosCluster, infrav1.ReadyCondition) || isLegacy(ionosCluster) {
		return
	}
	if len(ionosCluster.GetV1Beta1Conditions()) > 0 || ionosCluster.Status.Initialization.Provisioned != nil {
		annotations.AddAnnotations(ionosCluster, map[string]string{infrav1.LegacyProviderAnnotation: "true"})
	}
}

// isLegacy tells whether the v1alpha1 provider worked on a cluster.
func isLegacy(ionosCluster *infrav1.IonosCloudCluster) bool {
	_, marked := ionosCluster.Annotations[infrav1.LegacyProviderAnnotation]
	return marked
}

// legacyNameAmbiguous tells whether another cluster could mean the same legacy LAN name. That cannot be ruled out
// when not all namespaces are seen.
func (r *IonosCloudClusterReconciler) legacyNameAmbiguous(ctx context.Context, scope *clusterScope) (bool, error) {
	if !r.AllNamespaces {
		return true, nil
	}
	clusters := &clusterv1.ClusterList{}
	if err := r.Client.List(ctx, clusters); err != nil {
		return true, fmt.Errorf("list Clusters: %w", err)
	}
	name := network.LegacyLANName(scope.ionosCluster.Namespace, scope.cluster.Name)
	for i := range clusters.Items {
		other := &clusters.Items[i]
		if other.UID != scope.cluster.UID && network.LegacyLANName(other.Namespace, other.Name) == name {
			return true, nil
		}
	}
	return false, nil
}
