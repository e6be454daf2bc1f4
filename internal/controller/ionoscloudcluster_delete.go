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
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// deleteSteps take the cluster down: machines first, then LANs, then what protects the secret and the object.
func (r *IonosCloudClusterReconciler) deleteSteps(scope *clusterScope) []step {
	return []step{
		{"wait for the machines", infrav1.DeletingCondition, func(ctx context.Context) outcome { return r.machinesGone(ctx, scope) }},
		{"remove the networks", infrav1.DeletingCondition, func(ctx context.Context) outcome { return r.networksGone(ctx, scope) }},
		{"remove the finalizers", infrav1.DeletingCondition, func(ctx context.Context) outcome {
			if err := r.unprotectSecret(ctx, scope.ionosCluster); err != nil {
				return failed(err)
			}
			controllerutil.RemoveFinalizer(scope.ionosCluster, infrav1.ClusterFinalizer)
			return done()
		}},
	}
}

func (r *IonosCloudClusterReconciler) machinesGone(ctx context.Context, scope *clusterScope) outcome {
	if result := r.listMachines(ctx, scope); !result.done {
		return result
	}
	if len(scope.machines) > 0 {
		return wait(infrav1.WaitingForMachinesReason, "Waits until the machines of the cluster are gone", 0)
	}
	return done()
}

// networksGone removes the LANs. Without credentials there is no way into the cloud any more: what is left there is
// named in an event, and the deletion goes on.
func (r *IonosCloudClusterReconciler) networksGone(ctx context.Context, scope *clusterScope) outcome {
	if len(scope.ionosCluster.Status.Networks) == 0 && len(scope.ionosCluster.Status.CurrentRequests) == 0 {
		return done()
	}
	_, err := credentialsSecret(ctx, r.APIReader, scope.ionosCluster)
	if apierrors.IsNotFound(err) {
		for _, entry := range scope.ionosCluster.Status.Networks {
			r.Recorder.Eventf(scope.ionosCluster, nil, corev1.EventTypeWarning, "LeftBehind", "DeleteLAN", "The credentials secret is gone: LAN %d of network %q in data center %s is left behind", entry.NetworkID, entry.Name, entry.DatacenterID)
		}
		scope.ionosCluster.Status.Networks = nil
		scope.ionosCluster.Status.CurrentRequests = nil
		return done()
	}
	if result := r.credentials(ctx, scope); !result.done {
		return result
	}
	return r.eachDatacenter(ctx, scope, nil, func(ctx context.Context, datacenterID string) outcome {
		for _, entry := range slices.Clone(scope.ionosCluster.Status.Networks) {
			if entry.DatacenterID != datacenterID {
				continue
			}
			if result := r.deleteLAN(ctx, scope, entry); !result.done {
				return result
			}
		}
		return done()
	})
}

// deleteLAN removes the LAN of a status entry, and then the entry. A LAN with another name than ours is not deleted:
// its number was given to somebody else's after ours was gone.
func (r *IonosCloudClusterReconciler) deleteLAN(ctx context.Context, scope *clusterScope, entry infrav1.ClusterNetworkStatus) outcome {
	forget := func() outcome {
		scope.ionosCluster.Status.Networks = slices.DeleteFunc(scope.ionosCluster.Status.Networks, func(other infrav1.ClusterNetworkStatus) bool {
			return other.Name == entry.Name && other.DatacenterID == entry.DatacenterID
		})
		return done()
	}
	inventory, err := scope.cloud.FreshInventory(ctx, entry.DatacenterID)
	if errors.Is(err, cloud.ErrNotFound) {
		return forget()
	}
	if err != nil {
		return cloudFailed(err)
	}
	clusterName, known := clusterNameOf(scope.cluster, scope.ionosCluster)
	if !known {
		return forget()
	}
	name := network.LANName(scope.ionosCluster.Namespace, clusterName, entry.Name)
	legacyName := network.LegacyLANName(scope.ionosCluster.Namespace, clusterName)
	var lans []cloud.LAN
	if entry.NetworkID > 0 {
		if lan := findLANByID(inventory, entry.NetworkID); lan != nil && (lan.Name == name || lan.Name == legacyName) {
			lans = append(lans, *lan)
		}
	} else if lans = lansNamed(inventory, name); len(lans) == 0 {
		if result := r.noLANComing(ctx, scope, entry, name); !result.done {
			return result
		}
	}
	if len(lans) == 0 {
		return forget()
	}
	return r.deleteUnusedLAN(ctx, scope, entry, lans[0])
}

// noLANComing waits for the creation of a LAN that may still be in the request queue.
func (r *IonosCloudClusterReconciler) noLANComing(ctx context.Context, scope *clusterScope, entry infrav1.ClusterNetworkStatus, name string) outcome {
	requests, err := scope.cloud.FindRequests(ctx, entry.DatacenterID, cloud.RequestCreateLAN, queueLookBack)
	if err != nil && !errors.Is(err, cloud.ErrNotFound) {
		return cloudFailed(err)
	}
	for _, request := range requests {
		if request.Name != name {
			continue
		}
		if state := infrav1.RequestState(request.State); state == infrav1.RequestStateQueued || state == infrav1.RequestStateRunning {
			return r.recordRequest(scope, entry.DatacenterID, request.Request, creatingLAN(entry.Name, entry.DatacenterID))
		}
	}
	return done()
}

func (r *IonosCloudClusterReconciler) deleteUnusedLAN(ctx context.Context, scope *clusterScope, entry infrav1.ClusterNetworkStatus, lan cloud.LAN) outcome {
	nics, err := scope.cloud.LANInUse(ctx, entry.DatacenterID, lan.ID)
	if err != nil && !errors.Is(err, cloud.ErrNotFound) {
		return cloudFailed(err)
	}
	if nics > 0 {
		return wait(infrav1.WaitingForNICsReason, fmt.Sprintf("Network %q: LAN %d in data center %s still has NICs; it is deleted once they are gone", entry.Name, lan.ID, entry.DatacenterID), inUseRetry)
	}
	ctrl.LoggerFrom(ctx).Info("Deleting LAN", "network", entry.Name, "datacenterID", entry.DatacenterID, "lan", lan.ID)
	request, err := scope.cloud.DeleteLAN(ctx, entry.DatacenterID, lan.ID)
	if errors.Is(err, cloud.ErrNotFound) {
		return wait(infrav1.WaitingForRequestReason, deletingLAN(entry, lan), busyRetry)
	}
	if errors.Is(err, cloud.ErrForbidden) {
		// The cloud protects a LAN from deletion for a while after its last user is gone.
		return problem(infrav1.CloudErrorReason, err.Error(), inUseRetry)
	}
	if err != nil {
		return cloudFailed(err)
	}
	r.Recorder.Eventf(scope.ionosCluster, nil, corev1.EventTypeNormal, "DeletingLAN", "DeleteLAN", "%s", deletingLAN(entry, lan))
	return r.recordRequest(scope, entry.DatacenterID, request, deletingLAN(entry, lan))
}

func deletingLAN(entry infrav1.ClusterNetworkStatus, lan cloud.LAN) string {
	return fmt.Sprintf("Network %q: its LAN %d in data center %s is being deleted", entry.Name, lan.ID, entry.DatacenterID)
}
