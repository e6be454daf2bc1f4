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
// annotation holds is somebody else's. Fields that this version does not know are passed over: a newer one may have
// written the memory.
func recall[Spec, Status any](meta *metav1.ObjectMeta, gv schema.GroupVersion, kind string) *memory[Spec, Status] {
	text, exists := meta.Annotations[ConversionDataAnnotation]
	if !exists {
		return nil
	}
	found := &memory[Spec, Status]{}
	if err := json.Unmarshal([]byte(text), found); err != nil {
		return nil
	}
	if found.APIVersion != gv.String() || found.Kind != kind {
		return nil
	}
	return found
}

// annotationsLimit is how many bytes the API server lets all annotations of an object have, keys and values. It refuses
// the result of a conversion that has more, which makes the object unreadable.
const annotationsLimit = 256 << 10

// remember puts a remembered object into the metadata, keeping what the annotation held before. An object that is too big to
// be remembered is not, and the result is false: better that a part of it does not show in the other version than that it
// cannot be read at all.
func remember[Spec, Status any](meta *metav1.ObjectMeta, gv schema.GroupVersion, kind string, spec Spec, status Status) bool {
	record := memory[Spec, Status]{APIVersion: gv.String(), Kind: kind, Spec: spec, Status: status}
	if previous, exists := meta.Annotations[ConversionDataAnnotation]; exists {
		record.Previous = &previous
	}
	text, err := json.Marshal(record)
	if err != nil || !fits(meta.Annotations, len(text)) {
		return false
	}
	setAnnotation(meta, string(text))
	return true
}

// fits tells whether annotations may have a memory of that many bytes.
func fits(annotations map[string]string, size int) bool {
	size += len(ConversionDataAnnotation)
	for key, value := range annotations {
		if key != ConversionDataAnnotation {
			size += len(key) + len(value)
		}
	}
	return size <= annotationsLimit
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
	spoke := side[SpokeSpec, SpokeStatus]{spec, status}
	remembered := recall[HubSpec, HubStatus](meta, infrav1.GroupVersion, c.kind)
	if remembered == nil {
		return c.upNaturally(meta, spoke)
	}
	shown, hub, base := spoke, side[HubSpec, HubStatus]{}, side[HubSpec, HubStatus]{}
	hubMemory := side[HubSpec, HubStatus]{remembered.Spec, remembered.Status}
	shown.spec, shown.status = c.down(&metav1.ObjectMeta{Annotations: previousOnly(remembered.Previous)}, hubMemory.spec, hubMemory.status)
	if equal(shown, spoke) {
		restoreAnnotation(meta, remembered.Previous)
		return hubMemory.spec, hubMemory.status
	}
	base.spec, base.status = c.lift(shown.spec, shown.status)
	hub.spec, hub.status = c.lift(spec, status)
	hub = mergePresent(base, hubMemory, hub, c.mergeHub)
	restoreAnnotation(meta, c.foreign(remembered.Previous))
	c.rememberSpoke(meta, spoke, hub)
	return hub.spec, hub.status
}

// upNaturally converts a v1alpha1 object that has no memory of a v1alpha2 object.
func (c versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus]) upNaturally(meta *metav1.ObjectMeta, spoke side[SpokeSpec, SpokeStatus]) (HubSpec, HubStatus) {
	var hub side[HubSpec, HubStatus]
	hub.spec, hub.status = c.lift(spoke.spec, spoke.status)
	c.rememberSpoke(meta, spoke, hub)
	return hub.spec, hub.status
}

// rememberSpoke gives a v1alpha2 object the memory of the v1alpha1 object that it was made from, if it needs one.
func (c versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus]) rememberSpoke(meta *metav1.ObjectMeta, spoke side[SpokeSpec, SpokeStatus], hub side[HubSpec, HubStatus]) {
	var back side[SpokeSpec, SpokeStatus]
	back.spec, back.status = c.project(hub.spec, hub.status)
	// The value that the annotation has might be taken for a memory of this object, though it is none.
	misleads := recall[SpokeSpec, SpokeStatus](meta, GroupVersion, c.kind) != nil
	if equal(back, spoke) && !misleads {
		return
	}
	if !remember(meta, GroupVersion, c.kind, spoke.spec, spoke.status) && misleads {
		restoreAnnotation(meta, nil)
	}
}

