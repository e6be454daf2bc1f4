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

package poolstandin_test

import (
	"fmt"
	"net/netip"
	"os"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/testenv"
)

const (
	timeout = 20 * time.Second
	// foreignFinalizer stands for the finalizer of an infrastructure provider that keeps an address reserved.
	foreignFinalizer = "infrastructure.example.com/server-exists"
)

var env *testenv.Environment

func TestMain(m *testing.M) {
	os.Exit(testenv.Run(m, func(e *testenv.Environment) { env = e }))
}

// startFulfiller runs the stand-in for a test in a namespace of its own.
func startFulfiller(t *testing.T) (namespace string) {
	t.Helper()
	mgr := env.NewManager(t)
	if err := poolstandin.SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	mgr.Run(t)
	return env.Namespace(t)
}

func create(t *testing.T, objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		if err := env.Client.Create(t.Context(), object); err != nil {
			t.Fatalf("create %T %s: %v", object, object.GetName(), err)
		}
	}
}

func newClaim(namespace, name, kind, pool string) *ipamv1.IPAddressClaim {
	return &ipamv1.IPAddressClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: ipamv1.IPAddressClaimSpec{
			PoolRef: ipamv1.IPPoolReference{APIGroup: poolstandin.GroupVersion.Group, Kind: kind, Name: pool},
		},
	}
}

func inPool(namespace, name string) *ipamv1.IPAddressClaim {
	return newClaim(namespace, name, poolstandin.InClusterIPPoolKind, "nodes")
}

// get reads the object again.
func get(t *testing.T, g Gomega, object client.Object) {
	t.Helper()
	g.Expect(env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object)).To(Succeed())
}

// eventuallyBound waits until a claim has its address, and returns that.
func eventuallyBound(t *testing.T, g *WithT, claim *ipamv1.IPAddressClaim) *ipamv1.IPAddress {
	t.Helper()
	g.Eventually(func(g Gomega) {
		get(t, g, claim)
		g.Expect(claim.Status.AddressRef.Name).To(Equal(claim.Name))
		g.Expect(conditions.IsTrue(claim, ipamv1.IPAddressClaimReadyCondition)).To(BeTrue())
	}, timeout).Should(Succeed())
	address := &ipamv1.IPAddress{ObjectMeta: metav1.ObjectMeta{Namespace: claim.Namespace, Name: claim.Name}}
	get(t, g, address)
	return address
}

// eventuallyRefused waits until a claim says why it has no address.
func eventuallyRefused(t *testing.T, g *WithT, claim *ipamv1.IPAddressClaim, reason, message string) {
	t.Helper()
	g.Eventually(func(g Gomega) {
		get(t, g, claim)
		condition := conditions.Get(claim, ipamv1.IPAddressClaimReadyCondition)
		g.Expect(condition).NotTo(BeNil())
		g.Expect(condition.Status).To(Equal(metav1.ConditionFalse))
		g.Expect(condition.Reason).To(Equal(reason))
		g.Expect(condition.Message).To(ContainSubstring(message))
		g.Expect(claim.Status.AddressRef.Name).To(BeEmpty())
	}, timeout).Should(Succeed())
}

func eventuallyGone(t *testing.T, g *WithT, object client.Object) {
	t.Helper()
	g.Eventually(func() bool {
		return apierrors.IsNotFound(env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object))
	}, timeout).Should(BeTrue())
}

func TestClaimAndRelease(t *testing.T) {
	g := NewWithT(t)
	namespace := startFulfiller(t)
	pool := poolstandin.NewInClusterIPPool(namespace, "nodes", poolstandin.PoolSpec{
		Addresses: []string{"192.0.2.10-192.0.2.20"}, Prefix: 24, Gateway: "192.0.2.1",
	})
	claim := inPool(namespace, "web-0")
	create(t, pool, claim)

	address := eventuallyBound(t, g, claim)
	g.Expect(address.Spec).To(Equal(ipamv1.IPAddressSpec{
		ClaimRef: ipamv1.IPAddressClaimReference{Name: "web-0"},
		PoolRef:  claim.Spec.PoolRef,
		Address:  "192.0.2.10",
		Prefix:   ptr.To[int32](24),
		Gateway:  "192.0.2.1",
	}))
	g.Expect(address.Finalizers).To(ConsistOf(poolstandin.AddressFinalizer))
	g.Expect(claim.Finalizers).To(ConsistOf(poolstandin.ClaimFinalizer))
	g.Expect(address.OwnerReferences).To(ConsistOf(
		metav1.OwnerReference{
			APIVersion: "ipam.cluster.x-k8s.io/v1beta2", Kind: "IPAddressClaim", Name: "web-0", UID: claim.UID,
			Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
		},
		metav1.OwnerReference{
			APIVersion: "ipam.cluster.x-k8s.io/v1alpha2", Kind: "InClusterIPPool", Name: "nodes", UID: pool.GetUID(),
			Controller: ptr.To(false), BlockOwnerDeletion: ptr.To(true),
		},
	))

	// The pool goes first: the claim is released all the same.
	g.Expect(env.Client.Delete(t.Context(), pool)).To(Succeed())
	g.Expect(env.Client.Delete(t.Context(), claim)).To(Succeed())
	eventuallyGone(t, g, claim)
	eventuallyGone(t, g, address)
}

