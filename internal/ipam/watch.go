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
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	// controllerIndex finds claims by the kind and name of their controller.
	controllerIndex = "metadata.controller"
	// claimIndex finds addresses by the name of the claim that they were made for.
	claimIndex = "spec.claimRef.name"
)

// SetupIndexes adds the indexes that Claims reads by to the cache of a manager.
func SetupIndexes(ctx context.Context, mgr ctrl.Manager) error {
	if err := mgr.GetFieldIndexer().IndexField(ctx, &ipamv1.IPAddressClaim{}, controllerIndex, indexController); err != nil {
		return fmt.Errorf("index IPAddressClaims by controller: %w", err)
	}
	if err := mgr.GetFieldIndexer().IndexField(ctx, &ipamv1.IPAddress{}, claimIndex, indexClaim); err != nil {
		return fmt.Errorf("index IPAddresses by claim: %w", err)
	}
	return nil
}

func indexController(object client.Object) []string {
	kind, name, found := controllerOf(object)
	if !found {
		return nil
	}
	return []string{controllerKey(kind, name)}
}

func indexClaim(object client.Object) []string {
	address, isAddress := object.(*ipamv1.IPAddress)
	if !isAddress {
		return nil
	}
	return []string{address.Spec.ClaimRef.Name}
}

func controllerKey(kind schema.GroupKind, name string) string { return kind.String() + "/" + name }

// ClaimToOwner maps a claim to its owner of the given kind.
func ClaimToOwner(kind schema.GroupKind) handler.MapFunc {
	return func(_ context.Context, object client.Object) []reconcile.Request {
		return ownerRequest(object, kind)
	}
}

// AddressToOwner maps an address to the owner, of the given kind, of the claim that it was made for.
func (c Claims) AddressToOwner(kind schema.GroupKind) handler.MapFunc {
	return func(ctx context.Context, object client.Object) []reconcile.Request {
		address, isAddress := object.(*ipamv1.IPAddress)
		if !isAddress {
			return nil
		}
		claim, err := readClaim(ctx, c.Client, types.NamespacedName{Namespace: address.Namespace, Name: address.Spec.ClaimRef.Name})
		if err != nil || claim == nil {
			// Without a claim, nobody waits for the address. When the claim comes, it wakes its owner itself.
			return nil
		}
		return ownerRequest(claim, kind)
	}
}

func ownerRequest(object client.Object, kind schema.GroupKind) []reconcile.Request {
	controllerKind, name, found := controllerOf(object)
	if !found || controllerKind != kind {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: object.GetNamespace(), Name: name}}}
}
