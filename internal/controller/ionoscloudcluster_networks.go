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
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// queueLookBack is how far back the request queue is searched for a create whose response was lost.
const queueLookBack = 24 * time.Hour

// inUseRetry is how often a LAN is looked at again that NICs keep from being deleted.
const inUseRetry = 30 * time.Second

// busyRetry is how soon a resource is looked at again whose request nobody here knows.
const busyRetry = 2 * time.Second

// lanCloud reads and writes LANs.
type lanCloud interface {
	Inventory(ctx context.Context, datacenterID string) (*cloud.Inventory, error)
	FreshInventory(ctx context.Context, datacenterID string) (*cloud.Inventory, error)
	CreateLAN(ctx context.Context, datacenterID string, settings cloud.LANSettings) (network.LANID, cloud.Request, error)
	DeleteLAN(ctx context.Context, datacenterID string, id network.LANID) (cloud.Request, error)
	LANInUse(ctx context.Context, datacenterID string, id network.LANID) (int, error)
}

// networks makes a LAN for each network in each data center in which a machine uses it, and removes those that
// left the spec. The data centers do not wait for each other.
func (r *IonosCloudClusterReconciler) networks(ctx context.Context, scope *clusterScope) outcome {
	for _, entry := range scope.ionosCluster.Spec.Networks {
		if entry.NATGateway != nil {
			return problem(infrav1.NotSupportedReason, fmt.Sprintf("Network %q: natGateway is not supported by this version: remove it", entry.Name), 0)
		}
		if entry.CrossConnectID != "" {
			return problem(infrav1.NotSupportedReason, fmt.Sprintf("Network %q: crossConnectID is not supported by this version: remove it", entry.Name), 0)
		}
	}
	used := networksInUse(scope)
	return r.eachDatacenter(ctx, scope, used, func(ctx context.Context, datacenterID string) outcome {
		for _, entry := range network.ResolveNetworks(scope.ionosCluster.Spec.Networks) {
			if !used[datacenterID][entry.Name] && networkStatus(scope.ionosCluster, entry.Name, datacenterID) == nil {
				continue
			}
			if result := r.ensureLAN(ctx, scope, datacenterID, entry); !result.done {
				return result
			}
		}
		return r.removeUnwanted(ctx, scope, datacenterID, used[datacenterID])
	})
}

// eachDatacenter runs a function for each data center that the cluster has to do with, following the request that is
// under way there first. The outcome is that of the first data center with a problem, else of the first that waits.
func (r *IonosCloudClusterReconciler) eachDatacenter(ctx context.Context, scope *clusterScope, used map[string]map[string]bool, run func(context.Context, string) outcome) outcome {
	ids := map[string]bool{}
	for id := range used {
		ids[id] = true
	}
	for _, entry := range scope.ionosCluster.Status.Networks {
		ids[entry.DatacenterID] = true
	}
	for _, entry := range scope.ionosCluster.Status.CurrentRequests {
		ids[entry.DatacenterID] = true
	}
	var outcomes []outcome
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		result := r.followDatacenterRequest(ctx, scope, id)
		if result.done {
			result = run(ctx, id)
		}
		if !result.done {
			outcomes = append(outcomes, result)
		}
	}
	return mergeOutcomes(outcomes)
}

// mergeOutcomes makes one outcome of several that are not done: the first problem, else the first wait. All errors are
// kept, and the shortest delay wins.
func mergeOutcomes(outcomes []outcome) outcome {
	if len(outcomes) == 0 {
		return done()
	}
	merged := outcomes[0]
	if i := slices.IndexFunc(outcomes, func(o outcome) bool { return o.problem }); i >= 0 {
		merged = outcomes[i]
	}
	errs := make([]error, 0, len(outcomes))
	for _, o := range outcomes {
		errs = append(errs, o.err)
		if o.after > 0 && (merged.after == 0 || o.after < merged.after) {
			merged.after = o.after
		}
	}
	merged.err = errors.Join(errs...)
	return merged
}

// followDatacenterRequest follows the request that is under way in a data center.
func (r *IonosCloudClusterReconciler) followDatacenterRequest(ctx context.Context, scope *clusterScope, datacenterID string) outcome {
	requests := &scope.ionosCluster.Status.CurrentRequests
	i := slices.IndexFunc(*requests, func(entry infrav1.DatacenterRequest) bool { return entry.DatacenterID == datacenterID })
	if i < 0 {
		return done()
	}
	result, ended := followRequest(ctx, scope.cloud, r.poller, &(*requests)[i].Request)
	if ended {
		*requests = slices.Delete(*requests, i, i+1)
		scope.cloud.Invalidate(datacenterID)
	}
	return result
}

