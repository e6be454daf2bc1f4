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
	"fmt"
	"maps"
	"slices"
	"strconv"

	"k8s.io/utils/ptr"
	clusterv1beta1 "sigs.k8s.io/cluster-api/api/core/v1beta1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// primaryAttachmentName is the name of the primary attachment of a machine that was written as v1alpha1.
const primaryAttachmentName = "primary"

// liftMachine says in v1alpha2 what a v1alpha1 machine says.
func liftMachine(spec IonosCloudMachineSpec, status IonosCloudMachineStatus) (infrav1.IonosCloudMachineSpec, infrav1.IonosCloudMachineStatus) {
	hub := infrav1.IonosCloudMachineSpec{
		ProviderID:       ptr.Deref(spec.ProviderID, ""),
		DatacenterID:     spec.DatacenterID,
		NumCores:         spec.NumCores,
		AvailabilityZone: infrav1.AvailabilityZone(spec.AvailabilityZone),
		MemoryMB:         spec.MemoryMB,
		CPUFamily:        ptr.Deref(spec.CPUFamily, ""),
		Disk: infrav1.Volume{
			Name:             ptr.Deref(spec.Disk.Name, ""),
			DiskType:         infrav1.VolumeDiskType(spec.Disk.DiskType),
			SizeGB:           int64(spec.Disk.SizeGB),
			AvailabilityZone: infrav1.AvailabilityZone(spec.Disk.AvailabilityZone),
			Image:            infrav1.ImageSpec{ID: ptr.Deref(spec.Disk.Image.ID, "")},
		},
		Networks: liftNetworks(spec),
		Type:     infrav1.ServerType(spec.Type),
	}
	if selector := spec.Disk.Image.Selector; selector != nil {
		hub.Disk.Image.Selector = &infrav1.ImageSelector{
			MatchLabels:       nonEmptyMap(selector.MatchLabels),
			ResolutionPolicy:  infrav1.ImageSelectorResolutionPolicy(selector.ResolutionPolicy),
			UseMachineVersion: selector.UseMachineVersion,
		}
	}
	return hub, liftMachineStatus(status)
}

// projectMachine says in v1alpha1 what it can of a v1alpha2 machine.
func projectMachine(spec infrav1.IonosCloudMachineSpec, status infrav1.IonosCloudMachineStatus) (IonosCloudMachineSpec, IonosCloudMachineStatus) {
	spoke := IonosCloudMachineSpec{
		ProviderID:       nonEmptyPointer(spec.ProviderID),
		DatacenterID:     spec.DatacenterID,
		NumCores:         spec.NumCores,
		AvailabilityZone: AvailabilityZone(spec.AvailabilityZone),
		MemoryMB:         spec.MemoryMB,
		CPUFamily:        nonEmptyPointer(spec.CPUFamily),
		Disk: Volume{
			Name:             nonEmptyPointer(spec.Disk.Name),
			DiskType:         VolumeDiskType(spec.Disk.DiskType),
			SizeGB:           int(spec.Disk.SizeGB),
			AvailabilityZone: AvailabilityZone(spec.Disk.AvailabilityZone),
			Image:            ImageSpec{ID: nonEmptyPointer(spec.Disk.Image.ID)},
		},
		Type: ServerType(spec.Type),
	}
	if selector := spec.Disk.Image.Selector; selector != nil {
		spoke.Disk.Image.Selector = &ImageSelector{
			MatchLabels:       nonEmptyMap(selector.MatchLabels),
			ResolutionPolicy:  ImageSelectorResolutionPolicy(selector.ResolutionPolicy),
			UseMachineVersion: selector.UseMachineVersion,
		}
	}
	projectNetworks(spec.Networks, status.Networks, &spoke)
	return spoke, projectMachineStatus(status, primaryName(spec.Networks))
}

// liftNetworks makes attachments of the primary NIC's fields and of additionalNetworks. A machine that says nothing
// about either says nothing in v1alpha2 either.
func liftNetworks(spec IonosCloudMachineSpec) []infrav1.Attachment {
	primary := infrav1.Attachment{Name: primaryAttachmentName, DHCP: ptr.To(true)}
	said := len(spec.AdditionalNetworks) > 0
	if spec.NetworkID != nil {
		said = true
		primary.NetworkID = liftNetworkID(*spec.NetworkID)
	}
	if spec.FailoverIP != nil {
		said = true
		primary.FailoverIPs = []string{*spec.FailoverIP}
	}
	primary.IPv4PoolRef, primary.IPv6PoolRef = liftPool(spec.IPv4PoolRef), liftPool(spec.IPv6PoolRef)
	if primary.IPv4PoolRef != (ipamv1.IPPoolReference{}) || primary.IPv6PoolRef != (ipamv1.IPPoolReference{}) {
		said = true
	}
	if !said {
		return nil
	}
	attachments := []infrav1.Attachment{primary}
	names := newAttachmentNamer(primaryAttachmentName)
	for _, network := range spec.AdditionalNetworks {
		networkID := network.NetworkID
		if networkID < 1 {
			networkID = infrav1.InvalidNetworkID
		}
		attachments = append(attachments, infrav1.Attachment{
			Name:        names.next(networkID),
			NetworkID:   networkID,
			DHCP:        network.DHCP,
			IPv4PoolRef: liftPool(network.IPv4PoolRef),
			IPv6PoolRef: liftPool(network.IPv6PoolRef),
			VNET:        ptr.Deref(network.VNET, ""),
		})
	}
	return attachments
}

