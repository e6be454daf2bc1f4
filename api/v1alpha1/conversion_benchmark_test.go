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
	"reflect"
	"testing"
)

// BenchmarkConversion converts an object of each kind each way: one that both versions can say in full, and one of each version that
// the other has to remember.
func BenchmarkConversion(b *testing.B) {
	c := newConverter(b)
	for _, k := range kinds() {
		var full [2]object
		for _, pair := range pairs(b, c) {
			// The one that says most.
			if reflect.TypeOf(pair[0]) == reflect.TypeOf(k.spoke()) && (full[0] == nil || len(encode(b, pair[0])) > len(encode(b, full[0]))) {
				full = pair
			}
		}
		for _, benchmark := range []struct {
			name string
			in   object
			to   func() object
		}{
			{"v1alpha1 to v1alpha2", full[0], k.hub},
			{"v1alpha2 to v1alpha1", full[1], k.spoke},
			{"v1alpha2 to v1alpha1, every field", fullHub(b, k), k.spoke},
			{"v1alpha1 to v1alpha2, every field remembered", c.down(b, k, fullHub(b, k)), k.hub},
			{"v1alpha1 to v1alpha2, odd values", oddSpoke(b, k), k.hub},
			{"v1alpha2 to v1alpha1, odd values remembered", c.up(b, k, oddSpoke(b, k)), k.spoke},
		} {
			b.Run(k.name+" "+benchmark.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := c.scheme.Convert(benchmark.in, benchmark.to(), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
