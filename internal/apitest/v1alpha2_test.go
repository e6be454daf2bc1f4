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
	"strings"
	"testing"
)

// TestV1alpha2Schema shows what a user of v1alpha2 may write, and what is said to what may not be.
func TestV1alpha2Schema(t *testing.T) {
	runAdmission(t, env, "v1alpha2", smallest, append(v1alpha2ClusterCases(), v1alpha2MachineCases()...))
}

// list makes a YAML list of n items that are numbered from 1.
func list(n int, item string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(item, i+1)
	}
	return "[" + strings.Join(items, ", ") + "]"
}
