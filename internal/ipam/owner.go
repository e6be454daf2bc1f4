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
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Owner is what claims belong to.
type Owner struct {
	Object client.Object
	GVK    schema.GroupVersionKind
	// ClusterName is the name of the Cluster that the owner belongs to; empty if to none.
	ClusterName string
}

func (o Owner) key(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: o.Object.GetNamespace(), Name: name}
}

func (o Owner) controllerRef() *metav1.OwnerReference {
	return metav1.NewControllerRef(o.Object, o.GVK)
}

// controls tells whether an object of the owner's namespace has the owner as its controller. The reference is compared by
// group, kind and name, whatever its version and UID: those of a claim that was made by the v1alpha1 provider, or
// restored from a backup, can be of former days, and at most one object of a kind has a name at a time.
func (o Owner) controls(object metav1.Object) bool {
	kind, name, found := controllerOf(object)
	return found && kind == o.GVK.GroupKind() && name == o.Object.GetName()
}

// controllerOf is the kind and name of an object's controller.
func controllerOf(object metav1.Object) (schema.GroupKind, string, bool) {
	controller := metav1.GetControllerOfNoCopy(object)
	if controller == nil {
		return schema.GroupKind{}, "", false
	}
	version, err := schema.ParseGroupVersion(controller.APIVersion)
	if err != nil {
		return schema.GroupKind{}, "", false
	}
	return schema.GroupKind{Group: version.Group, Kind: controller.Kind}, controller.Name, true
}

// owned lists the claims that the owner controls, from the cache.
func (c Claims) owned(ctx context.Context, owner Owner) ([]ipamv1.IPAddressClaim, error) {
	return listOwned(ctx, c.Client, owner, client.MatchingFields{controllerIndex: controllerKey(owner.GVK.GroupKind(), owner.Object.GetName())})
}

func listOwned(ctx context.Context, reader client.Reader, owner Owner, options ...client.ListOption) ([]ipamv1.IPAddressClaim, error) {
	list := &ipamv1.IPAddressClaimList{}
	if err := reader.List(ctx, list, append(options, client.InNamespace(owner.Object.GetNamespace()))...); err != nil {
		return nil, fmt.Errorf("list the IPAddressClaims of %s %s: %w", owner.GVK.Kind, klog.KObj(owner.Object), err)
	}
	return slices.DeleteFunc(list.Items, func(claim ipamv1.IPAddressClaim) bool { return !owner.controls(&claim) }), nil
}

// takeOver replaces a claim's reference to a former incarnation of the owner. An apply cannot do that: owner references are
// told apart by their UID, so that it would add a second controller.
func (c Claims) takeOver(ctx context.Context, claim *ipamv1.IPAddressClaim, owner Owner) error {
	before := claim.DeepCopy()
	claim.OwnerReferences = slices.DeleteFunc(claim.OwnerReferences, func(ref metav1.OwnerReference) bool { return ptr.Deref(ref.Controller, false) })
	claim.OwnerReferences = append(claim.OwnerReferences, *owner.controllerRef())
	if err := c.patch(ctx, before, claim); err != nil {
		return fmt.Errorf("take over IPAddressClaim %s: %w", klog.KObj(claim), err)
	}
	return nil
}
