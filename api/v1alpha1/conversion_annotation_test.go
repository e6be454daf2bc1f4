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
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// annotate gives an object an annotation that it does not have by itself: a text that is no memory, or a memory of a random object
// of any kind in either version, on the side where it belongs or on the other, below it up to two more of them.
func annotate(tb testing.TB, random *rand.Rand, in object) {
	tb.Helper()
	annotations := in.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[infrav1alpha1.ConversionDataAnnotation] = randomAnnotation(tb, random, 2)
	in.SetAnnotations(annotations)
}

func randomAnnotation(tb testing.TB, random *rand.Rand, nested int) string {
	tb.Helper()
	texts := []string{"", "hello", "null", "[]", "{}", `"{}"`, `{"spec":{`, `{"metadata":{},"spec":{"numCores":7},"status":{}}`}
	if random.IntN(4) == 0 {
		return texts[random.IntN(len(texts))]
	}
	k := kinds()[random.IntN(len(kinds()))]
	remembered, version := k.hub(), infrav1.GroupVersion
	if random.IntN(2) == 0 {
		remembered, version = k.spoke(), infrav1alpha1.GroupVersion
	}
	sources := fillers(random.Int64())
	remembered = fill(tb, sources[random.IntN(len(sources))].filler, remembered)
	attachments, recorded := networksOf(remembered)
	for i := range attachments {
		// What no API server stores, nobody remembers. The only such number that there is, the conversion makes itself.
		attachments[i].NetworkID = max(attachments[i].NetworkID, infrav1.InvalidNetworkID)
	}
	for i := range recorded {
		recorded[i].NetworkID = max(recorded[i].NetworkID, infrav1.InvalidNetworkID)
	}
	memory := map[string]any{"apiVersion": version.String(), "kind": k.name}
	for name, key := range map[string]string{"Spec": "spec", "Status": "status"} {
		if part := reflect.ValueOf(remembered).Elem().FieldByName(name); part.IsValid() && random.IntN(6) > 0 {
			memory[key] = part.Interface()
		}
	}
	if nested > 0 && random.IntN(3) == 0 {
		memory["previous"] = randomAnnotation(tb, random, nested-1)
	}
	text := encode(tb, memory)
	if random.IntN(8) == 0 {
		text = text[:random.IntN(len(text))]
	}
	return string(text)
}

// believes returns the object of the other version that an object remembers, nil if it has no memory that it believes: one of its
// kind, in the other version.
func believes(tb testing.TB, k kind, in object) object {
	tb.Helper()
	remembered, version := k.hub(), infrav1.GroupVersion
	if reflect.TypeOf(in) == reflect.TypeOf(remembered) {
		remembered, version = k.spoke(), infrav1alpha1.GroupVersion
	}
	text := []byte(in.GetAnnotations()[infrav1alpha1.ConversionDataAnnotation])
	if err := json.Unmarshal(text, remembered); err != nil || remembered.GetObjectKind().GroupVersionKind() != version.WithKind(k.name) {
		return nil
	}
	return remembered
}

// TestRandomAnnotations converts random objects with annotations that do not belong to them. They come back the same, with their
// annotation. Only a v1alpha1 object with a memory that it believes, of an object that it is not, gets another memory; its spec and its
// status come back the same.
func TestRandomAnnotations(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		for _, from := range []func() object{k.spoke, k.hub} {
			t.Run(fmt.Sprintf("%T", from()), func(t *testing.T) {
				t.Parallel()
				seed := newSeed(t)
				random := rand.New(rand.NewPCG(uint64(seed), 0)) //nolint:gosec // Any seed is good, and nothing is secret.
				sources, objects, believed := fillers(seed), *count/10, 0
				for range objects {
					in := fill(t, sources[random.IntN(len(sources))].filler, from())
					annotate(t, random, in)
					in = overTheWire(t, in)
					remembered := believes(t, k, in)
					if remembered != nil {
						believed++
					}
					checkAnnotated(t, c, k, in, remembered)
					if t.Failed() {
						t.Fatalf("with the annotation %s", in.GetAnnotations()[infrav1alpha1.ConversionDataAnnotation])
					}
				}
				if objects >= 100 && (believed == 0 || believed == objects) {
					t.Errorf("%d of %d objects believe their annotation", believed, objects)
				}
			})
		}
	}
}

func checkAnnotated(t *testing.T, c converter, k kind, in, remembered object) {
	t.Helper()
	switch {
	case reflect.TypeOf(in) == reflect.TypeOf(k.hub()):
		checkRoundTrip(t, c, in, k.spoke(), k.hub())
		checkSaysWhatTheHubSays(t, c, k, in)
	case remembered == nil:
		checkRoundTrip(t, c, in, k.hub(), k.spoke())
	default:
		hub := c.up(t, k, in)
		back := c.down(t, k, hub)
		checkReadsBack(t, mutation{path: "status", what: "all that differs from the memory"}, remembered, in, back)
		checkRoundTrip(t, c, hub, k.spoke(), k.hub())
		checkRoundTrip(t, c, back, k.hub(), k.spoke())
	}
}
