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
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/ipam"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

var compareAddresses = cmp.Comparer(func(a, b netip.Addr) bool { return a == b })

func TestClaimIsMadeOnce(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	// Nothing here knows machines: a node pool, say, can be an owner too.
	owner := ipam.Owner{
		Object:      &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "web", UID: "uid-of-web"}},
		GVK:         clusterv1.GroupVersion.WithKind("MachinePool"),
		ClusterName: "shop",
	}
	plan := planOf(owner, "primary")
	w.ensure(t, owner, plan)

	made := w.claim(t, "web.primary.ipv4")
	if diff := cmp.Diff(ipamv1.IPAddressClaimSpec{ClusterName: "shop", PoolRef: poolRef()}, made.Spec); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{
		clusterv1.ClusterNameLabel: "shop", ipam.AttachmentLabel: "primary", ipam.FamilyLabel: "ipv4",
	}, made.Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]metav1.OwnerReference{controller("cluster.x-k8s.io/v1beta2", "MachinePool", "web", "uid-of-web")}, made.OwnerReferences); diff != "" {
		t.Errorf("owners (-want +got):\n%s", diff)
	}
	if !slices.Contains(made.Finalizers, finalizer) {
		t.Errorf("finalizers are %v", made.Finalizers)
	}

	// The cluster "shop" does not exist yet, so the pool waits.
	want := network.Claim{Name: "web.primary.ipv4", Attachment: "primary", Family: network.IPv4, Pool: nodesPool, Owned: true}
	if diff := cmp.Diff(want, w.observe(t, owner, plan.Name), compareAddresses); diff != "" {
		t.Errorf("claim without address (-want +got):\n%s", diff)
	}
	createCluster(t, w.namespace)
	want.Address, want.Bits, want.Gateway = netip.MustParseAddr("192.0.2.10"), 24, netip.MustParseAddr("192.0.2.1")
	bound := w.eventuallyBound(t, owner, plan.Name)
	if diff := cmp.Diff(want, bound, compareAddresses); diff != "" {
		t.Errorf("claim with address (-want +got):\n%s", diff)
	}
	if err := w.claims.Hold(t.Context(), owner, bound); err != nil {
		t.Fatal(err)
	}
	if got := w.address(t, plan.Name).Finalizers; !slices.Contains(got, finalizer) {
		t.Errorf("finalizers of the address are %v", got)
	}

	// All said: from now on nothing but the cache is asked, and nothing changes.
	w.catchUp(t)
	settled := w.versions(t, NewWithT(t), env.Client)
	w.callsPastCache()
	for range 3 {
		claims, err := w.claims.Observe(t.Context(), owner, []string{plan.Name, plan.Name, "web.other.ipv4"})
		if err != nil || len(claims) != 1 {
			t.Fatalf("observed %v, %v", claims, err)
		}
		if err := w.claims.Ensure(t.Context(), owner, plan); err != nil {
			t.Fatal(err)
		}
		if err := w.claims.Hold(t.Context(), owner, claims[0]); err != nil {
			t.Fatal(err)
		}
	}
	if calls := w.callsPastCache(); len(calls) > 0 {
		t.Errorf("calls for a settled claim: %v", calls)
	}
	if diff := cmp.Diff(settled, w.versions(t, NewWithT(t), env.Client)); diff != "" {
		t.Errorf("resource versions (-before +after):\n%s", diff)
	}
	appliedFields(t, made)
}