// projectNetworks shows attachments as the primary NIC's fields and as additionalNetworks.
func projectNetworks(attachments []infrav1.Attachment, recorded []infrav1.AttachmentStatus, spoke *IonosCloudMachineSpec) {
	if len(attachments) == 0 {
		return
	}
	primary := attachments[0]
	if networkID := shownNetworkID(primary, recorded, true); networkID != 0 {
		spoke.NetworkID = ptr.To(strconv.Itoa(int(networkID)))
	}
	if len(primary.FailoverIPs) > 0 {
		spoke.FailoverIP = ptr.To(primary.FailoverIPs[0])
	}
	spoke.IPv4PoolRef, spoke.IPv6PoolRef = projectPool(primary.IPv4PoolRef), projectPool(primary.IPv6PoolRef)
	for _, i := range shownAttachments(attachments, recorded) {
		attachment := attachments[i]
		spoke.AdditionalNetworks = append(spoke.AdditionalNetworks, Network{
			NetworkID:  shownNetworkID(attachment, recorded, false),
			VNET:       nonEmptyPointer(attachment.VNET),
			DHCP:       attachment.DHCP,
			IPAMConfig: IPAMConfig{IPv4PoolRef: projectPool(attachment.IPv4PoolRef), IPv6PoolRef: projectPool(attachment.IPv6PoolRef)},
		})
	}
}

// shownAttachments are the indices of the attachments that additionalNetworks shows: those whose LAN is known.
func shownAttachments(attachments []infrav1.Attachment, recorded []infrav1.AttachmentStatus) []int {
	var shown []int
	for i := 1; i < len(attachments); i++ {
		if shownNetworkID(attachments[i], recorded, false) != 0 {
			shown = append(shown, i)
		}
	}
	return shown
}

// shownNetworkID is the LAN number that v1alpha1 shows for an attachment: that of the spec, else the one that the status
// knows. The primary NIC in the default network shows none, as always. Zero means that none is shown.
func shownNetworkID(attachment infrav1.Attachment, recorded []infrav1.AttachmentStatus, primary bool) int32 {
	if attachment.NetworkID != 0 || primary && attachment.ClusterNetwork == "" {
		return attachment.NetworkID
	}
	for _, entry := range recorded {
		if entry.Name == attachment.Name {
			return entry.NetworkID
		}
	}
	return 0
}

// liftNetworkID reads a LAN number. What is none stays invalid, and never becomes the default network.
func liftNetworkID(text string) int32 {
	number, err := strconv.ParseInt(text, 10, 32)
	if err != nil || number < 1 || text[0] == '+' {
		return infrav1.InvalidNetworkID
	}
	return int32(number)
}

func liftPool(ref *TypedLocalObjectReference) ipamv1.IPPoolReference {
	if ref == nil {
		return ipamv1.IPPoolReference{}
	}
	return ipamv1.IPPoolReference{APIGroup: ptr.Deref(ref.APIGroup, ""), Kind: ref.Kind, Name: ref.Name}
}

func projectPool(ref ipamv1.IPPoolReference) *TypedLocalObjectReference {
	if ref == (ipamv1.IPPoolReference{}) {
		return nil
	}
	return &TypedLocalObjectReference{APIGroup: nonEmptyPointer(ref.APIGroup), Kind: ref.Kind, Name: ref.Name}
}

// attachmentNamer gives out names that are not taken yet.
type attachmentNamer struct {
	taken map[string]bool
	// given counts the names that were given out for a LAN.
	given map[int32]int
}

func newAttachmentNamer(taken ...string) attachmentNamer {
	namer := attachmentNamer{taken: map[string]bool{}, given: map[int32]int{}}
	for _, name := range taken {
		namer.taken[name] = true
	}
	return namer
}

// next is the next name for an attachment to a LAN: by the LAN, and by a number from the second on.
func (n attachmentNamer) next(networkID int32) string {
	for {
		n.given[networkID]++
		name := fmt.Sprintf("lan-%d", networkID)
		if count := n.given[networkID]; count > 1 {
			name = fmt.Sprintf("lan-%d-%d", networkID, count)
		}
		if n.take(name) {
			return name
		}
	}
}

// take takes a name, unless it is taken.
func (n attachmentNamer) take(name string) bool {
	if n.taken[name] {
		return false
	}
	n.taken[name] = true
	return true
}

