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
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// mutation is one edit of an object.
type mutation struct {
	// path is the JSON path of what is edited, such as spec.networks[1].dhcp.
	path string
	// what is done there: change, set, unset, add, remove or swap.
	what  string
	apply func()
}

// mutations are all edits of the spec and the status of an object: every value changed, every pointer set and unset, every list and
// map with an entry more, an entry less, and in another order.
func mutations(in object) []mutation {
	var all []mutation
	for _, name := range []string{"Spec", "Status"} {
		if field := reflect.ValueOf(in).Elem().FieldByName(name); field.IsValid() {
			all = append(all, mutationsOf(field, strings.ToLower(name))...)
		}
	}
	return all
}

func mutationsOf(v reflect.Value, path string) []mutation {
	change := func(to any) []mutation {
		return []mutation{{path, "change", func() { v.Set(reflect.ValueOf(to).Convert(v.Type())) }}}
	}
	if at, ok := v.Interface().(metav1.Time); ok {
		return change(metav1.NewTime(at.Add(time.Hour)))
	}
	switch v.Kind() {
	case reflect.String:
		return change(v.String() + "1")
	case reflect.Int, reflect.Int32, reflect.Int64:
		return change(v.Int() + 1)
	case reflect.Bool:
		return change(!v.Bool())
	case reflect.Pointer:
		if v.IsNil() {
			return []mutation{{path, "set", func() { v.Set(reflect.New(v.Type().Elem())); fillFully(v.Elem(), path) }}}
		}
		return append([]mutation{{path, "unset", func() { v.SetZero() }}}, mutationsOf(v.Elem(), path)...)
	case reflect.Struct:
		var all []mutation
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				all = append(all, mutationsOf(v.Field(i), fieldPath(path, field))...)
			}
		}
		return all
	case reflect.Slice:
		return listMutations(v, path)
	case reflect.Map:
		return mapMutations(v, path)
	default:
		return nil
	}
}

func listMutations(v reflect.Value, path string) []mutation {
	all := []mutation{
		{path, "add", func() {
			entry := reflect.New(v.Type().Elem()).Elem()
			fillFully(entry, path+"+")
			v.Set(reflect.Append(copyList(v), entry))
		}},
		{path, "unset", func() { v.SetZero() }},
	}
	for i := range v.Len() {
		entryPath := fmt.Sprintf("%s[%d]", path, i)
		all = append(all, mutation{entryPath, "remove", func() {
			list := copyList(v)
			v.Set(reflect.AppendSlice(list.Slice(0, i), list.Slice(i+1, list.Len())))
		}})
		if i > 0 {
			all = append(all, mutation{entryPath, "swap", func() { reflect.Swapper(v.Interface())(i-1, i) }})
		}
		all = append(all, mutationsOf(v.Index(i), entryPath)...)
	}
	return all
}

func mapMutations(v reflect.Value, path string) []mutation {
	set := func(key, value reflect.Value) {
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		v.SetMapIndex(key, value)
	}
	all := []mutation{{path, "add", func() {
		value := reflect.New(v.Type().Elem()).Elem()
		fillFully(value, path+"+")
		set(reflect.ValueOf("added").Convert(v.Type().Key()), value)
	}}, {path, "unset", func() { v.SetZero() }}}
	for _, key := range v.MapKeys() {
		keyPath := fmt.Sprintf("%s{%s}", path, key)
		all = append(all, mutation{keyPath, "remove", func() { set(key, reflect.Value{}) }})
		value := reflect.New(v.Type().Elem()).Elem()
		value.Set(v.MapIndex(key))
		for _, m := range mutationsOf(value, keyPath) {
			all = append(all, mutation{m.path, m.what, func() { m.apply(); set(key, value) }})
		}
	}
	slices.SortStableFunc(all, func(a, b mutation) int { return strings.Compare(a.path, b.path) })
	return all
}

func copyList(v reflect.Value) reflect.Value {
	return reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()+1), v)
}

// fillFully sets every field to a value of its own, lists and maps to two entries.
func fillFully(v reflect.Value, path string) {
	if v.Type() == reflect.TypeFor[metav1.Time]() {
		v.Set(reflect.ValueOf(metav1.NewTime(time.Unix(1_700_000_000, 0))))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(path)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(len(path)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillFully(v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				fillFully(v.Field(i), fieldPath(path, field))
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fillFully(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, key := range []string{"a", "b"} {
			value := reflect.New(v.Type().Elem()).Elem()
			fillFully(value, path+"{"+key+"}")
			v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), value)
		}
	default:
	}
}

// fieldPath is the JSON path of a field. Inlined fields add nothing.
func fieldPath(path string, field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name == "":
		return path
	case path == "":
		return name
	default:
		return path + "." + name
	}
}

var positions = regexp.MustCompile(`\[\d+\]|\{[^}]*\}`)

// typePath is a path without the positions in lists and the keys in maps.
func typePath(path string) string {
	return positions.ReplaceAllStringFunc(path, func(position string) string {
		return position[:1] + position[len(position)-1:]
	})
}

// leaves are the values of the spec and status of an object by JSON path. Entries of a list that have a name go by it.
func leaves(in object) map[string]string {
	var content map[string]any
	text, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err != nil {
		panic(err)
	}
	all := map[string]string{}
	for _, name := range []string{"spec", "status"} {
		if value, exists := content[name]; exists {
			addLeaves(all, name, value)
		}
	}
	return all
}

func addLeaves(all map[string]string, path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, entry := range value {
			addLeaves(all, path+"."+key, entry)
		}
		if len(value) == 0 {
			all[path] = "{}"
		}
	case []any:
		for i, entry := range value {
			name := fmt.Sprint(i)
			if fields, ok := entry.(map[string]any); ok && fields["name"] != nil {
				name = fmt.Sprint(fields["name"])
			}
			addLeaves(all, path+"["+name+"]", entry)
		}
		if len(value) == 0 {
			all[path] = "[]"
		}
	default:
		all[path] = fmt.Sprintf("%T %v", value, value)
	}
}
