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

package apitest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/webhook"
)

var (
	v1alpha1GV = schema.GroupVersion{Group: "infrastructure.cluster.x-k8s.io", Version: "v1alpha1"}
	v1alpha2GV = schema.GroupVersion{Group: "infrastructure.cluster.x-k8s.io", Version: "v1alpha2"}
)

// serveConversion runs the converter for a test in a namespace of its own.
func serveConversion(t *testing.T) (namespace string) {
	t.Helper()
	mgr := env.NewManager(t)
	if err := webhook.SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	mgr.Run(t)
	return env.Namespace(t)
}

// TestV1alpha1SchemaThroughConversion shows that v1alpha1 accepts, rejects and returns the same when objects are stored as
// v1alpha2.
func TestV1alpha1SchemaThroughConversion(t *testing.T) {
	serveConversion(t)
	runAdmission(t, env, "v1alpha1", smallest, v1alpha1Cases())
}

// TestWhatV1alpha1Allowed creates objects that v1alpha2 would refuse, through v1alpha1, which has looser rules. They must not
// become untouchable: whoever speaks v1alpha2, the provider above all, can change everything else of them.
func TestWhatV1alpha1Allowed(t *testing.T) {
	namespace := serveConversion(t)
	const (
		cluster         = "IonosCloudCluster"
		clusterTemplate = "IonosCloudClusterTemplate"
		machine         = "IonosCloudMachine"
		machineTemplate = "IonosCloudMachineTemplate"
	)
	const noSpec = `spec: null`
	for i, tt := range []struct {
		name    string
		kind    string
		create  string // A merge patch on the smallest v1alpha1 object.
		refused string // Part of what v1alpha2 says to such an object.
	}{
		{name: "network that is no number", kind: machine, create: `spec: {networkID: abc}`, refused: "networks[0].networkID"},
		{name: "network 0", kind: machine, create: `spec: {networkID: "0"}`, refused: "networks[0].networkID"},
		{name: "pool with an impossible name", kind: machine, create: `spec: {ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: A_B}}`, refused: "ipv4PoolRef.name"},
		{name: "30 additional networks", kind: machine, create: `spec: {additionalNetworks: ` + list(30, `{networkID: %d}`) + `}`, refused: "networks: Too many"},
		{name: "failover that only ends in an address", kind: machine, create: `spec: {failoverIP: "x 203.0.113.7"}`, refused: "failoverIPs"},
		{name: "empty image", kind: machine, create: `spec: {disk: {image: {id: ""}}}`, refused: "disk.image"},
		{name: "long name of the disk", kind: machine, create: `spec: {disk: {name: ` + strings.Repeat("d", 300) + `}}`, refused: "disk.name"},
		{name: "long CPU family", kind: machine, create: `spec: {cpuFamily: ` + strings.Repeat("C", 100) + `}`, refused: "cpuFamily"},
		{name: "no spec", kind: machine, create: noSpec, refused: "spec must be set"},
		{name: "VCPU with a CPU family", kind: machineTemplate, create: `spec: {template: {spec: {type: VCPU, cpuFamily: INTEL_SKYLAKE}}}`, refused: "cpuFamily"},
		{name: "network that is no number", kind: machineTemplate, create: `spec: {template: {spec: {networkID: abc}}}`, refused: "networks[0].networkID"},
		{name: "no spec", kind: machineTemplate, create: noSpec, refused: "spec must be set"},
		{name: "long name of the secret", kind: cluster, create: `spec: {credentialsRef: {name: ` + strings.Repeat("s", 300) + `}}`, refused: "credentialsRef"},
		{name: "long location", kind: cluster, create: `spec: {location: ` + strings.Repeat("l", 100) + `}`, refused: "location"},
		{name: "no spec", kind: cluster, create: noSpec, refused: "spec must be set"},
		{name: "no spec", kind: clusterTemplate, create: noSpec, refused: "spec must be set"},
	} {
		t.Run(tt.kind+"/"+tt.name, func(t *testing.T) {
			object := merge(t, smallest[tt.kind], tt.create)
			object.SetGroupVersionKind(v1alpha1GV.WithKind(tt.kind))
			object.SetNamespace(namespace)
			object.SetName(fmt.Sprintf("case-%d", i))
			if err := env.Client.Create(t.Context(), object); err != nil {
				t.Fatalf("create: %v", err)
			}
			before := throughJSON(t, object.Object["spec"])

			object.SetGroupVersionKind(v1alpha2GV.WithKind(tt.kind))
			if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
				t.Fatalf("read as v1alpha2: %v", err)
			}
			again := &unstructured.Unstructured{Object: map[string]any{"spec": object.Object["spec"]}}
			again.SetGroupVersionKind(object.GroupVersionKind())
			again.SetNamespace(namespace)
			again.SetName(object.GetName() + "-again")
			if err := env.Client.Create(t.Context(), again); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), tt.refused) {
				t.Errorf("create what was read as v1alpha2: got %v, want a refusal that names %q", err, tt.refused)
			}

			change := func(what, patch string) {
				t.Helper()
				if err := env.Client.Patch(t.Context(), object, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
					t.Errorf("change %s as v1alpha2: %v", what, err)
				}
			}
			change("labels", `{"metadata":{"labels":{"team":"shop"}}}`)
			change("finalizers", `{"metadata":{"finalizers":["example.com/keep"]}}`)
			if tt.create != noSpec {
				switch tt.kind {
				case machine:
					change("the provider ID", `{"spec":{"providerID":"ionos://5a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55"}}`)
				case cluster:
					change("the endpoint", `{"spec":{"controlPlaneEndpoint":{"host":"203.0.113.10","port":6443}}}`)
				}
			}
			if tt.kind == machine || tt.kind == cluster {
				status := client.RawPatch(types.MergePatchType, []byte(`{"status":{"initialization":{"provisioned":true}}}`))
				if err := env.Client.Status().Patch(t.Context(), object, status); err != nil {
					t.Errorf("change the status as v1alpha2: %v", err)
				}
			}

			object.SetGroupVersionKind(v1alpha1GV.WithKind(tt.kind))
			if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
				t.Fatalf("read as v1alpha1: %v", err)
			}
			if got := object.GetLabels()["team"]; got != "shop" {
				t.Errorf("got label %q", got)
			}
			after := throughJSON(t, object.Object["spec"])
			if spec, ok := after.(map[string]any); ok {
				delete(spec, "providerID")
				delete(spec, "controlPlaneEndpoint")
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("v1alpha1 reads something else (-before +after):\n%s", diff)
			}

			object.SetGroupVersionKind(v1alpha2GV.WithKind(tt.kind))
			if err := env.Client.Delete(t.Context(), object); err != nil {
				t.Errorf("delete: %v", err)
			}
			change("finalizers of what is being deleted", `{"metadata":{"finalizers":null}}`)
			if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); !apierrors.IsNotFound(err) {
				t.Errorf("read after the end: got %v, want not found", err)
			}
		})
	}
}
