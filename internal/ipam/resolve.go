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

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	v1beta1conditions "sigs.k8s.io/cluster-api/util/conditions/deprecated/v1beta1"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// resolve says what a claim is, and which address it holds. An address is believed only when the claim refers to it and
// it refers back to the claim and to the claim's pool: one that was restored from a backup, or made for another claim, is not.
// Whether the pool exists does not matter: a claim keeps what it holds.
func (c Claims) resolve(ctx context.Context, owner Owner, claim *ipamv1.IPAddressClaim) (network.Claim, error) {
	resolved := network.Claim{
		Name:       claim.Name,
		Attachment: claim.Labels[AttachmentLabel],
		Family:     network.Family(claim.Labels[FamilyLabel]),
		Pool:       poolOf(claim.Spec.PoolRef),
		Owned:      owner.controls(claim),
		Deleting:   !claim.DeletionTimestamp.IsZero(),
	}
	if controller := metav1.GetControllerOfNoCopy(claim); controller != nil && !resolved.Owned {
		resolved.OtherOwner = controller.Kind + " " + controller.Name
	}
	name := claim.Status.AddressRef.Name
	if name == "" {
		resolved.Failure = failureOf(claim)
		return resolved, nil
	}
	key := types.NamespacedName{Namespace: claim.Namespace, Name: name}
	address, err := readAddress(ctx, c.Client, key)
	if err == nil && address == nil {
		// The cache may show the claim before it shows the address.
		address, err = readAddress(ctx, c.APIReader, key)
	}
	if err != nil {
		return network.Claim{}, err
	}
	if address == nil {
		resolved.Conflict = fmt.Sprintf("IPAddress %q, which the claim refers to, does not exist", name)
		return resolved, nil
	}
	resolved.Deleting = resolved.Deleting || !address.DeletionTimestamp.IsZero()
	if resolved.Conflict = conflictOf(claim, address); resolved.Conflict != "" {
		return resolved, nil
	}
	value, conflict := valueOf(address)
	resolved.Address, resolved.Bits, resolved.Gateway, resolved.Conflict = value.address, value.bits, value.gateway, conflict
	return resolved, nil
}

// conflictOf says why an address is not the claim's; empty if it is.
func conflictOf(claim *ipamv1.IPAddressClaim, address *ipamv1.IPAddress) string {
	if address.Spec.ClaimRef.Name != claim.Name {
		return fmt.Sprintf("IPAddress %q belongs to claim %q", address.Name, address.Spec.ClaimRef.Name)
	}
	if address.Spec.PoolRef != claim.Spec.PoolRef {
		return fmt.Sprintf("IPAddress %q comes from pool %s, and the claim asks pool %s", address.Name, poolOf(address.Spec.PoolRef), poolOf(claim.Spec.PoolRef))
	}
	kind, name, found := controllerOf(address)
	if !found || kind != ipamv1.GroupVersion.WithKind("IPAddressClaim").GroupKind() {
		return ""
	}
	if name != claim.Name {
		return fmt.Sprintf("IPAddress %q is controlled by claim %q", address.Name, name)
	}
	if metav1.GetControllerOfNoCopy(address).UID != claim.UID {
		// The garbage collector takes it away, unless its provider hands it over to the claim.
		return fmt.Sprintf("IPAddress %q was made for a former claim of the same name", address.Name)
	}
	return ""
}

// addressValue is what an address says.
type addressValue struct {
	address, gateway netip.Addr
	bits             int
}

// valueOf parses an address, and says what is wrong with it if it cannot be used.
func valueOf(object *ipamv1.IPAddress) (value addressValue, conflict string) {
	address, isAddress := parse(object.Spec.Address)
	if !isAddress {
		return addressValue{}, fmt.Sprintf("IPAddress %q holds %q, which is no plain IPv4 or IPv6 address", object.Name, object.Spec.Address)
	}
	if object.Spec.Prefix == nil {
		return addressValue{}, fmt.Sprintf("IPAddress %q has no prefix", object.Name)
	}
	bits := int(*object.Spec.Prefix)
	if bits < 0 || bits > address.BitLen() {
		return addressValue{}, fmt.Sprintf("IPAddress %q has the prefix %d, which does not fit its address %s", object.Name, bits, address)
	}
	value = addressValue{address: address, bits: bits}
	if object.Spec.Gateway == "" {
		return value, ""
	}
	if value.gateway, isAddress = parse(object.Spec.Gateway); !isAddress || value.gateway.BitLen() != address.BitLen() {
		return addressValue{}, fmt.Sprintf("IPAddress %q has the gateway %q, which is no address of the family of %s", object.Name, object.Spec.Gateway, address)
	}
	return value, ""
}

// parse parses an address of either family. One with a zone, or an IPv4 address written as an IPv6 one, cannot be given to a NIC.
func parse(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(text)
	if err != nil || address.Zone() != "" || address.Is4In6() {
		return netip.Addr{}, false
	}
	return address, true
}

// failureOf is what the IPAM provider says about a claim without address. A provider of the v1beta1 contract says it in the
// conditions of that time.
func failureOf(claim *ipamv1.IPAddressClaim) string {
	if ready := conditions.Get(claim, ipamv1.IPAddressClaimReadyCondition); ready != nil {
		if ready.Status != metav1.ConditionFalse {
			return ""
		}
		return failure(ready.Reason, ready.Message)
	}
	ready := v1beta1conditions.Get(claim, clusterv1.ReadyV1Beta1Condition)
	if ready == nil || ready.Status != corev1.ConditionFalse {
		return ""
	}
	return failure(ready.Reason, ready.Message)
}

func failure(reason, message string) string {
	if reason == "" || message == "" {
		return reason + message
	}
	return reason + ": " + message
}

func poolOf(ref ipamv1.IPPoolReference) network.PoolRef {
	return network.PoolRef{APIGroup: ref.APIGroup, Kind: ref.Kind, Name: ref.Name}
}