// primaryName is the name of the primary attachment.
func primaryName(attachments []infrav1.Attachment) string {
	if len(attachments) == 0 {
		return primaryAttachmentName
	}
	return attachments[0].Name
}

func liftMachineStatus(status IonosCloudMachineStatus) infrav1.IonosCloudMachineStatus {
	hub := infrav1.IonosCloudMachineStatus{
		Initialization: infrav1.IonosCloudMachineInitializationStatus{Provisioned: status.Ready},
		Location:       ptr.Deref(status.Location, ""),
		CurrentRequest: liftRequest(status.CurrentRequest),
	}
	if len(status.Conditions) > 0 {
		hub.Deprecated = &infrav1.IonosCloudMachineDeprecatedStatus{
			V1Beta1: &infrav1.IonosCloudMachineV1Beta1DeprecatedStatus{Conditions: liftConditions(status.Conditions)},
		}
	}
	if status.MachineNetworkInfo == nil {
		return hub
	}
	names := newAttachmentNamer()
	for _, nic := range status.MachineNetworkInfo.NICInfo {
		name := primaryAttachmentName
		if !nic.Primary || !names.take(name) {
			name = names.next(nic.NetworkID)
		}
		hub.Networks = append(hub.Networks, infrav1.AttachmentStatus{
			Name:          name,
			NetworkID:     nic.NetworkID,
			IPv4Addresses: nonEmptyList(nic.IPv4Addresses),
			IPv6Addresses: nonEmptyList(nic.IPv6Addresses),
		})
	}
	return hub
}

func projectMachineStatus(status infrav1.IonosCloudMachineStatus, primary string) IonosCloudMachineStatus {
	spoke := IonosCloudMachineStatus{
		Ready:          status.Initialization.Provisioned,
		Location:       nonEmptyPointer(status.Location),
		CurrentRequest: projectRequest(status.CurrentRequest),
	}
	if status.Deprecated != nil && status.Deprecated.V1Beta1 != nil {
		spoke.Conditions = projectConditions(status.Deprecated.V1Beta1.Conditions)
	}
	if len(status.Networks) == 0 {
		return spoke
	}
	spoke.MachineNetworkInfo = &MachineNetworkInfo{}
	for _, entry := range status.Networks {
		spoke.MachineNetworkInfo.NICInfo = append(spoke.MachineNetworkInfo.NICInfo, NICInfo{
			IPv4Addresses: nonEmptyList(entry.IPv4Addresses),
			IPv6Addresses: nonEmptyList(entry.IPv6Addresses),
			NetworkID:     entry.NetworkID,
			Primary:       entry.Name == primary,
		})
	}
	return spoke
}

func liftRequest(request *ProvisioningRequest) infrav1.ProvisioningRequest {
	if request == nil {
		return infrav1.ProvisioningRequest{}
	}
	return infrav1.ProvisioningRequest{Method: request.Method, RequestPath: request.RequestPath, State: infrav1.RequestState(request.State)}
}

func projectRequest(request infrav1.ProvisioningRequest) *ProvisioningRequest {
	if request == (infrav1.ProvisioningRequest{}) {
		return nil
	}
	return &ProvisioningRequest{Method: request.Method, RequestPath: request.RequestPath, State: RequestState(request.State)}
}

func liftConditions(conditions clusterv1beta1.Conditions) clusterv1.Conditions {
	if len(conditions) == 0 {
		return nil
	}
	lifted := make(clusterv1.Conditions, 0, len(conditions))
	for _, condition := range conditions {
		lifted = append(lifted, clusterv1.Condition{
			Type:               clusterv1.ConditionType(condition.Type),
			Status:             condition.Status,
			Severity:           clusterv1.ConditionSeverity(condition.Severity),
			LastTransitionTime: condition.LastTransitionTime,
			Reason:             condition.Reason,
			Message:            condition.Message,
		})
	}
	return lifted
}

func projectConditions(conditions clusterv1.Conditions) clusterv1beta1.Conditions {
	if len(conditions) == 0 {
		return nil
	}
	projected := make(clusterv1beta1.Conditions, 0, len(conditions))
	for _, condition := range conditions {
		projected = append(projected, clusterv1beta1.Condition{
			Type:               clusterv1beta1.ConditionType(condition.Type),
			Status:             condition.Status,
			Severity:           clusterv1beta1.ConditionSeverity(condition.Severity),
			LastTransitionTime: condition.LastTransitionTime,
			Reason:             condition.Reason,
			Message:            condition.Message,
		})
	}
	return projected
}

// nonEmptyPointer points at a string that is not empty.
func nonEmptyPointer(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// nonEmptySlice, nonEmptyList and nonEmptyMap drop what the JSON of v1alpha2 drops, so that its loss is noticed at once.
func nonEmptySlice[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

func nonEmptyList(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}

func nonEmptyMap(values map[string]string) map[string]string {
	if len(values) == 0 {
		return nil
	}
	return maps.Clone(values)
}
