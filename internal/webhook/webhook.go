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

// Package webhook serves what the API server asks about the provider's objects: whether a change is admitted, and how an
// object looks in another version. Nearly all rules are in the CRDs; here are those that the CRDs cannot state.
package webhook

import (
	ctrl "sigs.k8s.io/controller-runtime"
)

// SetupWithManager registers the webhooks of all kinds with a manager.
func SetupWithManager(mgr ctrl.Manager) error {
	for _, setup := range []func(ctrl.Manager) error{
		setupConversion,
		setupClusterTemplate,
		setupMachineTemplate,
	} {
		if err := setup(mgr); err != nil {
			return err
		}
	}
	return nil
}
