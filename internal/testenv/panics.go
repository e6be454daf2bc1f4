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

package testenv

import (
	"fmt"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// recoveredPanics counts the panics that controller-runtime caught in reconcilers, admission webhooks and converters
// of this process.
func recoveredPanics() (float64, error) {
	families, err := metrics.Registry.Gather()
	if err != nil {
		return 0, fmt.Errorf("count recovered panics: %w", err)
	}
	var sum float64
	for _, family := range families {
		name := family.GetName()
		if !strings.HasPrefix(name, "controller_runtime_") || !strings.HasSuffix(name, "_panics_total") {
			continue
		}
		for _, metric := range family.GetMetric() {
			sum += metric.GetCounter().GetValue()
		}
	}
	return sum, nil
}
