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
	"strings"
	"testing"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

const longName = "a-machine-whose-name-is-as-long-as-names-of-machines-can-be"

// claimOutcome is what a plan makes of the claims.
type claimOutcome struct {
	// Claims are "name pool", with "+" before those that are to be made.
	Claims   []string
	Unwanted []string
	Reasons  []string
	// Address is the IPv4 address of the first attachment.
	Address string
}

func outcomeOf(plan Plan) claimOutcome {
	outcome := claimOutcome{Unwanted: plan.Unwanted, Reasons: reasons(plan)}
	for _, claim := range plan.Claims {
		text := claim.Name + " " + claim.Pool.Name
		if !claim.Exists {
			text = "+" + text
		}
		outcome.Claims = append(outcome.Claims, text)
	}
	if addr := plan.Attachments[0].IPv4.Addr; addr.IsValid() {
		outcome.Address = addr.String()
	}
	return outcome
}

func deleting(claim Claim) Claim {
	claim.Deleting = true
	return claim
}

func with(claim Claim, change func(*Claim)) Claim {
	change(&claim)
	return claim
}

func TestClaims(t *testing.T) {
	onNIC := func(in *Input) { in.NICs = []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "203.0.113.20")} }
	recorded := func(in *Input) {
		in.Recorded = []infrav1.AttachmentStatus{{Name: "a", NICID: "1", IPv4Addresses: []string{"203.0.113.20"}, IPv4ClaimName: "worker-1.a.ipv4"}}
	}
	pooled := world(attach("a", "", v4(nodesV4)))
	regular := held("worker-1.a.ipv4", nodesV4, "203.0.113.20")
	otherPool := held("worker-1.a.ipv4", backupV4, "203.0.113.20")

	tests := map[string]struct {
		in     Input
		claims []Claim
		edits  []func(*Input)
		want   claimOutcome
	}{
		"none yet": {in: pooled, want: claimOutcome{
			Claims: []string{"+worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"wait WaitingForAddress a ipv4"}}},
		"without address": {in: pooled, claims: []Claim{held("worker-1.a.ipv4", nodesV4, "")}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"wait WaitingForAddress a ipv4"}}},
		"that the pool refuses": {in: pooled, claims: []Claim{with(held("worker-1.a.ipv4", nodesV4, ""), func(c *Claim) { c.Failure = "PoolExhausted: no address is free" })}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"wait PoolFailed a ipv4"}}},
		"with address": {in: pooled, claims: []Claim{regular}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Address: "203.0.113.20"}},
		"without the need": {in: world(attach("a", "")), claims: []Claim{regular}, want: claimOutcome{
			Unwanted: []string{"worker-1.a.ipv4"}}},
		"of a removed attachment": {in: pooled, claims: []Claim{regular, held("worker-1.gone.ipv4", storageV4, "10.20.0.9")}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Unwanted: []string{"worker-1.gone.ipv4"}, Address: "203.0.113.20"}},
		// C04: a claim of the name that is not the machine's is never used.
		"of somebody else": {in: pooled, claims: []Claim{with(regular, func(c *Claim) { c.Owned, c.OtherOwner = false, "IonosCloudMachine worker-2" })}, want: claimOutcome{
			Reasons: []string{"ClaimConflict a ipv4"}}},
		"of nobody": {in: pooled, claims: []Claim{with(regular, func(c *Claim) { c.Owned = false })}, want: claimOutcome{
			Reasons: []string{"ClaimConflict a ipv4"}}},
		"of somebody else by a legacy name": {in: pooled, claims: []Claim{with(held("nic-worker-1-ipv4", nodesV4, "203.0.113.21"), func(c *Claim) { c.Owned = false })}, want: claimOutcome{
			Claims: []string{"+worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"wait WaitingForAddress a ipv4"}}},
		// C04: an address that does not belong to the claim is never used.
		"with an address that is another claim's": {in: pooled, claims: []Claim{with(regular, func(c *Claim) { c.Conflict = "IPAddress x is for claim y" })}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"AddressConflict a ipv4"}}},
		"being deleted, unused": {in: pooled, claims: []Claim{deleting(regular)}, want: claimOutcome{
			Unwanted: []string{"worker-1.a.ipv4"}, Reasons: []string{"wait WaitingForRelease a ipv4"}}},
		"being deleted, without address": {in: pooled, claims: []Claim{deleting(held("worker-1.a.ipv4", nodesV4, ""))}, want: claimOutcome{
			Unwanted: []string{"worker-1.a.ipv4"}, Reasons: []string{"wait WaitingForRelease a ipv4"}}},
		"being deleted, in use": {in: pooled, claims: []Claim{deleting(regular)}, edits: []func(*Input){onNIC}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"?ClaimDeleted a ipv4"}, Address: "203.0.113.20"}},
		"being deleted, recorded": {in: pooled, claims: []Claim{deleting(regular)}, edits: []func(*Input){recorded}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"?ClaimDeleted a ipv4"}, Address: "203.0.113.20"}},
		// C19: the pool is compared by group, kind and name; an address is never swapped under a server.
		"on another pool, in use": {in: pooled, claims: []Claim{otherPool}, edits: []func(*Input){onNIC}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 backup-v4"}, Reasons: []string{"?PoolMismatch a ipv4"}, Address: "203.0.113.20"}},
		"on another pool, recorded": {in: pooled, claims: []Claim{otherPool}, edits: []func(*Input){recorded}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 backup-v4"}, Reasons: []string{"?PoolMismatch a ipv4"}, Address: "203.0.113.20"}},
		"on another pool, unused": {in: pooled, claims: []Claim{otherPool}, want: claimOutcome{
			Unwanted: []string{"worker-1.a.ipv4"}, Reasons: []string{"wait WaitingForRelease a ipv4"}}},
		"on a pool of another group, unused": {in: pooled, claims: []Claim{held("worker-1.a.ipv4", PoolRef{APIGroup: "ipam.cluster.x-k8s.io", Kind: nodesV4.Kind, Name: nodesV4.Name}, "203.0.113.20")}, want: claimOutcome{
			Unwanted: []string{"worker-1.a.ipv4"}, Reasons: []string{"wait WaitingForRelease a ipv4"}}},
		"on a pool of another kind, unused": {in: pooled, claims: []Claim{held("worker-1.a.ipv4", PoolRef{APIGroup: nodesV4.APIGroup, Kind: "Other", Name: nodesV4.Name}, "203.0.113.20")}, want: claimOutcome{
			Unwanted: []string{"worker-1.a.ipv4"}, Reasons: []string{"wait WaitingForRelease a ipv4"}}},
		"on another pool, being deleted, in use": {in: pooled, claims: []Claim{deleting(otherPool)}, edits: []func(*Input){onNIC}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 backup-v4"}, Reasons: []string{"?ClaimDeleted a ipv4", "?PoolMismatch a ipv4"}, Address: "203.0.113.20"}},
		"whose pool left the spec, in use": {in: world(attach("a", "")), claims: []Claim{regular}, edits: []func(*Input){onNIC}, want: claimOutcome{
			Claims: []string{"worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"?PoolMismatch a ipv4"}, Address: "203.0.113.20"}},
		// Another claim would bring another address under a server that runs.
		"lost, in use": {in: pooled, edits: []func(*Input){onNIC, recorded}, want: claimOutcome{
			Reasons: []string{"?ClaimLost a ipv4"}}},
		"lost, unused": {in: pooled, edits: []func(*Input){recorded}, want: claimOutcome{
			Claims: []string{"+worker-1.a.ipv4 nodes-v4"}, Reasons: []string{"wait WaitingForAddress a ipv4"}}},
		"of a network that cannot be made out": {in: world(attach("a", "nowhere", v4(nodesV4))),
			claims: []Claim{regular, held("nic-worker-1-ipv4", nodesV4, "203.0.113.21"), with(held("x", nodesV4, "203.0.113.22"), func(c *Claim) { c.Attachment, c.Family = "a", IPv4 }), held("y", nodesV4, "")},
			want:   claimOutcome{Unwanted: []string{"y"}, Reasons: []string{"UnknownClusterNetwork a"}}},
		"of a LAN that has no IPv6 yet": {in: world(attach("a", "")), claims: []Claim{held("worker-1.a.ipv6", nodesV6, "2001:db8:0:1::5")}, edits: []func(*Input){networkV6("AUTO")}, want: claimOutcome{
			Reasons: []string{"wait WaitingForIPv6 a ipv6"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in := test.in
			in.Claims = test.claims
			for _, edit := range test.edits {
				edit(&in)
			}
			plan := New(in)
			if d := diff(test.want, outcomeOf(plan)); d != "" {
				t.Errorf("outcome differs (-want +got):\n%s", d)
			}
			if len(plan.Change) > 0 {
				t.Errorf("the server would be changed: %v", plan.Change)
			}
		})
	}
}

func TestClaimNameThatDoesNotFit(t *testing.T) {
	in := world(attach("a", "", v4(nodesV4), v6(nodesV6)))
	in.Owner.Name = strings.Repeat(longName, 5)[:247]
	// One letter of an attachment, its dots and the family need 7 characters.
	if got, want := reasons(New(in)), []string{"NameTooLong a ipv4", "NameTooLong a ipv6"}; diff(want, got) != "" {
		t.Errorf("got %v, want %v", got, want)
	}
	in.Owner.Name = in.Owner.Name[:246]
	if got := reasons(New(in)); diff([]string{"wait WaitingForAddress a ipv4", "wait WaitingForAddress a ipv6"}, got) != "" {
		t.Errorf("a name of 253 characters: got %v", got)
	}
	// A claim of the v1alpha1 provider has a shorter name, and stays.
	in = world(attach(strings.Repeat("a", 40), "", v4(nodesV4)))
	in.Owner.Name = strings.Repeat(longName, 5)[:240]
	in.Claims = []Claim{held(LegacyClaimName(in.Owner.Name, true, 0, IPv4), nodesV4, "203.0.113.20")}
	if plan := New(in); len(plan.Attach) != 1 || plan.Blocked() {
		t.Errorf("the legacy claim was not adopted: %s", render(plan))
	}
}

// G3, C31: claims of the v1alpha1 provider are adopted by the attachment that they were made for, and by no other.
func TestLegacyClaims(t *testing.T) {
	lan7 := func(name string, options ...func(*infrav1.Attachment)) infrav1.Attachment {
		return attachLAN(name, legacyLAN, options...)
	}
	primaryClaim := held("nic-worker-1-ipv4", nodesV4, "203.0.113.20")
	lanClaim := held("nic-worker-1-7-ipv4", storageV4, "10.7.0.10")
	tests := map[string]struct {
		attachments []infrav1.Attachment
		claims      []Claim
		recorded    []infrav1.AttachmentStatus
		nics        []NIC
		// want are the claim names of the attachments, and those to release behind a dash.
		want []string
	}{
		"primary and one LAN": {
			attachments: []infrav1.Attachment{attach("primary", "", v4(nodesV4)), lan7("lan-7", v4(storageV4))},
			claims:      []Claim{primaryClaim, lanClaim},
			want:        []string{"nic-worker-1-ipv4", "nic-worker-1-7-ipv4"},
		},
		"two on one LAN": {
			attachments: []infrav1.Attachment{attach("primary", ""), lan7("lan-7", v4(storageV4)), lan7("lan-7-2", v4(storageV4))},
			claims:      []Claim{lanClaim},
			want:        []string{"", "nic-worker-1-7-ipv4", "worker-1.lan-7-2.ipv4"},
		},
		"two on one LAN, the second one wants a pool": {
			attachments: []infrav1.Attachment{attach("primary", ""), lan7("lan-7"), lan7("lan-7-2", v4(storageV4))},
			claims:      []Claim{lanClaim}, nics: []NIC{nic("1", "nic-worker-1", nodesLAN), nic("2", "", legacyLAN, "10.7.0.10")},
			want: []string{"", "", "nic-worker-1-7-ipv4"},
		},
		"primary in the same LAN": {
			attachments: []infrav1.Attachment{lan7("primary", v4(storageV4)), lan7("lan-7", v4(storageV4))},
			claims:      []Claim{held("nic-worker-1-ipv4", storageV4, "10.7.0.11"), lanClaim},
			want:        []string{"nic-worker-1-ipv4", "nic-worker-1-7-ipv4"},
		},
		"regular name first": {
			attachments: []infrav1.Attachment{attach("primary", "", v4(nodesV4))},
			claims:      []Claim{primaryClaim, held("worker-1.primary.ipv4", nodesV4, "203.0.113.21")},
			want:        []string{"worker-1.primary.ipv4", "-nic-worker-1-ipv4"},
		},
		"primary that is not first any more": {
			attachments: []infrav1.Attachment{attach("new", "", v4(nodesV4)), attach("primary", "", v4(nodesV4))},
			claims:      []Claim{primaryClaim},
			want:        []string{"worker-1.new.ipv4", "nic-worker-1-ipv4"},
		},
		"primary was removed, recorded": {
			attachments: []infrav1.Attachment{lan7("lan-7", v4(storageV4))},
			claims:      []Claim{held("nic-worker-1-ipv4", storageV4, "203.0.113.20")},
			recorded:    []infrav1.AttachmentStatus{{Name: "primary", NICID: "1", IPv4ClaimName: "nic-worker-1-ipv4"}},
			want:        []string{"worker-1.lan-7.ipv4", "-nic-worker-1-ipv4"},
		},
		"primary was removed, its label says so": {
			attachments: []infrav1.Attachment{lan7("lan-7", v4(storageV4))},
			claims:      []Claim{with(primaryClaim, func(c *Claim) { c.Attachment = "primary" })},
			want:        []string{"worker-1.lan-7.ipv4", "-nic-worker-1-ipv4"},
		},
		"primary was removed, the next one has its own": {
			attachments: []infrav1.Attachment{lan7("lan-7", v4(storageV4))},
			claims:      []Claim{primaryClaim, lanClaim},
			want:        []string{"nic-worker-1-7-ipv4", "-nic-worker-1-ipv4"},
		},
		"recorded under any name": {
			attachments: []infrav1.Attachment{attach("x", "", v4(nodesV4)), attach("y", "", v4(nodesV4))},
			claims:      []Claim{held("odd", nodesV4, "203.0.113.22"), primaryClaim},
			recorded:    []infrav1.AttachmentStatus{{Name: "y", IPv4ClaimName: "odd"}},
			want:        []string{"nic-worker-1-ipv4", "odd"},
		},
		"of the other family": {
			attachments: []infrav1.Attachment{attach("primary", "", v4(nodesV4))},
			claims:      []Claim{with(primaryClaim, func(c *Claim) { c.Family = IPv6 })},
			want:        []string{"worker-1.primary.ipv4", "-nic-worker-1-ipv4"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			in := world(test.attachments...)
			in.Claims, in.Recorded, in.NICs = test.claims, test.recorded, test.nics
			plan := New(in)
			var got []string
			for _, a := range plan.Attachments {
				got = append(got, a.IPv4.ClaimName)
			}
			for _, name := range plan.Unwanted {
				got = append(got, "-"+name)
			}
			if d := diff(test.want, got); d != "" {
				t.Errorf("claims differ (-want +got):\n%s", d)
			}
		})
	}
}

// The claims know nothing of machines: a cluster's own are settled by the same code.
func TestClaimsOfAnyOwner(t *testing.T) {
	cluster := Owner{Namespace: "fleet", Name: "shop"}
	book := newClaimBook(cluster, []Claim{held("shop.endpoint.ipv4", nodesV4, "203.0.113.10"), held("shop.nat-nodes.ipv4", nodesV4, "203.0.113.11")})
	endpoint, _ := book.settle(claimDemand{network: "endpoint", family: IPv4, pool: nodesV4})
	if want := addr("203.0.113.10"); endpoint.Addr != want {
		t.Errorf("endpoint: got %v, want %v", endpoint.Addr, want)
	}
	gateway, _ := book.settle(claimDemand{network: "gateway-nodes", family: IPv4, pool: storageV4})
	if gateway.ClaimName != "shop.gateway-nodes.ipv4" || len(book.waits) != 1 || book.waits[0].Claim != gateway.ClaimName {
		t.Errorf("gateway: got %v, waits %v", gateway, book.waits)
	}
	if d := diff([]string{"shop.nat-nodes.ipv4"}, book.unwanted()); d != "" {
		t.Errorf("unwanted claims differ (-want +got):\n%s", d)
	}
}
