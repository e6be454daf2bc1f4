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

package apitest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/testenv"
)

// TestSamples creates every sample, as kubectl would.
func TestSamples(t *testing.T) {
	v1alpha1 := testenv.Start(t, testenv.WithCRDs(testenv.OnlyVersion("v1alpha1")))
	files, err := filepath.Glob(filepath.Join("..", "..", "config", "samples", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	created := map[string]int{}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			server := env
			if strings.HasPrefix(filepath.Base(file), "v1alpha1") {
				server = v1alpha1
			}
			namespace := server.Namespace(t)
			for _, object := range manifests(t, file) {
				if object.GetNamespace() != "" {
					object.SetNamespace(namespace)
				}
				if err := client.WithFieldValidation(server.Client, metav1.FieldValidationStrict).Create(t.Context(), object); err != nil {
					t.Errorf("create %s %s: %v", object.GetKind(), object.GetName(), err)
				}
				created[object.GetAPIVersion()+" "+object.GetKind()]++
			}
		})
	}
	for _, version := range []string{"v1alpha1", "v1alpha2"} {
		for kind := range smallest {
			if created["infrastructure.cluster.x-k8s.io/"+version+" "+kind] == 0 && kind != "IonosCloudMachine" {
				t.Errorf("no sample has a %s of %s", kind, version)
			}
		}
	}
}

// manifests reads the objects of a file.
func manifests(t *testing.T, file string) []*unstructured.Unstructured {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		objects = append(objects, object)
	}
}
