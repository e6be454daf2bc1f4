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

package v1alpha1

import (
	"encoding/json"
	"reflect"
)

// merge3 puts together what is remembered of an object and what came in for it. base is what came in would be if nothing
// had been changed since. Where what came in equals base, what is remembered is taken; what differs was changed, and wins.
// Structs are merged field by field; lists and maps are one value here, for no entry of a map shows in one version only.
func merge3[T any](base, remembered, incoming T) T {
	merged := mergeValues(reflect.ValueOf(&base).Elem(), reflect.ValueOf(&remembered).Elem(), reflect.ValueOf(&incoming).Elem())
	result, _ := merged.Interface().(T)
	return result
}

func mergeValues(base, remembered, incoming reflect.Value) reflect.Value {
	if reflect.DeepEqual(base.Interface(), incoming.Interface()) {
		return remembered
	}
	switch incoming.Kind() {
	case reflect.Struct:
		return mergeStructs(base, remembered, incoming)
	case reflect.Pointer:
		if base.IsNil() || remembered.IsNil() || incoming.IsNil() {
			return incoming
		}
		merged := reflect.New(incoming.Type().Elem())
		merged.Elem().Set(mergeValues(base.Elem(), remembered.Elem(), incoming.Elem()))
		return merged
	default:
		return incoming
	}
}

func mergeStructs(base, remembered, incoming reflect.Value) reflect.Value {
	merged := reflect.New(incoming.Type()).Elem()
	for i := range incoming.NumField() {
		if !incoming.Type().Field(i).IsExported() {
			// A value with hidden parts, such as a time, is one value.
			return incoming
		}
		merged.Field(i).Set(mergeValues(base.Field(i), remembered.Field(i), incoming.Field(i)))
	}
	return merged
}

// matchEntries finds, for each incoming entry of a list, the index of the base entry that it was, or -1. Identity is tried
// from the strictest to the loosest key: the first base entry of the same key that is left is taken. An entry whose key is
// empty has no such identity. Entries of the same strictest key are told apart by their neighbours: what both lists have in
// common at their beginning and at their end was not touched.
func matchEntries[T any](incoming, base []T, keys ...func(T) string) []int {
	matched := make([]int, len(incoming))
	for i := range matched {
		matched[i] = -1
	}
	taken := make([]bool, len(base))
	match := func(i, b int) { matched[i], taken[b] = b, true }
	shorter := min(len(incoming), len(base))
	same := func(i, b int) bool { return keys[0](incoming[i]) == keys[0](base[b]) }
	begin := 0
	for ; begin < shorter && same(begin, begin); begin++ {
		match(begin, begin)
	}
	for end := 1; end <= shorter-begin && same(len(incoming)-end, len(base)-end); end++ {
		match(len(incoming)-end, len(base)-end)
	}
	for _, key := range keys {
		left := map[string][]int{}
		for b, entry := range base {
			if k := key(entry); !taken[b] && k != "" {
				left[k] = append(left[k], b)
			}
		}
		for i, entry := range incoming {
			if matched[i] >= 0 {
				continue
			}
			k := key(entry)
			if fits := left[k]; k != "" && len(fits) > 0 {
				match(i, fits[0])
				left[k] = fits[1:]
			}
		}
	}
	return matched
}

// wholeEntry is the key of entries that are equal.
func wholeEntry[T any](entry T) string {
	text, err := json.Marshal(entry)
	if err != nil {
		return ""
	}
	return string(text)
}
