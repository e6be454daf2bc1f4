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

package v1alpha1

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// ConversionDataAnnotation holds, on an object of one version, the object of the other version that it was converted from,
// where the version alone cannot say everything. Objects that lose nothing do not have it.
const ConversionDataAnnotation = "cluster.x-k8s.io/conversion-data"

// memory is the value of ConversionDataAnnotation.
type memory[Spec, Status any] struct {
	// APIVersion and Kind are those of the remembered object.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Spec       Spec   `json:"spec,omitzero"`
	Status     Status `json:"status,omitzero"`
	// Previous is what the annotation held before. It is not ours, and is given back.
	Previous *string `json:"previous,omitempty"`
}

// noStatus is the status of a kind that has none.
type noStatus struct{}

// recall returns what an object remembers of its counterpart in the version gv, nil if nothing. Whatever else the
// annotation holds is somebody else's.
func recall[Spec, Status any](meta *metav1.ObjectMeta, gv schema.GroupVersion, kind string) *memory[Spec, Status] {
	text, exists := meta.Annotations[ConversionDataAnnotation]
	if !exists {
		return nil
	}
	found := &memory[Spec, Status]{}
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(found); err != nil || decoder.More() {
		return nil
	}
	if found.APIVersion != gv.String() || found.Kind != kind {
		return nil
	}
	return found
}

// remember puts a remembered object into the metadata, keeping what the annotation held before.
func remember[Spec, Status any](meta *metav1.ObjectMeta, gv schema.GroupVersion, kind string, spec Spec, status Status) {
	record := memory[Spec, Status]{APIVersion: gv.String(), Kind: kind, Spec: spec, Status: status}
	if previous, exists := meta.Annotations[ConversionDataAnnotation]; exists {
		record.Previous = &previous
	}
	text, err := json.Marshal(record)
	if err != nil {
		// API types always have a JSON form.
		return
	}
	setAnnotation(meta, string(text))
}

// setAnnotation sets the annotation without touching the map, which the object that is converted shares.
func setAnnotation(meta *metav1.ObjectMeta, text string) {
	annotations := maps.Clone(meta.Annotations)
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[ConversionDataAnnotation] = text
	meta.Annotations = annotations
}

// restoreAnnotation puts back what the annotation held before it was ours.
func restoreAnnotation(meta *metav1.ObjectMeta, previous *string) {
	if previous != nil {
		setAnnotation(meta, *previous)
		return
	}
	annotations := maps.Clone(meta.Annotations)
	delete(annotations, ConversionDataAnnotation)
	if len(annotations) == 0 {
		annotations = nil
	}
	meta.Annotations = annotations
}

// isOurs tells whether an earlier value of the annotation is a memory, which is outdated now, and not somebody else's.
func isOurs(previous *string) bool {
	if previous == nil {
		return true
	}
	var found struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal([]byte(*previous), &found); err != nil {
		return false
	}
	return (found.APIVersion == GroupVersion.String() || found.APIVersion == infrav1.GroupVersion.String()) && found.Kind != ""
}

// versions converts the objects of a kind: spoke objects of v1alpha1 and hub objects of v1alpha2.
type versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus any] struct {
	kind string
	// lift and project convert as far as the other version can say it.
	lift    func(SpokeSpec, SpokeStatus) (HubSpec, HubStatus)
	project func(HubSpec, HubStatus) (SpokeSpec, SpokeStatus)
	// mergeHub and mergeSpoke merge like merge3, lists by the identity of their entries.
	mergeHub   func(base, remembered, incoming side[HubSpec, HubStatus]) side[HubSpec, HubStatus]
	mergeSpoke func(base, remembered, incoming side[SpokeSpec, SpokeStatus]) side[SpokeSpec, SpokeStatus]
}

// side is what is converted of an object, besides its metadata.
type side[Spec, Status any] struct {
	spec   Spec
	status Status
}

