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
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/testenv"
)

// env has both versions.
var env *testenv.Environment

func TestMain(m *testing.M) {
	os.Exit(testenv.Run(m, func(e *testenv.Environment) { env = e }))
}

// admissionCase is an object, or a change of one, and what the API server says to it.
type admissionCase struct {
	name string
	kind string
	// create is a merge patch on the valid object of the kind; the result is created.
	create string
	// update is a merge patch that is sent afterwards, if set. Then the create has to succeed.
	update string
	// want is what the user reads after "is invalid: ". Empty means that it is accepted.
	want string
	// stored is the spec as it is read afterwards, if set.
	stored string
}

// runAdmission runs the cases of a version. A valid object of each kind is given as YAML.
func runAdmission(t *testing.T, env *testenv.Environment, version string, valid map[string]string, cases []admissionCase) {
	t.Helper()
	namespace := env.Namespace(t)
	// As kubectl does, unknown fields are refused.
	strict := client.WithFieldValidation(env.Client, metav1.FieldValidationStrict)
	gv := schema.GroupVersion{Group: "infrastructure.cluster.x-k8s.io", Version: version}
	for i, tt := range cases {
		t.Run(tt.kind+"/"+tt.name, func(t *testing.T) {
			object := merge(t, valid[tt.kind], tt.create)
			object.SetGroupVersionKind(gv.WithKind(tt.kind))
			object.SetNamespace(namespace)
			object.SetName(fmt.Sprintf("case-%d", i))
			err := strict.Create(t.Context(), object)
			if tt.update != "" {
				if err != nil {
					t.Fatalf("create: %v", err)
				}
				patch, yamlErr := yaml.YAMLToJSON([]byte(tt.update))
				if yamlErr != nil {
					t.Fatal(yamlErr)
				}
				err = strict.Patch(t.Context(), object, client.RawPatch(types.MergePatchType, patch))
			}
			if got := message(err); got != tt.want {
				t.Fatalf("got  %s\nwant %s", got, tt.want)
			}
			if tt.stored == "" {
				return
			}
			if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
				t.Fatal(err)
			}
			var want any
			if err := yaml.Unmarshal([]byte(tt.stored), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, throughJSON(t, object.Object["spec"])); diff != "" {
				t.Errorf("stored (-want +got):\n%s", diff)
			}
		})
	}
}

// merge applies a merge patch to an object; both are YAML.
func merge(t *testing.T, object, patch string) *unstructured.Unstructured {
	t.Helper()
	merged, err := yaml.YAMLToJSON([]byte(object))
	if err != nil {
		t.Fatal(err)
	}
	if patch != "" {
		raw, err := yaml.YAMLToJSON([]byte(patch))
		if err != nil {
			t.Fatal(err)
		}
		if merged, err = jsonpatch.MergePatch(merged, raw); err != nil {
			t.Fatal(err)
		}
	}
	result := &unstructured.Unstructured{}
	if err := json.Unmarshal(merged, &result.Object); err != nil {
		t.Fatal(err)
	}
	return result
}

// throughJSON makes all numbers float64, as in what yaml.Unmarshal returns.
func throughJSON(t *testing.T, value any) any {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var result any
	if err := json.Unmarshal(raw, &result); err != nil {
		t.Fatal(err)
	}
	return result
}

// unchecked is what the API server adds when a broken schema keeps it from looking at the rules of the whole object.
const unchecked = ", <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; " +
	"correct the existing errors to complete validation]"

// message is what the user reads, without the name of the object and the remark about unchecked rules.
func message(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if apierrors.IsInvalid(err) {
		_, text, _ = strings.Cut(text, " is invalid: ")
	}
	if found, yes := strings.CutSuffix(text, unchecked); yes {
		text = strings.TrimPrefix(found, "[")
	}
	return text
}
