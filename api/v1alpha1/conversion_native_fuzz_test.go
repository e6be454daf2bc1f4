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
	"math/rand/v2"
	"testing"

	"sigs.k8s.io/randfill"
)

// fuzz lets go test -fuzz look for an object of a kind that breaks a round trip or an edit.
func fuzz(f *testing.F, k kind) {
	f.Helper()
	c := newConverter(f)
	f.Add(uint64(0), []byte{})
	f.Add(uint64(1), []byte("\x00\xff\x01\x80primary\x00lan-7\x00007"))
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		for _, functions := range [][]any{impossibleInJSON(), append(impossibleInJSON(), fewValues()...)} {
			filler := randfill.NewFromGoFuzz(data).NilChance(.3).NumElements(0, 3).Funcs(functions...)
			checkRoundTrip(t, c, fill(t, filler, k.spoke()), k.hub(), k.spoke())
			hub := fill(t, filler, k.hub())
			checkRoundTrip(t, c, hub, k.spoke(), k.hub())
			random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // Any seed is good, and nothing is secret.
			for range 2 {
				hub = editRandomly(t, c, k, random, hub)
			}
		}
	})
}

func FuzzIonosCloudCluster(f *testing.F)         { fuzz(f, kinds()[0]) }
func FuzzIonosCloudClusterTemplate(f *testing.F) { fuzz(f, kinds()[1]) }
func FuzzIonosCloudMachine(f *testing.F)         { fuzz(f, kinds()[2]) }
func FuzzIonosCloudMachineTemplate(f *testing.F) { fuzz(f, kinds()[3]) }

// FuzzAnnotation looks for a value of the annotation that breaks a conversion.
func FuzzAnnotation(f *testing.F) {
	c := newConverter(f)
	for name, text := range rubbish() {
		if name != "huge" && name != "huge memory" {
			f.Add(text)
		}
	}
	for _, k := range kinds() {
		for _, in := range []object{c.down(f, k, fullHub(f, k)), c.up(f, k, oddSpoke(f, k))} {
			for _, text := range in.GetAnnotations() {
				f.Add(text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > annotationsLimit/4 {
			t.Skip("there is no room left for a memory")
		}
		for _, k := range kinds() {
			for _, in := range []object{k.spoke(), oddSpoke(t, k)} {
				in.SetAnnotations(map[string]string{"cluster.x-k8s.io/conversion-data": text})
				hub := c.up(t, k, overTheWire(t, in))
				checkRoundTrip(t, c, hub, k.spoke(), k.hub())
				checkRoundTrip(t, c, c.down(t, k, hub), k.hub(), k.spoke())
			}
			for _, in := range []object{k.hub(), fullHub(t, k)} {
				in.SetAnnotations(map[string]string{"cluster.x-k8s.io/conversion-data": text})
				checkRoundTrip(t, c, overTheWire(t, in), k.spoke(), k.hub())
			}
		}
	})
}
