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
	"cmp"
	"slices"
	"strings"
)

// Reasons of problems with the attachment itself. They are about the spec of the machine or the cluster.
const (
	// ReasonUnknownClusterNetwork: the attachment names a cluster network that the cluster does not have. Correct
	// clusterNetwork, or add the network to the cluster.
	ReasonUnknownClusterNetwork Reason = "UnknownClusterNetwork"
	// ReasonAmbiguousNetwork: the attachment names a cluster network and a LAN. Remove one of the two.
	ReasonAmbiguousNetwork Reason = "AmbiguousNetwork"
	// ReasonInvalidNetworkID: the attachment's networkID is no LAN number. Set the number of a LAN.
	ReasonInvalidNetworkID Reason = "InvalidNetworkID"
	// ReasonLANNotFound: the data center has no LAN of the attachment's networkID. Correct the number, or create the LAN.
	ReasonLANNotFound Reason = "LANNotFound"
	// ReasonDuplicateAttachment: several attachments have one name. Rename all but one.
	ReasonDuplicateAttachment Reason = "DuplicateAttachment"
	// ReasonNameTooLong: the name of the claim does not fit. Shorten the name of the machine or of the attachment.
	ReasonNameTooLong Reason = "NameTooLong"
	// ReasonInvalidSubnet: the ipv4Subnet of the cluster network cannot be read. Correct it.
	ReasonInvalidSubnet Reason = "InvalidSubnet"
	// ReasonNoIPv6: an IPv6 address is to be claimed for a LAN without IPv6. Remove ipv6PoolRef, or enable IPv6 on the LAN.
	ReasonNoIPv6 Reason = "NoIPv6"
	// ReasonDHCPv6Ignored, a warning: dhcpv6 is set where the LAN has no IPv6; it is not sent. Remove it, or enable
	// IPv6 on the LAN.
	ReasonDHCPv6Ignored Reason = "DHCPv6Ignored"
	// ReasonFailoverOnPrivateLAN: IP failover exists on public LANs only. Remove failoverIPs from the attachment.
	ReasonFailoverOnPrivateLAN Reason = "FailoverOnPrivateLAN"
	// ReasonInvalidFailoverIP: a failover IP is neither AUTO nor an IPv4 address, or it is the NIC's own first address.
	// Correct it.
	ReasonInvalidFailoverIP Reason = "InvalidFailoverIP"
	// ReasonInvalidRoute: a route cannot be read, or mixes address families. Correct it.
	ReasonInvalidRoute Reason = "InvalidRoute"
	// ReasonUnreachableGateway, a warning: the gateway of a route lies in no subnet of the network. Check it.
	ReasonUnreachableGateway Reason = "UnreachableGateway"
)

// Reasons of problems with a claim or a claimed address. Their Pool is set.
const (
	// ReasonClaimConflict: a claim of the wanted name exists and is not the owner's. Delete it, if nobody needs it.
	ReasonClaimConflict Reason = "ClaimConflict"
	// ReasonClaimDeleted, a warning: somebody deleted the claim of an address that is in use. The address stays
	// reserved until the server is gone. Replace the machine to give it up.
	ReasonClaimDeleted Reason = "ClaimDeleted"
	// ReasonClaimLost, a warning: the claim of an address that is in use is gone, so that the pool may hand it out
	// again. Replace the machine.
	ReasonClaimLost Reason = "ClaimLost"
	// ReasonPoolMismatch, a warning: the address in use is from another pool than the spec asks for. It stays.
	// Replace the machine to get one from the new pool.
	ReasonPoolMismatch Reason = "PoolMismatch"
	// ReasonAddressConflict: the address that the claim refers to cannot be believed. Repair or delete the claim.
	ReasonAddressConflict Reason = "AddressConflict"
	// ReasonFamilyMismatch: the pool handed out an address of the wrong family. Name a pool of the right family.
	ReasonFamilyMismatch Reason = "FamilyMismatch"
	// ReasonAddressOutsideSubnet: the address is outside of the ipv4Subnet of the cluster network. Correct pool or subnet.
	ReasonAddressOutsideSubnet Reason = "AddressOutsideSubnet"
	// ReasonAddressOutsideLAN: the IPv6 address is outside of the /64 of the LAN. Correct the pool.
	ReasonAddressOutsideLAN Reason = "AddressOutsideLAN"
	// ReasonDuplicateAddress: two attachments of the owner hold one address. Correct the pools, and delete one claim.
	ReasonDuplicateAddress Reason = "DuplicateAddress"
	// ReasonDuplicateIPv6Block: two attachments of the owner have addresses in one /80, and a /80 is for one NIC.
	// Correct the pools, and delete one claim.
	ReasonDuplicateIPv6Block Reason = "DuplicateIPv6Block"
	// ReasonAddressInUse: another NIC has the address already. Exclude it from the pool, and delete the claim.
	ReasonAddressInUse Reason = "AddressInUse"
	// ReasonIPv6BlockInUse: another NIC has the /80 of the address already. Exclude it from the pool, and delete the claim.
	ReasonIPv6BlockInUse Reason = "IPv6BlockInUse"
)

