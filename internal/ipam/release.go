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

package ipam

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"k8s.io/klog/v2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ReleaseAll releases every claim that the owner controls, and returns those that still exist, sorted. Once it returns
// none, there is none, in the cache or out of it: the owner may go.
//
// Recorded are the names of claims that the owner remembers. They matter for a claim that somebody tore away by taking
// its finalizers off: its address carries ours still, and is found by the claim's name only.
func (c Claims) ReleaseAll(ctx context.Context, owner Owner, recorded ...string) ([]string, error) {
	cached, err := c.owned(ctx, owner)
	if err != nil {
		return nil, err
	}
	remaining, err := c.Release(ctx, owner, append(claimNames(cached), recorded...)...)
	if err != nil || len(remaining) > 0 {
		return remaining, err
	}
	// A claim that was made a moment ago may not be in the cache. It has our labels.
	var labels client.MatchingLabels
	if owner.ClusterName != "" {
		labels = client.MatchingLabels{clusterv1.ClusterNameLabel: owner.ClusterName}
	}
	live, err := listOwned(ctx, c.APIReader, owner, labels)
	if err != nil {
		return nil, err
	}
	return c.Release(ctx, owner, claimNames(live)...)
}

func claimNames(claims []ipamv1.IPAddressClaim) []string {
	names := make([]string, 0, len(claims))
	for i := range claims {
		names = append(names, claims[i].Name)
	}
	return names
}

// Release releases the claims of the given names, if the owner controls them, and returns those that still exist, sorted:
// their deletion is finished by the provider of their pool. It can be repeated, and goes on from wherever it was broken off.
func (c Claims) Release(ctx context.Context, owner Owner, names ...string) ([]string, error) {
	names = slices.Clone(names)
	slices.Sort(names)
	var remaining []string
	var errs []error
	for _, name := range slices.Compact(names) {
		gone, err := c.release(ctx, owner, name)
		if err != nil {
			errs = append(errs, fmt.Errorf("release IPAddressClaim %s: %w", owner.key(name), err))
		}
		if !gone {
			remaining = append(remaining, name)
		}
	}
	return remaining, errors.Join(errs...)
}

// release deletes a claim first, then lets go of its address, and of the claim last: the claim, by which all is found,
// is there until nothing else is left to do. It tells whether the owner's claim is gone.
func (c Claims) release(ctx context.Context, owner Owner, name string) (bool, error) {
	key := owner.key(name)
	claim, err := readClaim(ctx, c.APIReader, key)
	if err != nil {
		return false, err
	}
	if claim != nil && !owner.controls(claim) {
		return true, nil
	}
	if claim != nil && claim.DeletionTimestamp.IsZero() {
		ctrl.LoggerFrom(ctx).Info("Deleting claim", "IPAddressClaim", klog.KObj(claim))
		// The claim that was looked at is the one that is deleted.
		if err := c.Client.Delete(ctx, claim, client.Preconditions{UID: &claim.UID}); err != nil && !apierrors.IsNotFound(err) {
			return false, fmt.Errorf("delete: %w", err)
		}
	}
	if err := c.letGoOfAddresses(ctx, key, claim); err != nil {
		return false, err
	}
	if claim == nil {
		return true, nil
	}
	return c.letGo(ctx, func() (client.Object, error) {
		again, err := readClaim(ctx, c.APIReader, key)
		if err != nil || again == nil || again.UID != claim.UID {
			return nil, err
		}
		return again, nil
	})
}

// letGoOfAddresses lets go of every address that was made for a claim: the one that it refers to, and any that it
// referred to before or that outlived it.
func (c Claims) letGoOfAddresses(ctx context.Context, key types.NamespacedName, claim *ipamv1.IPAddressClaim) error {
	list := &ipamv1.IPAddressList{}
	if err := c.Client.List(ctx, list, client.InNamespace(key.Namespace), client.MatchingFields{claimIndex: key.Name}); err != nil {
		return fmt.Errorf("list its IPAddresses: %w", err)
	}
	var names []string
	for i := range list.Items {
		names = append(names, list.Items[i].Name)
	}
	if claim != nil && claim.Status.AddressRef.Name != "" {
		names = append(names, claim.Status.AddressRef.Name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		_, err := c.letGo(ctx, func() (client.Object, error) {
			address, err := readAddress(ctx, c.APIReader, types.NamespacedName{Namespace: key.Namespace, Name: name})
			if err != nil || address == nil || address.Spec.ClaimRef.Name != key.Name {
				return nil, err
			}
			return address, nil
		})
		if err != nil {
			return fmt.Errorf("IPAddress %s: %w", name, err)
		}
	}
	return nil
}

// letGo takes our finalizer off the object that read returns, nil if there is nothing to let go of. It reads again when somebody
// else, as the provider of the pool may, writes at the same time. It tells whether there is no object any more.
func (c Claims) letGo(ctx context.Context, read func() (client.Object, error)) (bool, error) {
	gone := false
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		object, err := read()
		if err != nil {
			return err
		}
		if object == nil {
			gone = true
			return nil
		}
		before, _ := object.DeepCopyObject().(client.Object)
		if !controllerutil.RemoveFinalizer(object, c.Finalizer) {
			return nil
		}
		if err := c.patch(ctx, before, object); err != nil {
			return fmt.Errorf("remove finalizer: %w", err)
		}
		// The last finalizer of an object that is being deleted takes it along.
		gone = !object.GetDeletionTimestamp().IsZero() && len(object.GetFinalizers()) == 0
		return nil
	})
	if apierrors.IsNotFound(err) {
		return true, nil
	}
	return gone, err
}
