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
	"fmt"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// nicCloud writes NICs.
type nicCloud interface {
	AttachNIC(ctx context.Context, datacenterID, serverID string, settings network.NICSettings) (string, cloud.Request, error)
	ChangeNIC(ctx context.Context, datacenterID, serverID string, change network.NICChange) (cloud.Request, error)
	DetachNIC(ctx context.Context, datacenterID, serverID, nicID string) (cloud.Request, error)
}

// nicsAttached makes the NICs of a server that exists what the plan says, one request after the other. Once there is
// nothing left to do, the machine is provisioned.
func (r *IonosCloudMachineReconciler) nicsAttached(ctx context.Context, scope *machineScope) outcome {
	recordNetworks(scope)
	if result := r.missingNICs(scope); !result.done {
		return result
	}
	id := scope.server.ID
	for _, nic := range scope.plan.Detach {
		ctrl.LoggerFrom(ctx).Info("Detaching NIC", "network", nic.Attachment, "nicID", nic.NICID)
		request, err := scope.cloud.DetachNIC(ctx, scope.datacenterID(), id, nic.NICID)
		return r.nicRequest(ctx, scope, request, err, "Detaching", nic.Attachment)
	}
	for _, change := range scope.plan.Change {
		ctrl.LoggerFrom(ctx).Info("Changing NIC", "network", change.Attachment, "nicID", change.NICID)
		request, err := scope.cloud.ChangeNIC(ctx, scope.datacenterID(), id, change)
		return r.nicRequest(ctx, scope, request, err, "Changing", change.Attachment)
	}
	if len(scope.plan.Attach) > 0 {
		return r.attachNext(ctx, scope)
	}
	r.recordProvisioned(scope)
	return done()
}

// attachNext attaches the next NIC. The plan was made from what the cloud showed before, which may be too old to show
// a NIC whose attachment was never heard of, so the server is read again.
func (r *IonosCloudMachineReconciler) attachNext(ctx context.Context, scope *machineScope) outcome {
	settings := scope.plan.Attach[0]
	if current, err := r.isCurrent(ctx, scope); err != nil {
		return failed(err)
	} else if !current {
		return wait(infrav1.AttachingReason, fmt.Sprintf("Network %q: waits for what was recorded of its NIC", settings.Attachment), busyRetry)
	}
	inventory, err := scope.cloud.FreshInventory(ctx, scope.datacenterID())
	if err != nil {
		return inDatacenter(scope.datacenterID(), err)
	}
	if result := lansExist(inventory, scope.plan.Attach[:1]); !result.done {
		return result
	}
	fresh, err := scope.cloud.Server(ctx, scope.datacenterID(), scope.server.ID)
	if err != nil {
		return cloudFailed(err)
	}
	if slices.ContainsFunc(fresh.NICs, func(nic network.NIC) bool { return nic.Name == settings.Name }) {
		scope.cloud.Invalidate(scope.datacenterID())
		return wait(infrav1.AttachingReason, fmt.Sprintf("Network %q: its NIC was found", settings.Attachment), busyRetry)
	}
	if fresh.State == cloud.StateBusy {
		return wait(infrav1.AttachingReason, fmt.Sprintf("Network %q: waits until the server is not busy", settings.Attachment), busyRetry)
	}
	ctrl.LoggerFrom(ctx).Info("Attaching NIC", "network", settings.Attachment)
	_, request, err := scope.cloud.AttachNIC(ctx, scope.datacenterID(), scope.server.ID, settings)
	return r.nicRequest(ctx, scope, request, err, "Attaching", settings.Attachment)
}

// isCurrent tells whether the pass works on the machine as it is. The cache may be late, and a machine that has not
// heard of its NICs yet would get others for those that were removed meanwhile.
func (r *IonosCloudMachineReconciler) isCurrent(ctx context.Context, scope *machineScope) (bool, error) {
	live := &infrav1.IonosCloudMachine{}
	if err := r.APIReader.Get(ctx, client.ObjectKeyFromObject(scope.ionosMachine), live); err != nil {
		return false, fmt.Errorf("get IonosCloudMachine %s: %w", klog.KObj(scope.ionosMachine), err)
	}
	return live.ResourceVersion == scope.ionosMachine.ResourceVersion, nil
}

// lansExist tells whether the LANs of new NICs exist, by a fresh inventory: the cloud makes a LAN for a number that it does
// not know.
func lansExist(inventory *cloud.Inventory, nics []network.NICSettings) outcome {
	for _, nic := range nics {
		if findLANByID(inventory, int32(nic.LAN)) == nil {
			return problem(string(network.ReasonLANNotFound), fmt.Sprintf("Network %q: LAN %d is gone", nic.Attachment, nic.LAN), problemRetry)
		}
	}
	return done()
}

// nicRequest follows a request that writes a NIC.
func (r *IonosCloudMachineReconciler) nicRequest(ctx context.Context, scope *machineScope, request cloud.Request, err error, verb, attachment string) outcome {
	message := fmt.Sprintf("Network %q: %s its NIC", attachment, strings.ToLower(verb))
	if err != nil {
		return cloudFailed(fmt.Errorf("%s: %w", message, err))
	}
	r.Recorder.Eventf(scope.ionosMachine, nil, corev1.EventTypeNormal, infrav1.AttachingReason, verb+"NIC", "%s", message)
	return r.recordRequest(ctx, scope, request, infrav1.AttachingReason, message)
}

// missingNICs reports the NICs that were removed behind the provider's back.
func (r *IonosCloudMachineReconciler) missingNICs(scope *machineScope) outcome {
	if len(scope.plan.Missing) == 0 {
		return done()
	}
	return problem(infrav1.NICMissingReason, fmt.Sprintf(`The NIC of network %q was removed: replace the machine, or remove the attachment and add it under a new name`, strings.Join(scope.plan.Missing, ", ")), problemRetry)
}

