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

package poolstandin

import (
	"context"
	"fmt"
	"net/netip"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util/annotations"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// clusterName is the cluster that a claim belongs to, by its field or by the older label.
func clusterName(claim *ipamv1.IPAddressClaim) string {
	if claim.Spec.ClusterName != "" {
		return claim.Spec.ClusterName
	}
	return claim.Labels[clusterv1.ClusterNameLabel]
}

// skip says whether a claim must be left alone: it or its cluster is paused, or its cluster does not exist yet. A claim
// that outlived its cluster is released all the same.
func (f *Fulfiller) skip(ctx context.Context, claim *ipamv1.IPAddressClaim) (bool, error) {
	name := clusterName(claim)
	if name == "" {
		return annotations.HasPaused(claim), nil
	}
	cluster := &clusterv1.Cluster{}
	err := f.live.Get(ctx, client.ObjectKey{Namespace: claim.Namespace, Name: name}, cluster)
	if apierrors.IsNotFound(err) {
		return claim.DeletionTimestamp.IsZero() || annotations.HasPaused(claim), nil
	}
	if err != nil {
		return false, fmt.Errorf("get cluster of claim %s/%s: %w", claim.Namespace, claim.Name, err)
	}
	return annotations.IsPaused(cluster, claim) || annotations.HasPaused(cluster), nil
}

// keep puts the finalizer on a claim that is about to get an address.
func (f *Fulfiller) keep(ctx context.Context, claim *ipamv1.IPAddressClaim) error {
	before := claim.DeepCopy()
	if !controllerutil.AddFinalizer(claim, ClaimFinalizer) {
		return nil
	}
	if err := f.client.Patch(ctx, claim, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("add finalizer to claim %s/%s: %w", claim.Namespace, claim.Name, err)
	}
	return nil
}

// release deletes the address of a claim that is being deleted, and lets the claim go. The address may stay for as long as
// somebody else's finalizer keeps it; until then it is in use.
func (f *Fulfiller) release(ctx context.Context, claim *ipamv1.IPAddressClaim) error {
	address := &ipamv1.IPAddress{}
	err := f.live.Get(ctx, client.ObjectKeyFromObject(claim), address)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("get address of claim %s/%s: %w", claim.Namespace, claim.Name, err)
	}
	if err == nil && metav1.IsControlledBy(address, claim) {
		if err := f.releaseAddress(ctx, address); err != nil {
			return err
		}
	}
	before := claim.DeepCopy()
	if !controllerutil.RemoveFinalizer(claim, ClaimFinalizer) {
		return nil
	}
	err = f.client.Patch(ctx, claim, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("remove finalizer from claim %s/%s: %w", claim.Namespace, claim.Name, err)
	}
	return nil
}

func (f *Fulfiller) releaseAddress(ctx context.Context, address *ipamv1.IPAddress) error {
	before := address.DeepCopy()
	if controllerutil.RemoveFinalizer(address, AddressFinalizer) {
		err := f.client.Patch(ctx, address, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
		if client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("remove finalizer from address %s/%s: %w", address.Namespace, address.Name, err)
		}
	}
	if !address.DeletionTimestamp.IsZero() {
		return nil
	}
	err := f.client.Delete(ctx, address, client.Preconditions{UID: &address.UID})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("delete address %s/%s: %w", address.Namespace, address.Name, err)
	}
	return nil
}

func newAddress(claim *ipamv1.IPAddressClaim, pool *unstructured.Unstructured, subnet subnet, addr netip.Addr) *ipamv1.IPAddress {
	address := &ipamv1.IPAddress{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:  claim.Namespace,
			Name:       claim.Name,
			Finalizers: []string{AddressFinalizer},
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(claim, ipamv1.GroupVersion.WithKind("IPAddressClaim")),
				{
					APIVersion:         pool.GetAPIVersion(),
					Kind:               pool.GetKind(),
					Name:               pool.GetName(),
					UID:                pool.GetUID(),
					Controller:         ptr.To(false),
					BlockOwnerDeletion: ptr.To(true),
				},
			},
		},
		Spec: ipamv1.IPAddressSpec{
			ClaimRef: ipamv1.IPAddressClaimReference{Name: claim.Name},
			PoolRef:  claim.Spec.PoolRef,
			Address:  addr.String(),
			Prefix:   ptr.To(int32(subnet.prefix)),
		},
	}
	if subnet.gateway.IsValid() {
		address.Spec.Gateway = subnet.gateway.String()
	}
	if name := clusterName(claim); name != "" {
		address.Labels = map[string]string{clusterv1.ClusterNameLabel: name}
	}
	return address
}

// report writes a claim's status, if it says something new.
func (f *Fulfiller) report(ctx context.Context, claim *ipamv1.IPAddressClaim, addressName string, condition metav1.Condition) error {
	before := claim.DeepCopy()
	claim.Status.AddressRef.Name = addressName
	conditions.Set(claim, condition)
	if equality.Semantic.DeepEqual(before.Status, claim.Status) {
		return nil
	}
	if err := f.client.Status().Patch(ctx, claim, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("write status of claim %s/%s: %w", claim.Namespace, claim.Name, err)
	}
	return nil
}

func ready() metav1.Condition {
	return metav1.Condition{Type: ipamv1.IPAddressClaimReadyCondition, Status: metav1.ConditionTrue, Reason: clusterv1.ReadyReason}
}

func notReady(reason, format string, args ...any) metav1.Condition {
	return metav1.Condition{
		Type: ipamv1.IPAddressClaimReadyCondition, Status: metav1.ConditionFalse, Reason: reason, Message: fmt.Sprintf(format, args...),
	}
}
