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

// Package network decides which NICs an owner gets, in which LAN, and where each address comes from.
//
// It is pure: no client, no clock, no I/O. The same input gives the same plan, whatever the order of the lists in
// it whose order carries no meaning.
package network

import (
	"net/netip"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// Family is an address family.
type Family string

const (
	// IPv4 is the Internet Protocol version 4.
	IPv4 Family = "ipv4"
	// IPv6 is the Internet Protocol version 6.
	IPv6 Family = "ipv6"
)

// LANID is the number of a LAN in its data center. Zero means that it is not known.
type LANID int32

// PoolRef names a pool exactly: group, kind and name.
type PoolRef struct {
	APIGroup, Kind, Name string
}

// IsZero tells whether no pool is named.
func (p PoolRef) IsZero() bool { return p == PoolRef{} }

// Owner is what the NICs and claims belong to.
type Owner struct {
	Namespace, Name string
}

// Input is everything that a plan depends on.
type Input struct {
	Owner Owner
	// Attachments are spec.networks of the machine, in order. Empty means the implicit one.
	Attachments []infrav1.Attachment
	// ClusterNetworks are spec.networks of the cluster, in order. Empty means the implicit public network.
	ClusterNetworks []infrav1.ClusterNetwork
	// ClusterLANs are the entries of the cluster's status.networks for the machine's data center.
	ClusterLANs []infrav1.ClusterNetworkStatus
	// LANs are the LANs that exist in the data center. Nil means that they are not known (an offline plan): then
	// nothing is said about a LAN that is not among them.
	LANs []LAN
	// Claims are the claims that the owner holds, and those that carry a name of CandidateClaimNames.
	Claims []Claim
	// Recorded is what status.networks remembers of the NICs. The name of a claim belongs into it once a NIC has the
	// claim's address, not before: a recorded claim that does not exist counts as lost.
	Recorded []infrav1.AttachmentStatus
	// NICs are the NICs of the owner's server. Nil means that there is no server yet.
	NICs []NIC
	// OtherNICs are the NICs of the other servers in the data center, to find an address that is in use.
	OtherNICs []NIC
}

// LAN is a LAN that exists.
type LAN struct {
	ID     LANID
	Name   string
	Public bool
	// IPv4Block is the block that the cloud gave a private LAN; the zero value if there is none.
	IPv4Block netip.Prefix
	// IPv6Block is the /64 of the LAN; the zero value if the LAN has no IPv6.
	IPv6Block netip.Prefix
}

// Claim is an IPAddressClaim that exists.
type Claim struct {
	Name string
	// Attachment and Family are what the claim's labels say; empty on a claim without them.
	Attachment string
	Family     Family
	Pool       PoolRef
	// Owned is whether the owner of the plan controls the claim.
	Owned bool
	// OtherOwner names who else controls the claim, as "Kind name"; empty if nobody does.
	OtherOwner string
	// Deleting is whether somebody asked for the claim's deletion.
	Deleting bool
	// Address is the address that the claim holds; the zero value while it has none.
	Address netip.Addr
	// Bits is the prefix length that the pool gave with the address.
	Bits int
	// Gateway is the gateway that the pool gave with the address, if it gave one.
	Gateway netip.Addr
	// Conflict says why the address that the claim refers to cannot be believed, if so.
	Conflict string
	// Failure is what the IPAM provider says about a claim without address, as "Reason: message".
	Failure string
}

// NIC is a NIC that exists.
type NIC struct {
	ID, Name, MAC string
	// ServerName is the name of the NIC's server.
	ServerName string
	LAN        LANID
	DHCP       bool
	DHCPv6     *bool
	// IPv4 and IPv6 are the NIC's addresses, in the cloud's order.
	IPv4, IPv6 []netip.Addr
	// IPv6Block is the /80 of the NIC; the zero value if it has none.
	IPv6Block netip.Prefix
}

// Source says where the address of a family comes from.
type Source string

const (
	// SourcePool is a claim on a pool.
	SourcePool Source = "Pool"
	// SourceDHCP is the cloud, which assigns an address and hands it out by DHCP.
	SourceDHCP Source = "DHCP"
	// SourceCloud is the cloud, which assigns an address that DHCP does not hand out.
	SourceCloud Source = "Cloud"
	// SourceNone means no address of the family.
	SourceNone Source = "None"
	// SourceUnknown means that the LAN decides and is not known: only in an offline plan.
	SourceUnknown Source = "Unknown"
)

// Address is where the address of one family of an attachment comes from, and which it is.
type Address struct {
	Source Source
	// Pool and ClaimName are set with SourcePool.
	Pool      PoolRef
	ClaimName string
	// Addr is the claimed address; the zero value while there is none.
	Addr netip.Addr
	// Bits is the prefix length that goes with Addr.
	Bits int
	// Gateway is the gateway that the pool gave; the zero value if none.
	Gateway netip.Addr
}

// Route is a static route.
type Route struct {
	Destination netip.Prefix
	Gateway     netip.Addr
}

// AttachmentPlan is what becomes of an attachment.
type AttachmentPlan struct {
	Name    string
	Primary bool
	// ClusterNetwork is the cluster network; empty for an attachment by LAN number.
	ClusterNetwork string
	// LAN is the attachment's LAN; zero while the cluster network has none.
	LAN LANID
	// Public is whether the LAN is connected to the Internet.
	Public bool
	// NICName is the name for a new NIC.
	NICName string
	// NICID is the NIC that exists for the attachment; empty if none does.
	NICID      string
	IPv4, IPv6 Address
	DHCP       bool
	// DHCPv6 is nil where the LAN has no IPv6 or nothing was asked for.
	DHCPv6 *bool
	// IPv6Block is the /80 that the claimed IPv6 address implies; the zero value without one.
	IPv6Block netip.Prefix
	// Routes are those of the attachment, then those of its cluster network to other destinations.
	Routes []Route
	// FailoverIPs are those of the attachment, as written. They are no part of the NIC's settings and changes.
	FailoverIPs []string
	VNET        string
}

// NICSettings are the settings of a NIC to attach.
type NICSettings struct {
	Attachment string
	Name       string
	LAN        LANID
	DHCP       bool
	DHCPv6     *bool
	// IPv4 and IPv6 are the explicit addresses; empty lets the cloud assign.
	IPv4, IPv6 []netip.Addr
	// IPv6Block goes with IPv6; the zero value without.
	IPv6Block netip.Prefix
	VNET      string
}

// NICChange is the change of a NIC that exists. A nil field stays as it is.
type NICChange struct {
	Attachment string
	NICID      string
	// IPv4 and IPv6 replace the NIC's addresses.
	IPv4, IPv6 []netip.Addr
	// IPv6Block goes with IPv6.
	IPv6Block netip.Prefix
	DHCP      *bool
	DHCPv6    *bool
}

// NICDetachment is a NIC to detach: the owner made it, and no attachment wants it any more.
type NICDetachment struct {
	Attachment string
	NICID      string
}

// ClaimPlan is a claim that the plan needs.
type ClaimPlan struct {
	Name       string
	Attachment string
	Family     Family
	Pool       PoolRef
	// Exists is whether the claim is there already.
	Exists bool
}

// Reason is the stable name of a problem or a wait.
type Reason string

// Problem is something about an attachment that cannot, or should not, be carried out.
type Problem struct {
	Reason Reason
	// Network is the attachment, or the cluster network, that the problem is about.
	Network string
	// Family is the address family; empty if the problem is about both.
	Family Family
	// Pool is the pool, if the problem is about a claim or a claimed address.
	Pool PoolRef
	// Message says what is wrong, and Remedy what to do about it. Both are stable for the same problem.
	Message, Remedy string
	// Warning is set when the plan can be carried out all the same.
	Warning bool
}

// Wait is something that the plan waits for.
type Wait struct {
	Reason  Reason
	Network string
	Family  Family
	Pool    PoolRef
	// Claim is the claim that is waited for, if it is one.
	Claim   string
	Message string
}

// Plan is the decision about every attachment of an owner.
type Plan struct {
	// Attachments are in the order of the NICs; the first is the primary one.
	Attachments []AttachmentPlan
	// Claims are the claims that the attachments need, sorted by name.
	Claims []ClaimPlan
	// Unwanted are claims that the owner holds and no attachment needs, sorted. They are released once no NIC uses
	// their address, and not while a request is under way, or may be, that gives it to one.
	Unwanted []string
	// Problems and Waits are sorted. A plan with a problem that is no warning must not be carried out.
	Problems []Problem
	Waits    []Wait
	// Attach, Change and Detach make the NICs of a server that exists what they should be. Attach has every NIC
	// when there is no server. They are empty while there are problems or waits that stand against them. They are
	// carried out in the order detach, change, attach: a NIC to detach may hold what another one needs.
	Attach []NICSettings
	Change []NICChange
	Detach []NICDetachment
	// Missing are attachments whose recorded NIC is gone, sorted.
	Missing []string
}