// recordRequest remembers the request that is under way in a data center, and waits for it.
func (r *IonosCloudClusterReconciler) recordRequest(scope *clusterScope, datacenterID string, request cloud.Request, what string) outcome {
	requests := &scope.ionosCluster.Status.CurrentRequests
	*requests = slices.DeleteFunc(*requests, func(entry infrav1.DatacenterRequest) bool { return entry.DatacenterID == datacenterID })
	*requests = append(*requests, infrav1.DatacenterRequest{
		DatacenterID: datacenterID,
		Request:      infrav1.ProvisioningRequest{Method: request.Method, RequestPath: request.Path, State: infrav1.RequestStateQueued},
	})
	slices.SortFunc(*requests, func(a, b infrav1.DatacenterRequest) int { return strings.Compare(a.DatacenterID, b.DatacenterID) })
	return wait(infrav1.WaitingForRequestReason, what, r.poller.next(request.Path))
}

// networksInUse are the networks that the machines of the cluster use, by data center.
func networksInUse(scope *clusterScope) map[string]map[string]bool {
	used := map[string]map[string]bool{}
	for i := range scope.machines {
		machine := &scope.machines[i]
		if !machine.DeletionTimestamp.IsZero() {
			continue
		}
		for _, name := range network.NetworksInUse(scope.ionosCluster.Spec.Networks, machine.Spec.Networks) {
			if used[machine.Spec.DatacenterID] == nil {
				used[machine.Spec.DatacenterID] = map[string]bool{}
			}
			used[machine.Spec.DatacenterID][name] = true
		}
	}
	return used
}

// networkStatus finds the status entry of a network in a data center.
func networkStatus(ionosCluster *infrav1.IonosCloudCluster, name, datacenterID string) *infrav1.ClusterNetworkStatus {
	for i := range ionosCluster.Status.Networks {
		if entry := &ionosCluster.Status.Networks[i]; entry.Name == name && entry.DatacenterID == datacenterID {
			return entry
		}
	}
	return nil
}

// ensureLAN makes sure that a network has its LAN in a data center.
func (r *IonosCloudClusterReconciler) ensureLAN(ctx context.Context, scope *clusterScope, datacenterID string, entry infrav1.ClusterNetwork) outcome {
	if recorded := networkStatus(scope.ionosCluster, entry.Name, datacenterID); recorded != nil && recorded.NetworkID > 0 {
		inventory, err := scope.cloud.Inventory(ctx, datacenterID)
		if err != nil {
			return inDatacenter(datacenterID, err)
		}
		if lan := findLANByID(inventory, recorded.NetworkID); lan != nil {
			return observeLAN(recorded, entry, *lan)
		}
	}
	// What is not in the shared inventory may be too new for it, so the cloud is asked before anything is made.
	inventory, err := scope.cloud.FreshInventory(ctx, datacenterID)
	if err != nil {
		return inDatacenter(datacenterID, err)
	}
	recorded := networkStatus(scope.ionosCluster, entry.Name, datacenterID)
	if recorded != nil && recorded.NetworkID > 0 {
		if lan := findLANByID(inventory, recorded.NetworkID); lan != nil {
			return observeLAN(recorded, entry, *lan)
		}
		r.Recorder.Eventf(scope.ionosCluster, nil, corev1.EventTypeWarning, "LANGone", "FindLAN", "LAN %d of network %q in data center %s is gone; making another", recorded.NetworkID, entry.Name, datacenterID)
		recorded.NetworkID = 0
		recorded.IPv6CIDRBlock = ""
	}
	if recorded == nil {
		// The intent is written before the LAN is made, so that a LAN whose creation was never heard of is found and removed with the cluster.
		scope.ionosCluster.Status.Networks = append(scope.ionosCluster.Status.Networks, infrav1.ClusterNetworkStatus{Name: entry.Name, DatacenterID: datacenterID})
		sortNetworkStatus(scope.ionosCluster)
		if err := scope.persist(ctx); err != nil {
			return failed(err)
		}
		recorded = networkStatus(scope.ionosCluster, entry.Name, datacenterID)
	}
	name := network.LANName(scope.ionosCluster.Namespace, scope.cluster.Name, entry.Name)
	lan, result := r.findLAN(ctx, scope, datacenterID, entry, name, inventory)
	if !result.done {
		return result
	}
	if lan != nil {
		return observeLAN(recorded, entry, *lan)
	}
	return r.createLAN(ctx, scope, datacenterID, entry, name)
}

