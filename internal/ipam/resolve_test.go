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

package ipam_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// addressOf is an address that was made for a claim on a pool which nobody serves.
func addressOf(namespace, name, claim string) *ipamv1.IPAddress {
	return &ipamv1.IPAddress{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: ipamv1.IPAddressSpec{
			ClaimRef: ipamv1.IPAddressClaimReference{Name: claim},
			PoolRef:  ipamv1.IPPoolReference{APIGroup: "example.com", Kind: "Pool", Name: "blue"},
			Address:  "192.0.2.10",
			Prefix:   ptr.To[int32](24),
			Gateway:  "192.0.2.1",
		},
	}
}

// TestWhichAddressIsBelieved is the case C04, and C19 with it.
func TestWhichAddressIsBelieved(t *testing.T) {
	w := newWorld(t, "198.51.100.10")
	owner := w.machine("web")
	plan := planOf(owner, "primary")
	plan.Pool = network.PoolRef{APIGroup: "example.com", Kind: "Pool", Name: "blue"}
	for name, test := range map[string]struct {
		change func(address *ipamv1.IPAddress, claim types.UID)
		// Either the address, as "address/bits gateway", or the conflict.
		address, conflict string
	}{
		"as it should be": {
			change:  func(*ipamv1.IPAddress, types.UID) {},
			address: "192.0.2.10/24 192.0.2.1",
		},
		"controlled by the claim": {
			change: func(address *ipamv1.IPAddress, claim types.UID) {
				address.OwnerReferences = []metav1.OwnerReference{controller("ipam.cluster.x-k8s.io/v1beta1", "IPAddressClaim", "web.primary.ipv4", claim)}
			},
			address: "192.0.2.10/24 192.0.2.1",
		},
		"controlled by something that is no claim": {
			change: func(address *ipamv1.IPAddress, _ types.UID) {
				address.OwnerReferences = []metav1.OwnerReference{controller("example.com/v1", "Pool", "blue", "uid-of-blue")}
			},
			address: "192.0.2.10/24 192.0.2.1",
		},
		"without gateway": {
			change:  func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Gateway = "" },
			address: "192.0.2.10/24 invalid IP",
		},
		"IPv6": {
			change: func(address *ipamv1.IPAddress, _ types.UID) {
				address.Spec.Address, address.Spec.Prefix, address.Spec.Gateway = "2001:DB8::0010", ptr.To[int32](128), "fe80::1"
			},
			address: "2001:db8::10/128 fe80::1",
		},
		"the whole space": {
			change:  func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Prefix = ptr.To[int32](0) },
			address: "192.0.2.10/0 192.0.2.1",
		},
		"for another claim": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.ClaimRef.Name = "web-1.primary.ipv4" },
			conflict: `IPAddress "given" belongs to claim "web-1.primary.ipv4"`,
		},
		"controlled by another claim": {
			change: func(address *ipamv1.IPAddress, claim types.UID) {
				address.OwnerReferences = []metav1.OwnerReference{controller("ipam.cluster.x-k8s.io/v1beta2", "IPAddressClaim", "web-1.primary.ipv4", claim)}
			},
			conflict: `IPAddress "given" is controlled by claim "web-1.primary.ipv4"`,
		},
		"controlled by a former claim of the name": {
			change: func(address *ipamv1.IPAddress, _ types.UID) {
				address.OwnerReferences = []metav1.OwnerReference{controller("ipam.cluster.x-k8s.io/v1beta2", "IPAddressClaim", "web.primary.ipv4", "former-uid")}
			},
			conflict: `IPAddress "given" was made for a former claim of the same name`,
		},
		"pool of another name": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.PoolRef.Name = "green" },
			conflict: `IPAddress "given" comes from pool Pool.example.com/green, and the claim asks pool Pool.example.com/blue`,
		},
		"pool of another kind": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.PoolRef.Kind = "GlobalPool" },
			conflict: `IPAddress "given" comes from pool GlobalPool.example.com/blue, and the claim asks pool Pool.example.com/blue`,
		},
		"pool of another group": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.PoolRef.APIGroup = "example.org" },
			conflict: `IPAddress "given" comes from pool Pool.example.org/blue, and the claim asks pool Pool.example.com/blue`,
		},
		"no address": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Address = "192.0.2.256" },
			conflict: `IPAddress "given" holds "192.0.2.256", which is no plain IPv4 or IPv6 address`,
		},
		"address with a zone": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Address = "fe80::1%eth0" },
			conflict: `IPAddress "given" holds "fe80::1%eth0", which is no plain IPv4 or IPv6 address`,
		},
		"IPv4 in IPv6": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Address = "::ffff:192.0.2.10" },
			conflict: `IPAddress "given" holds "::ffff:192.0.2.10", which is no plain IPv4 or IPv6 address`,
		},
		"prefix of the other family": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Prefix = ptr.To[int32](64) },
			conflict: `IPAddress "given" has the prefix 64, which does not fit its address 192.0.2.10`,
		},
		"gateway of the other family": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Gateway = "fe80::1" },
			conflict: `IPAddress "given" has the gateway "fe80::1", which is no address of the family of 192.0.2.10`,
		},
		"no gateway": {
			change:   func(address *ipamv1.IPAddress, _ types.UID) { address.Spec.Gateway = "router" },
			conflict: `IPAddress "given" has the gateway "router", which is no address of the family of 192.0.2.10`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.ensure(t, owner, plan)
			address := addressOf(w.namespace, "given", plan.Name)
			test.change(address, w.claim(t, plan.Name).UID)
			create(t, address)
			defer tearAway(t, address)
			defer removeAtOnce(t, w, plan.Name)

			// That it exists is not enough: the claim must refer to it.
			if claim := w.observe(t, owner, plan.Name); claim.Address.IsValid() || claim.Conflict != "" {
				t.Errorf("observed without reference: %+v", claim)
			}
			bindTo(t, w.claim(t, plan.Name), address.Name)
			claim := w.observe(t, owner, plan.Name)
			got := ""
			if claim.Address.IsValid() {
				got = fmt.Sprintf("%s/%d %s", claim.Address, claim.Bits, claim.Gateway)
			} else if claim.Bits != 0 || claim.Gateway.IsValid() {
				t.Errorf("observed no address, but %+v", claim)
			}
			if got != test.address || claim.Conflict != test.conflict {
				t.Errorf("observed %q with conflict %q", got, claim.Conflict)
			}
		})
	}
}

