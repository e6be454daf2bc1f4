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
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util"
	"sigs.k8s.io/cluster-api/util/annotations"
	"sigs.k8s.io/cluster-api/util/finalizers"
	"sigs.k8s.io/cluster-api/util/paused"
	"sigs.k8s.io/cluster-api/util/predicates"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
)

// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudclusters,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudclusters/status,verbs=patch
// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudclusters/finalizers,verbs=update
// +kubebuilder:rbac:groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudmachines,verbs=get;list;watch
// +kubebuilder:rbac:groups=cluster.x-k8s.io,resources=clusters,verbs=get;list;watch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch;patch
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// credentialsSecretIndex finds the IonosCloudClusters that use a secret.
const credentialsSecretIndex = "spec.credentialsRef.name"

// clusterCloud is what the cluster controller needs of the cloud.
type clusterCloud interface {
	lanCloud
	requestCloud
	CheckCredentials(ctx context.Context) error
}

// IonosCloudClusterReconciler makes and removes what a cluster needs besides its machines: its LANs.
type IonosCloudClusterReconciler struct {
	// Client reads from the cache and writes to the API server.
	Client client.Client
	// APIReader reads what must not come from the cache: secrets, which are not in it, and objects that must be current.
	APIReader client.Reader
	// Contracts gives access to the cloud.
	Contracts *cloud.Contracts
	// Recorder records events.
	Recorder events.EventRecorder
	// Clock tells the time.
	Clock clock.PassiveClock
	// PollDelay is the time until the next look at a cloud request of the given age.
	PollDelay func(age time.Duration) time.Duration
	// AllNamespaces is whether the client sees the objects of all namespaces.
	AllNamespaces bool
	// WatchFilterValue limits the objects to those that carry it in the watch label; empty means all.
	WatchFilterValue string

	poller *poller
}

// clusterScope holds the objects of one pass.
type clusterScope struct {
	// cluster is the owner; nil while the object is deleted and the owner is gone already.
	cluster      *clusterv1.Cluster
	ionosCluster *infrav1.IonosCloudCluster
	// machines are the machines of the cluster, sorted by name. Set once the cluster is known.
	machines []infrav1.IonosCloudMachine
	// cloud is set by the step that reads the credentials.
	cloud clusterCloud
	// persist writes what the pass changed so far.
	persist func(context.Context) error
}

// SetupWithManager registers the controller with a manager.
func (r *IonosCloudClusterReconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, options controller.Options) error {
	r.poller = newPoller(r.Clock, r.PollDelay)
	log := mgr.GetLogger().WithValues("controller", "ionoscloudcluster")
	if err := mgr.GetFieldIndexer().IndexField(ctx, &infrav1.IonosCloudCluster{}, credentialsSecretIndex, func(object client.Object) []string {
		ionosCluster, isCluster := object.(*infrav1.IonosCloudCluster)
		if !isCluster {
			return nil
		}
		return []string{ionosCluster.Spec.CredentialsRef.Name}
	}); err != nil {
		return fmt.Errorf("index IonosCloudClusters by credentials secret: %w", err)
	}
	gvk := infrav1.GroupVersion.WithKind("IonosCloudCluster")
	err := ctrl.NewControllerManagedBy(mgr).
		For(&infrav1.IonosCloudCluster{}, builder.WithPredicates(ownChanges(), predicates.ResourceHasFilterLabel(mgr.GetScheme(), log, r.WatchFilterValue))).
		Watches(&clusterv1.Cluster{}, handler.EnqueueRequestsFromMapFunc(util.ClusterToInfrastructureMapFunc(ctx, gvk, mgr.GetClient(), &infrav1.IonosCloudCluster{})),
			builder.WithPredicates(predicates.ResourceIsChanged(mgr.GetScheme(), log))).
		Watches(&infrav1.IonosCloudMachine{}, handler.EnqueueRequestsFromMapFunc(r.machineToCluster),
			builder.WithPredicates(ownChanges())).
		WatchesMetadata(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.secretToClusters)).
		WithOptions(options).
		Complete(r)
	if err != nil {
		return fmt.Errorf("set up the IonosCloudCluster controller: %w", err)
	}
	return nil
}

