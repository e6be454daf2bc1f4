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
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	kerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/cluster-api/util/finalizers"
	"sigs.k8s.io/cluster-api/util/paused"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/ipam"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudmachines,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudmachines/status,verbs=patch
// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudmachines/finalizers,verbs=update
// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudclusters,verbs=get;list;watch
// +kubebuilder:rbac:groups=cluster.x-k8s.io,resources=clusters;machines,verbs=get;list;watch
// +kubebuilder:rbac:groups=ipam.cluster.x-k8s.io,resources=ipaddressclaims,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=ipam.cluster.x-k8s.io,resources=ipaddresses,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// bootstrapSecretIndex finds the Machines whose bootstrap data is in a secret.
const bootstrapSecretIndex = "spec.bootstrap.dataSecretName" //nolint:gosec // The path of a field.

// machineCloud is what the machine controller needs of the cloud.
type machineCloud interface {
	inventoryCloud
	serverCloud
	nicCloud
	imageCloud
	requestCloud
}

// inventoryCloud reads what exists in a data center.
type inventoryCloud interface {
	Datacenter(ctx context.Context, id string) (cloud.Datacenter, error)
	Inventory(ctx context.Context, datacenterID string) (*cloud.Inventory, error)
	FreshInventory(ctx context.Context, datacenterID string) (*cloud.Inventory, error)
}

// IonosCloudMachineReconciler makes and removes the server of a machine, with its NICs and the claims for their addresses.
type IonosCloudMachineReconciler struct {
	// Client reads from the cache and writes to the API server.
	Client client.Client
	// APIReader reads what must not come from the cache: secrets, which are not in it, and objects that must be current.
	APIReader client.Reader
	// Contracts gives access to the cloud.
	Contracts *cloud.Contracts
	// Claims makes and releases claims.
	Claims ipam.Claims
	// Recorder records events.
	Recorder events.EventRecorder
	// Clock tells the time.
	Clock clock.PassiveClock
	// PollDelay is the time until the next look at a cloud request of the given age.
	PollDelay func(age time.Duration) time.Duration
	// WatchFilterValue limits the objects to those that carry it in the watch label; empty means all.
	WatchFilterValue string

	poller *poller
}

// machineScope holds the objects of one pass.
type machineScope struct {
	ionosMachine *infrav1.IonosCloudMachine
	// machine is the owner; nil while there is none, and while a machine is deleted whose owner is gone already.
	machine *clusterv1.Machine
	// cluster and ionosCluster are nil while they do not exist.
	cluster      *clusterv1.Cluster
	ionosCluster *infrav1.IonosCloudCluster
	// cloud is set by the step that reads the credentials.
	cloud machineCloud
	// inventory, server, claims and plan are set by the step that plans. server is nil while none is known.
	inventory *cloud.Inventory
	server    *cloud.Server
	claims    []network.Claim
	plan      network.Plan
	// persist writes what the pass changed so far.
	persist func(context.Context) error
}

// datacenterID is the data center of the machine.
func (s *machineScope) datacenterID() string { return s.ionosMachine.Spec.DatacenterID }

// provisioned is whether the server was complete once.
func (s *machineScope) provisioned() bool {
	return ptr.Deref(s.ionosMachine.Status.Initialization.Provisioned, false)
}

// claimOwner is the machine as an owner of claims.
func (s *machineScope) claimOwner() ipam.Owner {
	return ipam.Owner{
		Object:      s.ionosMachine,
		GVK:         infrav1.GroupVersion.WithKind("IonosCloudMachine"),
		ClusterName: s.ionosMachine.Labels[clusterv1.ClusterNameLabel],
	}
}

// networkOwner is the machine as an owner of NICs.
func (s *machineScope) networkOwner() network.Owner {
	return network.Owner{Namespace: s.ionosMachine.Namespace, Name: s.ionosMachine.Name}
}