func TestGlobalPoolServesEveryNamespace(t *testing.T) {
	g := NewWithT(t)
	first, second := startFulfiller(t), env.Namespace(t)
	create(t, poolstandin.NewGlobalInClusterIPPool(first, poolstandin.PoolSpec{Addresses: []string{"2001:db8::10/126"}, Prefix: 64}))
	got := map[string]bool{}
	for _, namespace := range []string{first, second} {
		claim := newClaim(namespace, "web-0", poolstandin.GlobalInClusterIPPoolKind, first)
		create(t, claim)
		got[eventuallyBound(t, g, claim).Spec.Address] = true
	}
	g.Expect(got).To(Equal(map[string]bool{"2001:db8::10": true, "2001:db8::11": true}))
}

// TestExhausted is case C07: a freed address wakes the claim that has waited longest.
func TestExhausted(t *testing.T) {
	g := NewWithT(t)
	namespace := startFulfiller(t)
	create(t, poolstandin.NewInClusterIPPool(namespace, "nodes", poolstandin.PoolSpec{Addresses: []string{"192.0.2.10"}, Prefix: 24}))
	holder := inPool(namespace, "z-first")
	create(t, holder)
	address := eventuallyBound(t, g, holder)

	// Claims of one second are served in the order of their names, so "a-second" is the older one in any case.
	oldest, youngest := inPool(namespace, "a-second"), inPool(namespace, "b-third")
	create(t, oldest, youngest)
	eventuallyRefused(t, g, oldest, ipamv1.IPAddressClaimReadyPoolExhaustedReason, "InClusterIPPool nodes has no free address")
	eventuallyRefused(t, g, youngest, ipamv1.IPAddressClaimReadyPoolExhaustedReason, "")

	// Somebody keeps the address: it is in use until it is really gone.
	before := address.DeepCopy()
	controllerutil.AddFinalizer(address, foreignFinalizer)
	g.Expect(env.Client.Patch(t.Context(), address, client.MergeFrom(before))).To(Succeed())
	g.Expect(env.Client.Delete(t.Context(), holder)).To(Succeed())
	eventuallyGone(t, g, holder)
	get(t, g, address)
	g.Expect(address.DeletionTimestamp.IsZero()).To(BeFalse())
	get(t, g, oldest)
	g.Expect(oldest.Status.AddressRef.Name).To(BeEmpty())

	before = address.DeepCopy()
	controllerutil.RemoveFinalizer(address, foreignFinalizer)
	g.Expect(env.Client.Patch(t.Context(), address, client.MergeFrom(before))).To(Succeed())
	g.Expect(eventuallyBound(t, g, oldest).Spec.Address).To(Equal("192.0.2.10"))
	eventuallyRefused(t, g, youngest, ipamv1.IPAddressClaimReadyPoolExhaustedReason, "")
}

func TestPoolThatIsNotReady(t *testing.T) {
	g := NewWithT(t)
	namespace := startFulfiller(t)
	claim := inPool(namespace, "web-0")
	create(t, claim)
	eventuallyRefused(t, g, claim, ipamv1.IPAddressClaimReadyPoolNotReadyReason, "InClusterIPPool nodes does not exist")

	pool := poolstandin.NewInClusterIPPool(namespace, "nodes", poolstandin.PoolSpec{Addresses: []string{"all of them"}, Prefix: 24})
	create(t, pool)
	eventuallyRefused(t, g, claim, ipamv1.IPAddressClaimReadyPoolNotReadyReason, "spec.addresses[0]")

	fixed := poolstandin.NewInClusterIPPool(namespace, "nodes", poolstandin.PoolSpec{Addresses: []string{"192.0.2.10"}, Prefix: 24})
	fixed.SetResourceVersion(pool.GetResourceVersion())
	g.Expect(env.Client.Update(t.Context(), fixed)).To(Succeed())
	eventuallyBound(t, g, claim)
}

