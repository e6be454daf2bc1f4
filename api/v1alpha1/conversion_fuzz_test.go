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
	"bytes"
	"flag"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/randfill"
)

// The values of the tests are random. They are shaped by nothing but this: before a round trip, a value passes once through its own
// JSON. JSON is what the API server stores and what it hands to the conversion, so these are all the values that can come. What
// this pass loses, no client of an API server can say:
//   - in v1alpha2, a list, map or pointer that is empty and one that is absent (omitempty);
//   - a time's fraction of a second, its zone and its monotonic clock, and bytes in a string that are no UTF-8;
//   - a quantity's notation: 1000m is 1.
//
// Two types get a value from a function because a random one has no JSON at all: the raw bytes of managed fields are JSON
// themselves, and the fields of a quantity are hidden.
func impossibleInJSON() []any {
	return []any{
		func(fields *metav1.FieldsV1, c randfill.Continue) {
			fields.SetRawBytes([]byte(`{"f:spec":{}}`))
			if c.Bool() {
				fields.SetRawBytes([]byte(`{"f:status":{"f:ready":{}}}`))
			}
		},
		func(quantity *resource.Quantity, c randfill.Continue) {
			*quantity = *resource.NewMilliQuantity(c.Int63n(1<<40), resource.DecimalSI)
		},
	}
}

// fewValues makes every second string and number one of a few. Random noise never repeats itself; these make names, LANs and
// addresses meet each other, and make values that v1alpha1 and v1alpha2 write differently.
func fewValues() []any {
	words := []string{"", "a", "b", "primary", "lan-7", "lan-7-2", "lan-9", "default", "storage", "7", "9", "007", "-1", "AUTO", "192.0.2.1", "{}"}
	return []any{
		func(text *string, c randfill.Continue) {
			*text = words[c.Intn(len(words))]
			if c.Intn(4) == 0 {
				*text = c.String(0)
			}
		},
		func(number *int32, c randfill.Continue) {
			*number = []int32{-1, 0, 1, 7, 7, 7, 9, 9}[c.Intn(8)]
			if c.Intn(8) == 0 {
				*number = int32(c.Uint32())
			}
		},
	}
}

// source is a source of random objects.
type source struct {
	name   string
	filler *randfill.Filler
}

// fillers are sources of random objects: pure noise, and values that meet each other.
func fillers(seed int64) []source {
	return []source{
		{"noise", randfill.NewWithSeed(seed).NilChance(.3).NumElements(0, 3).Funcs(impossibleInJSON()...)},
		{"few values", randfill.NewWithSeed(seed).NilChance(.4).NumElements(0, 4).Funcs(append(impossibleInJSON(), fewValues()...)...)},
	}
}

// fill makes a random object. Its apiVersion and kind stay empty: they are set by who converts, and are no part of a conversion.
func fill(tb testing.TB, filler *randfill.Filler, in object) object {
	tb.Helper()
	filler.Fill(in)
	reflect.ValueOf(in).Elem().FieldByName("TypeMeta").SetZero()
	return overTheWire(tb, in)
}

// checkRoundTrip converts an object into the other version and back, and compares.
func checkRoundTrip(tb testing.TB, c converter, in, between, back object) {
	tb.Helper()
	before := encode(tb, in)
	converted := c.to(tb, in, between)
	if !reflect.DeepEqual(converted, between) {
		tb.Errorf("%T has values that it loses on the wire (-wire +converted):\n%s", between, cmp.Diff(converted, between))
	}
	if after := encode(tb, in); !bytes.Equal(before, after) {
		tb.Errorf("the conversion changed its input:\n%s\n%s", before, after)
	}
	result := c.to(tb, converted, back)
	after := encode(tb, result)
	if !reflect.DeepEqual(in, result) || !bytes.Equal(before, after) {
		tb.Errorf("%T came back changed (-before +after):\n%s\nbefore:  %s\nbetween: %s\nafter:   %s",
			in, cmp.Diff(in, result), before, encode(tb, converted), after)
	}
}

// fixedSeed repeats a run: go test -run TestRandomEdits/IonosCloudMachine -seed 42.
var fixedSeed = flag.Int64("seed", 0, "seed of random objects and edits, as a failed test logs it; 0 draws one for each test")

// newSeed is the seed of a test, which the log tells.
func newSeed(tb testing.TB) int64 {
	tb.Helper()
	seed := *fixedSeed
	if seed == 0 {
		seed = rand.Int64() //nolint:gosec // Any seed is good, and nothing is secret.
	}
	tb.Logf("seed %d", seed)
	return seed
}

// count is how many objects of a kind are converted in each direction: go test -run TestRoundTrip -roundtrips 1000000.
var count = flag.Int("roundtrips", roundTrips, "objects of a kind that TestRoundTrip converts in each direction")

func TestRoundTrip(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		for _, direction := range []struct {
			name     string
			from, to func() object
		}{
			{"v1alpha1 to v1alpha2 and back", k.spoke, k.hub},
			{"v1alpha2 to v1alpha1 and back", k.hub, k.spoke},
		} {
			t.Run(k.name+" "+direction.name, func(t *testing.T) {
				t.Parallel()
				sources := fillers(newSeed(t))
				for range *count / len(sources) {
					for _, source := range sources {
						checkRoundTrip(t, c, fill(t, source.filler, direction.from()), direction.to(), direction.from())
						if t.Failed() {
							t.Fatalf("with %s", source.name)
						}
					}
				}
			})
		}
	}
}