// SetupWithManager registers the controller with a manager.
func (r *IonosCloudMachineReconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, options controller.Options) error {
	r.poller = newPoller(r.Clock, r.PollDelay)
	log := mgr.GetLogger().WithValues("controller", "ionoscloudmachine")
	if err := mgr.GetFieldIndexer().IndexField(ctx, &clusterv1.Machine{}, bootstrapSecretIndex, func(object client.Object) []string {
		machine, isMachine := object.(*clusterv1.Machine)
		if !isMachine || machine.Spec.Bootstrap.DataSecretName == nil {
			return nil
		}
		return []string{*machine.Spec.Bootstrap.DataSecretName}
	}); err != nil {
		return fmt.Errorf("index Machines by bootstrap secret: %w", err)
	}
	gvk := infrav1.GroupVersion.WithKind("IonosCloudMachine")
	clusterToMachines, err := util.ClusterToTypedObjectsMapper(mgr.GetClient(), &infrav1.IonosCloudMachineList{}, mgr.GetScheme())
	if err != nil {
		return fmt.Errorf("map Clusters to IonosCloudMachines: %w", err)
	}
	changed := builder.WithPredicates(predicates.ResourceIsChanged(mgr.GetScheme(), log))
	err = ctrl.NewControllerManagedBy(mgr).
		For(&infrav1.IonosCloudMachine{}, builder.WithPredicates(ownChanges(), predicates.ResourceHasFilterLabel(mgr.GetScheme(), log, r.WatchFilterValue))).
		Watches(&clusterv1.Machine{}, handler.EnqueueRequestsFromMapFunc(util.MachineToInfrastructureMapFunc(gvk)), changed).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(clusterToMachines), changed).
		Watches(&infrav1.IonosCloudCluster{}, handler.EnqueueRequestsFromMapFunc(r.ionosClusterToMachines), changed).
		Watches(&ipamv1.IPAddressClaim{}, handler.EnqueueRequestsFromMapFunc(ipam.ClaimToOwner(gvk.GroupKind())), changed).
		Watches(&ipamv1.IPAddress{}, handler.EnqueueRequestsFromMapFunc(r.Claims.AddressToOwner(gvk.GroupKind())), changed).
		WatchesMetadata(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.bootstrapSecretToMachines)).
		WithOptions(options).
		Complete(r)
	if err != nil {
		return fmt.Errorf("set up the IonosCloudMachine controller: %w", err)
	}
	return nil
}

// Reconcile brings the server of a machine in line with its spec.
func (r *IonosCloudMachineReconciler) Reconcile(ctx context.Context, request ctrl.Request) (_ ctrl.Result, reterr error) {
	ionosMachine := &infrav1.IonosCloudMachine{}
	if err := r.Client.Get(ctx, request.NamespacedName, ionosMachine); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !isOurs(ionosMachine, r.WatchFilterValue) {
		return ctrl.Result{}, nil
	}
	scope, err := r.scope(ctx, ionosMachine)
	if err != nil {
		return ctrl.Result{}, err
	}
	if isPaused, requeue, err := paused.EnsurePausedCondition(ctx, r.Client, scope.cluster, ionosMachine); err != nil || isPaused || requeue {
		return requeueAtOnce(requeue && !isPaused), err
	}
	if ionosMachine.DeletionTimestamp.IsZero() && scope.machine != nil {
		if added, err := finalizers.EnsureFinalizer(ctx, r.Client, ionosMachine, infrav1.MachineFinalizer); err != nil || added {
			return requeueAtOnce(added), err
		}
	}
	if scope.persist, err = persister(r.Client, ionosMachine, machineConditions, clusterv1.ReadyV1Beta1Condition, infrav1.LegacyMachineProvisionedCondition); err != nil {
		return ctrl.Result{}, err
	}
	defer func() {
		summarizeMachine(ionosMachine)
		if err := scope.persist(ctx); err != nil {
			reterr = kerrors.NewAggregate([]error{reterr, err})
		}
	}()

	runner := stepRunner{object: ionosMachine, recorder: r.Recorder, reasons: machineTrueReasons}
	if !ionosMachine.DeletionTimestamp.IsZero() {
		return runner.run(ctx, r.deleteSteps(scope))
	}
	return runner.run(ctx, r.steps(scope))
}

