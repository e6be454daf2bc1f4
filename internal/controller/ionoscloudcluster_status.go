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
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	v1beta1conditions "sigs.k8s.io/cluster-api/util/conditions/deprecated/v1beta1"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// clusterConditions are the conditions that the cluster controller owns.
var clusterConditions = []string{
	infrav1.ReadyCondition,
	infrav1.DeletingCondition,
	infrav1.CredentialsAvailableCondition,
	infrav1.ControlPlaneEndpointReadyCondition,
	infrav1.NetworksReadyCondition,
}

// clusterTrueReasons are the reasons of conditions that are True.
var clusterTrueReasons = map[string]string{
	infrav1.CredentialsAvailableCondition:      infrav1.CredentialsAvailableReason,
	infrav1.ControlPlaneEndpointReadyCondition: infrav1.ControlPlaneEndpointReadyReason,
	infrav1.NetworksReadyCondition:             infrav1.NetworksReadyReason,
	infrav1.DeletingCondition:                  infrav1.DeletingReason,
}

// summarizeCluster sets the conditions that follow from the others.
func summarizeCluster(ionosCluster *infrav1.IonosCloudCluster) {
	summarize(ionosCluster, []string{
		infrav1.CredentialsAvailableCondition,
		infrav1.ControlPlaneEndpointReadyCondition,
		infrav1.NetworksReadyCondition,
	}, nil, infrav1.LegacyClusterReadyCondition)
}

// v1beta1Object also has the conditions of the Cluster API v1beta1 contract.
type v1beta1Object interface {
	apiObject
	v1beta1conditions.Setter
}

// summarize sets Deleting, sums up the conditions in Ready, and mirrors Ready for clients of the v1beta1 contract.
// The optional conditions count only where they exist.
func summarize(object v1beta1Object, required, optional []string, legacy clusterv1.ConditionType) {
	if object.GetDeletionTimestamp().IsZero() {
		conditions.Set(object, metav1.Condition{
			Type: infrav1.DeletingCondition, Status: metav1.ConditionFalse, Reason: infrav1.NotDeletingReason, ObservedGeneration: object.GetGeneration(),
		})
	}

	all := slices.Concat([]string{infrav1.DeletingCondition}, required, optional)
	err := conditions.SetSummaryCondition(object, object, infrav1.ReadyCondition,
		conditions.ForConditionTypes(all),
		conditions.NegativePolarityConditionTypes{infrav1.DeletingCondition},
		conditions.IgnoreTypesIfMissing(optional),
	)
	if err != nil {
		conditions.Set(object, metav1.Condition{
			Type: infrav1.ReadyCondition, Status: metav1.ConditionUnknown, Reason: infrav1.InternalErrorReason, Message: err.Error(), ObservedGeneration: object.GetGeneration(),
		})
	}
	mirrorV1Beta1(object, legacy)
}

// mirrorV1Beta1 shows Ready to clients that read the conditions of the v1beta1 contract.
func mirrorV1Beta1(object v1beta1Object, legacy clusterv1.ConditionType) {
	ready := conditions.Get(object, infrav1.ReadyCondition)
	for _, conditionType := range []clusterv1.ConditionType{clusterv1.ReadyV1Beta1Condition, legacy} {
		if ready.Status == metav1.ConditionTrue {
			v1beta1conditions.MarkTrue(object, conditionType)
			continue
		}
		v1beta1conditions.MarkFalse(object, conditionType, ready.Reason, clusterv1.ConditionSeverityInfo, "%s", strings.TrimSpace(ready.Message))
	}
}
