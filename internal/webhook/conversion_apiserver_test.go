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

package webhook_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

const (
	datacenterID = "2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11"
	imageID      = "7a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55"
)

func oldMachine(namespace string) *infrav1alpha1.IonosCloudMachine {
	return &infrav1alpha1.IonosCloudMachine{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "old"},
		Spec: infrav1alpha1.IonosCloudMachineSpec{
			DatacenterID:       datacenterID,
			Disk:               infrav1alpha1.Volume{Image: infrav1alpha1.ImageSpec{ID: ptr.To(imageID)}},
			NetworkID:          ptr.To("4"),
			AdditionalNetworks: []infrav1alpha1.Network{{NetworkID: 7}, {NetworkID: 9, DHCP: ptr.To(false)}, {NetworkID: 7}},
		},
	}
}

func newMachine(namespace string) *infrav1.IonosCloudMachine {
	return &infrav1.IonosCloudMachine{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "new"},
		Spec: infrav1.IonosCloudMachineSpec{
			DatacenterID: datacenterID,
			Disk:         infrav1.Volume{Image: infrav1.ImageSpec{ID: imageID}},
			Networks: []infrav1.Attachment{
				{Name: "public", DHCPv6: ptr.To(true)},
				{Name: "storage", ClusterNetwork: "storage", Routes: []infrav1.Route{{Destination: "10.99.0.0/16", Gateway: "10.20.0.1"}}},
				{Name: "backup", NetworkID: 9, DHCP: ptr.To(false)},
			},
		},
	}
}

func names(machine *infrav1.IonosCloudMachine) []string {
	var all []string
	for _, attachment := range machine.Spec.Networks {
		all = append(all, attachment.Name)
	}
	return all
}

// read gets an object in either version.
func read[T client.Object](t *testing.T, like client.Object, into T) T {
	t.Helper()
	if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(like), into); err != nil {
		t.Fatalf("Get %s as %T: %v", like.GetName(), into, err)
	}
	return into
}

