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

import "testing"

func TestPattern(t *testing.T) {
	for _, test := range []struct {
		pattern Pattern
		path    string
		want    bool
	}{
		{Pattern{}, "/a/b", true},
		{Pattern{Method: "GET"}, "/a", true},
		{Pattern{Method: "POST"}, "/a", false},
		{Pattern{Path: "/a/b"}, "/a/b", true},
		{Pattern{Path: "/a/b"}, "/a/b/", true},
		{Pattern{Path: "/a/b"}, "/a/c", false},
		{Pattern{Path: "/a"}, "/a/b", false},
		{Pattern{Path: "/a/b"}, "/a", false},
		{Pattern{Path: "/a/{}/c"}, "/a/b/c", true},
		{Pattern{Path: "/a/{name}/c"}, "/a/b/c", true},
		{Pattern{Path: "/a/*/c"}, "/a/b/d", false},
		{Pattern{Path: "/a/**"}, "/a/b/c", true},
		{Pattern{Path: "/a/**"}, "/b/b/c", false},
		{Pattern{Path: "/**"}, "/b", true},
	} {
		if got := test.pattern.matches("GET", test.path); got != test.want {
			t.Errorf("%+v and %s: got %v, want %v", test.pattern, test.path, got, test.want)
		}
	}
}