// Reasons of problems with a NIC.
const (
	// ReasonNICInOtherLAN, a warning: somebody moved the NIC to another LAN. It is left alone. Move it back, or
	// replace the machine.
	ReasonNICInOtherLAN Reason = "NICInOtherLAN"
)

// Reasons to wait.
const (
	// ReasonWaitingForLAN: the cluster network has no LAN in the data center yet. Look at the conditions of the
	// cluster if it lasts.
	ReasonWaitingForLAN Reason = "WaitingForLAN"
	// ReasonWaitingForIPv6: the LAN of the cluster network has no IPv6 block yet. Enable IPv6 on the LAN if it lasts.
	ReasonWaitingForIPv6 Reason = "WaitingForIPv6"
	// ReasonWaitingForAddress: the claim has no address yet. Look at the claim and its pool if it lasts.
	ReasonWaitingForAddress Reason = "WaitingForAddress"
	// ReasonPoolFailed: the IPAM provider says that it cannot serve the claim. Repair or enlarge the pool.
	ReasonPoolFailed Reason = "PoolFailed"
	// ReasonWaitingForRelease: a claim of the wanted name is being deleted or is on another pool, and no NIC uses it.
	// Another one follows once it is gone.
	ReasonWaitingForRelease Reason = "WaitingForRelease"
)

// Blocked tells whether a problem forbids to carry out the plan.
func (p Plan) Blocked() bool {
	return slices.ContainsFunc(p.Problems, func(problem Problem) bool { return !problem.Warning })
}

// Ready tells whether nothing forbids to carry out the plan and nothing is waited for.
func (p Plan) Ready() bool { return len(p.Waits) == 0 && !p.Blocked() }

// String names the pool as kubectl does: kind, group and name.
func (p PoolRef) String() string {
	if p.IsZero() {
		return "no pool"
	}
	kind := p.Kind
	if p.APIGroup != "" {
		kind += "." + p.APIGroup
	}
	return kind + "/" + p.Name
}

// String is the problem in one line, for a condition or an event.
func (p Problem) String() string {
	return describe(p.Network, p.Family, p.Pool, "") + p.Message + "; " + p.Remedy
}

// String is the wait in one line, for a condition or an event.
func (w Wait) String() string {
	return describe(w.Network, w.Family, w.Pool, w.Claim) + w.Message
}

// describe says what a message is about.
func describe(network string, family Family, pool PoolRef, claim string) string {
	parts := []string{`Network "` + network + `"`}
	if family != "" {
		parts = append(parts, string(family))
	}
	if !pool.IsZero() {
		parts = append(parts, "pool "+pool.String())
	}
	if claim != "" {
		parts = append(parts, "claim "+claim)
	}
	return strings.Join(parts, ", ") + ": "
}

// sortProblems sorts problems, those that are no warnings first, and drops repetitions.
func sortProblems(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(compareBool(a.Warning, b.Warning), cmp.Compare(a.Network, b.Network), cmp.Compare(a.Family, b.Family),
			cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.String(), b.String()))
	})
	return slices.Compact(problems)
}

// sortWaits sorts waits and drops repetitions.
func sortWaits(waits []Wait) []Wait {
	slices.SortFunc(waits, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(a.Network, b.Network), cmp.Compare(a.Family, b.Family),
			cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.String(), b.String()))
	})
	return slices.Compact(waits)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
