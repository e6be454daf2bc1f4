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
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// TestV1alpha1IsWhatProductionHas compares the CRDs with the recorded facts, both ways.
func TestV1alpha1IsWhatProductionHas(t *testing.T) {
	recorded, celRules := readFacts(t, filepath.Join("testdata", "v1alpha1.txt"))
	generated := map[string]string{}
	for _, crd := range ownCRDs(t) {
		describeCRD(t, crd, "v1alpha1", celRules, generated)
	}
	var differences []string
	for subject, fact := range recorded {
		if got, exists := generated[subject]; !exists {
			differences = append(differences, fmt.Sprintf("%s\n  production: %s\n  here:       missing", subject, fact))
		} else if got != fact {
			differences = append(differences, fmt.Sprintf("%s\n  production: %s\n  here:       %s", subject, fact, got))
		}
	}
	for subject, fact := range generated {
		if _, exists := recorded[subject]; !exists {
			differences = append(differences, fmt.Sprintf("%s\n  production: missing\n  here:       %s", subject, fact))
		}
	}
	slices.Sort(differences)
	for _, difference := range differences {
		t.Error(difference)
	}
	if len(recorded) < 200 {
		t.Errorf("only %d facts were read", len(recorded))
	}
}

// TestFactsNoticeEveryChange changes each fact of the schema in turn, and expects the comparison to see it.
func TestFactsNoticeEveryChange(t *testing.T) {
	_, celRules := readFacts(t, filepath.Join("testdata", "v1alpha1.txt"))
	describe := func(change func(*apiextensionsv1.JSONSchemaProps)) map[string]string {
		facts := map[string]string{}
		for _, crd := range ownCRDs(t) {
			if crd.Spec.Names.Kind != "IonosCloudMachine" {
				continue
			}
			for _, version := range crd.Spec.Versions {
				change(version.Schema.OpenAPIV3Schema)
			}
			describeCRD(t, crd, "v1alpha1", celRules, facts)
		}
		return facts
	}
	field := func(schema *apiextensionsv1.JSONSchemaProps, name string, change func(*apiextensionsv1.JSONSchemaProps)) {
		spec := schema.Properties["spec"]
		property := spec.Properties[name]
		change(&property)
		spec.Properties[name] = property
		schema.Properties["spec"] = spec
	}
	before := describe(func(*apiextensionsv1.JSONSchemaProps) {})
	for name, change := range map[string]func(*apiextensionsv1.JSONSchemaProps){
		"type":       func(s *apiextensionsv1.JSONSchemaProps) { s.Type = "boolean" },
		"format":     func(s *apiextensionsv1.JSONSchemaProps) { s.Format = "byte" },
		"default":    func(s *apiextensionsv1.JSONSchemaProps) { s.Default = &apiextensionsv1.JSON{Raw: []byte(`7`)} },
		"minimum":    func(s *apiextensionsv1.JSONSchemaProps) { s.Minimum = ptr.To(5.0) },
		"maximum":    func(s *apiextensionsv1.JSONSchemaProps) { s.Maximum = ptr.To(5.0) },
		"multipleOf": func(s *apiextensionsv1.JSONSchemaProps) { s.MultipleOf = ptr.To(5.0) },
		"minLength":  func(s *apiextensionsv1.JSONSchemaProps) { s.MinLength = ptr.To[int64](5) },
		"maxLength":  func(s *apiextensionsv1.JSONSchemaProps) { s.MaxLength = ptr.To[int64](5) },
		"minItems":   func(s *apiextensionsv1.JSONSchemaProps) { s.MinItems = ptr.To[int64](5) },
		"maxItems":   func(s *apiextensionsv1.JSONSchemaProps) { s.MaxItems = ptr.To[int64](5) },
		"pattern":    func(s *apiextensionsv1.JSONSchemaProps) { s.Pattern = "x" },
		"enum":       func(s *apiextensionsv1.JSONSchemaProps) { s.Enum = []apiextensionsv1.JSON{{Raw: []byte(`1`)}} },
		"nullable":   func(s *apiextensionsv1.JSONSchemaProps) { s.Nullable = true },
		"listType":   func(s *apiextensionsv1.JSONSchemaProps) { s.XListType = ptr.To("set") },
		"mapType":    func(s *apiextensionsv1.JSONSchemaProps) { s.XMapType = ptr.To("atomic") },
		"another CEL": func(s *apiextensionsv1.JSONSchemaProps) {
			s.XValidations = append(s.XValidations, apiextensionsv1.ValidationRule{Rule: "self != 3"})
		},
	} {
		after := describe(func(schema *apiextensionsv1.JSONSchemaProps) { field(schema, "numCores", change) })
		if fmt.Sprint(before) == fmt.Sprint(after) {
			t.Errorf("a change of %s was not noticed", name)
		}
	}
	after := describe(func(schema *apiextensionsv1.JSONSchemaProps) {
		spec := schema.Properties["spec"]
		spec.Required = nil
		schema.Properties["spec"] = spec
	})
	if before["field IonosCloudMachine spec.disk"] == after["field IonosCloudMachine spec.disk"] {
		t.Error("a field that is no longer required was not noticed")
	}
}

// ownCRDs reads the generated CRDs.
func ownCRDs(t *testing.T) []*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	files := envtest.CRDInstallOptions{Paths: []string{filepath.Join("..", "..", "config", "crd", "bases")}, ErrorIfPathMissing: true}
	if err := envtest.ReadCRDFiles(&files); err != nil {
		t.Fatal(err)
	}
	return files.CRDs
}