// down converts a v1alpha2 object to v1alpha1. meta is the metadata of the result, a copy of the object's.
func (c versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus]) down(meta *metav1.ObjectMeta, spec HubSpec, status HubStatus) (SpokeSpec, SpokeStatus) {
	var spoke side[SpokeSpec, SpokeStatus]
	spoke.spec, spoke.status = c.project(spec, status)
	hub := side[HubSpec, HubStatus]{spec, status}
	before := meta.Annotations
	if remembered := recall[SpokeSpec, SpokeStatus](meta, GroupVersion, c.kind); remembered != nil {
		spokeMemory := side[SpokeSpec, SpokeStatus]{remembered.Spec, remembered.Status}
		var lifted side[HubSpec, HubStatus]
		lifted.spec, lifted.status = c.lift(spokeMemory.spec, spokeMemory.status)
		if equal(lifted, hub) {
			spoke = spokeMemory
		} else {
			var base side[SpokeSpec, SpokeStatus]
			base.spec, base.status = c.project(lifted.spec, lifted.status)
			spoke = mergePresent(base, spokeMemory, spoke, c.mergeSpoke)
		}
		restoreAnnotation(meta, remembered.Previous)
	}
	// What comes back without a memory has to be the same object, annotations included.
	again := metav1.ObjectMeta{Annotations: meta.Annotations}
	var back side[HubSpec, HubStatus]
	back.spec, back.status = c.upNaturally(&again, spoke)
	misleads := recall[HubSpec, HubStatus](meta, infrav1.GroupVersion, c.kind) != nil
	if equal(back, hub) && maps.Equal(again.Annotations, before) && !misleads {
		return spoke.spec, spoke.status
	}
	without := meta.Annotations
	meta.Annotations = before
	if !remember(meta, infrav1.GroupVersion, c.kind, spec, status) {
		meta.Annotations = without
		if misleads {
			restoreAnnotation(meta, nil)
		}
	}
	return spoke.spec, spoke.status
}

// foreign returns what the annotation held before there was any memory in it, nil if it did not exist. Memories below a memory
// are outdated once the object was changed; somebody else's text is still theirs.
func (c versions[SpokeSpec, SpokeStatus, HubSpec, HubStatus]) foreign(previous *string) *string {
	for previous != nil {
		meta := metav1.ObjectMeta{Annotations: previousOnly(previous)}
		if hub := recall[HubSpec, HubStatus](&meta, infrav1.GroupVersion, c.kind); hub != nil {
			previous = hub.Previous
		} else if spoke := recall[SpokeSpec, SpokeStatus](&meta, GroupVersion, c.kind); spoke != nil {
			previous = spoke.Previous
		} else {
			return previous
		}
	}
	return nil
}

// mergePresent merges, but leaves a spec or a status out that did not come in at all, though there was one before the change.
// The API server converts such parts of objects when it works out who owns which field, and dumps are created without their status.
func mergePresent[Spec, Status any](base, remembered, incoming side[Spec, Status], merge func(base, remembered, incoming side[Spec, Status]) side[Spec, Status]) side[Spec, Status] {
	if isZero(incoming.spec) && !isZero(base.spec) {
		base.spec, remembered.spec = incoming.spec, incoming.spec
	}
	merged := merge(base, remembered, incoming)
	if isZero(incoming.status) && !isZero(base.status) {
		// Not before: the LANs of cluster networks are in the status.
		merged.status = incoming.status
	}
	return merged
}

func isZero[T any](value T) bool { return reflect.ValueOf(&value).Elem().IsZero() }

func previousOnly(previous *string) map[string]string {
	if previous == nil {
		return nil
	}
	return map[string]string{ConversionDataAnnotation: *previous}
}

// equal compares two objects as exactly as Go can.
func equal[T any](a, b T) bool { return reflect.DeepEqual(a, b) }
