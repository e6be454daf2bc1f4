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
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/cluster-api/util/conditions"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// deleteSteps take the machine down: the server with its boot volume, then the claims for its addresses.
func (r *IonosCloudMachineReconciler) deleteSteps(scope *machineScope) []step {
	return []step{
		{"remove the server", infrav1.DeletingCondition, func(ctx context.Context) outcome { return r.serverGone(ctx, scope) }},
		{"release the addresses", infrav1.DeletingCondition, func(ctx context.Context) outcome { return r.claimsGone(ctx, scope) }},
		{"remove the finalizer", infrav1.DeletingCondition, func(context.Context) outcome {
			controllerutil.RemoveFinalizer(scope.ionosMachine, infrav1.MachineFinalizer)
			return done()
		}},
	}
}

// serverGone removes the server. Whatever stands in the way of looking for it keeps the claims: an address is not
// released while a server may use it.
func (r *IonosCloudMachineReconciler) serverGone(ctx context.Context, scope *machineScope) outcome {
	if deleting := conditions.Get(scope.ionosMachine, infrav1.DeletingCondition); deleting != nil && deleting.Reason == infrav1.WaitingForClaimsReason {
		// It was gone when the claims were released, and nothing makes it again.
		return done()
	}
	if abandoned, result := r.abandoned(ctx, scope); abandoned || !result.done {
		return result
	}
	if result := r.credentials(ctx, scope); !result.done {
		return result
	}
	if result := r.followDeletion(ctx, scope); !result.done {
		return result
	}
	server, result := r.serverToDelete(ctx, scope)
	if !result.done || server == nil {
		return result
	}
	return r.deleteServer(ctx, scope, *server)
}

// abandoned tells whether there is no way into the cloud any more, and never will be: the credentials are gone, and so
// is the cluster or it is being deleted. Then what is left in the cloud is named in an event, and the deletion goes on.
// While the cluster lives, its credentials are waited for.
func (r *IonosCloudMachineReconciler) abandoned(ctx context.Context, scope *machineScope) (bool, outcome) {
	if scope.ionosCluster != nil {
		_, err := credentialsSecret(ctx, r.APIReader, scope.ionosCluster)
		if err == nil {
			return false, done()
		}
		if !apierrors.IsNotFound(err) {
			return false, failed(err)
		}
	}
	nothingMade := scope.ionosMachine.Spec.ProviderID == "" && scope.ionosMachine.Status.CurrentRequest.RequestPath == "" && !r.creating(scope)
	clusterGoes := scope.cluster == nil || !scope.cluster.DeletionTimestamp.IsZero()
	switch {
	case nothingMade:
		return true, done()
	case clusterGoes:
		r.Recorder.Eventf(scope.ionosMachine, nil, corev1.EventTypeWarning, "LeftBehind", "DeleteServer", "The credentials are gone: server %s in data center %s, if it exists, is left behind", serverID(scope.ionosMachine), scope.datacenterID())
		scope.ionosMachine.Spec.ProviderID = ""
		scope.ionosMachine.Status.Networks = nil
		scope.ionosMachine.Status.Location = ""
		scope.ionosMachine.Status.CurrentRequest = infrav1.ProvisioningRequest{}
		return true, done()
	case scope.ionosCluster == nil:
		return false, wait(infrav1.WaitingForClusterInfrastructureReason, "Waits for the IonosCloudCluster, which names the credentials", 0)
	}
	return false, problem(infrav1.CredentialsSecretNotFoundReason, fmt.Sprintf("Secret %q is gone: restore it, so that the server can be removed", scope.ionosCluster.Spec.CredentialsRef.Name), 0)
}

// creating tells whether the machine came far enough for a server to be under way without a record of it.
func (r *IonosCloudMachineReconciler) creating(scope *machineScope) bool {
	return len(scope.ionosMachine.Status.Networks) > 0 || scope.ionosMachine.Status.Location != ""
}

// followDeletion follows the request that is under way. That it failed is told, and does not stop the deletion.
func (r *IonosCloudMachineReconciler) followDeletion(ctx context.Context, scope *machineScope) outcome {
	method := scope.ionosMachine.Status.CurrentRequest.Method
	result := r.followMachineRequest(ctx, scope)
	if result.done || scope.ionosMachine.Status.CurrentRequest.RequestPath != "" {
		return result
	}
	r.Recorder.Eventf(scope.ionosMachine, nil, corev1.EventTypeWarning, result.reason, "FollowRequest", "%s", eventNote(result.message))
	if method == http.MethodDelete {
		// It is tried again, after a while.
		return result
	}
	return done()
}

