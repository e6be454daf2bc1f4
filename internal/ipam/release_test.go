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
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

// TestReleaseAll checks that what an owner controls goes, whatever its name and labels, and what others control stays.
func TestReleaseAll(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.20")
	createCluster(t, w.namespace)
	owner, other := w.machine("web"), w.machine("web-0")
	w.bind(t, owner, "primary")
	w.bind(t, owner, "storage")
	w.bind(t, other, "primary")
	// One of former days, which no attachment of the spec leads to any more.
	create(t, &ipamv1.IPAddressClaim{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.namespace, Name: "nic-web-7-ipv4", Finalizers: []string{finalizer},
			OwnerReferences: []metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha1", "IonosCloudMachine", "web", "uid-of-web")},
		},
		Spec: ipamv1.IPAddressClaimSpec{PoolRef: poolRef()},
	})
	w.eventuallyBound(t, owner, "nic-web-7-ipv4")

	w.eventuallyReleased(t, owner)
	if diff := cmp.Diff([]string{"address web-0.primary.ipv4", "claim web-0.primary.ipv4"}, w.names(t)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	if claim := w.observe(t, other, "web-0.primary.ipv4"); claim.Deleting || !claim.Address.IsValid() {
		t.Errorf("observed %+v", claim)
	}
}

