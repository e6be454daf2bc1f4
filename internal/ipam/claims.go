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

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
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

// Claims makes and releases claims.
type Claims struct {
	// Client reads from the cache, with the indexes of SetupIndexes, and writes to the API server.
	Client client.Client
	// APIReader reads past the cache. It is used where a claim or an address must not be missed because the cache does not
	// know it yet, and never for an owner that is settled.
	APIReader client.Reader
	// FieldOwner is who claims are applied as.
	FieldOwner client.FieldOwner
	// Finalizer is put on a claim and on its address while the owner may use the address. A claim or an address that is
	// deleted by hand stays that way, and the address reserved.
	Finalizer string
}

// Observe returns the claims that the owner controls, and those of the given names, each resolved to its address. It
// is sorted by name. Everything is read from the cache.
func (c Claims) Observe(ctx context.Context, owner Owner, names []string) ([]network.Claim, error) {
	claims, err := c.owned(ctx, owner)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if slices.ContainsFunc(claims, func(claim ipamv1.IPAddressClaim) bool { return claim.Name == name }) {
			continue
		}
		claim, err := readClaim(ctx, c.Client, owner.key(name))
		if err != nil {
			return nil, err
		}
		if claim != nil {
			claims = append(claims, *claim)
		}
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

// Ensure makes the claim of a plan, or completes the metadata of one that the owner controls already, under whatever name.
// The spec of a claim that exists is left alone: Cluster API refuses changes to it. Nothing is written when there is nothing to change,
// and nothing to a claim that is being deleted. A claim that the owner does not control is an error.
func (c Claims) Ensure(ctx context.Context, owner Owner, plan network.ClaimPlan) error {
	key := owner.key(plan.Name)
	live, err := readClaim(ctx, c.Client, key)
	if err != nil {
		return err
	}
	if live == nil {
		// The cache may be late, and applying to a claim that somebody else made meanwhile would take it over.
		if live, err = readClaim(ctx, c.APIReader, key); err != nil {
			return err
		}
	}
	if live == nil {
		return c.apply(ctx, c.newClaim(owner, plan))
	}
	switch {
	case !owner.controls(live):
		return fmt.Errorf("use IPAddressClaim %s for network %q: %s %s does not control it", key, plan.Attachment, owner.GVK.Kind, owner.Object.GetName())
	case !live.DeletionTimestamp.IsZero(), c.isComplete(live, owner, plan):
		return nil
	}
	if metav1.GetControllerOf(live).UID != owner.Object.GetUID() {
		if err := c.takeOver(ctx, live, owner); err != nil {
			return err
		}
	}
	return c.apply(ctx, c.completed(live, owner, plan), client.ForceOwnership)
}

// isComplete tells whether a claim's metadata says everything that Ensure would write.
func (c Claims) isComplete(live *ipamv1.IPAddressClaim, owner Owner, plan network.ClaimPlan) bool {
	for label, value := range claimLabels(owner, plan) {
		if live.Labels[label] != value {
			return false
		}
	}
	return controllerutil.ContainsFinalizer(live, c.Finalizer) &&
		equality.Semantic.DeepEqual(metav1.GetControllerOf(live), owner.controllerRef())
}

// newClaim is what is applied to make a claim.
func (c Claims) newClaim(owner Owner, plan network.ClaimPlan) *unstructured.Unstructured {
	return c.claim(owner, plan, plan.Pool, owner.ClusterName)
}

// completed is what is applied to a claim that exists. What the spec says is repeated, because what is not repeated is removed
// from a claim that was made by an apply. The UID keeps the apply from making the claim anew if it is gone by now.
func (c Claims) completed(live *ipamv1.IPAddressClaim, owner Owner, plan network.ClaimPlan) *unstructured.Unstructured {
	claim := c.claim(owner, plan, poolOf(live.Spec.PoolRef), live.Spec.ClusterName)
	claim.SetUID(live.UID)
	return claim
}

func (c Claims) claim(owner Owner, plan network.ClaimPlan, pool network.PoolRef, clusterName string) *unstructured.Unstructured {
	spec := map[string]any{"poolRef": map[string]any{"apiGroup": pool.APIGroup, "kind": pool.Kind, "name": pool.Name}}
	if clusterName != "" {
		spec["clusterName"] = clusterName
	}
	claim := &unstructured.Unstructured{Object: map[string]any{"spec": spec}}
	claim.SetGroupVersionKind(ipamv1.GroupVersion.WithKind("IPAddressClaim"))
	claim.SetNamespace(owner.Object.GetNamespace())
	claim.SetName(plan.Name)
	claim.SetFinalizers([]string{c.Finalizer})
	claim.SetLabels(claimLabels(owner, plan))
	claim.SetOwnerReferences([]metav1.OwnerReference{*owner.controllerRef()})
	return claim
}

func claimLabels(owner Owner, plan network.ClaimPlan) map[string]string {
	labels := map[string]string{AttachmentLabel: plan.Attachment, FamilyLabel: string(plan.Family)}
	if owner.ClusterName != "" {
		labels[clusterv1.ClusterNameLabel] = owner.ClusterName
	}
	return labels
}

func (c Claims) apply(ctx context.Context, claim *unstructured.Unstructured, options ...client.ApplyOption) error {
	options = append(options, c.FieldOwner)
	if err := c.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(claim), options...); err != nil {
		return fmt.Errorf("apply IPAddressClaim %s: %w", klog.KObj(claim), err)
	}
	return nil
}

// patch writes the metadata of an object that others write too, unless one of them did so meanwhile.
func (c Claims) patch(ctx context.Context, before, after client.Object) error {
	return c.Client.Patch(ctx, after, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), c.FieldOwner)
}

// readClaim returns a claim; nil if there is none of that name.
func readClaim(ctx context.Context, reader client.Reader, key types.NamespacedName) (*ipamv1.IPAddressClaim, error) {
	claim := &ipamv1.IPAddressClaim{}
	if err := reader.Get(ctx, key, claim); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		return nil, fmt.Errorf("get IPAddressClaim %s: %w", key, err)
	}
	return claim, nil
}

// readAddress returns an address; nil if there is none of that name.
func readAddress(ctx context.Context, reader client.Reader, key types.NamespacedName) (*ipamv1.IPAddress, error) {
	address := &ipamv1.IPAddress{}
	if err := reader.Get(ctx, key, address); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		return nil, fmt.Errorf("get IPAddress %s: %w", key, err)
	}
	return address, nil
}
