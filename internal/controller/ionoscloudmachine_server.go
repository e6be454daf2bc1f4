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
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// providerIDPrefix precedes the UUID of the server in a provider ID.
const providerIDPrefix = "ionos://"

// visibilityDelay is how long the cloud may take to show a server that it made.
const visibilityDelay = 5 * time.Minute

// Virtual machine states that decide something.
const (
	vmRunning = "RUNNING"
	vmShutOff = "SHUTOFF"
)

// serverCloud reads and writes servers.
type serverCloud interface {
	Server(ctx context.Context, datacenterID, serverID string) (cloud.Server, error)
	CreateServer(ctx context.Context, datacenterID string, settings cloud.ServerSettings) (string, cloud.Request, error)
	StartServer(ctx context.Context, datacenterID, serverID string) (cloud.Request, error)
	DeleteServer(ctx context.Context, datacenterID, serverID string, withVolumes bool) (cloud.Request, error)
	DeleteVolume(ctx context.Context, datacenterID, volumeID string) (cloud.Request, error)
}

// serverID is the server that the provider ID names; empty while there is none.
func serverID(ionosMachine *infrav1.IonosCloudMachine) string {
	return strings.TrimPrefix(ionosMachine.Spec.ProviderID, providerIDPrefix)
}

// isServerOf tells whether a server is a machine's own.
func isServerOf(ionosMachine *infrav1.IonosCloudMachine, server cloud.Server) bool {
	if id := serverID(ionosMachine); id != "" {
		return server.ID == id
	}
	names := make([]string, 0, len(server.NICs))
	for _, nic := range server.NICs {
		names = append(names, nic.Name)
	}
	return network.ServerIsOwn(network.Owner{Namespace: ionosMachine.Namespace, Name: ionosMachine.Name}, server.Name, names)
}

// serverMissing deals with a server that the provider ID names and that is not there. A machine that was complete once
// has lost it; one that was not is made again, unless its creation is still in the queue.
func (r *IonosCloudMachineReconciler) serverMissing(ctx context.Context, scope *machineScope, id string) outcome {
	if scope.provisioned() {
		return problem(infrav1.ServerNotFoundReason, fmt.Sprintf("Server %s is gone: delete the machine, so that another takes its place", id), problemRetry)
	}
	if result := r.creationUnderWay(ctx, scope); !result.done {
		return result
	}
	fresh, err := r.createdRecently(ctx, scope, id)
	if err != nil {
		return cloudFailed(err)
	}
	if fresh {
		return wait(infrav1.ServerCreatingReason, "Waits until the cloud shows the server that it made", busyRetry)
	}
	ctrl.LoggerFrom(ctx).Info("Forgetting a server that was never made", "serverID", id)
	scope.ionosMachine.Spec.ProviderID = ""
	return done()
}

// creationUnderWay looks into the request queue for the creation of the machine's server.
func (r *IonosCloudMachineReconciler) creationUnderWay(ctx context.Context, scope *machineScope) outcome {
	request, err := r.queuedCreation(ctx, scope)
	if err != nil {
		return cloudFailed(err)
	}
	if request == nil {
		return done()
	}
	if ids := request.TargetIDs["server"]; len(ids) == 1 {
		scope.ionosMachine.Spec.ProviderID = providerIDPrefix + ids[0]
	}
	return r.recordRequest(ctx, scope, request.Request, infrav1.ServerCreatingReason, "The server is being created")
}

// queuedCreation is the queued or running request that creates the machine's server; nil if there is none.
func (r *IonosCloudMachineReconciler) queuedCreation(ctx context.Context, scope *machineScope) (*cloud.QueuedRequest, error) {
	requests, err := scope.cloud.FindRequests(ctx, scope.datacenterID(), cloud.RequestCreateServer, queueLookBack)
	if err != nil {
		return nil, err
	}
	for i := range requests {
		if !network.ServerIsOwn(scope.networkOwner(), requests[i].Name, requests[i].NICNames) {
			continue
		}
		state := infrav1.RequestState(requests[i].State)
		if state == infrav1.RequestStateQueued || state == infrav1.RequestStateRunning {
			return &requests[i], nil
		}
	}
	return nil, nil
}

// createdRecently tells whether the cloud says that it made the server a short while ago: then it shows it soon.
func (r *IonosCloudMachineReconciler) createdRecently(ctx context.Context, scope *machineScope, id string) (bool, error) {
	requests, err := scope.cloud.FindRequests(ctx, scope.datacenterID(), cloud.RequestCreateServer, visibilityDelay)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(requests, func(request cloud.QueuedRequest) bool {
		return infrav1.RequestState(request.State) == infrav1.RequestStateDone && slices.Contains(request.TargetIDs["server"], id) &&
			r.Clock.Since(request.Created) < visibilityDelay
	}), nil
}