// TestStaleAddressOfTheName is part of case C04: an address that carries the name of the claim is not the claim's by that.
func TestStaleAddressOfTheName(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	owner := w.machine("web")
	plan := planOf(owner, "primary")
	create(t, addressOf(w.namespace, plan.Name, plan.Name))
	w.ensure(t, owner, plan)
	if claim := w.observe(t, owner, plan.Name); claim.Address.IsValid() || claim.Conflict != "" {
		t.Errorf("observed %+v", claim)
	}
	// The address that the claim refers to is gone, and another one of the claim exists.
	bindTo(t, w.claim(t, plan.Name), "restored")
	claim := w.observe(t, owner, plan.Name)
	if claim.Address.IsValid() || claim.Conflict != `IPAddress "restored", which the claim refers to, does not exist` {
		t.Errorf("observed %+v", claim)
	}
}

// TestWhatTheProviderSays checks that the reason why there is no address is passed on, whichever contract the provider follows.
func TestWhatTheProviderSays(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	owner := w.machine("web")
	plan := planOf(owner, "primary")
	plan.Pool.Kind = "OtherPool"
	condition := func(status metav1.ConditionStatus, reason, message string) []metav1.Condition {
		return []metav1.Condition{{Type: ipamv1.IPAddressClaimReadyCondition, Status: status, Reason: reason, Message: message, LastTransitionTime: metav1.Now()}}
	}
	old := func(status corev1.ConditionStatus, reason, message string) clusterv1.Conditions {
		return clusterv1.Conditions{{Type: clusterv1.ReadyV1Beta1Condition, Status: status, Reason: reason, Message: message, LastTransitionTime: metav1.Now()}}
	}
	for name, test := range map[string]struct {
		conditions []metav1.Condition
		deprecated clusterv1.Conditions
		want       string
	}{
		"nothing":               {},
		"failure":               {condition(metav1.ConditionFalse, "PoolExhausted", "pool nodes is full"), nil, "PoolExhausted: pool nodes is full"},
		"failure without words": {condition(metav1.ConditionFalse, "PoolExhausted", ""), nil, "PoolExhausted"},
		"success":               {condition(metav1.ConditionTrue, "Ready", ""), nil, ""},
		"not looked yet":        {condition(metav1.ConditionUnknown, "Looking", "soon"), nil, ""},
		"v1beta1 failure":       {nil, old(corev1.ConditionFalse, "PoolNotReady", "pool nodes is gone"), "PoolNotReady: pool nodes is gone"},
		"v1beta1 without reason": {
			nil, old(corev1.ConditionFalse, "", "pool nodes is gone"), "pool nodes is gone",
		},
		"v1beta1 success": {nil, old(corev1.ConditionTrue, "", ""), ""},
		"both": {
			condition(metav1.ConditionFalse, "PoolExhausted", "now"), old(corev1.ConditionFalse, "PoolNotReady", "then"), "PoolExhausted: now",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w.ensure(t, owner, plan)
			defer removeAtOnce(t, w, plan.Name)
			claim := w.claim(t, plan.Name)
			before := claim.DeepCopy()
			claim.SetConditions(test.conditions)
			if test.deprecated != nil {
				claim.SetV1Beta1Conditions(test.deprecated)
			}
			if test.conditions != nil || test.deprecated != nil {
				patchStatus(t, before, claim)
			}
			if got := w.observe(t, owner, plan.Name); got.Failure != test.want || got.Conflict != "" {
				t.Errorf("observed %+v", got)
			}
		})
	}
}

// bindTo is what a provider does when it has made an address.
func bindTo(t *testing.T, claim *ipamv1.IPAddressClaim, address string) {
	t.Helper()
	before := claim.DeepCopy()
	claim.Status.AddressRef.Name = address
	patchStatus(t, before, claim)
}

func patchStatus(t *testing.T, before, after client.Object) {
	t.Helper()
	if err := env.Client.Status().Patch(t.Context(), after, client.MergeFrom(before), client.FieldOwner("somebody")); err != nil {
		t.Fatal(err)
	}
}