// Reconcile brings the cluster's LANs in line with its spec and its machines.
func (r *IonosCloudClusterReconciler) Reconcile(ctx context.Context, request ctrl.Request) (_ ctrl.Result, reterr error) {
	ionosCluster := &infrav1.IonosCloudCluster{}
	if err := r.Client.Get(ctx, request.NamespacedName, ionosCluster); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !isOurs(ionosCluster, r.WatchFilterValue) || annotations.IsExternallyManaged(ionosCluster) {
		return ctrl.Result{}, nil
	}
	cluster, err := util.GetOwnerCluster(ctx, r.Client, ionosCluster.ObjectMeta)
	if client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, fmt.Errorf("get the Cluster that owns IonosCloudCluster %s: %w", klog.KObj(ionosCluster), err)
	}
	if isPaused, requeue, err := paused.EnsurePausedCondition(ctx, r.Client, cluster, ionosCluster); err != nil || isPaused || requeue {
		return requeueAtOnce(requeue && !isPaused), err
	}
	if ionosCluster.DeletionTimestamp.IsZero() && cluster != nil {
		if added, err := finalizers.EnsureFinalizer(ctx, r.Client, ionosCluster, infrav1.ClusterFinalizer); err != nil || added {
			return requeueAtOnce(added), err
		}
	}

	persist, err := persister(r.Client, ionosCluster, clusterConditions, clusterv1.ReadyV1Beta1Condition, infrav1.LegacyClusterReadyCondition)
	if err != nil {
		return ctrl.Result{}, err
	}
	scope := &clusterScope{cluster: cluster, ionosCluster: ionosCluster, persist: persist}
	defer func() {
		summarizeCluster(ionosCluster)
		if err := persist(ctx); err != nil {
			reterr = kerrors.NewAggregate([]error{reterr, err})
		}
	}()
	markLegacy(ionosCluster)

	runner := stepRunner{object: ionosCluster, recorder: r.Recorder, reasons: clusterTrueReasons}
	if !ionosCluster.DeletionTimestamp.IsZero() {
		return runner.run(ctx, r.deleteSteps(scope))
	}
	return runner.run(ctx, []step{
		{"find the owner", infrav1.CredentialsAvailableCondition, func(ctx context.Context) outcome { return r.owner(ctx, scope) }},
		{"read the credentials", infrav1.CredentialsAvailableCondition, func(ctx context.Context) outcome { return r.credentials(ctx, scope) }},
		{"find the control plane endpoint", infrav1.ControlPlaneEndpointReadyCondition, func(context.Context) outcome { return r.endpoint(scope) }},
		{"make the networks", infrav1.NetworksReadyCondition, func(ctx context.Context) outcome { return r.networks(ctx, scope) }},
	})
}

// owner waits for the Cluster and lists its machines.
func (r *IonosCloudClusterReconciler) owner(ctx context.Context, scope *clusterScope) outcome {
	if scope.cluster == nil {
		return wait(infrav1.WaitingForOwnerReason, "Waits for the owner reference to a Cluster", 0)
	}
	return r.listMachines(ctx, scope)
}

// listMachines lists the machines of the cluster.
func (r *IonosCloudClusterReconciler) listMachines(ctx context.Context, scope *clusterScope) outcome {
	name, known := clusterNameOf(scope.cluster, scope.ionosCluster)
	if !known {
		return done()
	}
	machines := &infrav1.IonosCloudMachineList{}
	if err := r.Client.List(ctx, machines, client.InNamespace(scope.ionosCluster.Namespace), client.MatchingLabels{clusterv1.ClusterNameLabel: name}); err != nil {
		return failed(fmt.Errorf("list the machines of Cluster %s: %w", name, err))
	}
	scope.machines = sortedMachines(machines.Items)
	return done()
}

// clusterNameOf returns the name of the Cluster, which is in a label of the object when the Cluster itself is gone.
func clusterNameOf(cluster *clusterv1.Cluster, ionosCluster *infrav1.IonosCloudCluster) (string, bool) {
	if cluster != nil {
		return cluster.Name, true
	}
	name, known := ionosCluster.Labels[clusterv1.ClusterNameLabel]
	return name, known
}

// credentials reads the credentials, protects their secret, and has the cloud check them.
func (r *IonosCloudClusterReconciler) credentials(ctx context.Context, scope *clusterScope) outcome {
	session, secret, result := enterCloud(ctx, r.APIReader, r.Contracts, scope.ionosCluster)
	if !result.done {
		return result
	}
	if scope.ionosCluster.DeletionTimestamp.IsZero() {
		if err := r.protectSecret(ctx, scope.ionosCluster, secret); err != nil {
			return failed(err)
		}
	}
	if err := session.CheckCredentials(ctx); err != nil {
		return cloudFailed(err)
	}
	scope.cloud = session
	return done()
}

