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

// Package ipam makes, adopts, watches and releases claims for the addresses of any owner, by Cluster API's IPAM contract.
// Which claims an owner needs is decided in package network.
package ipam

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// Labels that say what a claim is for.
const (
	// AttachmentLabel is the attachment of the owner that the claim is for.
	AttachmentLabel = "infrastructure.cluster.x-k8s.io/attachment"
	// FamilyLabel is the address family of the claim: ipv4 or ipv6.
	FamilyLabel = "infrastructure.cluster.x-k8s.io/address-family"
)

// Owner is what claims belong to.
type Owner struct {
	Object client.Object
	GVK    schema.GroupVersionKind
	// ClusterName is the name of the Cluster that the owner belongs to.
	ClusterName string
}

// Claims makes and releases claims.
type Claims struct {
	// Client reads from the cache and writes to the API server.
	Client client.Client
	// FieldOwner is who claims are applied as.
	FieldOwner client.FieldOwner
	// Finalizer is put on a claim and on its address while the owner may use the address. An address that is deleted by
	// hand stays reserved that way.
	Finalizer string
}

// Observe returns the claims that the owner controls, and those of the given names, each resolved to its address. It
// is sorted by name.
func (c Claims) Observe(ctx context.Context, owner Owner, names []string) ([]network.Claim, error) {
	claims, err := c.owned(ctx, owner)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if slices.ContainsFunc(claims, func(claim ipamv1.IPAddressClaim) bool { return claim.Name == name }) {
			continue
		}
		claim := ipamv1.IPAddressClaim{}
		key := types.NamespacedName{Namespace: owner.Object.GetNamespace(), Name: name}
		if err := c.Client.Get(ctx, key, &claim); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return nil, fmt.Errorf("get IPAddressClaim %s: %w", key, err)
		}
		claims = append(claims, claim)
	}
	observed := make([]network.Claim, 0, len(claims))
	for i := range claims {
		claim, err := c.resolve(ctx, owner, &claims[i])
		if err != nil {
			return nil, err
		}
		observed = append(observed, claim)
	}
	slices.SortFunc(observed, func(a, b network.Claim) int { return strings.Compare(a.Name, b.Name) })
	return observed, nil
}

// owned lists the claims that the owner controls.
func (c Claims) owned(ctx context.Context, owner Owner) ([]ipamv1.IPAddressClaim, error) {
	list := &ipamv1.IPAddressClaimList{}
	if err := c.Client.List(ctx, list, client.InNamespace(owner.Object.GetNamespace()), client.MatchingFields{controllerIndex: controllerKey(owner.GVK.GroupKind(), owner.Object.GetName())}); err != nil {
		return nil, fmt.Errorf("list the IPAddressClaims of %s %s: %w", owner.GVK.Kind, klog.KObj(owner.Object), err)
	}
	return slices.DeleteFunc(list.Items, func(claim ipamv1.IPAddressClaim) bool { return !isOwned(&claim, owner) }), nil
}

// isOwned tells whether the owner controls an object. An owner of the same kind and name counts though its UID differs:
// names are unique in a namespace, so that it is the owner before a move or a restore.
func isOwned(object metav1.Object, owner Owner) bool {
	controller := metav1.GetControllerOf(object)
	if controller == nil {
		return false
	}
	group, err := schema.ParseGroupVersion(controller.APIVersion)
	return err == nil && group.Group == owner.GVK.Group && controller.Kind == owner.GVK.Kind && controller.Name == owner.Object.GetName()
}

// Ensure makes the claim of a plan, or completes one that exists. It writes nothing when there is nothing to change.
func (c Claims) Ensure(ctx context.Context, owner Owner, plan network.ClaimPlan) error {
	key := types.NamespacedName{Namespace: owner.Object.GetNamespace(), Name: plan.Name}
	live := &ipamv1.IPAddressClaim{}
	err := c.Client.Get(ctx, key, live)
	switch {
	case apierrors.IsNotFound(err):
		live = nil
	case err != nil:
		return fmt.Errorf("get IPAddressClaim %s: %w", key, err)
	case !live.DeletionTimestamp.IsZero():
		// Nothing may be added to it any more.
		return nil
	case c.isComplete(live, owner, plan):
		return nil
	}
	if err := c.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(c.wanted(owner, plan, live)), c.FieldOwner, client.ForceOwnership); err != nil {
		return fmt.Errorf("apply IPAddressClaim %s for pool %s: %w", key, plan.Pool, err)
	}
	return nil
}

// isComplete tells whether a claim says everything that Ensure would write.
func (c Claims) isComplete(live *ipamv1.IPAddressClaim, owner Owner, plan network.ClaimPlan) bool {
	controller := metav1.GetControllerOf(live)
	return controller != nil && controller.UID == owner.Object.GetUID() && ptr.Deref(controller.BlockOwnerDeletion, false) &&
		controllerutil.ContainsFinalizer(live, c.Finalizer) &&
		live.Labels[AttachmentLabel] == plan.Attachment && live.Labels[FamilyLabel] == string(plan.Family) &&
		live.Labels[clusterv1.ClusterNameLabel] == owner.ClusterName &&
		(live.Spec.ClusterName == owner.ClusterName || live.Spec.ClusterName != "")
}

// wanted is what Ensure applies. The pool of a claim that exists stays what it is.
func (c Claims) wanted(owner Owner, plan network.ClaimPlan, live *ipamv1.IPAddressClaim) *unstructured.Unstructured {
	pool := plan.Pool
	clusterName := owner.ClusterName
	if live != nil {
		pool = poolOf(live.Spec.PoolRef)
		if live.Spec.ClusterName != "" {
			clusterName = live.Spec.ClusterName
		}
	}
	spec := map[string]any{"poolRef": map[string]any{"apiGroup": pool.APIGroup, "kind": pool.Kind, "name": pool.Name}}
	if clusterName != "" {
		spec["clusterName"] = clusterName
	}
	claim := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	claim.SetGroupVersionKind(ipamv1.GroupVersion.WithKind("IPAddressClaim"))
	claim.SetNamespace(owner.Object.GetNamespace())
	claim.SetName(plan.Name)
	claim.SetFinalizers([]string{c.Finalizer})
	labels := map[string]string{AttachmentLabel: plan.Attachment, FamilyLabel: string(plan.Family)}
	if owner.ClusterName != "" {
		labels[clusterv1.ClusterNameLabel] = owner.ClusterName
	}
	claim.SetLabels(labels)
	claim.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(owner.Object, owner.GVK)})
	return claim
}

// Hold keeps the address of a claim from disappearing while the owner may use it.
func (c Claims) Hold(ctx context.Context, owner Owner, claim network.Claim) error {
	live := &ipamv1.IPAddressClaim{}
	key := types.NamespacedName{Namespace: owner.Object.GetNamespace(), Name: claim.Name}
	if err := c.Client.Get(ctx, key, live); err != nil {
		return client.IgnoreNotFound(err)
	}
	address, err := c.addressOf(ctx, live)
	if err != nil || address == nil || !address.DeletionTimestamp.IsZero() || controllerutil.ContainsFinalizer(address, c.Finalizer) {
		return err
	}
	before := address.DeepCopy()
	controllerutil.AddFinalizer(address, c.Finalizer)
	return c.patch(ctx, before, address)
}

// patch writes the finalizers of an object, unless somebody else changed it meanwhile.
func (c Claims) patch(ctx context.Context, before, after client.Object) error {
	if err := c.Client.Patch(ctx, after, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("patch the finalizers of %T %s: %w", after, klog.KObj(after), err)
	}
	return nil
}
