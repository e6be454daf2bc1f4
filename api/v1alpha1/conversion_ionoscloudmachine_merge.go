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
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/ptr"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

type (
	hubMachine   = side[infrav1.IonosCloudMachineSpec, infrav1.IonosCloudMachineStatus]
	spokeMachine = side[IonosCloudMachineSpec, IonosCloudMachineStatus]
)

// mergeHubMachine puts the changes of a v1alpha1 client into the v1alpha2 machine that its object was made from.
func mergeHubMachine(base, remembered, incoming hubMachine) hubMachine {
	merged := hubMachine{
		spec:   merge3(base.spec, remembered.spec, incoming.spec),
		status: merge3(base.status, remembered.status, incoming.status),
	}
	merged.spec.Networks = mergeAttachments(base.spec.Networks, remembered.spec.Networks, incoming.spec.Networks, remembered.status.Networks)
	merged.status.Networks = mergeAttachmentStatuses(base.status.Networks, remembered.status.Networks, incoming.status.Networks, primaryName(merged.spec.Networks))
	return merged
}

// mergeAttachments merges attachments. base and incoming have the names that v1alpha1 objects are given; entries of
// remembered are matched with theirs by what v1alpha1 shows of them, and keep their own names.
func mergeAttachments(base, remembered, incoming []infrav1.Attachment, recorded []infrav1.AttachmentStatus) []infrav1.Attachment {
	if equal(base, incoming) {
		return remembered
	}
	baseOthers, incomingOthers := afterFirst(base), afterFirst(incoming)
	shown := shownAttachments(remembered, recorded)
	matched := matchEntries(incomingOthers, baseOthers[:min(len(baseOthers), len(shown))],
		func(attachment infrav1.Attachment) string {
			attachment.Name = "" // v1alpha1 does not show it.
			return wholeEntry(attachment)
		},
		func(attachment infrav1.Attachment) string { return strconv.Itoa(int(attachment.NetworkID)) })

	names := newAttachmentNamer()
	for _, attachment := range remembered {
		names.take(attachment.Name)
	}
	var primary infrav1.Attachment
	if len(remembered) > 0 {
		primary = mergeAttachment(firstOrImplicit(base), remembered[0], firstOrImplicit(incoming))
	} else {
		primary = firstOrImplicit(incoming)
	}
	names.take(primary.Name)
	visible := make([]infrav1.Attachment, 0, len(incomingOthers))
	// origin is, for each visible entry, the index in remembered that it was, or -1.
	origin := make([]int, 0, len(incomingOthers))
	for i, attachment := range incomingOthers {
		if matched[i] < 0 {
			attachment.Name = names.next(attachment.NetworkID)
			visible, origin = append(visible, attachment), append(origin, -1)
			continue
		}
		index := shown[matched[i]]
		visible, origin = append(visible, mergeAttachment(baseOthers[matched[i]], remembered[index], attachment)), append(origin, index)
	}
	return placeHidden(primary, visible, origin, remembered, shown)
}

// placeHidden puts the attachments that v1alpha1 does not show after the nearest attachment before them that is left.
func placeHidden(primary infrav1.Attachment, visible []infrav1.Attachment, origin []int, remembered []infrav1.Attachment, shown []int) []infrav1.Attachment {
	isShown, isLeft := map[int]bool{}, map[int]bool{}
	for _, index := range shown {
		isShown[index] = true
	}
	for _, index := range origin {
		isLeft[index] = true
	}
	hiddenAfter := map[int][]infrav1.Attachment{}
	anchor := 0
	for i := 1; i < len(remembered); i++ {
		if isShown[i] {
			if isLeft[i] {
				anchor = i
			}
			continue
		}
		hiddenAfter[anchor] = append(hiddenAfter[anchor], remembered[i])
	}
	placed := append([]infrav1.Attachment{primary}, hiddenAfter[0]...)
	for i, attachment := range visible {
		placed = append(placed, attachment)
		if origin[i] > 0 {
			placed = append(placed, hiddenAfter[origin[i]]...)
		}
	}
	return placed
}

// mergeAttachment merges one attachment, which keeps its name.
func mergeAttachment(base, remembered, incoming infrav1.Attachment) infrav1.Attachment {
	base.Name, incoming.Name = remembered.Name, remembered.Name
	merged := merge3(base, remembered, incoming)
	if base.NetworkID != incoming.NetworkID {
		// A LAN that a v1alpha1 client names takes the place of the cluster network, and so does the default network when it
		// takes the LAN away.
		merged.ClusterNetwork = ""
	}
	if !equal(base.FailoverIPs, incoming.FailoverIPs) && len(remembered.FailoverIPs) > 1 {
		// v1alpha1 shows the first only; the others stay.
		merged.FailoverIPs = slices.Clone(incoming.FailoverIPs)
		for _, failoverIP := range remembered.FailoverIPs[1:] {
			if !slices.Contains(merged.FailoverIPs, failoverIP) {
				merged.FailoverIPs = append(merged.FailoverIPs, failoverIP)
			}
		}
	}
	return merged
}

