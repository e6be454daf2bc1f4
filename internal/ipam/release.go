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
	"k8s.io/klog/v2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ReleaseAll releases every claim that the owner controls, and returns those that still exist.
func (c Claims) ReleaseAll(ctx context.Context, owner Owner) ([]string, error) {
	claims, err := c.owned(ctx, owner)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(claims))
	for i := range claims {
		names = append(names, claims[i].Name)
	}
	return c.Release(ctx, owner, names...)
}

// Release releases the claims of the given names that the owner controls, and returns those that still exist: their
// deletion is finished by the provider of their pool. It can be repeated, and go on from wherever it was broken off.
func (c Claims) Release(ctx context.Context, owner Owner, names ...string) ([]string, error) {
	var remaining []string
	var errs []error
	for _, name := range names {
		exists, err := c.release(ctx, owner, name)
		errs = append(errs, err)
		if exists {
			remaining = append(remaining, name)
		}
	}
	slices.Sort(remaining)
	return remaining, errors.Join(errs...)
}

// release deletes a claim first and lets go of it and of its address then, so that a break in between leaves nothing
// that would be missed the next time.
func (c Claims) release(ctx context.Context, owner Owner, name string) (bool, error) {
	claim := &ipamv1.IPAddressClaim{}
	key := types.NamespacedName{Namespace: owner.Object.GetNamespace(), Name: name}
	if err := c.Client.Get(ctx, key, claim); err != nil {
		return false, client.IgnoreNotFound(err)
	}
	if !isOwned(claim, owner) {
		return false, nil
	}
	if claim.DeletionTimestamp.IsZero() {
		// The claim that was looked at is the one that is deleted.
		err := c.Client.Delete(ctx, claim, client.Preconditions{UID: &claim.UID})
		if client.IgnoreNotFound(err) != nil {
			return true, fmt.Errorf("delete IPAddressClaim %s: %w", key, err)
		}
	}
	address, err := c.addressOf(ctx, claim)
	if err != nil {
		return true, err
	}
	if address != nil && address.Spec.ClaimRef.Name == claim.Name {
		if err := c.letGo(ctx, address); err != nil {
			return true, err
		}
	}
	if err := c.letGo(ctx, claim); err != nil {
		return true, err
	}
	return true, nil
}

// letGo takes our finalizer off an object.
func (c Claims) letGo(ctx context.Context, object client.Object) error {
	if !controllerutil.ContainsFinalizer(object, c.Finalizer) {
		return nil
	}
	before, isObject := object.DeepCopyObject().(client.Object)
	if !isObject {
		return fmt.Errorf("copy %T %s: no object", object, klog.KObj(object))
	}
	controllerutil.RemoveFinalizer(object, c.Finalizer)
	err := c.patch(ctx, before, object)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
