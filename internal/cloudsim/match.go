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

package cloudsim

import "strings"

// Pattern says which calls are meant.
type Pattern struct {
	// Method is an HTTP method; empty means any.
	Method string `json:"method,omitempty"`
	// Path is a path below /cloudapi/v6, such as "/datacenters/{dc}/servers". A segment in braces and "*" match any one
	// segment, whatever the name; "**" at the end matches the rest. Empty means any path.
	Path string `json:"path,omitempty"`
}

// matches tells whether a call is meant: its method, and its path without the API's prefix.
func (p Pattern) matches(method, path string) bool {
	if p.Method != "" && p.Method != method {
		return false
	}
	if p.Path == "" {
		return true
	}
	wanted, given := strings.Split(strings.Trim(p.Path, "/"), "/"), strings.Split(strings.Trim(path, "/"), "/")
	for i, segment := range wanted {
		if segment == "**" && i == len(wanted)-1 {
			return len(given) >= i
		}
		if i >= len(given) {
			return false
		}
		isAny := segment == "*" || strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}")
		if !isAny && segment != given[i] {
			return false
		}
	}
	return len(wanted) == len(given)
}