// findLAN looks for the LAN of a network by its names and in the request queue.
func (r *IonosCloudClusterReconciler) findLAN(ctx context.Context, scope *clusterScope, datacenterID string, entry infrav1.ClusterNetwork, name string, inventory *cloud.Inventory) (*cloud.LAN, outcome) {
	lan, result := theOnly(lansNamed(inventory, name), entry.Name, datacenterID)
	if lan != nil || !result.done {
		return lan, result
	}
	if isDefaultNetwork(scope.ionosCluster, entry.Name) {
		legacy, err := r.legacyLAN(ctx, scope, datacenterID, inventory)
		if err != nil {
			return nil, failed(err)
		}
		if legacy != nil {
			return legacy, done()
		}
	}
	requests, err := scope.cloud.FindRequests(ctx, datacenterID, cloud.RequestCreateLAN, queueLookBack)
	if err != nil {
		return nil, cloudFailed(err)
	}
	for _, request := range requests {
		if request.Name != name {
			continue
		}
		switch infrav1.RequestState(request.State) {
		case infrav1.RequestStateQueued, infrav1.RequestStateRunning:
			return nil, r.recordRequest(scope, datacenterID, request.Request, creatingLAN(entry.Name, datacenterID))
		case infrav1.RequestStateDone:
			// It may have ended between the list and the look into the queue.
			inventory, err := scope.cloud.FreshInventory(ctx, datacenterID)
			if err != nil {
				return nil, inDatacenter(datacenterID, err)
			}
			return theOnly(lansNamed(inventory, name), entry.Name, datacenterID)
		case infrav1.RequestStateFailed:
		}
		break
	}
	return nil, done()
}

func (r *IonosCloudClusterReconciler) createLAN(ctx context.Context, scope *clusterScope, datacenterID string, entry infrav1.ClusterNetwork, name string) outcome {
	ctrl.LoggerFrom(ctx).Info("Creating LAN", "network", entry.Name, "datacenterID", datacenterID)
	settings := cloud.LANSettings{Name: name, Public: entry.Type == infrav1.ClusterNetworkPublic}
	if entry.IPv6CIDRBlock != infrav1.IPv6CIDRBlockNone {
		settings.IPv6Block = entry.IPv6CIDRBlock
	}
	_, request, err := scope.cloud.CreateLAN(ctx, datacenterID, settings)
	if err != nil {
		return cloudFailed(fmt.Errorf("network %q: %w", entry.Name, err))
	}
	r.Recorder.Eventf(scope.ionosCluster, nil, corev1.EventTypeNormal, "CreatingLAN", "CreateLAN", "Creating LAN %s for network %q in data center %s", name, entry.Name, datacenterID)
	return r.recordRequest(scope, datacenterID, request, creatingLAN(entry.Name, datacenterID))
}

func creatingLAN(networkName, datacenterID string) string {
	return fmt.Sprintf("Network %q: its LAN in data center %s is being created", networkName, datacenterID)
}

// observeLAN puts into the status what is known of a LAN, once it can be used.
func observeLAN(recorded *infrav1.ClusterNetworkStatus, entry infrav1.ClusterNetwork, lan cloud.LAN) outcome {
	if lan.Public != (entry.Type == infrav1.ClusterNetworkPublic) {
		return problem(infrav1.NetworkConflictReason, fmt.Sprintf("Network %q is %s, but its LAN %d in data center %s is not: delete the LAN, or use another network", entry.Name, entry.Type, lan.ID, recorded.DatacenterID), inUseRetry)
	}
	if recorded.NetworkID == 0 && lan.State == cloud.StateBusy {
		return wait(infrav1.WaitingForRequestReason, creatingLAN(entry.Name, recorded.DatacenterID), busyRetry)
	}
	recorded.NetworkID = int32(lan.ID)
	recorded.IPv6CIDRBlock = ""
	if lan.IPv6Block.IsValid() {
		recorded.IPv6CIDRBlock = lan.IPv6Block.String()
	}
	return done()
}

