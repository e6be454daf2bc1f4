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

package network

import (
	"slices"
	"strconv"
	"strings"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// PrimaryAttachmentName is the name of the implicit attachment, and of the primary attachment of a machine that was
// written as v1alpha1.
const PrimaryAttachmentName = "primary"

// maxClaimNameLength is the longest name that an object of the management cluster can have.
const maxClaimNameLength = 253

// families are the address families in the order in which they are planned.
var families = [...]Family{IPv4, IPv6}

// ClaimName is the name of the claim for one family of an attachment. Neither an attachment nor a family has a dot in
// its name, so that no other owner in the namespace has a claim of that name.
func ClaimName(owner Owner, attachment string, family Family) string {
	return owner.Name + "." + attachment + "." + string(family)
}

// isClaimName tells whether a name is one that ClaimName gives for some attachment of the owner.
func isClaimName(owner Owner, name string) bool {
	attachment, family, found := strings.Cut(strings.TrimPrefix(name, owner.Name+"."), ".")
	return found && strings.HasPrefix(name, owner.Name+".") && attachment != "" && slices.Contains(families[:], Family(family))
}

// LegacyClaimName is the name that the v1alpha1 provider gave to a claim. The LAN is part of it for a NIC that is not
// the primary one.
func LegacyClaimName(machine string, primary bool, lan LANID, family Family) string {
	if primary {
		return "nic-" + machine + "-" + string(family)
	}
	return "nic-" + machine + "-" + strconv.Itoa(int(lan)) + "-" + string(family)
}

// NICName is the name of the NIC of an attachment. The cloud states no limit for it.
func NICName(owner Owner, attachment string) string {
	return nicNamePrefix(owner) + attachment
}

// LegacyPrimaryNICName is the name that the v1alpha1 provider gave to the primary NIC. It left other NICs unnamed.
func LegacyPrimaryNICName(machine string) string { return "nic-" + machine }

// LANName is the name of the LAN of a cluster network. Neither a namespace nor a network has a dot in its name, so
// that no other network of any cluster has a LAN of that name.
func LANName(namespace, cluster, network string) string {
	return namespace + "." + cluster + "." + network
}

// LegacyLANName is the name that the v1alpha1 provider gave to the LAN of a cluster. Clusters of different namespaces
// can share it.
func LegacyLANName(namespace, cluster string) string { return "lan-" + namespace + "-" + cluster }

// VolumeName is the name of the boot volume of a machine whose spec names none.
func VolumeName(machine string) string { return "vol-" + machine }

// ServerIsOwn tells whether a server is the owner's, by its name and the names of its NICs. Names of servers are not
// unique in the cloud, so that the name alone is no proof.
func ServerIsOwn(owner Owner, serverName string, nicNames []string) bool {
	return serverName == owner.Name && slices.ContainsFunc(nicNames, func(name string) bool {
		_, own := attachmentOfNIC(owner, name)
		return own || name == LegacyPrimaryNICName(owner.Name)
	})
}

// CandidateClaimNames are the names, new and legacy, of all claims that a plan for the attachments could use, sorted.
func CandidateClaimNames(owner Owner, attachments []infrav1.Attachment) []string {
	attachments = resolveAttachments(attachments)
	names := make([]string, 0, 4*len(attachments))
	for i := range attachments {
		for _, family := range families {
			names = append(names, ClaimName(owner, attachments[i].Name, family))
			names = append(names, legacyClaimNames(owner, attachments, i, family)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// legacyClaimNames are the names that the v1alpha1 provider may have given to the claim of an attachment, the likelier
// one first.
func legacyClaimNames(owner Owner, attachments []infrav1.Attachment, index int, family Family) []string {
	var names []string
	if attachments[index].Name != PrimaryAttachmentName && attachments[index].NetworkID > 0 {
		names = append(names, LegacyClaimName(owner.Name, false, LANID(attachments[index].NetworkID), family))
	}
	if isLegacyPrimary(attachments, index) {
		names = append(names, LegacyClaimName(owner.Name, true, 0, family))
	}
	return names
}

// isLegacyPrimary tells whether an attachment is what the v1alpha1 provider took for the primary NIC. Conversion calls
// that one "primary", wherever it stands by now.
func isLegacyPrimary(attachments []infrav1.Attachment, index int) bool {
	if attachments[index].Name == PrimaryAttachmentName {
		return true
	}
	return index == 0 && !slices.ContainsFunc(attachments, func(a infrav1.Attachment) bool { return a.Name == PrimaryAttachmentName })
}

// attachmentOfNIC is the attachment that the name of a NIC says, if it is a name that the owner gives.
func attachmentOfNIC(owner Owner, nicName string) (string, bool) {
	attachment, own := strings.CutPrefix(nicName, nicNamePrefix(owner))
	// With a dot in it, it is the NIC of another owner, whose name begins like this one's.
	if !own || attachment == "" || strings.Contains(attachment, ".") {
		return "", false
	}
	return attachment, true
}

func nicNamePrefix(owner Owner) string { return owner.Namespace + "." + owner.Name + "." }