// up converts a v1alpha1 object to v1alpha2. meta is the metadata of the result, a copy of the object's.
func (c versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus]) up(meta *metav1.ObjectMeta, spec SpokeSpec, status SpokeStatus) (HubSpec, HubStatus) {
	var hub side[HubSpec, HubStatus]
	hub.spec, hub.status = c.lift(spec, status)
	spoke := side[SpokeSpec, SpokeStatus]{spec, status}
	if remembered := recall[HubSpec, HubStatus](meta, infrav1.GroupVersion, c.kind); remembered != nil {
		hubMemory := side[HubSpec, HubStatus]{remembered.Spec, remembered.Status}
		var shown side[SpokeSpec, SpokeStatus]
		shown.spec, shown.status = c.down(&metav1.ObjectMeta{Annotations: previousOnly(remembered.Previous)}, hubMemory.spec, hubMemory.status)
		if equal(shown, spoke) {
			restoreAnnotation(meta, remembered.Previous)
			return hubMemory.spec, hubMemory.status
		}
		var base side[HubSpec, HubStatus]
		base.spec, base.status = c.lift(shown.spec, shown.status)
		hub = c.mergeHub(base, hubMemory, hub)
		if isOurs(remembered.Previous) {
			restoreAnnotation(meta, nil)
		} else {
			restoreAnnotation(meta, remembered.Previous)
		}
	}
	var back side[SpokeSpec, SpokeStatus]
	back.spec, back.status = c.project(hub.spec, hub.status)
	if !equal(back, spoke) || recall[SpokeSpec, SpokeStatus](meta, GroupVersion, c.kind) != nil {
		// The second is a value that would be taken for a memory of this object, though it is none.
		remember(meta, GroupVersion, c.kind, spec, status)
	}
	return hub.spec, hub.status
}

// down converts a v1alpha2 object to v1alpha1. meta is the metadata of the result, a copy of the object's.
func (c versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus]) down(meta *metav1.ObjectMeta, spec HubSpec, status HubStatus) (SpokeSpec, SpokeStatus) {
	var spoke side[SpokeSpec, SpokeStatus]
	spoke.spec, spoke.status = c.project(spec, status)
	hub := side[HubSpec, HubStatus]{spec, status}
	before := meta.Annotations
	remembered := recall[SpokeSpec, SpokeStatus](meta, GroupVersion, c.kind)
	if remembered != nil {
		spokeMemory := side[SpokeSpec, SpokeStatus]{remembered.Spec, remembered.Status}
		var lifted side[HubSpec, HubStatus]
		lifted.spec, lifted.status = c.lift(spokeMemory.spec, spokeMemory.status)
		if equal(lifted, hub) {
			spoke = spokeMemory
		} else {
			var base side[SpokeSpec, SpokeStatus]
			base.spec, base.status = c.project(lifted.spec, lifted.status)
			spoke = c.mergeSpoke(base, spokeMemory, spoke)
		}
		restoreAnnotation(meta, remembered.Previous)
	}
	// What comes back without a memory has to be the same object, annotations included.
	again := metav1.ObjectMeta{Annotations: meta.Annotations}
	var back side[HubSpec, HubStatus]
	back.spec, back.status = c.upNaturally(&again, spoke)
	if !equal(back, hub) || !maps.Equal(again.Annotations, before) || recall[HubSpec, HubStatus](meta, infrav1.GroupVersion, c.kind) != nil {
		meta.Annotations = before
		remember(meta, infrav1.GroupVersion, c.kind, spec, status)
	}
	return spoke.spec, spoke.status
}

// upNaturally converts a v1alpha1 object that has no memory of a v1alpha2 object.
func (c versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus]) upNaturally(meta *metav1.ObjectMeta, spoke side[SpokeSpec, SpokeStatus]) (HubSpec, HubStatus) {
	hubSpec, hubStatus := c.lift(spoke.spec, spoke.status)
	var back side[SpokeSpec, SpokeStatus]
	back.spec, back.status = c.project(hubSpec, hubStatus)
	if !equal(back, spoke) || recall[SpokeSpec, SpokeStatus](meta, GroupVersion, c.kind) != nil {
		remember(meta, GroupVersion, c.kind, spoke.spec, spoke.status)
	}
	return hubSpec, hubStatus
}

func previousOnly(previous *string) map[string]string {
	if previous == nil {
		return nil
	}
	return map[string]string{ConversionDataAnnotation: *previous}
}

// equal compares two objects as exactly as Go can.
func equal[T any](a, b T) bool { return reflect.DeepEqual(a, b) }
