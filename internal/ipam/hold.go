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

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// Hold puts our finalizer on the address that a claim of the owner holds, so that the address stays reserved though somebody
// deletes it. Nothing is written when it is there, when the address is not believed, and when it is being deleted already.
func (c Claims) Hold(ctx context.Context, owner Owner, claim network.Claim) error {
	live, err := readClaim(ctx, c.Client, owner.key(claim.Name))
	if err != nil {
		return err
	}
	if live == nil || !owner.controls(live) || live.Status.AddressRef.Name == "" {
		return nil
	}
	key := owner.key(live.Status.AddressRef.Name)
	address, err := readAddress(ctx, c.Client, key)
	if err != nil || address == nil || controllerutil.ContainsFinalizer(address, c.Finalizer) {
		return err
	}
	// Its provider has just written it, probably more than once: the cache may be behind, and the patch refused.
	if address, err = readAddress(ctx, c.APIReader, key); err != nil || address == nil {
		return err
	}
	if !address.DeletionTimestamp.IsZero() || conflictOf(live, address) != "" {
		return nil
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
