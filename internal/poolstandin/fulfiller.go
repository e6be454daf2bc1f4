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

// Package poolstandin stands in for the in-cluster IPAM provider in tests and demos. It follows the IPAM contract of
// Cluster API for the kinds InClusterIPPool and GlobalInClusterIPPool, and does nothing besides: no status of the pools, no
// protection of a pool in use, no webhooks, no metrics. It is not for production; users install the real provider.
package poolstandin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// poolsAtATime is how many pools are worked on at a time. One pool is never worked on twice at once.
const poolsAtATime = 8

const (
	// ClaimFinalizer keeps a claim until its address is given back.
	ClaimFinalizer = "ipam.cluster.x-k8s.io/pool-stand-in-release-address"
	// AddressFinalizer keeps an address that a claim uses.
	AddressFinalizer = "ipam.cluster.x-k8s.io/pool-stand-in-protect-address"
)

// pool identifies a pool. Its claims are worked on together, so that they are served in order.
type pool struct {
	kind      string
	namespace string // Empty for a global pool.
	name      string
}

// Fulfiller gives addresses to the claims that name a stand-in pool.
type Fulfiller struct {
	client client.Client
	// live reads past the cache: an address that was just made must be seen.
	live client.Reader
}

// SetupWithManager adds a fulfiller to a manager whose scheme knows Cluster API's core and IPAM kinds in v1beta2.
func SetupWithManager(mgr ctrl.Manager) error {
	f := &Fulfiller{client: mgr.GetClient(), live: mgr.GetAPIReader()}
	b := builder.TypedControllerManagedBy[pool](mgr).
		Named("pool-stand-in").
		Watches(&ipamv1.IPAddressClaim{}, handler.TypedEnqueueRequestsFromMapFunc(claimToPool)).
		Watches(&ipamv1.IPAddress{}, handler.TypedEnqueueRequestsFromMapFunc(addressToPool)).
		Watches(&clusterv1.Cluster{}, handler.TypedEnqueueRequestsFromMapFunc(f.clusterToPools)).
		WithOptions(controller.TypedOptions[pool]{MaxConcurrentReconciles: poolsAtATime})
	for _, kind := range []string{InClusterIPPoolKind, GlobalInClusterIPPoolKind} {
		object := &unstructured.Unstructured{}
		object.SetGroupVersionKind(GroupVersion.WithKind(kind))
		b = b.Watches(object, handler.TypedEnqueueRequestsFromMapFunc(objectToPool))
	}
	if err := b.Complete(f); err != nil {
		return fmt.Errorf("set up the pool stand-in: %w", err)
	}
	return nil
}

func poolOf(ref ipamv1.IPPoolReference, namespace string) []pool {
	if ref.APIGroup != GroupVersion.Group {
		return nil
	}
	switch ref.Kind {
	case InClusterIPPoolKind:
		return []pool{{kind: ref.Kind, namespace: namespace, name: ref.Name}}
	case GlobalInClusterIPPoolKind:
		return []pool{{kind: ref.Kind, name: ref.Name}}
	}
	return nil
}

func claimToPool(_ context.Context, object client.Object) []pool {
	return poolOf(object.(*ipamv1.IPAddressClaim).Spec.PoolRef, object.GetNamespace())
}

func addressToPool(_ context.Context, object client.Object) []pool {
	return poolOf(object.(*ipamv1.IPAddress).Spec.PoolRef, object.GetNamespace())
}

func objectToPool(_ context.Context, object client.Object) []pool {
	return []pool{{kind: object.GetObjectKind().GroupVersionKind().Kind, namespace: object.GetNamespace(), name: object.GetName()}}
}

func (f *Fulfiller) clusterToPools(ctx context.Context, object client.Object) []pool {
	var claims ipamv1.IPAddressClaimList
	if err := f.client.List(ctx, &claims, client.InNamespace(object.GetNamespace())); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "Listing claims of a cluster")
		return nil
	}
	var pools []pool
	for i := range claims.Items {
		if clusterName(&claims.Items[i]) == object.GetName() {
			pools = append(pools, claimToPool(ctx, &claims.Items[i])...)
		}
	}
	return pools
}

// Reconcile gives back the addresses of the claims that are being deleted, and serves the others, the oldest first.
func (f *Fulfiller) Reconcile(ctx context.Context, p pool) (reconcile.Result, error) {
	claims, err := f.claims(ctx, p)
	if err != nil {
		return reconcile.Result{}, err
	}
	var active []*ipamv1.IPAddressClaim
	for _, claim := range claims {
		skip, err := f.skip(ctx, claim)
		switch {
		case err != nil:
			return reconcile.Result{}, err
		case skip:
		case claim.DeletionTimestamp.IsZero():
			active = append(active, claim)
		default:
			if err := f.release(ctx, claim); err != nil {
				return reconcile.Result{}, err
			}
		}
	}
	if len(active) == 0 {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{}, f.serve(ctx, p, active)
}

// claims returns the claims of a pool, the oldest first.
func (f *Fulfiller) claims(ctx context.Context, p pool) ([]*ipamv1.IPAddressClaim, error) {
	var list ipamv1.IPAddressClaimList
	if err := f.live.List(ctx, &list, client.InNamespace(p.namespace)); err != nil {
		return nil, fmt.Errorf("list claims of %s %s: %w", p.kind, p.name, err)
	}
	var claims []*ipamv1.IPAddressClaim
	for i := range list.Items {
		if slices.Contains(claimToPool(ctx, &list.Items[i]), p) {
			claims = append(claims, &list.Items[i])
		}
	}
	slices.SortFunc(claims, func(a, b *ipamv1.IPAddressClaim) int {
		return cmp.Or(
			a.CreationTimestamp.Compare(b.CreationTimestamp.Time),
			cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name),
		)
	})
	return claims, nil
}

