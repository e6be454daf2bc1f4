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

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// resolve says what a claim is, and which address it holds. An address is believed only when the claim refers to it and
// it refers back to the claim and to the claim's pool: one that was restored from a backup, or made for another claim, is not.
func (c Claims) resolve(ctx context.Context, owner Owner, claim *ipamv1.IPAddressClaim) (network.Claim, error) {
	resolved := network.Claim{
		Name:       claim.Name,
		Attachment: claim.Labels[AttachmentLabel],
		Family:     network.Family(claim.Labels[FamilyLabel]),
		Pool:       poolOf(claim.Spec.PoolRef),
		Owned:      isOwned(claim, owner),
		Deleting:   !claim.DeletionTimestamp.IsZero(),
	}
	if controller := metav1.GetControllerOf(claim); controller != nil && !resolved.Owned {
		resolved.OtherOwner = controller.Kind + " " + controller.Name
	}
	name := claim.Status.AddressRef.Name
	if name == "" {
		resolved.Failure = failureOf(claim)
		return resolved, nil
	}
	address, err := c.addressOf(ctx, claim)
	if err != nil {
		return network.Claim{}, err
	}
	if address == nil {
		resolved.Conflict = fmt.Sprintf("IPAddress %q, which the claim refers to, does not exist", name)
		return resolved, nil
	}
	resolved.Deleting = resolved.Deleting || !address.DeletionTimestamp.IsZero()
	resolved.Conflict = conflictOf(claim, address)
	if resolved.Conflict != "" {
		return resolved, nil
	}
	if resolved.Address, err = netip.ParseAddr(address.Spec.Address); err != nil {
		resolved.Conflict = fmt.Sprintf("IPAddress %q holds %q, which is no address", name, address.Spec.Address)
		return resolved, nil
	}
	resolved.Bits = int(ptr.Deref(address.Spec.Prefix, -1))
	if resolved.Bits < 0 || resolved.Bits > resolved.Address.BitLen() {
		resolved.Conflict = fmt.Sprintf("IPAddress %q has the prefix %d, which does not fit its address", name, resolved.Bits)
		resolved.Address, resolved.Bits = netip.Addr{}, 0
		return resolved, nil
	}
	if gateway := address.Spec.Gateway; gateway != "" {
		if resolved.Gateway, err = netip.ParseAddr(gateway); err != nil || resolved.Gateway.Is4() != resolved.Address.Is4() {
			resolved.Conflict = fmt.Sprintf("IPAddress %q has the gateway %q, which is none of its address's family", name, gateway)
			resolved.Address, resolved.Bits, resolved.Gateway = netip.Addr{}, 0, netip.Addr{}
		}
	}
	return resolved, nil
}

// conflictOf says why an address is not the claim's; empty if it is.
func conflictOf(claim *ipamv1.IPAddressClaim, address *ipamv1.IPAddress) string {
	switch {
	case address.Spec.ClaimRef.Name != claim.Name:
		return fmt.Sprintf("IPAddress %q belongs to claim %q", address.Name, address.Spec.ClaimRef.Name)
	case address.Spec.PoolRef != claim.Spec.PoolRef:
		return fmt.Sprintf("IPAddress %q comes from pool %s, and the claim asks pool %s", address.Name, poolOf(address.Spec.PoolRef), poolOf(claim.Spec.PoolRef))
	}
	if controller := metav1.GetControllerOf(address); controller != nil && controller.UID != claim.UID {
		return fmt.Sprintf("IPAddress %q was made for another claim, %s %s, of the same name", address.Name, controller.Kind, controller.Name)
	}
	return ""
}

// addressOf reads the address that a claim refers to; nil if it refers to none, or to none that exists.
func (c Claims) addressOf(ctx context.Context, claim *ipamv1.IPAddressClaim) (*ipamv1.IPAddress, error) {
	if claim.Status.AddressRef.Name == "" {
		return nil, nil
	}
	address := &ipamv1.IPAddress{}
	key := types.NamespacedName{Namespace: claim.Namespace, Name: claim.Status.AddressRef.Name}
	if err := c.Client.Get(ctx, key, address); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, nil
		}
		return nil, fmt.Errorf("get IPAddress %s: %w", key, err)
	}
	return address, nil
}

// failureOf is what the IPAM provider says about a claim without address.
func failureOf(claim *ipamv1.IPAddressClaim) string {
	ready := conditions.Get(claim, clusterv1.ReadyCondition)
	if ready == nil || ready.Status != metav1.ConditionFalse {
		return ""
	}
	return ready.Reason + ": " + ready.Message
}

func poolOf(ref ipamv1.IPPoolReference) network.PoolRef {
	return network.PoolRef{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}
}