func TestForeignAddressOfTheSameName(t *testing.T) {
	g := NewWithT(t)
	namespace := startFulfiller(t)
	create(t, poolstandin.NewInClusterIPPool(namespace, "nodes", poolstandin.PoolSpec{Addresses: []string{"192.0.2.10-192.0.2.11"}, Prefix: 24}))
	stale := &ipamv1.IPAddress{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "web-0"},
		Spec: ipamv1.IPAddressSpec{
			ClaimRef: ipamv1.IPAddressClaimReference{Name: "web-0"}, PoolRef: inPool(namespace, "web-0").Spec.PoolRef,
			Address: "192.0.2.10", Prefix: ptr.To[int32](24),
		},
	}
	claim := inPool(namespace, "web-0")
	create(t, stale, claim)
	eventuallyRefused(t, g, claim, ipamv1.IPAddressClaimReadyAllocationFailedReason, "IPAddress web-0 exists")
	g.Expect(env.Client.Delete(t.Context(), stale)).To(Succeed())
	eventuallyBound(t, g, claim)
}

func TestPaused(t *testing.T) {
	g := NewWithT(t)
	namespace := startFulfiller(t)
	cluster := &clusterv1.Cluster{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "shop"},
		Spec: clusterv1.ClusterSpec{
			Paused:            ptr.To(true),
			InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: "example.com", Kind: "Any", Name: "any"},
		},
	}
	ofPaused, ofMissing, annotated, last := inPool(namespace, "a"), inPool(namespace, "b"), inPool(namespace, "c"), inPool(namespace, "d")
	ofPaused.Spec.ClusterName = "shop"
	ofMissing.Labels = map[string]string{clusterv1.ClusterNameLabel: "missing"}
	annotated.Annotations = map[string]string{clusterv1.PausedAnnotation: ""}
	create(t, poolstandin.NewInClusterIPPool(namespace, "nodes", poolstandin.PoolSpec{Addresses: []string{"192.0.2.10-192.0.2.15"}, Prefix: 24}),
		cluster, ofPaused, ofMissing, annotated, last)

	// Claims are served oldest first; when the last one has its address, the others have been passed over.
	g.Expect(eventuallyBound(t, g, last).Spec.Address).To(Equal("192.0.2.10"))
	for _, claim := range []*ipamv1.IPAddressClaim{ofPaused, ofMissing, annotated} {
		get(t, g, claim)
		g.Expect(claim.Status.Conditions).To(BeEmpty(), claim.Name)
	}

	unpaused := cluster.DeepCopy()
	unpaused.Spec.Paused = nil
	g.Expect(env.Client.Patch(t.Context(), unpaused, client.MergeFrom(cluster))).To(Succeed())
	eventuallyBound(t, g, ofPaused)

	resumed := annotated.DeepCopy()
	resumed.Annotations = nil
	g.Expect(env.Client.Patch(t.Context(), resumed, client.MergeFrom(annotated))).To(Succeed())
	eventuallyBound(t, g, annotated)

	// Case C08: a claim that outlived its cluster is released.
	g.Expect(env.Client.Delete(t.Context(), unpaused)).To(Succeed())
	g.Expect(env.Client.Delete(t.Context(), ofPaused)).To(Succeed())
	eventuallyGone(t, g, ofPaused)
}

// TestNoAddressTwice lets many claims arrive at once, with as many addresses.
func TestNoAddressTwice(t *testing.T) {
	g := NewWithT(t)
	namespace := startFulfiller(t)
	create(t, poolstandin.NewInClusterIPPool(namespace, "nodes", poolstandin.PoolSpec{Addresses: []string{"192.0.2.0/27"}, Prefix: 24}))
	var claims []*ipamv1.IPAddressClaim
	for i := range 31 {
		claims = append(claims, inPool(namespace, fmt.Sprintf("web-%d", i)))
		create(t, claims[i])
	}
	var addresses []netip.Addr
	for _, claim := range claims {
		addresses = append(addresses, netip.MustParseAddr(eventuallyBound(t, g, claim).Spec.Address))
	}
	slices.SortFunc(addresses, netip.Addr.Compare)
	g.Expect(slices.Compact(addresses)).To(HaveLen(len(claims)))
}