// legacyLAN finds the LAN that the v1alpha1 provider made for the cluster. Its name is ambiguous, so that it takes a
// proof to adopt it: a server of this cluster has its primary NIC in it, or no other cluster could mean it.
func (r *IonosCloudClusterReconciler) legacyLAN(ctx context.Context, scope *clusterScope, datacenterID string, inventory *cloud.Inventory) (*cloud.LAN, error) {
	if !isLegacy(scope.ionosCluster) {
		return nil, nil
	}
	candidates := lansNamed(inventory, network.LegacyLANName(scope.ionosCluster.Namespace, scope.cluster.Name))
	for i := range candidates {
		if r.hasServerOfCluster(scope, datacenterID, inventory, candidates[i].ID) {
			return &candidates[i], nil
		}
	}
	if len(candidates) != 1 {
		return nil, nil
	}
	ambiguous, err := r.legacyNameAmbiguous(ctx, scope)
	if err != nil || ambiguous {
		return nil, err
	}
	return &candidates[0], nil
}

func (r *IonosCloudClusterReconciler) hasServerOfCluster(scope *clusterScope, datacenterID string, inventory *cloud.Inventory, lan network.LANID) bool {
	for i := range scope.machines {
		machine := &scope.machines[i]
		if machine.Spec.DatacenterID != datacenterID {
			continue
		}
		for _, server := range inventory.Servers {
			if !isServerOf(machine, server) {
				continue
			}
			if slices.ContainsFunc(server.NICs, func(nic network.NIC) bool {
				return nic.LAN == lan && nic.Name == network.LegacyPrimaryNICName(machine.Name)
			}) {
				return true
			}
		}
	}
	return false
}

// removeUnwanted removes the LANs of networks that left the spec and that no machine uses.
func (r *IonosCloudClusterReconciler) removeUnwanted(ctx context.Context, scope *clusterScope, datacenterID string, used map[string]bool) outcome {
	wanted := map[string]bool{}
	for _, entry := range network.ResolveNetworks(scope.ionosCluster.Spec.Networks) {
		wanted[entry.Name] = true
	}
	for _, entry := range slices.Clone(scope.ionosCluster.Status.Networks) {
		if entry.DatacenterID != datacenterID || wanted[entry.Name] || used[entry.Name] {
			continue
		}
		if result := r.deleteLAN(ctx, scope, entry); !result.done {
			return result
		}
	}
	return done()
}

// inDatacenter tells how a step ends that could not read a data center.
func inDatacenter(datacenterID string, err error) outcome {
	if errors.Is(err, cloud.ErrNotFound) {
		return problem(infrav1.DatacenterNotFoundReason, fmt.Sprintf("Data center %s does not exist in the contract of the credentials", datacenterID), rejectedRetry)
	}
	return cloudFailed(err)
}

func findLANByID(inventory *cloud.Inventory, id int32) *cloud.LAN {
	i := slices.IndexFunc(inventory.LANs, func(lan cloud.LAN) bool { return int32(lan.ID) == id })
	if i < 0 {
		return nil
	}
	return &inventory.LANs[i]
}

func lansNamed(inventory *cloud.Inventory, name string) []cloud.LAN {
	var found []cloud.LAN
	for _, lan := range inventory.LANs {
		if lan.Name == name {
			found = append(found, lan)
		}
	}
	return found
}

// theOnly returns the LAN if there is one; several of a name are a conflict that a person has to solve.
func theOnly(lans []cloud.LAN, networkName, datacenterID string) (*cloud.LAN, outcome) {
	switch len(lans) {
	case 0:
		return nil, done()
	case 1:
		return &lans[0], done()
	}
	ids := make([]string, 0, len(lans))
	for _, lan := range lans {
		ids = append(ids, fmt.Sprint(lan.ID))
	}
	return nil, problem(infrav1.NetworkConflictReason, fmt.Sprintf("Network %q: the LANs %s in data center %s have its name: rename or delete those that are not the cluster's", networkName, strings.Join(ids, ", "), datacenterID), inUseRetry)
}

func sortNetworkStatus(ionosCluster *infrav1.IonosCloudCluster) {
	slices.SortFunc(ionosCluster.Status.Networks, func(a, b infrav1.ClusterNetworkStatus) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.DatacenterID, b.DatacenterID)
	})
}

// isDefaultNetwork tells whether a network is the first of its cluster.
func isDefaultNetwork(ionosCluster *infrav1.IonosCloudCluster, name string) bool {
	return network.ResolveNetworks(ionosCluster.Spec.Networks)[0].Name == name
}
