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
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// problemRetry is how often a plan with a problem is made again; what a problem is about in the cloud makes no event.
const problemRetry = time.Minute

// planNetworks decides about the machine's NICs and addresses.
func (r *IonosCloudMachineReconciler) planNetworks(ctx context.Context, scope *machineScope) outcome {
	datacenter, err := scope.cloud.Datacenter(ctx, scope.datacenterID())
	if err != nil {
		return inDatacenter(scope.datacenterID(), err)
	}
	scope.ionosMachine.Status.Location = datacenter.Location
	if scope.inventory, err = scope.cloud.Inventory(ctx, scope.datacenterID()); err != nil {
		return inDatacenter(scope.datacenterID(), err)
	}
	if result := r.knownServer(ctx, scope); !result.done {
		return result
	}
	input := r.planInput(scope)
	names := network.CandidateClaimNames(input.Owner, input.Attachments)
	if scope.claims, err = r.Claims.Observe(ctx, scope.claimOwner(), names); err != nil {
		return failed(err)
	}
	input.Claims = scope.claims
	scope.plan = network.New(input)
	return r.judgePlan(scope)
}

// planInput is what the plan depends on, without the claims.
func (r *IonosCloudMachineReconciler) planInput(scope *machineScope) network.Input {
	input := network.Input{
		Owner:           scope.networkOwner(),
		Attachments:     scope.ionosMachine.Spec.Networks,
		ClusterNetworks: scope.ionosCluster.Spec.Networks,
		Recorded:        scope.ionosMachine.Status.Networks,
		LANs:            []network.LAN{},
	}
	for _, entry := range scope.ionosCluster.Status.Networks {
		if entry.DatacenterID == scope.datacenterID() && entry.NetworkID > 0 {
			input.ClusterLANs = append(input.ClusterLANs, entry)
		}
	}
	for _, lan := range scope.inventory.LANs {
		input.LANs = append(input.LANs, lan.LAN)
	}
	for _, server := range scope.inventory.Servers {
		if scope.server == nil && isServerOf(scope.ionosMachine, server) || scope.server != nil && server.ID == scope.server.ID {
			continue
		}
		input.OtherNICs = append(input.OtherNICs, server.NICs...)
	}
	if scope.server != nil {
		// A server without NICs is one all the same: nil would mean that there is none.
		input.NICs = append([]network.NIC{}, scope.server.NICs...)
	}
	return input
}

// judgePlan tells whether the plan can be carried out. Warnings do not stand against it.
func (r *IonosCloudMachineReconciler) judgePlan(scope *machineScope) outcome {
	var problems, warnings []string
	reason := ""
	for _, entry := range scope.plan.Problems {
		if entry.Warning {
			warnings = append(warnings, entry.String())
			continue
		}
		if reason == "" {
			reason = string(entry.Reason)
		}
		problems = append(problems, entry.String())
	}
	if len(problems) > 0 {
		return problem(reason, strings.Join(problems, "; "), problemRetry)
	}
	var waits []string
	for _, entry := range scope.plan.Waits {
		if entry.Claim == "" {
			waits = append(waits, entry.String())
		}
	}
	if len(waits) > 0 {
		return wait(infrav1.WaitingForNetworkReason, strings.Join(waits, "; "), 0)
	}
	return outcome{done: true, message: strings.Join(warnings, "; ")}
}

// addresses makes the claims and waits until each has an address.
func (r *IonosCloudMachineReconciler) addresses(ctx context.Context, scope *machineScope) outcome {
	if result := r.releaseUnwanted(ctx, scope); !result.done {
		return result
	}
	for _, claim := range scope.plan.Claims {
		if !claim.Exists {
			ctrl.LoggerFrom(ctx).Info("Claiming address", "network", claim.Attachment, "family", claim.Family, "IPAddressClaim", klog.KRef(scope.ionosMachine.Namespace, claim.Name))
		}
		if err := r.Claims.Ensure(ctx, scope.claimOwner(), claim); err != nil {
			return failed(fmt.Errorf("claim the %s address of network %q: %w", claim.Family, claim.Attachment, err))
		}
	}
	for _, claim := range scope.claims {
		if claim.Owned && claim.Address.IsValid() && !slices.Contains(scope.plan.Unwanted, claim.Name) {
			if err := r.Claims.Hold(ctx, scope.claimOwner(), claim); err != nil {
				return failed(err)
			}
		}
	}
	var waits []string
	for _, entry := range scope.plan.Waits {
		waits = append(waits, entry.String())
	}
	if len(waits) > 0 {
		return wait(infrav1.WaitingForAddressReason, strings.Join(waits, "; "), 0)
	}
	return done()
}

// releaseUnwanted releases the claims that no attachment needs, but for those whose address a NIC has. Whether one has
// it is asked of the cloud at that moment: a server or a NIC may exist that nobody here has heard of.
func (r *IonosCloudMachineReconciler) releaseUnwanted(ctx context.Context, scope *machineScope) outcome {
	if len(scope.plan.Unwanted) == 0 {
		return done()
	}
	var nics []network.NIC
	if scope.server == nil {
		if result := r.adoptServer(ctx, scope); !result.done {
			return result
		}
	} else {
		server, err := scope.cloud.Server(ctx, scope.datacenterID(), scope.server.ID)
		if err != nil {
			return cloudFailed(err)
		}
		if server.State == cloud.StateBusy {
			return wait(infrav1.WaitingForRequestReason, "Waits until the server is not busy, to release addresses that are not needed", busyRetry)
		}
		nics = server.NICs
	}
	var free []string
	for _, claim := range scope.claims {
		inUse := claim.Address.IsValid() && slices.ContainsFunc(nics, func(nic network.NIC) bool {
			return slices.Contains(nic.IPv4, claim.Address) || slices.Contains(nic.IPv6, claim.Address)
		})
		if slices.Contains(scope.plan.Unwanted, claim.Name) && !inUse {
			free = append(free, claim.Name)
		}
	}
	if len(free) == 0 {
		return done()
	}
	ctrl.LoggerFrom(ctx).Info("Releasing claims that are not needed", "claims", free)
	if _, err := r.Claims.Release(ctx, scope.claimOwner(), free...); err != nil {
		return failed(err)
	}
	return done()
}

// knownServer reads the server that the provider ID names: of a machine that was complete once from the shared
// inventory, else from the cloud itself.
func (r *IonosCloudMachineReconciler) knownServer(ctx context.Context, scope *machineScope) outcome {
	id := serverID(scope.ionosMachine)
	if id == "" {
		return done()
	}
	if scope.provisioned() {
		// What is not at rest there may have changed since.
		if i := slices.IndexFunc(scope.inventory.Servers, func(server cloud.Server) bool {
			return server.ID == id && server.State == cloud.StateAvailable && server.VMState == vmRunning
		}); i >= 0 {
			scope.server = &scope.inventory.Servers[i]
			return done()
		}
	}
	server, err := scope.cloud.Server(ctx, scope.datacenterID(), id)
	if errors.Is(err, cloud.ErrNotFound) {
		return r.serverMissing(ctx, scope, id)
	}
	if err != nil {
		return cloudFailed(err)
	}
	scope.server = &server
	return done()
}
