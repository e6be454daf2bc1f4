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

package v1alpha1_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// rubbish are values of the annotation that are no memory.
func rubbish() map[string]string {
	return map[string]string{
		"empty":                        "",
		"text":                         "hello",
		"null":                         "null",
		"list":                         "[]",
		"object":                       "{}",
		"string":                       `"{}"`,
		"cut off":                      `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine","spec":{`,
		"two values":                   `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine"} {}`,
		"trailing bracket":             `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine"}}`,
		"wrong shape":                  `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine","spec":[{"networks":1}]}`,
		"wrong number":                 `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine","spec":{"numCores":1e99}}`,
		"another kind":                 `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachines","spec":{"numCores":7}}`,
		"another version":              `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1","kind":"IonosCloudMachine","spec":{"numCores":7}}`,
		"another group":                `{"apiVersion":"example.com/v1alpha2","kind":"IonosCloudMachine","spec":{"numCores":7}}`,
		"no kind":                      `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","spec":{"numCores":7}}`,
		"deeply nested":                strings.Repeat(`{"spec":`, 11_000) + "1" + strings.Repeat("}", 11_000),
		"nested and broken":            strings.Repeat("[", 100_000),
		"huge":                         strings.Repeat("x", 1<<20),
		"huge memory":                  `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine","spec":"` + strings.Repeat("x", 1<<20) + `"}`,
		"what Cluster API would write": `{"metadata":{"creationTimestamp":null},"spec":{"numCores":7},"status":{}}`,
	}
}

// TestRubbishInTheAnnotation converts objects whose annotation is somebody else's or broken: as if it was not there, and it stays.
func TestRubbishInTheAnnotation(t *testing.T) {
	for name, text := range rubbish() {
		t.Run(name, func(t *testing.T) {
			c := newConverter(t)
			annotations := map[string]string{infrav1alpha1.ConversionDataAnnotation: text}
			for _, in := range []*infrav1alpha1.IonosCloudMachine{
				{ObjectMeta: metav1.ObjectMeta{Annotations: annotations}, Spec: infrav1alpha1.IonosCloudMachineSpec{NumCores: 2}},
				{ObjectMeta: metav1.ObjectMeta{Annotations: annotations}, Spec: infrav1alpha1.IonosCloudMachineSpec{NetworkID: ptr.To("007")}},
			} {
				if hub := c.machineUp(t, in); hub.Spec.NumCores != in.Spec.NumCores {
					t.Errorf("the machine has %d cores in v1alpha2, and %d in v1alpha1", hub.Spec.NumCores, in.Spec.NumCores)
				}
				if len(text) < 1<<17 {
					checkRoundTrip(t, c, in, &infrav1.IonosCloudMachine{}, &infrav1alpha1.IonosCloudMachine{})
				}
			}
			hub := attachedMachine()
			hub.Annotations = annotations
			c.machineDown(t, hub)
			if len(text) < 1<<17 {
				checkRoundTrip(t, c, hub, &infrav1alpha1.IonosCloudMachine{}, &infrav1.IonosCloudMachine{})
				edited := c.machineDown(t, hub)
				edited.Spec.NumCores++
				if after := c.machineUp(t, edited); !maps.Equal(after.Annotations, annotations) || after.Spec.Networks[1].Name != "storage" {
					t.Errorf("after an edit, annotations are %v, and the second attachment is %s", after.Annotations, after.Spec.Networks[1].Name)
				}
			}
		})
	}
}

// TestMemoryOfTheSameVersion has, on an object, a memory of an object of its own version, as a careless copy makes it.
func TestMemoryOfTheSameVersion(t *testing.T) {
	c := newConverter(t)
	hub, spoke := attachedMachine(), &infrav1alpha1.IonosCloudMachine{Spec: infrav1alpha1.IonosCloudMachineSpec{NetworkID: ptr.To("007")}}
	ofHub, ofSpoke := c.machineDown(t, hub).Annotations, c.machineUp(t, spoke).Annotations
	hub.Annotations = ofHub
	if shown := c.machineDown(t, hub); len(shown.Spec.AdditionalNetworks) != 3 {
		t.Errorf("v1alpha1 shows %v", shown.Spec.AdditionalNetworks)
	}
	checkRoundTrip(t, c, hub, &infrav1alpha1.IonosCloudMachine{}, &infrav1.IonosCloudMachine{})
	for _, text := range []*string{ptr.To("007"), ptr.To("7"), nil} {
		spoke := &infrav1alpha1.IonosCloudMachine{ObjectMeta: metav1.ObjectMeta{Annotations: ofSpoke}, Spec: infrav1alpha1.IonosCloudMachineSpec{NetworkID: text}}
		checkRoundTrip(t, c, spoke, &infrav1.IonosCloudMachine{}, &infrav1alpha1.IonosCloudMachine{})
	}
}

