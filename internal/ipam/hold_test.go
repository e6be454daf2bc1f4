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
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestDeletedByHand checks that a claim, or its address, that somebody deletes keeps the address reserved until the owner
// releases it, and not longer.
func TestDeletedByHand(t *testing.T) {
	for name, object := range map[string]func(*testing.T, *world, string) client.Object{
		"claim":     func(t *testing.T, w *world, name string) client.Object { t.Helper(); return w.claim(t, name) },
		"IPAddress": func(t *testing.T, w *world, name string) client.Object { t.Helper(); return w.address(t, name) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "192.0.2.10")
			createCluster(t, w.namespace)
			owner, next := w.machine("web-0"), w.machine("web-1")
			held := w.bind(t, owner, "primary")
			remove(t, object(t, w, held.Name))

			// The only address of the pool is not given to anybody else.
			nextPlan := planOf(next, "primary")
			w.ensure(t, next, nextPlan)
			NewWithT(t).Eventually(func(g Gomega) {
				g.Expect(w.observe(t, next, nextPlan.Name).Failure).To(ContainSubstring("PoolExhausted: "))
			}, timeout).Should(Succeed())
			after := w.observe(t, owner, held.Name)
			if !after.Owned || !after.Deleting || after.Address != held.Address || after.Conflict != "" {
				t.Errorf("observed %+v", after)
			}
			// There is nothing to repair, and no error in trying.
			if err := w.claims.Ensure(t.Context(), owner, planOf(owner, "primary")); err != nil {
				t.Error(err)
			}
			if err := w.claims.Hold(t.Context(), owner, after); err != nil {
				t.Error(err)
			}

			w.eventuallyReleased(t, owner)
			if got := w.eventuallyBound(t, next, nextPlan.Name); got.Address != held.Address {
				t.Errorf("the next owner has %s", got.Address)
			}
			w.eventuallyReleased(t, next)
			if left := w.names(t); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestHoldWhatChanged checks that Hold fails when an address is not, or not any more, what was observed: it is used next.
func TestHoldWhatChanged(t *testing.T) {
	w := newWorld(t, "192.0.2.10-192.0.2.20")
	createCluster(t, w.namespace)
	// freeze makes a cache that does not notice what happens next.
	freeze := func(t *testing.T, name string) {
		t.Helper()
		claim, address := w.claim(t, name), w.address(t, name)
		w.late = func(_ types.NamespacedName, object client.Object) (bool, error) {
			switch into := object.(type) {
			case *ipamv1.IPAddressClaim:
				claim.DeepCopyInto(into)
			case *ipamv1.IPAddress:
				address.DeepCopyInto(into)
			}
			return true, nil
		}
	}
	machines := 0
	for name, happens := range map[string]func(*testing.T, string){
		"the claim is gone": func(t *testing.T, name string) { t.Helper(); removeAtOnce(t, w, name) },
		"the claim is somebody else's": func(t *testing.T, name string) {
			t.Helper()
			change(t, w.claim(t, name), func(claim *ipamv1.IPAddressClaim) { claim.OwnerReferences = nil })
			w.catchUp(t)
		},
		"the address is gone, and the cache is late": func(t *testing.T, name string) {
			t.Helper()
			freeze(t, name)
			tearAway(t, w.address(t, name))
		},
		"the address is being deleted, and the cache is late": func(t *testing.T, name string) {
			t.Helper()
			freeze(t, name)
			remove(t, w.address(t, name))
		},
		"the address is another one": func(t *testing.T, name string) {
			t.Helper()
			change(t, w.address(t, name), func(address *ipamv1.IPAddress) { address.Spec.Address = "192.0.2.99" })
			w.catchUp(t)
		},
		"the address is another claim's, and the cache is late": func(t *testing.T, name string) {
			t.Helper()
			freeze(t, name)
			change(t, w.address(t, name), func(address *ipamv1.IPAddress) { address.Spec.ClaimRef.Name = "other" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			machines++
			owner := w.machine(fmt.Sprintf("web-%d", machines))
			plan := planOf(owner, "primary")
			w.ensure(t, owner, plan)
			observed := w.eventuallyBound(t, owner, plan.Name)
			// From here on nothing but the test changes anything.
			change(t, w.claim(t, plan.Name), func(claim *ipamv1.IPAddressClaim) {
				metav1.SetMetaDataAnnotation(&claim.ObjectMeta, clusterv1.PausedAnnotation, "")
			})
			w.catchUp(t)
			happens(t, plan.Name)
			err := w.claims.Hold(t.Context(), owner, observed)
			w.late = nil
			if err == nil || !strings.Contains(err.Error(), "hold address "+observed.Address.String()+": ") || !strings.Contains(err.Error(), "changed meanwhile") {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// TestHoldBesideOthers checks that the finalizers of others stay, though the cache is late.
func TestHoldBesideOthers(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	createCluster(t, w.namespace)
	owner := w.machine("web-0")
	plan := planOf(owner, "primary")
	w.ensure(t, owner, plan)
	observed := w.eventuallyBound(t, owner, plan.Name)
	old := w.address(t, plan.Name)
	change(t, old.DeepCopy(), func(address *ipamv1.IPAddress) { address.Finalizers = append(address.Finalizers, "example.com/other") })
	w.late = func(_ types.NamespacedName, object client.Object) (bool, error) {
		address, isAddress := object.(*ipamv1.IPAddress)
		if isAddress {
			old.DeepCopyInto(address)
		}
		return isAddress, nil
	}
	err := w.claims.Hold(t.Context(), owner, observed)
	w.late = nil
	if err != nil {
		t.Fatal(err)
	}
	got := w.address(t, plan.Name)
	for _, want := range append(old.Finalizers, "example.com/other", finalizer) {
		if !slices.Contains(got.Finalizers, want) {
			t.Errorf("finalizer %s is gone: %v", want, got.Finalizers)
		}
	}
	if !metav1.IsControlledBy(got, w.claim(t, plan.Name)) {
		t.Errorf("owners are %v", got.OwnerReferences)
	}
}