// serverToDelete finds the server of the machine: by its ID, else by its names, else in the request queue.
func (r *IonosCloudMachineReconciler) serverToDelete(ctx context.Context, scope *machineScope) (*cloud.Server, outcome) {
	if id := serverID(scope.ionosMachine); id != "" {
		server, err := scope.cloud.Server(ctx, scope.datacenterID(), id)
		if err == nil {
			return &server, done()
		}
		if !errors.Is(err, cloud.ErrNotFound) {
			return nil, cloudFailed(err)
		}
		if scope.provisioned() {
			return nil, done()
		}
	}
	request, err := r.queuedCreation(ctx, scope)
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		return nil, done()
	case err != nil:
		return nil, cloudFailed(err)
	case request != nil:
		return nil, r.recordRequest(ctx, scope, request.Request, infrav1.WaitingForRequestReason, "Waits for the creation of the server, to remove it")
	}
	inventory, err := scope.cloud.FreshInventory(ctx, scope.datacenterID())
	if errors.Is(err, cloud.ErrNotFound) {
		return nil, done()
	}
	if err != nil {
		return nil, cloudFailed(err)
	}
	owner := scope.networkOwner()
	for _, server := range inventory.Servers {
		names := make([]string, 0, len(server.NICs))
		for _, nic := range server.NICs {
			names = append(names, nic.Name)
		}
		if network.ServerIsOwn(owner, server.Name, names) {
			return &server, done()
		}
	}
	return nil, done()
}

// deleteServer removes the boot volume, and then the server. Data volumes stay, unless the whole cluster goes.
func (r *IonosCloudMachineReconciler) deleteServer(ctx context.Context, scope *machineScope, server cloud.Server) outcome {
	clusterGoes := scope.cluster == nil || !scope.cluster.DeletionTimestamp.IsZero()
	if !clusterGoes && server.BootVolumeID != "" && slices.Contains(server.VolumeIDs, server.BootVolumeID) {
		request, err := scope.cloud.DeleteVolume(ctx, scope.datacenterID(), server.BootVolumeID)
		switch {
		case err == nil:
			return r.recordRequest(ctx, scope, request, infrav1.WaitingForRequestReason, fmt.Sprintf("Boot volume of server %s is being removed", server.ID))
		case !errors.Is(err, cloud.ErrNotFound):
			return cloudFailed(err)
		}
	}
	ctrl.LoggerFrom(ctx).Info("Deleting server", "serverID", server.ID)
	request, err := scope.cloud.DeleteServer(ctx, scope.datacenterID(), server.ID, clusterGoes)
	if errors.Is(err, cloud.ErrNotFound) {
		return wait(infrav1.WaitingForRequestReason, fmt.Sprintf("Server %s is being removed", server.ID), busyRetry)
	}
	if err != nil {
		return cloudFailed(err)
	}
	r.Recorder.Eventf(scope.ionosMachine, nil, corev1.EventTypeNormal, "DeletingServer", "DeleteServer", "Deleting server %s", server.ID)
	return r.recordRequest(ctx, scope, request, infrav1.WaitingForRequestReason, fmt.Sprintf("Server %s is being removed", server.ID))
}

// claimsGone releases every claim of the machine, whatever its spec says now, and waits until they are gone.
func (r *IonosCloudMachineReconciler) claimsGone(ctx context.Context, scope *machineScope) outcome {
	var recorded []string
	for _, entry := range scope.ionosMachine.Status.Networks {
		for _, name := range []string{entry.IPv4ClaimName, entry.IPv6ClaimName} {
			if name != "" {
				recorded = append(recorded, name)
			}
		}
	}
	remaining, err := r.Claims.ReleaseAll(ctx, scope.claimOwner(), recorded...)
	if err != nil {
		return failed(err)
	}
	if len(remaining) > 0 {
		return wait(infrav1.WaitingForClaimsReason, "Waits until the IPAM provider lets go of the claims "+strings.Join(remaining, ", "), 0)
	}
	return done()
}