// steps make the server.
func (r *IonosCloudMachineReconciler) steps(scope *machineScope) []step {
	requestCondition := infrav1.ServerProvisionedCondition
	if scope.provisioned() {
		requestCondition = infrav1.NetworksAttachedCondition
	}
	return []step{
		{"find the cluster", infrav1.ServerProvisionedCondition, func(context.Context) outcome { return r.infrastructure(scope) }},
		{"read the credentials", infrav1.CredentialsAvailableCondition, func(ctx context.Context) outcome { return r.credentials(ctx, scope) }},
		{"follow the request", requestCondition, func(ctx context.Context) outcome { return r.followMachineRequest(ctx, scope) }},
		{"plan the networks", infrav1.NetworksPlannedCondition, func(ctx context.Context) outcome { return r.planNetworks(ctx, scope) }},
		{"claim the addresses", infrav1.AddressesReadyCondition, func(ctx context.Context) outcome { return r.addresses(ctx, scope) }},
		{"make the server", infrav1.ServerProvisionedCondition, func(ctx context.Context) outcome { return r.serverExists(ctx, scope) }},
		{"start the server", infrav1.ServerProvisionedCondition, func(ctx context.Context) outcome { return r.serverRuns(ctx, scope) }},
		{"attach the networks", infrav1.NetworksAttachedCondition, func(ctx context.Context) outcome { return r.nicsAttached(ctx, scope) }},
		{"release what is not needed", infrav1.NetworksAttachedCondition, func(ctx context.Context) outcome { return r.releaseUnwanted(ctx, scope) }},
	}
}

// scope reads the objects that a pass is about.
func (r *IonosCloudMachineReconciler) scope(ctx context.Context, ionosMachine *infrav1.IonosCloudMachine) (*machineScope, error) {
	scope := &machineScope{ionosMachine: ionosMachine}
	machine, err := util.GetOwnerMachine(ctx, r.Client, ionosMachine.ObjectMeta)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("get the Machine that owns IonosCloudMachine %s: %w", klog.KObj(ionosMachine), err)
	}
	scope.machine = machine
	name := ionosMachine.Labels[clusterv1.ClusterNameLabel]
	if machine != nil {
		name = machine.Spec.ClusterName
	}
	if name == "" {
		return scope, nil
	}
	cluster, err := util.GetClusterByName(ctx, r.Client, ionosMachine.Namespace, name)
	if apierrors.IsNotFound(err) {
		return scope, nil
	}
	if err != nil {
		return nil, fmt.Errorf("get Cluster %s of IonosCloudMachine %s: %w", name, klog.KObj(ionosMachine), err)
	}
	scope.cluster = cluster
	ionosCluster := &infrav1.IonosCloudCluster{}
	key := types.NamespacedName{Namespace: cluster.Namespace, Name: cluster.Spec.InfrastructureRef.Name}
	if err := r.Client.Get(ctx, key, ionosCluster); err != nil {
		if apierrors.IsNotFound(err) {
			return scope, nil
		}
		return nil, fmt.Errorf("get IonosCloudCluster %s: %w", key, err)
	}
	scope.ionosCluster = ionosCluster
	return scope, nil
}

// infrastructure waits for the owner and for the infrastructure of the cluster.
func (r *IonosCloudMachineReconciler) infrastructure(scope *machineScope) outcome {
	switch {
	case scope.machine == nil:
		return wait(infrav1.WaitingForOwnerReason, "Waits for the owner reference to a Machine", 0)
	case scope.cluster == nil:
		return wait(infrav1.WaitingForOwnerReason, fmt.Sprintf("Waits for Cluster %q", scope.machine.Spec.ClusterName), 0)
	case scope.ionosCluster == nil || !ptr.Deref(scope.cluster.Status.Initialization.InfrastructureProvisioned, false):
		return wait(infrav1.WaitingForClusterInfrastructureReason, "Waits for the infrastructure of the cluster: look at the conditions of its IonosCloudCluster", 0)
	}
	return done()
}