// TestMemoryOfANewerVersion has a field in the memory that this version does not know: the rest is believed.
func TestMemoryOfANewerVersion(t *testing.T) {
	c := newConverter(t)
	edited := c.machineDown(t, attachedMachine())
	text := edited.Annotations[infrav1alpha1.ConversionDataAnnotation]
	edited.Annotations[infrav1alpha1.ConversionDataAnnotation] = strings.Replace(text, `"spec":{`, `"spec":{"newField":{"a":1},`, 1)
	edited.Spec.NumCores++
	if got := c.machineUp(t, edited).Spec.Networks[1].Name; got != "storage" {
		t.Errorf("the second attachment is %s, want storage", got)
	}
}

// TestHubEditIsNotUndone edits, in v1alpha2, what v1alpha1 said in its own way. The memory of the old way must not bring the old value
// back, neither when v1alpha1 is read nor when a v1alpha1 client writes back (C35).
func TestHubEditIsNotUndone(t *testing.T) {
	c := newConverter(t)
	hub := c.machineUp(t, &infrav1alpha1.IonosCloudMachine{Spec: infrav1alpha1.IonosCloudMachineSpec{
		NumCores: 2, NetworkID: ptr.To("007"), Disk: infrav1alpha1.Volume{Name: ptr.To("")}, AdditionalNetworks: []infrav1alpha1.Network{},
	}})
	if !hasMemory(hub) {
		t.Fatal("007 is not remembered")
	}
	hub.Spec.NumCores = 4
	hub.Spec.Networks = append(hub.Spec.Networks, infrav1.Attachment{Name: "storage", NetworkID: 9, DHCPv6: ptr.To(true)})
	shown := c.machineDown(t, hub)
	if shown.Spec.NumCores != 4 || len(shown.Spec.AdditionalNetworks) != 1 || *shown.Spec.NetworkID != "007" {
		t.Errorf("v1alpha1 shows %d cores, %v and LAN %s", shown.Spec.NumCores, shown.Spec.AdditionalNetworks, *shown.Spec.NetworkID)
	}
	hub.Spec.Networks[0].NetworkID = 8
	shown = c.machineDown(t, hub)
	if got := *shown.Spec.NetworkID; got != "8" {
		t.Errorf("v1alpha1 shows LAN %s, and v1alpha2 says 8", got)
	}
	shown.Status.Ready = ptr.To(true)
	after := c.machineUp(t, shown)
	if !reflect.DeepEqual(after.Spec, hub.Spec) || !*after.Status.Initialization.Provisioned {
		t.Errorf("a v1alpha1 client that writes the status changes the spec (-before +after):\n%s", cmp.Diff(hub.Spec, after.Spec))
	}
}

// TestStaleMemory writes an object back that a v1alpha1 client read before v1alpha2 clients changed it, as kubectl apply of a dump
// does. What the client wrote counts, also where the memory says something else.
func TestStaleMemory(t *testing.T) {
	c := newConverter(t)
	dump := c.machineDown(t, attachedMachine())
	now := attachedMachine()
	now.Spec.Networks = now.Spec.Networks[:4]
	now.Spec.Networks[3].VNET = "inner"
	now.Status.Networks = now.Status.Networks[:3]

	// The API server lets the main resource change everything but the status, which stays what it is now.
	written := dump.DeepCopy()
	written.Spec.AdditionalNetworks = c.machineDown(t, now).Spec.AdditionalNetworks
	written.Status = c.machineDown(t, now).Status
	after := c.machineUp(t, written)
	if diff := cmp.Diff(now.Spec, after.Spec); diff != "" {
		t.Errorf("spec (-now +after):\n%s", diff)
	}
	if diff := cmp.Diff(now.Status, after.Status); diff != "" {
		t.Errorf("status (-now +after):\n%s", diff)
	}
	if diff := cmp.Diff(leaves(written), leaves(c.machineDown(t, after))); diff != "" {
		t.Errorf("v1alpha1 (-written +read):\n%s", diff)
	}
}

