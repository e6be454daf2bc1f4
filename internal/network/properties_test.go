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
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"k8s.io/utils/ptr"
)

// propertyInputs is how many random inputs a run of the tests plans.
const propertyInputs = 5_000

func FuzzNew(f *testing.F) {
	for seed := range uint64(16) {
		f.Add(seed)
	}
	f.Fuzz(checkProperties)
}

func TestProperties(t *testing.T) {
	for seed := range uint64(propertyInputs) {
		checkProperties(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// checkProperties checks what must hold of the plan for any input, however absurd.
func checkProperties(t *testing.T, seed uint64) {
	t.Helper()
	g := newGenerator(seed)
	in := g.input()
	before := fmt.Sprintf("%+v", in)
	plan := New(in)
	if after := fmt.Sprintf("%+v", in); after != before {
		t.Errorf("planning changed its input (-before +after):\n%s", diff(before, after))
	}
	if d := diff(plan, New(g.shuffled(in))); d != "" {
		t.Errorf("another order of the input gives another plan (-want +got):\n%s", d)
	}
	checkPlan(t, in, plan)
	checkLANs(t, in, plan)

	if plan.Blocked() {
		return
	}
	again := New(apply(in, plan))
	if len(again.Attach)+len(again.Change)+len(again.Detach) > 0 {
		t.Errorf("after the plan was carried out, there is more to do:\n%s\nfirst it was:\n%s", render(again), render(plan))
	}
}

// checkPlan checks that a plan is complete and agrees with itself.
func checkPlan(t *testing.T, in Input, plan Plan) {
	t.Helper()
	for _, problem := range plan.Problems {
		if problem.Reason == "" || problem.Network == "" || problem.Message == "" || problem.Remedy == "" {
			t.Errorf("problem lacks something: %#v", problem)
		}
		if problem.Family == "" != aboutNoFamily[problem.Reason] {
			t.Errorf("family is %q: %#v", problem.Family, problem)
		}
		checkOneLine(t, problem.String())
	}
	for _, wait := range plan.Waits {
		if wait.Reason == "" || wait.Network == "" || wait.Message == "" {
			t.Errorf("wait lacks something: %#v", wait)
		}
		if wait.Claim != "" && (wait.Family == "" || wait.Pool.IsZero()) {
			t.Errorf("wait for a claim lacks family or pool: %#v", wait)
		}
		checkOneLine(t, wait.String())
	}
	if plan.Blocked() && len(plan.Attach)+len(plan.Change)+len(plan.Detach) > 0 {
		t.Error("a blocked plan has changes")
	}
	if in.NICs == nil && len(plan.Waits) > 0 && len(plan.Attach) > 0 {
		t.Error("the server would be made before everything for it is there")
	}
	checkClaimsOf(t, in, plan)
	checkNICsOf(t, in, plan)
}

// aboutNoFamily are the reasons of problems that are about no family in particular.
var aboutNoFamily = map[Reason]bool{
	ReasonUnknownClusterNetwork: true, ReasonAmbiguousNetwork: true, ReasonInvalidNetworkID: true,
	ReasonLANNotFound: true, ReasonDuplicateAttachment: true, ReasonNICInOtherLAN: true,
}

func checkOneLine(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, "\n") || strings.Contains(text, "  ") || strings.Contains(text, "0x") {
		t.Errorf("%q is no stable line", text)
	}
}

// checkClaimsOf checks that no claim serves twice, is foreign, or is both used and released, and that every address in
// the plan is that of a claim.
func checkClaimsOf(t *testing.T, in Input, plan Plan) {
	t.Helper()
	seen := map[string]bool{}
	for _, claim := range plan.Claims {
		if seen[claim.Name] {
			t.Errorf("claim %s is used twice", claim.Name)
		}
		seen[claim.Name] = true
		if slices.Contains(plan.Unwanted, claim.Name) {
			t.Errorf("claim %s is used and released", claim.Name)
		}
	}
	owned := map[string]bool{}
	for _, claim := range in.Claims {
		owned[claim.Name] = owned[claim.Name] || claim.Owned
	}
	for _, name := range plan.Unwanted {
		if !owned[name] {
			t.Errorf("claim %s is not the owner's and would be released", name)
		}
	}
	for _, a := range plan.Attachments {
		for _, address := range []Address{a.IPv4, a.IPv6} {
			if address.Addr.IsValid() && !slices.ContainsFunc(in.Claims, func(c Claim) bool {
				return c.Name == address.ClaimName && c.Owned && c.Address == address.Addr
			}) {
				t.Errorf("the address %s of %q is that of no claim of the owner", address.Addr, a.Name)
			}
		}
	}
}

// checkNICsOf checks that no NIC is used twice, and no foreign one is detached or changed.
func checkNICsOf(t *testing.T, in Input, plan Plan) {
	t.Helper()
	ours := map[string]bool{}
	for _, nic := range in.NICs {
		_, named := attachmentOfNIC(in.Owner, nic.Name)
		if named || nic.Name == "" || nic.Name == LegacyPrimaryNICName(in.Owner.Name) {
			ours[nic.ID] = true
		}
	}
	for _, recorded := range in.Recorded {
		ours[recorded.NICID] = true
	}
	for _, change := range plan.Change {
		if !ours[change.NICID] {
			t.Errorf("NIC %s is foreign and would be changed", change.NICID)
		}
	}
	for _, detachment := range plan.Detach {
		if !ours[detachment.NICID] {
			t.Errorf("NIC %s is foreign and would be detached", detachment.NICID)
		}
	}
	for _, settings := range plan.Attach {
		if slices.Contains(plan.Missing, settings.Attachment) {
			t.Errorf("the NIC of %q is missing and would be made again", settings.Attachment)
		}
		if len(settings.IPv6) > 0 && !settings.IPv6Block.Contains(settings.IPv6[0]) {
			t.Errorf("the address of %q is outside of the block that goes with it", settings.Attachment)
		}
	}
}

// apply carries a plan out as the cloud would: what is not said is left to it.
func apply(in Input, plan Plan) Input {
	nics := []NIC{}
	for _, nic := range in.NICs {
		if slices.ContainsFunc(plan.Detach, func(d NICDetachment) bool { return d.NICID == nic.ID }) {
			continue
		}
		for _, change := range plan.Change {
			if change.NICID == nic.ID {
				nic = changed(nic, change)
			}
		}
		nics = append(nics, nic)
	}
	for i, settings := range plan.Attach {
		nic := NIC{
			ID: fmt.Sprintf("new-%d", i), Name: settings.Name, LAN: settings.LAN, ServerName: in.Owner.Name,
			DHCP: settings.DHCP, DHCPv6: settings.DHCPv6, IPv4: settings.IPv4, IPv6: settings.IPv6, IPv6Block: settings.IPv6Block,
		}
		if len(nic.IPv4) == 0 {
			nic.IPv4 = []netip.Addr{addr(fmt.Sprintf("192.0.2.%d", i+1))}
		}
		nics = append(nics, nic)
	}
	if in.NICs != nil || len(plan.Attach) > 0 {
		in.NICs = nics
	}
	return in
}

func changed(nic NIC, change NICChange) NIC {
	if change.IPv4 != nil {
		nic.IPv4 = change.IPv4
	}
	if change.IPv6 != nil {
		nic.IPv6, nic.IPv6Block = change.IPv6, change.IPv6Block
	}
	nic.DHCP = ptr.Deref(change.DHCP, nic.DHCP)
	if change.DHCPv6 != nil {
		nic.DHCPv6 = change.DHCPv6
	}
	return nic
}

// The random inputs are of use only if they reach everything that a plan can say.
func TestRandomInputsReachEverything(t *testing.T) {
	seen := map[Reason]int{}
	actions := map[string]int{}
	for seed := range uint64(propertyInputs) {
		plan := New(newGenerator(seed).input())
		for _, problem := range plan.Problems {
			seen[problem.Reason]++
		}
		for _, wait := range plan.Waits {
			seen[wait.Reason]++
		}
		actions["attach"] += len(plan.Attach)
		actions["change"] += len(plan.Change)
		actions["detach"] += len(plan.Detach)
		actions["missing"] += len(plan.Missing)
		actions["unwanted"] += len(plan.Unwanted)
	}
	for _, reason := range allReasons {
		// Names that are too long have a test of their own.
		if seen[reason] == 0 && reason != ReasonNameTooLong {
			t.Errorf("no random input leads to %s", reason)
		}
	}
	for action, count := range actions {
		if count < 100 {
			t.Errorf("only %d of %s", count, action)
		}
	}
}
