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
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// object is an API object of either version.
type object interface {
	runtime.Object
	metav1.Object
}

// kind is a kind in both versions.
type kind struct {
	name  string
	hub   func() object
	spoke func() object
}

func kinds() []kind {
	return []kind{
		{"IonosCloudCluster", func() object { return &infrav1.IonosCloudCluster{} }, func() object { return &infrav1alpha1.IonosCloudCluster{} }},
		{"IonosCloudClusterTemplate", func() object { return &infrav1.IonosCloudClusterTemplate{} }, func() object { return &infrav1alpha1.IonosCloudClusterTemplate{} }},
		{"IonosCloudMachine", func() object { return &infrav1.IonosCloudMachine{} }, func() object { return &infrav1alpha1.IonosCloudMachine{} }},
		{"IonosCloudMachineTemplate", func() object { return &infrav1.IonosCloudMachineTemplate{} }, func() object { return &infrav1alpha1.IonosCloudMachineTemplate{} }},
	}
}

// converter converts through a scheme, as every client of the package can.
type converter struct{ scheme *runtime.Scheme }

func newConverter(tb testing.TB) converter {
	tb.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{infrav1alpha1.AddToScheme, infrav1.AddToScheme} {
		if err := add(scheme); err != nil {
			tb.Fatal(err)
		}
	}
	return converter{scheme}
}

// to converts an object and sends the result over the wire.
func (c converter) to(tb testing.TB, in, out object) object {
	tb.Helper()
	if err := c.scheme.Convert(in, out, nil); err != nil {
		tb.Fatalf("convert %T to %T: %v", in, out, err)
	}
	return overTheWire(tb, out)
}

// up converts to v1alpha2, down to v1alpha1.
func (c converter) up(tb testing.TB, k kind, in object) object {
	tb.Helper()
	return c.to(tb, in, k.hub())
}
func (c converter) down(tb testing.TB, k kind, in object) object {
	tb.Helper()
	return c.to(tb, in, k.spoke())
}

// machineUp and machineDown do so with the types of a machine.
func (c converter) machineUp(tb testing.TB, in *infrav1alpha1.IonosCloudMachine) *infrav1.IonosCloudMachine {
	tb.Helper()
	out, _ := c.to(tb, in, &infrav1.IonosCloudMachine{}).(*infrav1.IonosCloudMachine)
	return out
}

func (c converter) machineDown(tb testing.TB, in *infrav1.IonosCloudMachine) *infrav1alpha1.IonosCloudMachine {
	tb.Helper()
	out, _ := c.to(tb, in, &infrav1alpha1.IonosCloudMachine{}).(*infrav1alpha1.IonosCloudMachine)
	return out
}

// overTheWire encodes an object and decodes it again.
func overTheWire(tb testing.TB, in object) object {
	tb.Helper()
	out, _ := reflect.New(reflect.TypeOf(in).Elem()).Interface().(object)
	if err := json.Unmarshal(encode(tb, in), out); err != nil {
		tb.Fatalf("decode %T: %v", in, err)
	}
	return out
}

func encode(tb testing.TB, in any) []byte {
	tb.Helper()
	text, err := json.Marshal(in)
	if err != nil {
		tb.Fatalf("encode %T: %v", in, err)
	}
	return text
}

// forgetful returns a copy without the memory.
func forgetful(in object) object {
	out, _ := in.DeepCopyObject().(object)
	annotations := out.GetAnnotations()
	delete(annotations, infrav1alpha1.ConversionDataAnnotation)
	if len(annotations) == 0 {
		annotations = nil
	}
	out.SetAnnotations(annotations)
	return out
}

// hasMemory tells whether an object carries the annotation.
func hasMemory(in object) bool {
	_, exists := in.GetAnnotations()[infrav1alpha1.ConversionDataAnnotation]
	return exists
}