// protectSecret keeps the secret until the cluster is gone, and makes it move along with the cluster.
func (r *IonosCloudClusterReconciler) protectSecret(ctx context.Context, ionosCluster *infrav1.IonosCloudCluster, secret *corev1.Secret) error {
	before := secret.DeepCopy()
	controllerutil.AddFinalizer(secret, credentialsFinalizer(ionosCluster))
	if err := controllerutil.SetOwnerReference(ionosCluster, secret, r.Client.Scheme()); err != nil {
		return fmt.Errorf("make IonosCloudCluster %s an owner of secret %s: %w", klog.KObj(ionosCluster), klog.KObj(secret), err)
	}
	return r.patchSecret(ctx, before, secret)
}

// unprotectSecret gives the secret free. That it is gone already is fine.
func (r *IonosCloudClusterReconciler) unprotectSecret(ctx context.Context, ionosCluster *infrav1.IonosCloudCluster) error {
	secret, err := credentialsSecret(ctx, r.APIReader, ionosCluster)
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	before := secret.DeepCopy()
	controllerutil.RemoveFinalizer(secret, credentialsFinalizer(ionosCluster))
	return client.IgnoreNotFound(r.patchSecret(ctx, before, secret))
}

func (r *IonosCloudClusterReconciler) patchSecret(ctx context.Context, before, secret *corev1.Secret) error {
	if equalMeta(before, secret) {
		return nil
	}
	if err := r.Client.Patch(ctx, secret, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("patch secret %s: %w", klog.KObj(secret), err)
	}
	return nil
}

// endpoint waits for the control plane endpoint; with it, the infrastructure of the cluster is provisioned.
func (r *IonosCloudClusterReconciler) endpoint(scope *clusterScope) outcome {
	spec := &scope.ionosCluster.Spec
	given := spec.ControlPlaneEndpoint.IsValid() || scope.cluster.Spec.ControlPlaneEndpoint.IsValid()
	source := spec.ControlPlaneEndpointSource.Type
	switch {
	case source != "" && source != infrav1.ControlPlaneEndpointSourceManual:
		return problem(infrav1.NotSupportedReason, fmt.Sprintf("controlPlaneEndpointSource.type %s is not supported by this version: use Manual and set controlPlaneEndpoint", source), 0)
	case spec.LoadBalancerProviderRef != nil && !given:
		return problem(infrav1.NotSupportedReason, "loadBalancerProviderRef is not supported by this version: remove it and set controlPlaneEndpoint", 0)
	case !given:
		return wait(infrav1.WaitingForControlPlaneEndpointReason, "Waits for controlPlaneEndpoint.host and port to be set", 0)
	}
	scope.ionosCluster.Status.Initialization.Provisioned = ptr.To(true)
	return done()
}

// machineToCluster maps a machine to the IonosCloudCluster of its Cluster.
func (r *IonosCloudClusterReconciler) machineToCluster(ctx context.Context, object client.Object) []reconcile.Request {
	cluster, err := util.GetClusterFromMetadata(ctx, r.Client, metav1.ObjectMeta{Namespace: object.GetNamespace(), Labels: object.GetLabels()})
	if err != nil || cluster.Spec.InfrastructureRef.Name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: cluster.Namespace, Name: cluster.Spec.InfrastructureRef.Name}}}
}

// secretToClusters maps a secret to the IonosCloudClusters whose credentials it holds.
func (r *IonosCloudClusterReconciler) secretToClusters(ctx context.Context, object client.Object) []reconcile.Request {
	ionosClusters := &infrav1.IonosCloudClusterList{}
	if err := r.Client.List(ctx, ionosClusters, client.InNamespace(object.GetNamespace()), client.MatchingFields{credentialsSecretIndex: object.GetName()}); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Listing the IonosCloudClusters of a secret", "Secret", klog.KObj(object))
		return nil
	}
	requests := make([]reconcile.Request, 0, len(ionosClusters.Items))
	for i := range ionosClusters.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&ionosClusters.Items[i])})
	}
	return requests
}
