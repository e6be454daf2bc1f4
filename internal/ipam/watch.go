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

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// controllerIndex finds claims by the kind and name of their controller.
const controllerIndex = "metadata.controller"

// SetupIndexes adds the indexes that Claims reads by to the cache of a manager.
func SetupIndexes(ctx context.Context, mgr ctrl.Manager) error {
	if err := mgr.GetFieldIndexer().IndexField(ctx, &ipamv1.IPAddressClaim{}, controllerIndex, indexController); err != nil {
		return fmt.Errorf("index IPAddressClaims by controller: %w", err)
	}
	return nil
}

func indexController(object client.Object) []string {
	controller := metav1.GetControllerOf(object)
	if controller == nil {
		return nil
	}
	group, err := schema.ParseGroupVersion(controller.APIVersion)
	if err != nil {
		return nil
	}
	return []string{controllerKey(schema.GroupKind{Group: group.Group, Kind: controller.Kind}, controller.Name)}
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
		claim := &ipamv1.IPAddressClaim{}
		if err := c.Client.Get(ctx, types.NamespacedName{Namespace: address.Namespace, Name: address.Spec.ClaimRef.Name}, claim); err != nil {
			// Without a claim, nobody waits for the address.
			return nil
		}
		return ownerRequest(claim, kind)
	}
}

func ownerRequest(object client.Object, kind schema.GroupKind) []reconcile.Request {
	controller := metav1.GetControllerOf(object)
	if controller == nil {
		return nil
	}
	group, err := schema.ParseGroupVersion(controller.APIVersion)
	if err != nil || group.Group != kind.Group || controller.Kind != kind.Kind {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: object.GetNamespace(), Name: controller.Name}}}
}