// TestOldMachineOnTheAPIServer creates a machine as v1alpha1 and uses it through both versions.
func TestOldMachineOnTheAPIServer(t *testing.T) {
	old := oldMachine(serve(t))
	ctx := t.Context()
	if err := env.Client.Create(ctx, old); err != nil {
		t.Fatal(err)
	}
	hub := read(t, old, &infrav1.IonosCloudMachine{})
	if diff := cmp.Diff([]string{"primary", "lan-7", "lan-9", "lan-7-2"}, names(hub)); diff != "" {
		t.Errorf("attachments (-want +got):\n%s", diff)
	}
	if _, exists := hub.Annotations[infrav1alpha1.ConversionDataAnnotation]; exists || hub.Spec.NumCores != 1 || hub.Spec.MemoryMB != 3072 {
		t.Errorf("v1alpha2 has annotations %v, %d cores and %d MB", hub.Annotations, hub.Spec.NumCores, hub.Spec.MemoryMB)
	}

	// A v1alpha2 controller writes the status, then a v1alpha1 client patches the spec.
	withStatus := hub.DeepCopy()
	withStatus.Status = infrav1.IonosCloudMachineStatus{
		Initialization: infrav1.IonosCloudMachineInitializationStatus{Provisioned: ptr.To(true)},
		Conditions:     []metav1.Condition{{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready", LastTransitionTime: metav1.Now()}},
		Networks:       []infrav1.AttachmentStatus{{Name: "primary", NetworkID: 4, NICID: "nic-1", IPv4Addresses: []string{"203.0.113.21"}}},
	}
	if err := env.Client.Status().Patch(ctx, withStatus, client.MergeFrom(hub)); err != nil {
		t.Fatal(err)
	}
	shown := read(t, old, &infrav1alpha1.IonosCloudMachine{})
	if !ptr.Deref(shown.Status.Ready, false) || shown.Status.MachineNetworkInfo.NICInfo[0].IPv4Addresses[0] != "203.0.113.21" {
		t.Errorf("v1alpha1 shows the status %v", shown.Status)
	}
	edited := shown.DeepCopy()
	edited.Spec.AdditionalNetworks = edited.Spec.AdditionalNetworks[1:]
	if err := env.Client.Patch(ctx, edited, client.MergeFrom(shown)); err != nil {
		t.Fatal(err)
	}
	hub = read(t, old, &infrav1.IonosCloudMachine{})
	if diff := cmp.Diff([]string{"primary", "lan-9", "lan-7-2"}, names(hub)); diff != "" {
		t.Errorf("attachments after the first one was removed (-want +got):\n%s", diff)
	}
	if len(hub.Status.Conditions) != 1 || hub.Status.Networks[0].NICID != "nic-1" {
		t.Errorf("an edit through v1alpha1 lost a part of the status: %v", hub.Status)
	}

	// A v1alpha1 client writes the status.
	shown = read(t, old, &infrav1alpha1.IonosCloudMachine{})
	shown.Status.Location = ptr.To("de/txl")
	if err := env.Client.Status().Update(ctx, shown); err != nil {
		t.Fatal(err)
	}
	hub = read(t, old, &infrav1.IonosCloudMachine{})
	if hub.Status.Location != "de/txl" || len(hub.Status.Conditions) != 1 || hub.Status.Networks[0].NICID != "nic-1" {
		t.Errorf("the status is %v", hub.Status)
	}
	if err := env.Client.Delete(ctx, &infrav1.IonosCloudMachine{ObjectMeta: metav1.ObjectMeta{Namespace: old.Namespace, Name: old.Name}}); err != nil {
		t.Fatal(err)
	}
	if err := env.Client.Get(ctx, client.ObjectKeyFromObject(old), old); !apierrors.IsNotFound(err) {
		t.Errorf("after the deletion: %v", err)
	}
}

// TestNewMachineOnTheAPIServer creates a machine as v1alpha2 and uses it through v1alpha1.
func TestNewMachineOnTheAPIServer(t *testing.T) {
	hub := newMachine(serve(t))
	ctx := t.Context()
	if err := env.Client.Create(ctx, hub); err != nil {
		t.Fatal(err)
	}
	shown := read(t, hub, &infrav1alpha1.IonosCloudMachine{})
	if len(shown.Spec.AdditionalNetworks) != 1 || shown.Spec.AdditionalNetworks[0].NetworkID != 9 || shown.Spec.NetworkID != nil {
		t.Errorf("v1alpha1 shows LAN %v and %v", shown.Spec.NetworkID, shown.Spec.AdditionalNetworks)
	}
	shown.Spec.ProviderID = ptr.To("ionos://1")
	shown.Spec.AdditionalNetworks = append(shown.Spec.AdditionalNetworks, infrav1alpha1.Network{NetworkID: 12})
	if err := env.Client.Update(ctx, shown); err != nil {
		t.Fatal(err)
	}
	after := read(t, hub, &infrav1.IonosCloudMachine{})
	want := hub.DeepCopy()
	want.Spec.ProviderID = "ionos://1"
	want.Spec.Networks = append(want.Spec.Networks, infrav1.Attachment{Name: "lan-12", NetworkID: 12, DHCP: ptr.To(true)})
	if diff := cmp.Diff(want.Spec, after.Spec); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	if len(after.Annotations) > 0 {
		t.Errorf("annotations are %v", after.Annotations)
	}
	if err := env.Client.Delete(ctx, shown); err != nil {
		t.Fatal(err)
	}
	if err := env.Client.Get(ctx, client.ObjectKeyFromObject(hub), hub); !apierrors.IsNotFound(err) {
		t.Errorf("after the deletion: %v", err)
	}
}

// TestListAndWatchBothVersions lists objects that were made through either version, and sees changes made through the other.
func TestListAndWatchBothVersions(t *testing.T) {
	namespace := serve(t)
	ctx := t.Context()
	old, hub := oldMachine(namespace), newMachine(namespace)
	for _, machine := range []client.Object{old, hub} {
		if err := env.Client.Create(ctx, machine); err != nil {
			t.Fatal(err)
		}
	}
	oldList, hubList := &infrav1alpha1.IonosCloudMachineList{}, &infrav1.IonosCloudMachineList{}
	for _, list := range []client.ObjectList{oldList, hubList} {
		if err := env.Client.List(ctx, list, client.InNamespace(namespace)); err != nil {
			t.Fatal(err)
		}
	}
	if len(oldList.Items) != 2 || len(hubList.Items) != 2 || names(&hubList.Items[0])[1] != "storage" || names(&hubList.Items[1])[1] != "lan-7" {
		t.Errorf("lists are %v and %v", oldList.Items, hubList.Items)
	}

	watching, err := client.NewWithWatch(env.Config, client.Options{Scheme: env.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := watching.Watch(ctx, &infrav1alpha1.IonosCloudMachineList{}, client.InNamespace(namespace),
		&client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: oldList.ResourceVersion}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(watcher.Stop)
	changed := hub.DeepCopy()
	changed.Spec.Networks = append(changed.Spec.Networks, infrav1.Attachment{Name: "more", NetworkID: 30})
	if err := env.Client.Patch(ctx, changed, client.MergeFrom(hub)); err != nil {
		t.Fatal(err)
	}
	if err := env.Client.Delete(ctx, old); err != nil {
		t.Fatal(err)
	}
	for _, want := range []watch.EventType{watch.Modified, watch.Deleted} {
		select {
		case event := <-watcher.ResultChan():
			machine, ok := event.Object.(*infrav1alpha1.IonosCloudMachine)
			if !ok || event.Type != want {
				t.Fatalf("event %s of %T, want %s", event.Type, event.Object, want)
			}
			if networks := machine.Spec.AdditionalNetworks; want == watch.Modified && (len(networks) != 2 || networks[1].NetworkID != 30) {
				t.Errorf("the event shows %v", networks)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("no event, want %s", want)
		}
	}
}

// TestApplyThroughBothVersions applies with server-side apply, one owner through each version.
func TestApplyThroughBothVersions(t *testing.T) {
	namespace := serve(t)
	apply := func(owner string, machine client.Object, spec map[string]any) {
		t.Helper()
		text, err := json.Marshal(map[string]any{"metadata": map[string]any{"name": machine.GetName(), "namespace": namespace}, "spec": spec})
		if err != nil {
			t.Fatal(err)
		}
		applied := &unstructured.Unstructured{}
		if err := json.Unmarshal(text, &applied.Object); err != nil {
			t.Fatal(err)
		}
		gvk, err := env.Client.GroupVersionKindFor(machine)
		if err != nil {
			t.Fatal(err)
		}
		applied.SetGroupVersionKind(gvk)
		if err := env.Client.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(applied), client.FieldOwner(owner)); err != nil {
			t.Fatalf("%s applies %s: %v", owner, text, err)
		}
	}
	old := oldMachine(namespace)
	hub := &infrav1.IonosCloudMachine{ObjectMeta: old.ObjectMeta}
	manifest := map[string]any{
		"datacenterID": datacenterID, "disk": map[string]any{"image": map[string]any{"id": imageID}},
		"additionalNetworks": []any{map[string]any{"networkID": 7}, map[string]any{"networkID": 9}},
	}
	apply("gitops", old, manifest)
	apply("operator", hub, map[string]any{
		"datacenterID": datacenterID, "disk": map[string]any{"image": map[string]any{"id": imageID}},
		"networks": []any{map[string]any{"name": "storage", "clusterNetwork": "storage", "dhcpv6": true}},
	})
	check := func(want ...string) {
		t.Helper()
		machine := read(t, old, &infrav1.IonosCloudMachine{})
		if diff := cmp.Diff(want, names(machine)); diff != "" {
			t.Errorf("attachments (-want +got):\n%s", diff)
		}
		if _, exists := machine.Annotations[infrav1alpha1.ConversionDataAnnotation]; exists {
			t.Errorf("annotations are %v", machine.Annotations)
		}
	}
	check("primary", "lan-7", "lan-9", "storage")
	// The same manifest again changes nothing; another one changes what it says.
	apply("gitops", old, manifest)
	check("primary", "lan-7", "lan-9", "storage")
	manifest["numCores"] = 4
	manifest["additionalNetworks"] = []any{map[string]any{"networkID": 9}}
	apply("gitops", old, manifest)
	check("primary", "lan-9", "storage")
	if got := read(t, old, &infrav1.IonosCloudMachine{}).Spec.NumCores; got != 4 {
		t.Errorf("the machine has %d cores, want 4", got)
	}
	// A field that its owner does not apply any more is gone.
	delete(manifest, "additionalNetworks")
	apply("gitops", old, manifest)
	check("primary", "storage")
}