// appliedFields checks that an apply owns what Ensure says and nothing else.
func appliedFields(t *testing.T, claim *ipamv1.IPAddressClaim) {
	t.Helper()
	i := slices.IndexFunc(claim.ManagedFields, func(entry metav1.ManagedFieldsEntry) bool { return entry.Manager == string(fieldOwner) })
	if i < 0 || claim.ManagedFields[i].Operation != metav1.ManagedFieldsOperationApply {
		t.Fatalf("no fields are applied by %s: %v", fieldOwner, claim.ManagedFields)
	}
	var got map[string]any
	if err := json.Unmarshal(claim.ManagedFields[i].FieldsV1.GetRawBytes(), &got); err != nil {
		t.Fatal(err)
	}
	leaf := map[string]any{}
	want := map[string]any{
		"f:metadata": map[string]any{
			"f:finalizers": map[string]any{`v:"` + finalizer + `"`: leaf},
			"f:labels": map[string]any{
				"f:" + clusterv1.ClusterNameLabel: leaf, "f:" + ipam.AttachmentLabel: leaf, "f:" + ipam.FamilyLabel: leaf,
			},
			"f:ownerReferences": map[string]any{`k:{"uid":"uid-of-web"}`: leaf},
		},
		"f:spec": map[string]any{
			"f:clusterName": leaf,
			"f:poolRef":     map[string]any{"f:apiGroup": leaf, "f:kind": leaf, "f:name": leaf},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("applied fields (-want +got):\n%s", diff)
	}
}

// TestPoolOfClaimStays is part of case C19: another pool needs another claim.
func TestPoolOfClaimStays(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	owner := w.machine("web-0")
	plan := planOf(owner, "primary")
	w.ensure(t, owner, plan)
	plan.Pool.Name = "other"
	plan.Attachment = "renamed"
	w.ensure(t, owner, plan)
	claim := w.claim(t, plan.Name)
	if claim.Spec.PoolRef != poolRef() || claim.Labels[ipam.AttachmentLabel] != "renamed" {
		t.Errorf("claim is on %v for %q", claim.Spec.PoolRef, claim.Labels[ipam.AttachmentLabel])
	}
}

// TestOneClaimPerAttachmentAndFamily is case C31.
func TestOneClaimPerAttachmentAndFamily(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.20")
	createCluster(t, w.namespace)
	owner := w.machine("web-0")
	addresses := map[netip.Addr]bool{}
	for _, attachment := range []string{"lan-7", "lan-7-2"} {
		addresses[w.bind(t, owner, attachment).Address] = true
	}
	if len(addresses) != 2 {
		t.Errorf("two attachments have the addresses %v", addresses)
	}
}

// TestClaimsOfFormerDays checks that a claim that was made by the v1alpha1 provider, whatever has happened to it since, is the
// owner's, keeps its spec, its address and what others wrote, and that no other claim is made.
func TestClaimsOfFormerDays(t *testing.T) {
	const legacy = "nic-web-0-ipv4"
	pool := metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Audit", Name: "all", UID: "uid-of-audit"}
	for name, test := range map[string]struct {
		owners []metav1.OwnerReference
		labels map[string]string
	}{
		"as it was made": {
			owners: []metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha1", "IonosCloudMachine", "web-0", "uid-of-web-0")},
			labels: map[string]string{clusterv1.ClusterNameLabel: "shop"},
		},
		"by its first releases": {
			owners: []metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha1", "IonosCloudMachine", "web-0", "uid-of-web-0")},
		},
		"after a restore": {
			owners: []metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha1", "IonosCloudMachine", "web-0", "former-uid"), pool},
			labels: map[string]string{clusterv1.ClusterNameLabel: "shop", "team": "blue"},
		},
		"made by us, after a restore": {
			owners: []metav1.OwnerReference{pool, controller("infrastructure.cluster.x-k8s.io/v1alpha2", "IonosCloudMachine", "web-0", "former-uid")},
			labels: map[string]string{clusterv1.ClusterNameLabel: "shop", ipam.AttachmentLabel: "primary", ipam.FamilyLabel: "ipv4"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "192.0.2.10-192.0.2.20")
			createCluster(t, w.namespace)
			claim := &ipamv1.IPAddressClaim{
				ObjectMeta: metav1.ObjectMeta{
					Namespace: w.namespace, Name: legacy, Labels: test.labels, OwnerReferences: test.owners, Finalizers: []string{finalizer},
					Annotations: map[string]string{"note": "kept"},
				},
				Spec: ipamv1.IPAddressClaimSpec{PoolRef: poolRef()},
			}
			create(t, claim)
			owner := w.machine("web-0")
			before := w.eventuallyBound(t, owner, legacy)
			if !before.Owned || before.OtherOwner != "" {
				t.Errorf("the claim is not taken for the owner's: %+v", before)
			}
			specBefore, addressBefore := w.claim(t, legacy).Spec, w.address(t, legacy)

			plan := planOf(owner, "primary")
			plan.Name = legacy
			w.ensure(t, owner, plan)

			after := w.claim(t, legacy)
			if after.UID != claim.UID || !after.DeletionTimestamp.IsZero() || after.Annotations["note"] != "kept" || after.Labels["team"] != test.labels["team"] {
				t.Errorf("the claim is another one now: %+v", after.ObjectMeta)
			}
			if diff := cmp.Diff(specBefore, after.Spec); diff != "" {
				t.Errorf("spec (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(addressBefore, w.address(t, legacy)); diff != "" {
				t.Errorf("address (-before +after):\n%s", diff)
			}
			wantOwners := []metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha2", "IonosCloudMachine", "web-0", "uid-of-web-0")}
			if len(test.owners) > 1 {
				wantOwners = append(wantOwners, pool)
			}
			byName := func(a, b metav1.OwnerReference) int { return strings.Compare(b.Name, a.Name) }
			slices.SortFunc(after.OwnerReferences, byName)
			if diff := cmp.Diff(wantOwners, after.OwnerReferences); diff != "" {
				t.Errorf("owners (-want +got):\n%s", diff)
			}
			if after.Labels[ipam.AttachmentLabel] != "primary" || after.Labels[ipam.FamilyLabel] != "ipv4" || after.Labels[clusterv1.ClusterNameLabel] != "shop" {
				t.Errorf("labels are %v", after.Labels)
			}
			if got := w.observe(t, owner, legacy); got.Address != before.Address || got.Attachment != "primary" {
				t.Errorf("observed %+v", got)
			}
			if diff := cmp.Diff([]string{"address " + legacy, "claim " + legacy}, w.names(t)); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
			w.callsPastCache()
			w.ensure(t, owner, plan)
			if calls := w.callsPastCache(); len(calls) > 0 {
				t.Errorf("calls for an adopted claim: %v", calls)
			}
			w.eventuallyReleased(t, owner)
			if left := w.names(t); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestClaimsOfOthers is part of case C04: a claim that somebody else has, or nobody, is not touched, whatever its name.
func TestClaimsOfOthers(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.20")
	owner := w.machine("web-0")
	attachments := 0
	for name, test := range map[string]struct {
		owners     []metav1.OwnerReference
		otherOwner string
	}{
		"nobody's":                   {nil, ""},
		"other machine":              {[]metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha2", "IonosCloudMachine", "web-1", "uid-of-web-1")}, "IonosCloudMachine web-1"},
		"other kind":                 {[]metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha2", "IonosCloudCluster", "web-0", "uid-of-web-0")}, "IonosCloudCluster web-0"},
		"other group":                {[]metav1.OwnerReference{controller("example.com/v1alpha2", "IonosCloudMachine", "web-0", "uid-of-web-0")}, "IonosCloudMachine web-0"},
		"ours but not as controller": {[]metav1.OwnerReference{{APIVersion: "infrastructure.cluster.x-k8s.io/v1alpha2", Kind: "IonosCloudMachine", Name: "web-0", UID: "uid-of-web-0"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			attachments++
			plan := planOf(owner, fmt.Sprintf("lan-%d", attachments))
			claim := &ipamv1.IPAddressClaim{
				ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: plan.Name, OwnerReferences: test.owners},
				Spec:       ipamv1.IPAddressClaimSpec{PoolRef: poolRef()},
			}
			create(t, claim)
			observed := w.eventuallyBound(t, owner, plan.Name)
			if observed.Owned || observed.OtherOwner != test.otherOwner {
				t.Errorf("observed %+v", observed)
			}
			if err := w.claims.Hold(t.Context(), owner, observed); err == nil {
				t.Error("its address is held")
			}
			before := w.claim(t, plan.Name)
			if err := w.claims.Ensure(t.Context(), owner, plan); err == nil || !strings.Contains(err.Error(), "IonosCloudMachine web-0 does not control it") {
				t.Errorf("it is used: %v", err)
			}
			// The same when the cache does not know it yet.
			w.late = notThereYet
			err := w.claims.Ensure(t.Context(), owner, plan)
			w.late = nil
			if err == nil {
				t.Error("it is used when the cache is late")
			}
			for what, release := range map[string]func() ([]string, error){
				"Release":    func() ([]string, error) { return w.claims.Release(t.Context(), owner, plan.Name) },
				"ReleaseAll": func() ([]string, error) { return w.claims.ReleaseAll(t.Context(), owner, plan.Name) },
			} {
				if remaining, err := release(); err != nil || len(remaining) > 0 {
					t.Errorf("%s: %v, %v", what, remaining, err)
				}
			}
			if diff := cmp.Diff(before, w.claim(t, plan.Name)); diff != "" {
				t.Errorf("claim (-before +after):\n%s", diff)
			}
			if finalizers := w.address(t, plan.Name).Finalizers; slices.Contains(finalizers, finalizer) {
				t.Errorf("finalizers of the address: %v", finalizers)
			}
		})
	}
}

// TestLateCache checks what Ensure does when the cache is behind.
func TestLateCache(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.20")
	owner := w.machine("web-0")
	plan := planOf(owner, "primary")
	w.ensure(t, owner, plan)

	// The claim was made a moment ago, and is wanted from another pool by now.
	before := w.claim(t, plan.Name)
	other := plan
	other.Pool.Name = "other"
	w.late = notThereYet
	err := w.claims.Ensure(t.Context(), owner, other)
	w.late = nil
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, w.claim(t, plan.Name)); diff != "" {
		t.Errorf("claim (-before +after):\n%s", diff)
	}

	// The claim is gone, and seems to be there and to lack a label.
	stale := before.DeepCopy()
	delete(stale.Labels, ipam.AttachmentLabel)
	removeAtOnce(t, w, plan.Name)
	w.late = func(_ types.NamespacedName, object client.Object) (bool, error) {
		claim, isClaim := object.(*ipamv1.IPAddressClaim)
		if isClaim {
			stale.DeepCopyInto(claim)
		}
		return isClaim, nil
	}
	err = w.claims.Ensure(t.Context(), owner, plan)
	w.late = nil
	if err == nil {
		t.Error("a claim that is gone is completed")
	}
	if left := w.names(t); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}

// notThereYet is a cache that has not heard of any claim or address.
func notThereYet(key types.NamespacedName, _ client.Object) (bool, error) {
	return true, apierrors.NewNotFound(ipamv1.GroupVersion.WithResource("ipaddressclaims").GroupResource(), key.Name)
}

// TestNothingIsAddedToADeletedClaim checks that a claim that is being deleted is left to its release.
func TestNothingIsAddedToADeletedClaim(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	owner := w.machine("web-0")
	plan := planOf(owner, "primary")
	w.ensure(t, owner, plan)
	remove(t, w.claim(t, plan.Name))
	w.catchUp(t)
	w.callsPastCache()
	plan.Attachment = "renamed"
	w.ensure(t, owner, plan)
	if calls := w.callsPastCache(); len(calls) > 0 {
		t.Errorf("calls: %v", calls)
	}
	if claim := w.observe(t, owner, plan.Name); !claim.Deleting {
		t.Errorf("observed %+v", claim)
	}
}

func createCluster(t *testing.T, namespace string) {
	t.Helper()
	create(t, &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "shop"},
		Spec: clusterv1.ClusterSpec{
			InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: "example.com", Kind: "Any", Name: "any"},
		},
	})
}

// removeAtOnce tears a claim and its address away, whatever finalizers they have.
func removeAtOnce(t *testing.T, w *world, name string) {
	t.Helper()
	for _, object := range []client.Object{
		&ipamv1.IPAddressClaim{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}},
		&ipamv1.IPAddress{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}},
	} {
		tearAway(t, object)
	}
	w.catchUp(t)
}

// tearAway deletes an object and takes off its finalizers.
func tearAway(t *testing.T, object client.Object) {
	t.Helper()
	ctx := t.Context()
	if err := env.Client.Delete(ctx, object); err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	if err := env.Client.Patch(ctx, object, patch); err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}