// TestMemoryDoesNotGrow edits an object many times through both versions.
func TestMemoryDoesNotGrow(t *testing.T) {
	c := newConverter(t)
	hub := c.machineUp(t, &infrav1alpha1.IonosCloudMachine{Spec: infrav1alpha1.IonosCloudMachineSpec{NetworkID: ptr.To("007")}})
	hub.Spec.Networks[0].Name = "nodes"
	var first int
	for i := range int32(100) {
		hub.Spec.NumCores = 1 + i%9
		spoke := c.machineDown(t, hub)
		spoke.Spec.MemoryMB = 2048 * (1 + i%4)
		hub = c.machineUp(t, spoke)
		size := len(spoke.Annotations[infrav1alpha1.ConversionDataAnnotation]) + len(hub.Annotations[infrav1alpha1.ConversionDataAnnotation])
		if first == 0 {
			first = size
		}
		if size > 2*first {
			t.Fatalf("memories have %d bytes after %d edits, and had %d after one", size, i+1, first)
		}
	}
	if got := *c.machineDown(t, hub).Spec.NetworkID; got != "007" {
		t.Errorf("v1alpha1 shows LAN %s, want 007", got)
	}
}

// annotationsLimit is that of the API server: k8s.io/apimachinery/pkg/api/validation.TotalAnnotationSizeLimitB.
const annotationsLimit = 256 << 10

// TestTooBigToRemember has an object that is bigger than annotations may be. The API server would refuse the result of the
// conversion, so that nobody could read or delete the object: it goes without a memory.
func TestTooBigToRemember(t *testing.T) {
	c := newConverter(t)
	for name, hub := range map[string]*infrav1.IonosCloudMachine{
		"much to say":        {Spec: infrav1.IonosCloudMachineSpec{Networks: []infrav1.Attachment{{Name: strings.Repeat("n", annotationsLimit)}}}},
		"other annotations":  {ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"other": strings.Repeat("a", annotationsLimit-10)}}, Spec: attachedMachine().Spec},
		"text of others":     {ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{infrav1alpha1.ConversionDataAnnotation: strings.Repeat("a", annotationsLimit-100)}}, Spec: attachedMachine().Spec},
		"memory of v1alpha1": {ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{infrav1alpha1.ConversionDataAnnotation: `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha1","kind":"IonosCloudMachine","previous":"` + strings.Repeat("a", annotationsLimit-200) + `"}`}}, Spec: attachedMachine().Spec},
	} {
		t.Run(name, func(t *testing.T) {
			spoke := c.machineDown(t, hub)
			size := 0
			for key, value := range spoke.Annotations {
				size += len(key) + len(value)
			}
			if size > annotationsLimit {
				t.Errorf("the result has %d bytes of annotations", size)
			}
			spoke.Spec.NumCores++
			if got := c.machineUp(t, spoke).Spec.NumCores; got != hub.Spec.NumCores+1 {
				t.Errorf("the machine has %d cores, want %d", got, hub.Spec.NumCores+1)
			}
		})
	}
	// The same the other way.
	spoke := &infrav1alpha1.IonosCloudMachine{Spec: infrav1alpha1.IonosCloudMachineSpec{NetworkID: ptr.To(strings.Repeat("0", annotationsLimit))}}
	if hub := c.machineUp(t, spoke); hasMemory(hub) || hub.Spec.Networks[0].NetworkID != infrav1.InvalidNetworkID {
		t.Errorf("a text of %d bytes is remembered: %t, as LAN %d", annotationsLimit, hasMemory(hub), hub.Spec.Networks[0].NetworkID)
	}
}

// TestTooBigToSetRight has an annotation that looks like a memory of the other version's object, though it is none of this object's,
// and that is too big to be put below one. It goes: it would be believed on the other side.
func TestTooBigToSetRight(t *testing.T) {
	c := newConverter(t)
	memory := func(version string) map[string]string {
		return map[string]string{infrav1alpha1.ConversionDataAnnotation: `{"apiVersion":"infrastructure.cluster.x-k8s.io/` + version +
			`","kind":"IonosCloudMachine","spec":{"numCores":64},"previous":"` + strings.Repeat("a", annotationsLimit-200) + `"}`}
	}
	spoke := &infrav1alpha1.IonosCloudMachine{ObjectMeta: metav1.ObjectMeta{Annotations: memory("v1alpha1")}, Spec: infrav1alpha1.IonosCloudMachineSpec{NumCores: 2}}
	up := c.machineUp(t, spoke)
	if got := c.machineDown(t, up).Spec; hasMemory(up) || !reflect.DeepEqual(got, spoke.Spec) {
		t.Errorf("remembered: %t, and the spec comes back as %v", hasMemory(up), got)
	}
	hub := &infrav1.IonosCloudMachine{ObjectMeta: metav1.ObjectMeta{Annotations: memory("v1alpha2")}, Spec: infrav1.IonosCloudMachineSpec{NumCores: 2}}
	down := c.machineDown(t, hub)
	if got := c.machineUp(t, down).Spec; hasMemory(down) || !reflect.DeepEqual(got, hub.Spec) {
		t.Errorf("remembered: %t, and the spec comes back as %v", hasMemory(down), got)
	}
}