// recordNetworks puts into the status what the NICs of the server are. A record of a NIC that is gone stays, so that it
// is known to be missing.
func recordNetworks(scope *machineScope) {
	recorded := map[string]infrav1.AttachmentStatus{}
	for _, entry := range scope.ionosMachine.Status.Networks {
		recorded[entry.Name] = entry
	}
	entries := make([]infrav1.AttachmentStatus, 0, len(scope.plan.Attachments))
	for _, attachment := range scope.plan.Attachments {
		i := slices.IndexFunc(scope.server.NICs, func(nic network.NIC) bool { return nic.ID == attachment.NICID })
		if i < 0 {
			if old, known := recorded[attachment.Name]; known {
				entries = append(entries, old)
			}
			continue
		}
		nic := scope.server.NICs[i]
		entries = append(entries, infrav1.AttachmentStatus{
			Name:          attachment.Name,
			NetworkID:     int32(nic.LAN),
			NICID:         nic.ID,
			MACAddress:    nic.MAC,
			IPv4Addresses: addressStrings(nic.IPv4),
			IPv6Addresses: addressStrings(nic.IPv6),
			IPv4ClaimName: servingClaim(attachment.IPv4, nic.IPv4, recorded[attachment.Name].IPv4ClaimName),
			IPv6ClaimName: servingClaim(attachment.IPv6, nic.IPv6, recorded[attachment.Name].IPv6ClaimName),
		})
	}
	for _, detachment := range scope.plan.Detach {
		if old, known := recorded[detachment.Attachment]; known {
			entries = append(entries, old)
		}
	}
	if len(entries) == 0 {
		entries = nil
	}
	scope.ionosMachine.Status.Networks = entries
	scope.ionosMachine.Status.Addresses = machineAddresses(scope)
}

// servingClaim is the claim whose address a NIC has. Until it has it, the record stays what it was.
func servingClaim(planned network.Address, addresses []netip.Addr, recorded string) string {
	if planned.Addr.IsValid() && slices.Contains(addresses, planned.Addr) {
		return planned.ClaimName
	}
	return recorded
}

// machineAddresses are the addresses of the machine, those of the primary NIC first.
func machineAddresses(scope *machineScope) []clusterv1.MachineAddress {
	addresses := []clusterv1.MachineAddress{{Type: clusterv1.MachineHostName, Address: scope.ionosMachine.Name}}
	var known []netip.Addr
	for _, attachment := range scope.plan.Attachments {
		i := slices.IndexFunc(scope.server.NICs, func(nic network.NIC) bool { return nic.ID == attachment.NICID })
		if i < 0 {
			continue
		}
		for _, address := range slices.Concat(scope.server.NICs[i].IPv4, scope.server.NICs[i].IPv6) {
			if slices.Contains(known, address) {
				continue
			}
			known = append(known, address)
			kind := clusterv1.MachineExternalIP
			if address.IsPrivate() || !attachment.Public {
				kind = clusterv1.MachineInternalIP
			}
			addresses = append(addresses, clusterv1.MachineAddress{Type: kind, Address: address.String()})
		}
	}
	return addresses
}

func addressStrings(addresses []netip.Addr) []string {
	if len(addresses) == 0 {
		return nil
	}
	texts := make([]string, 0, len(addresses))
	for _, address := range addresses {
		texts = append(texts, address.String())
	}
	return texts
}

// recordProvisioned marks the machine as provisioned, once.
func (r *IonosCloudMachineReconciler) recordProvisioned(scope *machineScope) {
	reportFailover(scope)
	if scope.provisioned() {
		return
	}
	scope.ionosMachine.Status.Initialization.Provisioned = ptr.To(true)
	r.Recorder.Eventf(scope.ionosMachine, nil, corev1.EventTypeNormal, infrav1.ServerProvisionedReason, "Provision", "Server %s runs with %d NICs", scope.server.ID, len(scope.plan.Attachments))
}

// reportFailover says of failover addresses that are asked for whether the NIC has them. This version does not make
// failover groups; the groups of a machine that an older provider made are there all the same.
func reportFailover(scope *machineScope) {
	var missing []string
	asked := false
	for _, attachment := range scope.ionosMachine.Spec.Networks {
		for _, failoverIP := range attachment.FailoverIPs {
			asked = true
			if !hasFailoverIP(scope, attachment.Name, failoverIP) {
				missing = append(missing, fmt.Sprintf("network %q, ipv4: failover address %s", attachment.Name, failoverIP))
			}
		}
	}
	if !asked {
		conditions.Delete(scope.ionosMachine, infrav1.FailoverReadyCondition)
		return
	}
	condition := metav1.Condition{
		Type: infrav1.FailoverReadyCondition, Status: metav1.ConditionTrue, Reason: infrav1.FailoverReadyReason,
		ObservedGeneration: scope.ionosMachine.Generation,
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		condition.Status, condition.Reason = metav1.ConditionFalse, infrav1.NotSupportedReason
		condition.Message = strings.Join(missing, "; ") + ": IP failover groups are not supported by this version, the server runs without them: remove failoverIPs"
	}
	conditions.Set(scope.ionosMachine, condition)
}

func hasFailoverIP(scope *machineScope, attachment, failoverIP string) bool {
	address, err := netip.ParseAddr(failoverIP)
	if err != nil {
		return false
	}
	for _, plan := range scope.plan.Attachments {
		if plan.Name != attachment {
			continue
		}
		return slices.ContainsFunc(scope.server.NICs, func(nic network.NIC) bool {
			return nic.ID == plan.NICID && slices.Contains(nic.IPv4, address)
		})
	}
	return false
}