// TestReleaseOne checks that only what is named goes.
func TestReleaseOne(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.20")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	goes, stays := w.bind(t, owner, "primary"), w.bind(t, owner, "storage")
	NewWithT(t).Eventually(func(g Gomega) {
		remaining, err := w.claims.Release(t.Context(), owner, goes.Name, "no-such-claim", goes.Name)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(remaining).To(BeEmpty())
	}, timeout).Should(Succeed())
	if diff := cmp.Diff([]string{"address " + stays.Name, "claim " + stays.Name}, w.names(t)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
}

// TestReleaseWaitsForTheProvider checks that a claim is reported for as long as anybody keeps it.
func TestReleaseWaitsForTheProvider(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.20")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	claim := w.bind(t, owner, "primary")
	change(t, w.claim(t, claim.Name), func(claim *ipamv1.IPAddressClaim) { claim.Finalizers = append(claim.Finalizers, "example.com/slow") })
	w.catchUp(t)
	for i := range 4 {
		release := func() ([]string, error) { return w.claims.Release(t.Context(), owner, claim.Name) }
		if i%2 == 1 {
			release = func() ([]string, error) { return w.claims.ReleaseAll(t.Context(), owner) }
		}
		remaining, err := release()
		if err != nil || !slices.Equal(remaining, []string{claim.Name}) {
			t.Fatalf("remaining %v, %v", remaining, err)
		}
	}
	NewWithT(t).Eventually(func() []string { return w.claim(t, claim.Name).Finalizers }, timeout).Should(ConsistOf("example.com/slow"))
	change(t, w.claim(t, claim.Name), func(claim *ipamv1.IPAddressClaim) { claim.Finalizers = nil })
	w.eventuallyReleased(t, owner)
	if left := w.names(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestSameNamesInTwoNamespaces checks that owners of one name do not see each other's claims.
func TestSameNamesInTwoNamespaces(t *testing.T) {
	here, there := newWorld(t, "192.0.2.10"), newWorld(t, "192.0.2.20")
	for _, w := range []*world{here, there} {
		createCluster(t, w.namespace)
		w.bind(t, w.machine("web"), "primary")
	}
	here.eventuallyReleased(t, here.machine("web"))
	if left := here.names(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if claim := there.observe(t, there.machine("web"), "web.primary.ipv4"); claim.Deleting || claim.Address.String() != "192.0.2.20" {
		t.Errorf("observed %+v", claim)
	}
}

// TestReleaseIsCrashSafe breaks the release off at every call, before its effect and after it, and starts it again.
func TestReleaseIsCrashSafe(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.11")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	for _, after := range []bool{false, true} {
		broken := 0
		for call := 1; ; call++ {
			w.bind(t, owner, "primary")
			w.ensure(t, owner, planOf(owner, "storage"))
			w.calls, w.breakAt, w.breakAfter = nil, call, after
			_, err := w.claims.ReleaseAll(t.Context(), owner)
			reached := len(w.calls) >= call
			calls := w.calls
			w.breakAt, w.calls = 0, nil
			if reached {
				broken++
			}
			if reached && !errors.Is(err, errBroken) {
				t.Errorf("call %d of %v is broken off, but the error is %v", call, calls, err)
			}
			w.catchUp(t)
			w.eventuallyReleased(t, owner)
			if left := w.names(t); len(left) > 0 {
				t.Fatalf("call %d of %v is broken off (after its effect: %t), left: %v", call, calls, after, left)
			}
			if !reached {
				break
			}
		}
		if broken < 10 {
			t.Errorf("only %d calls were broken off", broken)
		}
	}
}

// TestClaimingIsCrashSafe breaks off the making of a claim at every call, and starts it again: there is one claim.
func TestClaimingIsCrashSafe(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	plan := planOf(owner, "primary")
	for _, after := range []bool{false, true} {
		for call := 1; ; call++ {
			w.calls, w.breakAt, w.breakAfter = nil, call, after
			err := w.claims.Ensure(t.Context(), owner, plan)
			reached := len(w.calls) >= call
			w.breakAt = 0
			if reached != errors.Is(err, errBroken) {
				t.Fatalf("call %d of %v: %v", call, w.calls, err)
			}
			w.ensure(t, owner, plan)
			claim := w.eventuallyBound(t, owner, plan.Name)
			w.calls, w.breakAt = nil, call
			err = w.claims.Hold(t.Context(), owner, claim)
			reachedHold := len(w.calls) >= call
			w.breakAt = 0
			if reachedHold != errors.Is(err, errBroken) {
				t.Fatalf("call %d of %v: %v", call, w.calls, err)
			}
			w.bind(t, owner, "primary")
			if diff := cmp.Diff([]string{"address " + plan.Name, "claim " + plan.Name}, w.names(t)); diff != "" {
				t.Errorf("objects (-want +got):\n%s", diff)
			}
			w.eventuallyReleased(t, owner)
			if !reached && !reachedHold {
				break
			}
		}
	}
}

// TestReleaseOfWhatTheCacheDoesNotKnow checks that a claim which was made just before its owner is deleted is released.
func TestReleaseOfWhatTheCacheDoesNotKnow(t *testing.T) {
	for name, clusterName := range map[string]string{"in a cluster": "shop", "without a cluster": ""} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "192.0.2.10")
			createCluster(t, w.namespace)
			owner := w.machine("web")
			owner.ClusterName = clusterName
			w.bind(t, owner, "primary")
			release := w.claims
			release.Client = emptyCache{w.claims.Client}
			NewWithT(t).Eventually(func(g Gomega) {
				remaining, err := release.ReleaseAll(t.Context(), owner)
				g.Expect(err).NotTo(HaveOccurred())
				g.Expect(remaining).To(BeEmpty())
			}, timeout).Should(Succeed())
			if left := w.names(t); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// emptyCache is a client whose cache does not know anything yet.
type emptyCache struct{ client.Client }

func (emptyCache) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }

func (emptyCache) Get(_ context.Context, key client.ObjectKey, object client.Object, _ ...client.GetOption) error {
	_, err := notThereYet(key, object)
	return err
}

// TestReleaseAfterTheClaimWasTornAway checks that the address of a claim that is gone, because somebody took its finalizers off,
// does not stay for ever.
func TestReleaseAfterTheClaimWasTornAway(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	claim := w.bind(t, owner, "primary")
	// The provider of the pool gets to know of the deletion and lets go of both; the claim is torn out of our hands.
	remove(t, w.claim(t, claim.Name))
	NewWithT(t).Eventually(func() []string { return w.address(t, claim.Name).Finalizers }, timeout).Should(ConsistOf(finalizer))
	tearAway(t, w.claim(t, claim.Name))
	w.catchUp(t)
	if diff := cmp.Diff([]string{"address " + claim.Name}, w.names(t)); diff != "" {
		t.Fatalf("objects (-want +got):\n%s", diff)
	}
	w.eventuallyReleased(t, owner, claim.Name)
	if left := w.names(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestReleaseOfAFormerAddress checks that an address which the claim does not refer to any more is let go of, and one that
// was made for another claim is not, even if the claim refers to it. With no provider to wait for, one call does it.
func TestReleaseOfAFormerAddress(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	owner := w.machine("web")
	plan := planOf(owner, "primary")
	plan.Pool = network.PoolRef{APIGroup: "example.com", Kind: "Pool", Name: "blue"}
	w.ensure(t, owner, plan)
	former := addressOf(w.namespace, "former", plan.Name)
	foreign := addressOf(w.namespace, "foreign", "other")
	for _, address := range []*ipamv1.IPAddress{former, foreign} {
		address.Finalizers = []string{finalizer}
		create(t, address)
	}
	bindTo(t, w.claim(t, plan.Name), foreign.Name)
	w.catchUp(t)
	remaining, err := w.claims.Release(t.Context(), owner, plan.Name)
	if err != nil || len(remaining) > 0 {
		t.Fatalf("remaining %v, %v", remaining, err)
	}
	if diff := cmp.Diff([]string{"address foreign", "address former"}, w.names(t)); diff != "" {
		t.Errorf("objects (-want +got):\n%s", diff)
	}
	for _, address := range []*ipamv1.IPAddress{former, foreign} {
		get(t, address)
	}
	if len(former.Finalizers) > 0 || len(foreign.Finalizers) == 0 {
		t.Errorf("finalizers are %v of the former address, and %v of the foreign one", former.Finalizers, foreign.Finalizers)
	}
}

// TestReleaseWhileOthersWrite checks that a claim and an address that change between reading and writing are let go of.
func TestReleaseWhileOthersWrite(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	claim := w.bind(t, owner, "primary")
	change(t, w.claim(t, claim.Name), func(claim *ipamv1.IPAddressClaim) { claim.Finalizers = append(claim.Finalizers, "example.com/slow") })
	w.catchUp(t)
	release := w.claims
	busy := &busyClient{Client: w.claims.Client, t: t, left: map[string]int{"*v1beta2.IPAddressClaim": 2, "*v1beta2.IPAddress": 2}}
	release.Client = busy
	remaining, err := release.ReleaseAll(t.Context(), owner)
	if err != nil || !slices.Equal(remaining, []string{claim.Name}) {
		t.Fatalf("remaining %v, %v", remaining, err)
	}
	for kind, left := range busy.left {
		if left > 0 {
			t.Errorf("%s was not written in between", kind)
		}
	}
	NewWithT(t).Eventually(func() []string { return w.claim(t, claim.Name).Finalizers }, timeout).Should(ConsistOf("example.com/slow"))
	change(t, w.claim(t, claim.Name), func(claim *ipamv1.IPAddressClaim) { claim.Finalizers = nil })
	w.eventuallyReleased(t, owner)
	if left := w.names(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// busyClient lets somebody else write each object just before it is patched, a few times.
type busyClient struct {
	client.Client

	t    *testing.T
	left map[string]int
}

func (c *busyClient) Patch(ctx context.Context, object client.Object, patch client.Patch, options ...client.PatchOption) error {
	kind := fmt.Sprintf("%T", object)
	if c.left[kind] > 0 {
		c.left[kind]--
		annotation := strings.ToLower(fmt.Sprintf("example.com/write-%d", c.left[kind]))
		switch object := object.DeepCopyObject().(type) {
		case *ipamv1.IPAddressClaim:
			change(c.t, object, func(object *ipamv1.IPAddressClaim) { metav1.SetMetaDataAnnotation(&object.ObjectMeta, annotation, "") })
		case *ipamv1.IPAddress:
			change(c.t, object, func(object *ipamv1.IPAddress) { metav1.SetMetaDataAnnotation(&object.ObjectMeta, annotation, "") })
		}
	}
	return c.Client.Patch(ctx, object, patch, options...)
}

// TestReleaseAfterThePoolIsGone checks that a deleted pool stops nothing: a claim keeps what it holds, and is released.
func TestReleaseAfterThePoolIsGone(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	claim := w.bind(t, owner, "primary")
	remove(t, poolstandin.NewInClusterIPPool(w.namespace, "nodes", poolstandin.PoolSpec{}))
	if after := w.observe(t, owner, claim.Name); after.Address != claim.Address || after.Conflict != "" || after.Failure != "" {
		t.Errorf("observed %+v", after)
	}
	w.eventuallyReleased(t, owner)
	if left := w.names(t); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