// adoptServer looks for a server of the machine that the machine does not know of: one whose creation was never heard
// of, or that the v1alpha1 provider made. It is done when there is none, and the inventory of the scope is fresh then.
func (r *IonosCloudMachineReconciler) adoptServer(ctx context.Context, scope *machineScope) outcome {
	// The list is read after the queue: what has left the queue by then is in the list.
	if result := r.creationUnderWay(ctx, scope); !result.done {
		return result
	}
	return r.adoptListed(ctx, scope)
}

func (r *IonosCloudMachineReconciler) adoptListed(ctx context.Context, scope *machineScope) outcome {
	inventory, err := scope.cloud.FreshInventory(ctx, scope.datacenterID())
	if err != nil {
		return inDatacenter(scope.datacenterID(), err)
	}
	scope.inventory = inventory
	var own []cloud.Server
	for _, server := range inventory.Servers {
		if isServerOf(scope.ionosMachine, server) {
			own = append(own, server)
		}
	}
	switch len(own) {
	case 0:
		return done()
	case 1:
		ctrl.LoggerFrom(ctx).Info("Adopting server", "serverID", own[0].ID)
		scope.ionosMachine.Spec.ProviderID = providerIDPrefix + own[0].ID
		return wait(infrav1.ServerCreatingReason, "The server was found", requeueAtOnce(true).RequeueAfter)
	}
	ids := make([]string, 0, len(own))
	for _, server := range own {
		ids = append(ids, server.ID)
	}
	return problem(infrav1.ServerConflictReason, fmt.Sprintf("The servers %s could be this machine's: delete or rename those that are not", strings.Join(ids, ", ")), problemRetry)
}

// serverExists makes the server, with its boot volume and NICs in one request.
func (r *IonosCloudMachineReconciler) serverExists(ctx context.Context, scope *machineScope) outcome {
	if scope.server != nil {
		return done()
	}
	userData, result := r.userData(ctx, scope)
	if !result.done {
		return result
	}
	image, result := r.image(ctx, scope)
	if !result.done {
		return result
	}
	if result := r.adoptServer(ctx, scope); !result.done {
		return result
	}
	if result := lansExist(scope.inventory, scope.plan.Attach); !result.done {
		return result
	}
	spec := scope.ionosMachine.Spec
	volumeName := spec.Disk.Name
	if volumeName == "" {
		volumeName = network.VolumeName(scope.ionosMachine.Name)
	}
	ctrl.LoggerFrom(ctx).Info("Creating server", "datacenterID", scope.datacenterID())
	id, request, err := scope.cloud.CreateServer(ctx, scope.datacenterID(), cloud.ServerSettings{
		Name:             scope.ionosMachine.Name,
		Cores:            spec.NumCores,
		MemoryMB:         spec.MemoryMB,
		AvailabilityZone: string(spec.AvailabilityZone),
		CPUFamily:        spec.CPUFamily,
		Type:             string(spec.Type),
		NICs:             scope.plan.Attach,
		Volume: cloud.VolumeSettings{
			Name: volumeName, DiskType: string(spec.Disk.DiskType), AvailabilityZone: string(spec.Disk.AvailabilityZone),
			ImageID: image, SizeGB: spec.Disk.SizeGB, UserData: userData,
		},
	})
	if err != nil {
		return cloudFailed(err)
	}
	r.Recorder.Eventf(scope.ionosMachine, nil, corev1.EventTypeNormal, infrav1.ServerCreatingReason, "CreateServer", "Creating server %s in data center %s", id, scope.datacenterID())
	scope.ionosMachine.Spec.ProviderID = providerIDPrefix + id
	return r.recordRequest(ctx, scope, request, infrav1.ServerCreatingReason, "The server is being created")
}

// serverRuns waits until the server runs. A server that was complete once is not started behind a person's back.
func (r *IonosCloudMachineReconciler) serverRuns(ctx context.Context, scope *machineScope) outcome {
	server := scope.server
	switch {
	case server.VMState == vmRunning:
		return done()
	case scope.provisioned():
		return problem(infrav1.ServerNotRunningReason, fmt.Sprintf("Server %s is in state %q: start it, or delete the machine", server.ID, server.VMState), problemRetry)
	case server.State == cloud.StateBusy || server.VMState != vmShutOff:
		return wait(infrav1.ServerCreatingReason, "Waits until the server runs", busyRetry)
	}
	if current, err := r.isCurrent(ctx, scope); err != nil {
		return failed(err)
	} else if !current {
		// It may have been complete once, and a person have stopped it.
		return wait(infrav1.ServerCreatingReason, "Waits for what was recorded of the server", busyRetry)
	}
	request, err := scope.cloud.StartServer(ctx, scope.datacenterID(), server.ID)
	if err != nil {
		return cloudFailed(err)
	}
	r.Recorder.Eventf(scope.ionosMachine, nil, corev1.EventTypeNormal, "StartingServer", "StartServer", "Starting server %s", server.ID)
	return r.recordRequest(ctx, scope, request, infrav1.ServerCreatingReason, "The server is being started")
}