// TestManyEntries has lists as long as an object can hold. A conversion that compares every entry with every other takes hours.
func TestManyEntries(t *testing.T) {
	c := newConverter(t)
	spoke := &infrav1alpha1.IonosCloudMachine{Status: infrav1alpha1.IonosCloudMachineStatus{MachineNetworkInfo: &infrav1alpha1.MachineNetworkInfo{}}}
	for range 50_000 {
		spoke.Spec.AdditionalNetworks = append(spoke.Spec.AdditionalNetworks, infrav1alpha1.Network{NetworkID: 7})
		spoke.Status.MachineNetworkInfo.NICInfo = append(spoke.Status.MachineNetworkInfo.NICInfo, infrav1alpha1.NICInfo{NetworkID: 7})
	}
	hub := c.machineUp(t, spoke)
	hub.Spec.Networks[0].Name = "public"
	hub.Spec.Networks = hub.Spec.Networks[:2000]
	hub.Status.Networks = hub.Status.Networks[:500]
	edited := c.machineDown(t, hub)
	edited.Spec.AdditionalNetworks = append(edited.Spec.AdditionalNetworks[1:], spoke.Spec.AdditionalNetworks...)
	if got := c.machineUp(t, edited); len(got.Spec.Networks) != len(edited.Spec.AdditionalNetworks)+1 || got.Spec.Networks[0].Name != "public" {
		t.Errorf("%d attachments, the first is %s", len(got.Spec.Networks), got.Spec.Networks[0].Name)
	}
}

// TestMissingParts converts objects without a spec or a status, as the API server makes them when it works out who owns which field: no
// field may appear that was not there.
func TestMissingParts(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		for name, whole := range map[string]object{"v1alpha1": c.down(t, k, fullHub(t, k)), "v1alpha2": c.up(t, k, oddSpoke(t, k))} {
			for _, part := range []string{"Spec", "Status"} {
				if !reflect.ValueOf(whole).Elem().FieldByName(part).IsValid() {
					continue
				}
				t.Run(k.name+" "+name+" without "+part, func(t *testing.T) {
					for _, in := range []object{whole, forgetful(whole)} {
						in, _ := in.DeepCopyObject().(object)
						reflect.ValueOf(in).Elem().FieldByName(part).SetZero()
						to, back := k.hub(), k.spoke()
						if name == "v1alpha2" {
							to, back = back, to
						}
						out := c.to(t, in, to)
						var content map[string]any
						if err := json.Unmarshal(encode(t, out), &content); err != nil {
							t.Fatal(err)
						}
						if value, exists := content[strings.ToLower(part)]; exists {
							t.Errorf("%s appears: %v", part, value)
						}
						before, after := leaves(in), leaves(c.to(t, out, back))
						for _, all := range []map[string]string{before, after} {
							// A v1alpha1 object shows the LANs of cluster networks that the status knows, which may be gone.
							maps.DeleteFunc(all, func(path, _ string) bool { return strings.HasPrefix(path, "spec.additionalNetworks") })
						}
						if !maps.Equal(before, after) {
							t.Errorf("came back changed (-before +after):\n%s", cmp.Diff(before, after))
						}
					}
				})
			}
		}
	}
}

// TestAnnotationsAreLeftAsTheyWere looks at what is left when a memory goes: no empty map, and no other annotation is touched.
func TestAnnotationsAreLeftAsTheyWere(t *testing.T) {
	c := newConverter(t)
	for _, annotations := range []map[string]string{nil, {"example.com/note": "stays"}} {
		hub := attachedMachine()
		hub.Annotations = annotations
		spoke := c.machineDown(t, hub)
		if !hasMemory(spoke) || len(spoke.Annotations) != len(annotations)+1 {
			t.Errorf("annotations in v1alpha1 are %v", spoke.Annotations)
		}
		spoke.Spec.NumCores++
		if after := c.machineUp(t, spoke); !reflect.DeepEqual(after.Annotations, annotations) {
			t.Errorf("annotations are %v after an edit, want %v", after.Annotations, annotations)
		}
	}
}

// TestClientThatStripsAnnotations shows what is lost when a v1alpha1 client writes an object back without its annotations.
func TestClientThatStripsAnnotations(t *testing.T) {
	c := newConverter(t)
	spoke := c.machineDown(t, attachedMachine())
	spoke.Annotations = nil
	got := describe(c.machineUp(t, spoke).Spec.Networks)
	if want := "primary 4, lan-12 12, lan-9 9, lan-9-2 9"; got != want {
		t.Errorf("attachments are %s, want %s", got, want)
	}
}
