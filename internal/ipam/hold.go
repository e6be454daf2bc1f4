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
	"net/netip"

	"k8s.io/klog/v2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// Hold puts our finalizer on the address that a claim of the owner was observed to hold, so that the address stays reserved
// though somebody deletes it. Nothing is written when it is there, and when the address was observed as being deleted: nothing can
// be added to it then. After an error the address must not be given to anything: it may not be the claim's any more.
func (c Claims) Hold(ctx context.Context, owner Owner, claim network.Claim) error {
	live, err := readClaim(ctx, c.Client, owner.key(claim.Name))
	if err != nil {
		return err
	}
	if live == nil || !owner.controls(live) || live.Status.AddressRef.Name == "" {
		return fmt.Errorf("hold address %s: IPAddressClaim %s changed meanwhile", claim.Address, owner.key(claim.Name))
	}
	key := owner.key(live.Status.AddressRef.Name)
	address, err := readAddress(ctx, c.Client, key)
	if err != nil {
		return err
	}
	if address != nil && holds(live, address, claim.Address) && (controllerutil.ContainsFinalizer(address, c.Finalizer) || !address.DeletionTimestamp.IsZero()) {
		return nil
	}
	// Its provider has just written it, probably more than once: the cache may be behind, and the patch refused.
	if address, err = readAddress(ctx, c.APIReader, key); err != nil {
		return err
	}
	if address == nil || !address.DeletionTimestamp.IsZero() || !holds(live, address, claim.Address) {
		return fmt.Errorf("hold address %s: IPAddress %s changed meanwhile", claim.Address, key)
	}
	before := address.DeepCopy()
	if !controllerutil.AddFinalizer(address, c.Finalizer) {
		return nil
	}
	ctrl.LoggerFrom(ctx).V(4).Info("Holding address", "IPAddress", klog.KObj(address))
	if err := c.patch(ctx, before, address); err != nil {
		return fmt.Errorf("add finalizer to IPAddress %s: %w", key, err)
	}
	return nil
}

// holds tells whether a claim holds an address by an object.
func holds(claim *ipamv1.IPAddressClaim, object *ipamv1.IPAddress, address netip.Addr) bool {
	value, conflict := valueOf(object)
	return conflict == "" && conflictOf(claim, object) == "" && value.address == address
}