// credentials enters the cloud with the credentials of the cluster.
func (r *IonosCloudMachineReconciler) credentials(ctx context.Context, scope *machineScope) outcome {
	session, _, result := enterCloud(ctx, r.APIReader, r.Contracts, scope.ionosCluster)
	if !result.done {
		return result
	}
	scope.cloud = session
	return done()
}

// followMachineRequest follows the request that is under way for the machine.
func (r *IonosCloudMachineReconciler) followMachineRequest(ctx context.Context, scope *machineScope) outcome {
	recorded := &scope.ionosMachine.Status.CurrentRequest
	if recorded.RequestPath == "" {
		return done()
	}
	method := recorded.Method
	result, ended := followRequest(ctx, scope.cloud, r.poller, recorded)
	if ended {
		*recorded = infrav1.ProvisioningRequest{}
		if scope.provisioned() || method == http.MethodDelete {
			// A new server is read by itself, so that the making of many does not read the lists again and again. What is
			// gone must not seem to use its addresses any longer.
			scope.cloud.Invalidate(scope.datacenterID())
		}
	}
	return result
}

// recordRequest remembers the request that is under way, writes it down at once, and waits for it.
func (r *IonosCloudMachineReconciler) recordRequest(ctx context.Context, scope *machineScope, request cloud.Request, reason, message string) outcome {
	scope.ionosMachine.Status.CurrentRequest = infrav1.ProvisioningRequest{Method: request.Method, RequestPath: request.Path, State: infrav1.RequestStateQueued}
	if err := scope.persist(ctx); err != nil {
		return failed(err)
	}
	return wait(reason, message, r.poller.next(request.Path))
}

// ionosClusterToMachines maps an IonosCloudCluster to the machines of its cluster.
func (r *IonosCloudMachineReconciler) ionosClusterToMachines(ctx context.Context, object client.Object) []reconcile.Request {
	ionosCluster, isCluster := object.(*infrav1.IonosCloudCluster)
	if !isCluster {
		return nil
	}
	cluster, err := util.GetOwnerCluster(ctx, r.Client, ionosCluster.ObjectMeta)
	if err != nil || cluster == nil {
		return nil
	}
	return r.machineRequests(ctx, client.InNamespace(cluster.Namespace), client.MatchingLabels{clusterv1.ClusterNameLabel: cluster.Name})
}

// machineRequests are the requests for the IonosCloudMachines that match.
func (r *IonosCloudMachineReconciler) machineRequests(ctx context.Context, options ...client.ListOption) []reconcile.Request {
	machines := &infrav1.IonosCloudMachineList{}
	if err := r.Client.List(ctx, machines, options...); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Listing IonosCloudMachines")
		return nil
	}
	requests := make([]reconcile.Request, 0, len(machines.Items))
	for i := range machines.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&machines.Items[i])})
	}
	return requests
}

// bootstrapSecretToMachines maps a secret to the machine whose bootstrap data it holds.
func (r *IonosCloudMachineReconciler) bootstrapSecretToMachines(ctx context.Context, object client.Object) []reconcile.Request {
	machines := &clusterv1.MachineList{}
	if err := r.Client.List(ctx, machines, client.InNamespace(object.GetNamespace()), client.MatchingFields{bootstrapSecretIndex: object.GetName()}); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Listing the Machines of a bootstrap secret", "Secret", klog.KObj(object))
		return nil
	}
	var requests []reconcile.Request
	toInfrastructure := util.MachineToInfrastructureMapFunc(infrav1.GroupVersion.WithKind("IonosCloudMachine"))
	for i := range machines.Items {
		requests = append(requests, toInfrastructure(ctx, &machines.Items[i])...)
	}
	return requests
}