// readFacts returns the recorded facts by their subject, and the names of the rules by their CEL.
func readFacts(t *testing.T, file string) (facts, celRules map[string]string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	facts, celRules = map[string]string{}, map[string]string{}
	columns := map[string]int{}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		what, rest, _ := strings.Cut(line, " ")
		kind, rest, _ := strings.Cut(rest, " ")
		switch what {
		case "", "#":
		case "kind":
			facts["kind "+kind] = rest
		case "column":
			columns[kind]++
			facts[fmt.Sprintf("column %s %d", kind, columns[kind])] = rest
		case "field":
			path, fact, _ := strings.Cut(rest, " ")
			facts["field "+kind+" "+path] = fact
		case "rule":
			facts["rule "+kind+" "+rest] = "applies"
		case "cel":
			name, cel, _ := strings.Cut(strings.TrimPrefix(line, "cel "), ": ")
			celRules[cel] = name
		default:
			t.Fatalf("%s: what is %q?", file, line)
		}
	}
	return facts, celRules
}

// describeCRD puts a version of a CRD into the words of the facts.
func describeCRD(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition, version string, celRules, facts map[string]string) {
	t.Helper()
	i := slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool { return v.Name == version })
	if i < 0 {
		return
	}
	v, kind := crd.Spec.Versions[i], crd.Spec.Names.Kind
	if !v.Served {
		t.Errorf("%s of %s is not served", version, kind)
	}
	list := func(names []string) string {
		if len(names) == 0 {
			return "-"
		}
		return strings.Join(names, ",")
	}
	status := "no"
	if v.Subresources != nil && v.Subresources.Status != nil {
		status = "yes"
	}
	facts["kind "+kind] = fmt.Sprintf("plural=%s scope=%s shortNames=%s categories=%s status=%s",
		crd.Spec.Names.Plural, crd.Spec.Scope, list(crd.Spec.Names.ShortNames), list(crd.Spec.Names.Categories), status)
	for i, column := range v.AdditionalPrinterColumns {
		facts[fmt.Sprintf("column %s %d", kind, i+1)] = fmt.Sprintf("%q %s %s priority=%d", column.Name, column.Type, column.JSONPath, column.Priority)
	}
	root := v.Schema.OpenAPIV3Schema
	describeRules(kind, ".", root, celRules, facts)
	for _, name := range []string{"spec", "status"} {
		if property, exists := root.Properties[name]; exists {
			describeField(kind, name, &property, slices.Contains(root.Required, name), celRules, facts)
		}
	}
}

func describeRules(kind, path string, schema *apiextensionsv1.JSONSchemaProps, celRules, facts map[string]string) {
	for _, rule := range schema.XValidations {
		name, known := celRules[rule.Rule]
		if !known {
			name = rule.Rule
		}
		facts["rule "+kind+" "+path+" "+name] = "applies"
	}
}

func describeField(kind, path string, schema *apiextensionsv1.JSONSchemaProps, required bool, celRules, facts map[string]string) {
	var fact strings.Builder
	fact.WriteString(schema.Type)
	if schema.Format != "" {
		fact.WriteString("/" + schema.Format)
	}
	if schema.Default != nil {
		fmt.Fprintf(&fact, " default=%s", schema.Default.Raw)
	}
	for _, limit := range []struct {
		name  string
		value *float64
	}{{"minimum", schema.Minimum}, {"maximum", schema.Maximum}, {"multipleOf", schema.MultipleOf}} {
		if limit.value != nil {
			fmt.Fprintf(&fact, " %s=%v", limit.name, *limit.value)
		}
	}
	for _, limit := range []struct {
		name  string
		value *int64
	}{
		{"minLength", schema.MinLength}, {"maxLength", schema.MaxLength}, {"minProperties", schema.MinProperties},
		{"maxProperties", schema.MaxProperties}, {"minItems", schema.MinItems}, {"maxItems", schema.MaxItems},
	} {
		if limit.value != nil {
			fmt.Fprintf(&fact, " %s=%v", limit.name, *limit.value)
		}
	}
	if schema.Pattern != "" {
		fmt.Fprintf(&fact, " pattern=%s", schema.Pattern)
	}
	if len(schema.Enum) > 0 {
		values := make([]string, len(schema.Enum))
		for i, value := range schema.Enum {
			values[i] = string(value.Raw)
		}
		fmt.Fprintf(&fact, " enum=[%s]", strings.Join(values, ","))
	}
	if schema.XListType != nil {
		fmt.Fprintf(&fact, " listType=%s%v", *schema.XListType, schema.XListMapKeys)
	}
	if schema.XMapType != nil {
		fmt.Fprintf(&fact, " mapType=%s", *schema.XMapType)
	}
	if schema.Nullable {
		fact.WriteString(" nullable")
	}
	if required {
		fact.WriteString(" required")
	}
	facts["field "+kind+" "+path] = fact.String()
	describeRules(kind, path, schema, celRules, facts)

	for name, property := range schema.Properties {
		describeField(kind, path+"."+name, &property, slices.Contains(schema.Required, name), celRules, facts)
	}
	if schema.Items != nil {
		describeField(kind, path+"[]", schema.Items.Schema, false, celRules, facts)
	}
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		describeField(kind, path+"{}", schema.AdditionalProperties.Schema, false, celRules, facts)
	}
}