// addresses returns the addresses of a pool by namespace and name, and which are used up: all that exist, those that are
// being deleted included.
func (f *Fulfiller) addresses(ctx context.Context, p pool) (map[client.ObjectKey]*ipamv1.IPAddress, map[netip.Addr]bool, error) {
	var list ipamv1.IPAddressList
	if err := f.live.List(ctx, &list, client.InNamespace(p.namespace)); err != nil {
		return nil, nil, fmt.Errorf("list addresses of %s %s: %w", p.kind, p.name, err)
	}
	existing := map[client.ObjectKey]*ipamv1.IPAddress{}
	used := map[netip.Addr]bool{}
	for i := range list.Items {
		address := &list.Items[i]
		existing[client.ObjectKeyFromObject(address)] = address
		if !slices.Contains(addressToPool(ctx, address), p) {
			continue
		}
		if addr, err := netip.ParseAddr(address.Spec.Address); err == nil {
			used[addr] = true
		}
	}
	return existing, used, nil
}

// serve gives every claim an address, or says why it has none.
func (f *Fulfiller) serve(ctx context.Context, p pool, claims []*ipamv1.IPAddressClaim) error {
	object, subnet, problem, err := f.pool(ctx, p)
	if err != nil {
		return err
	}
	existing, used, err := f.addresses(ctx, p)
	if err != nil {
		return err
	}
	var errs []error
	for _, claim := range claims {
		errs = append(errs, f.serveClaim(ctx, claim, object, subnet, problem, existing[client.ObjectKeyFromObject(claim)], used))
	}
	return errors.Join(errs...)
}

func (f *Fulfiller) serveClaim(ctx context.Context, claim *ipamv1.IPAddressClaim, object *unstructured.Unstructured, subnet subnet,
	problem *metav1.Condition, address *ipamv1.IPAddress, used map[netip.Addr]bool,
) error {
	if address != nil {
		if !metav1.IsControlledBy(address, claim) {
			return f.report(ctx, claim, "", notReady(ipamv1.IPAddressClaimReadyAllocationFailedReason,
				"IPAddress %s exists and belongs to something else", address.Name))
		}
		return f.report(ctx, claim, address.Name, ready())
	}
	if problem != nil {
		return f.report(ctx, claim, "", *problem)
	}
	addr, found := subnet.nextFree(used)
	if !found {
		return f.report(ctx, claim, "", notReady(ipamv1.IPAddressClaimReadyPoolExhaustedReason,
			"%s %s has no free address", object.GetKind(), object.GetName()))
	}
	if err := f.keep(ctx, claim); err != nil {
		return err
	}
	address = newAddress(claim, object, subnet, addr)
	if err := f.client.Create(ctx, address); err != nil {
		return fmt.Errorf("create IPAddress for claim %s/%s: %w", claim.Namespace, claim.Name, err)
	}
	used[addr] = true
	return f.report(ctx, claim, address.Name, ready())
}

// pool reads a pool. The condition that is returned says why it cannot be used.
func (f *Fulfiller) pool(ctx context.Context, p pool) (*unstructured.Unstructured, subnet, *metav1.Condition, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(GroupVersion.WithKind(p.kind))
	err := f.live.Get(ctx, client.ObjectKey{Namespace: p.namespace, Name: p.name}, object)
	if apierrors.IsNotFound(err) {
		problem := notReady(ipamv1.IPAddressClaimReadyPoolNotReadyReason, "%s %s does not exist", p.kind, p.name)
		return nil, subnet{}, &problem, nil
	}
	if err != nil {
		return nil, subnet{}, nil, fmt.Errorf("get %s %s: %w", p.kind, p.name, err)
	}
	if !object.GetDeletionTimestamp().IsZero() {
		problem := notReady(ipamv1.IPAddressClaimReadyPoolNotReadyReason, "%s %s is being deleted", p.kind, p.name)
		return object, subnet{}, &problem, nil
	}
	spec, err := poolSpec(object)
	if err != nil {
		return nil, subnet{}, nil, err
	}
	parsed, err := parse(spec)
	if err != nil {
		problem := notReady(ipamv1.IPAddressClaimReadyPoolNotReadyReason, "%s %s: %v", p.kind, p.name, err)
		return object, subnet{}, &problem, nil
	}
	return object, parsed, nil, nil
}