// mergeAttachmentStatuses merges the entries of status.networks. primary is the name of the primary attachment.
func mergeAttachmentStatuses(base, remembered, incoming []infrav1.AttachmentStatus, primary string) []infrav1.AttachmentStatus {
	// Entries of base and incoming have the names that v1alpha1 objects are given.
	isPrimary := func(entry infrav1.AttachmentStatus) bool { return entry.Name == primaryAttachmentName }
	first := slices.IndexFunc(base, isPrimary)
	if equal(base, incoming) && (first < 0 || first >= len(remembered) || remembered[first].Name == primary) {
		return remembered
	}
	matched := matchEntries(incoming, base[:min(len(base), len(remembered))],
		func(entry infrav1.AttachmentStatus) string {
			entry.Name = strconv.FormatBool(isPrimary(entry))
			return wholeEntry(entry)
		},
		func(entry infrav1.AttachmentStatus) string { return fmt.Sprint(entry.NetworkID, isPrimary(entry)) },
		func(entry infrav1.AttachmentStatus) string { return strconv.Itoa(int(entry.NetworkID)) },
		func(entry infrav1.AttachmentStatus) string {
			return strings.Join(slices.Concat(entry.IPv4Addresses, entry.IPv6Addresses), ",")
		},
		func(entry infrav1.AttachmentStatus) string {
			if !isPrimary(entry) {
				return ""
			}
			return entry.Name
		})

	names := newAttachmentNamer(primary)
	for i, entry := range incoming {
		if matched[i] >= 0 && isPrimary(entry) == isPrimary(base[matched[i]]) {
			names.take(remembered[matched[i]].Name)
		}
	}
	merged := make([]infrav1.AttachmentStatus, 0, len(incoming))
	for i, entry := range incoming {
		var name string
		switch {
		case isPrimary(entry): // There is one at most.
			name = primary
		case matched[i] >= 0 && !isPrimary(base[matched[i]]):
			name = remembered[matched[i]].Name
		case names.take(entry.Name):
			name = entry.Name
		default:
			name = names.next(entry.NetworkID)
		}
		if matched[i] >= 0 {
			entry = merge3(base[matched[i]], remembered[matched[i]], entry)
		}
		entry.Name = name
		merged = append(merged, entry)
	}
	return nonEmptySlice(merged)
}

// mergeSpokeMachine puts the changes of a v1alpha2 client into the v1alpha1 machine that its object was made from.
func mergeSpokeMachine(base, remembered, incoming spokeMachine) spokeMachine {
	merged := spokeMachine{
		spec:   merge3(base.spec, remembered.spec, incoming.spec),
		status: merge3(base.status, remembered.status, incoming.status),
	}
	merged.spec.AdditionalNetworks = mergeSpokeList(base.spec.AdditionalNetworks, remembered.spec.AdditionalNetworks, incoming.spec.AdditionalNetworks, networkKey)
	if info := merged.status.MachineNetworkInfo; info != nil && base.status.MachineNetworkInfo != nil && remembered.status.MachineNetworkInfo != nil && incoming.status.MachineNetworkInfo != nil {
		merged.status.MachineNetworkInfo = &MachineNetworkInfo{NICInfo: mergeNICInfo(
			base.status.MachineNetworkInfo.NICInfo, remembered.status.MachineNetworkInfo.NICInfo, incoming.status.MachineNetworkInfo.NICInfo)}
	}
	return merged
}

func networkKey(network Network) string { return strconv.Itoa(int(network.NetworkID)) }

// mergeNICInfo merges the NICs of the status. Of several primary ones the first counts, so one that was not the first is none where
// it would become the first.
func mergeNICInfo(base, remembered, incoming []NICInfo) []NICInfo {
	merged := mergeSpokeList(base, remembered, incoming,
		func(nic NICInfo) string { return fmt.Sprint(nic.NetworkID, nic.Primary) },
		func(nic NICInfo) string { return strconv.Itoa(int(nic.NetworkID)) })
	for i := range incoming {
		if incoming[i].Primary {
			break
		}
		merged[i].Primary = false
	}
	return merged
}

// mergeSpokeList merges lists of which every entry shows in v1alpha2. Equal entries are the same one; else identities tell, the
// strictest first.
func mergeSpokeList[T any](base, remembered, incoming []T, identities ...func(T) string) []T {
	if equal(base, incoming) {
		return remembered
	}
	matched := matchEntries(incoming, base[:min(len(base), len(remembered))], append([]func(T) string{wholeEntry[T]}, identities...)...)
	merged := make([]T, 0, len(incoming))
	for i, entry := range incoming {
		if matched[i] >= 0 {
			entry = merge3(base[matched[i]], remembered[matched[i]], entry)
		}
		merged = append(merged, entry)
	}
	return nonEmptySlice(merged)
}

// firstOrImplicit is the primary attachment, which there is also when nothing is said of it.
func firstOrImplicit(attachments []infrav1.Attachment) infrav1.Attachment {
	if len(attachments) == 0 {
		return infrav1.Attachment{Name: primaryAttachmentName, DHCP: ptr.To(true)}
	}
	return attachments[0]
}

func afterFirst(attachments []infrav1.Attachment) []infrav1.Attachment {
	if len(attachments) == 0 {
		return nil
	}
	return attachments[1:]
}
