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

package controller

import (
	"slices"
	"strings"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// machineConditions are the conditions that the machine controller owns.
var machineConditions = []string{
	infrav1.ReadyCondition,
	infrav1.DeletingCondition,
	infrav1.CredentialsAvailableCondition,
	infrav1.NetworksPlannedCondition,
	infrav1.AddressesReadyCondition,
	infrav1.ServerProvisionedCondition,
	infrav1.NetworksAttachedCondition,
	infrav1.FailoverReadyCondition,
}

// machineTrueReasons are the reasons of conditions that are True.
var machineTrueReasons = map[string]string{
	infrav1.CredentialsAvailableCondition: infrav1.CredentialsAvailableReason,
	infrav1.NetworksPlannedCondition:      infrav1.NetworksPlannedReason,
	infrav1.AddressesReadyCondition:       infrav1.AddressesReadyReason,
	infrav1.ServerProvisionedCondition:    infrav1.ServerProvisionedReason,
	infrav1.NetworksAttachedCondition:     infrav1.NetworksAttachedReason,
	infrav1.DeletingCondition:             infrav1.DeletingReason,
}

// summarizeMachine sets the conditions that follow from the others.
func summarizeMachine(ionosMachine *infrav1.IonosCloudMachine) {
	summarize(ionosMachine, []string{
		infrav1.CredentialsAvailableCondition,
		infrav1.NetworksPlannedCondition,
		infrav1.AddressesReadyCondition,
		infrav1.ServerProvisionedCondition,
		infrav1.NetworksAttachedCondition,
	}, []string{infrav1.FailoverReadyCondition}, infrav1.LegacyMachineProvisionedCondition)
}

// sortedMachines sorts machines by name.
func sortedMachines(machines []infrav1.IonosCloudMachine) []infrav1.IonosCloudMachine {
	slices.SortFunc(machines, func(a, b infrav1.IonosCloudMachine) int { return strings.Compare(a.Name, b.Name) })
	return machines
}
