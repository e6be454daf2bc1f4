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

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// TestSchemeConvertsLists converts lists of all kinds: each entry as it is converted alone, and the list's metadata stays.
func TestSchemeConvertsLists(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		spokes := []object{oddSpoke(t, k), c.down(t, k, fullHub(t, k)), k.spoke()}
		hubs := []object{fullHub(t, k), c.up(t, k, oddSpoke(t, k)), k.hub()}
		t.Run(k.name+" to v1alpha2", func(t *testing.T) { checkList(t, c, k.name, spokes, k.hub) })
		t.Run(k.name+" to v1alpha1", func(t *testing.T) { checkList(t, c, k.name, hubs, k.spoke) })
	}
}

func checkList(t *testing.T, c converter, kind string, entries []object, to func() object) {
	t.Helper()
	in, out := newList(t, c, kind, entries[0]), newList(t, c, kind, to())
	items := in.Elem().FieldByName("Items")
	for _, entry := range entries {
		items.Set(reflect.Append(items, reflect.ValueOf(entry).Elem()))
	}
	in.Elem().FieldByName("ListMeta").Set(reflect.ValueOf(metav1.ListMeta{ResourceVersion: "7", Continue: "more"}))
	if err := c.scheme.Convert(in.Interface(), out.Interface(), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := out.Elem().FieldByName("ListMeta").Interface(), in.Elem().FieldByName("ListMeta").Interface(); !cmp.Equal(got, want) {
		t.Errorf("metadata is %v, want %v", got, want)
	}
	converted := out.Elem().FieldByName("Items")
	if converted.Len() != len(entries) {
		t.Fatalf("%d entries, want %d", converted.Len(), len(entries))
	}
	for i, entry := range entries {
		got, _ := converted.Index(i).Addr().Interface().(object)
		if diff := cmp.Diff(c.to(t, entry, to()), overTheWire(t, got)); diff != "" {
			t.Errorf("entry %d (-converted alone +in the list):\n%s", i, diff)
		}
	}
}

// newList is an empty list of a kind, in the version of an object.
func newList(t *testing.T, c converter, kind string, version runtime.Object) reflect.Value {
	t.Helper()
	gvks, _, err := c.scheme.ObjectKinds(version)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.scheme.New(gvks[0].GroupVersion().WithKind(kind + "List"))
	if err != nil {
		t.Fatal(err)
	}
	return reflect.ValueOf(list)
}

// TestSchemeConvertsParts converts the spec and the status of objects by themselves: as in an object without a memory.
func TestSchemeConvertsParts(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		// LANs of cluster networks are in the status, so the spec of a machine alone does not show them.
		hub := fullHub(t, k)
		if machine, ok := hub.(*infrav1.IonosCloudMachine); ok {
			for i := range machine.Spec.Networks {
				machine.Spec.Networks[i].ClusterNetwork, machine.Spec.Networks[i].NetworkID = "", int32(i+1)
			}
			// The part does not know which attachment is the primary one, and takes the name that a v1alpha1 machine's has.
			machine.Spec.Networks[0].Name, machine.Status.Networks[0].Name = "primary", "primary"
		}
		for _, in := range []object{oddSpoke(t, k), hub} {
			to := k.hub()
			if reflect.TypeOf(in) == reflect.TypeOf(to) {
				to = k.spoke()
			}
			whole := c.to(t, in, to)
			for _, name := range []string{"Spec", "Status"} {
				from, want := reflect.ValueOf(in).Elem().FieldByName(name), reflect.ValueOf(whole).Elem().FieldByName(name)
				if !from.IsValid() || !want.IsValid() {
					continue
				}
				t.Run(from.Type().String(), func(t *testing.T) {
					got := reflect.New(want.Type())
					if err := c.scheme.Convert(from.Addr().Interface(), got.Interface(), nil); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want.Interface(), got.Elem().Interface()); diff != "" {
						t.Errorf("(-in an object +alone):\n%s", diff)
					}
				})
			}
		}
	}
}
