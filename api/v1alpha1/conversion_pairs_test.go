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
	_ "embed"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
)

//go:embed testdata/said-in-full.yaml
var saidInFull []byte

// pairs are the objects of testdata/said-in-full.yaml, each with the same one in v1alpha2.
func pairs(tb testing.TB, c converter) [][2]object {
	tb.Helper()
	decoder := serializer.NewCodecFactory(c.scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yamlutil.NewDocumentDecoder(io.NopCloser(bytes.NewReader(saidInFull)))
	var all []object
	for {
		document := make([]byte, 64<<10)
		n, err := documents.Read(document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		decoded, gvk, err := decoder.Decode(document[:n], nil, nil)
		if err != nil {
			tb.Fatalf("decode %s: %v", document[:n], err)
		}
		if want := [2]string{"v1alpha1", "v1alpha2"}[len(all)%2]; gvk.Version != want {
			tb.Fatalf("%s: a document of %s belongs here", document[:n], want)
		}
		in, _ := decoded.(object)
		in.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
		all = append(all, in)
	}
	var paired [][2]object
	for i := 0; i+1 < len(all); i += 2 {
		paired = append(paired, [2]object{all[i], all[i+1]})
	}
	if len(paired) == 0 {
		tb.Fatal("there are no pairs")
	}
	return paired
}

// TestSaidInFull converts what production holds: it looks in v1alpha2 as it should, and no object needs a memory.
func TestSaidInFull(t *testing.T) {
	c := newConverter(t)
	for _, pair := range pairs(t, c) {
		spoke, hub := pair[0], pair[1]
		t.Run(spoke.GetName(), func(t *testing.T) {
			up, down := c.to(t, spoke, emptyLike(hub)), c.to(t, hub, emptyLike(spoke))
			for _, got := range []struct {
				what      string
				want, got object
			}{{"v1alpha2", hub, up}, {"v1alpha1", spoke, down}} {
				if hasMemory(got.got) {
					t.Errorf("%s needs a memory", got.what)
				}
				if diff := cmp.Diff(got.want, got.got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", got.what, diff)
				}
			}
		})
	}
}

// emptyLike is an empty object of a type.
func emptyLike(in object) object {
	out, _ := reflect.New(reflect.TypeOf(in).Elem()).Interface().(object)
	return out
}
