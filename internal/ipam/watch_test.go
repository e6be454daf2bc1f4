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
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/ipam"
)

func TestClaimToOwner(t *testing.T) {
	kind := (&world{}).machine("web").GVK.GroupKind()
	for name, test := range map[string]struct {
		owners []metav1.OwnerReference
		wakes  bool
	}{
		"ours":                 {[]metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha2", "IonosCloudMachine", "web", "a")}, true},
		"ours by v1alpha1":     {[]metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha1", "IonosCloudMachine", "web", "a")}, true},
		"nobody's":             {nil, false},
		"other kind":           {[]metav1.OwnerReference{controller("infrastructure.cluster.x-k8s.io/v1alpha2", "IonosCloudCluster", "web", "a")}, false},
		"other group":          {[]metav1.OwnerReference{controller("example.com/v1alpha2", "IonosCloudMachine", "web", "a")}, false},
		"unreadable version":   {[]metav1.OwnerReference{controller("a/b/c", "IonosCloudMachine", "web", "a")}, false},
		"ours, no controller":  {[]metav1.OwnerReference{{APIVersion: "infrastructure.cluster.x-k8s.io/v1alpha2", Kind: "IonosCloudMachine", Name: "web", UID: "a"}}, false},
		"ours among its owner": {[]metav1.OwnerReference{{APIVersion: "v1", Kind: "ConfigMap", Name: "x", UID: "b"}, controller("infrastructure.cluster.x-k8s.io/v1alpha2", "IonosCloudMachine", "web", "a")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			claim := &ipamv1.IPAddressClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: "any", OwnerReferences: test.owners}}
			var want []reconcile.Request
			if test.wakes {
				want = []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: "team", Name: "web"}}}
			}
			if diff := cmp.Diff(want, ipam.ClaimToOwner(kind)(t.Context(), claim)); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddressToOwner(t *testing.T) {
	w := newWorld(t, "192.0.2.10")
	createCluster(t, w.namespace)
	owner := w.machine("web")
	claim := w.bind(t, owner, "primary")
	wake := w.claims.AddressToOwner(owner.GVK.GroupKind())
	want := []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: w.namespace, Name: "web"}}}
	for name, test := range map[string]struct {
		object client.Object
		want   []reconcile.Request
	}{
		"address of the claim":         {w.address(t, claim.Name), want},
		"former address":               {addressOf(w.namespace, "former", claim.Name), want},
		"address of no claim":          {addressOf(w.namespace, claim.Name, "gone"), nil},
		"address elsewhere":            {addressOf("elsewhere", claim.Name, claim.Name), nil},
		"something that is no address": {w.claim(t, claim.Name), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, wake(t.Context(), test.object)); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
		})
	}
	if got := w.claims.AddressToOwner(schema.GroupKind{Group: owner.GVK.Group, Kind: "IonosCloudCluster"})(t.Context(), w.address(t, claim.Name)); got != nil {
		t.Errorf("an owner of another kind is woken: %v", got)
	}
	w.eventuallyReleased(t, owner)
}
