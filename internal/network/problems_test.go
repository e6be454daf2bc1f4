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
	"testing"
)

var allReasons = []Reason{
	ReasonUnknownClusterNetwork, ReasonAmbiguousNetwork, ReasonInvalidNetworkID, ReasonLANNotFound, ReasonDuplicateAttachment,
	ReasonNameTooLong, ReasonInvalidSubnet, ReasonNoIPv6, ReasonDHCPv6Ignored, ReasonFailoverOnPrivateLAN, ReasonInvalidFailoverIP,
	ReasonInvalidRoute, ReasonUnreachableGateway, ReasonClaimConflict, ReasonClaimDeleted, ReasonClaimLost, ReasonPoolMismatch,
	ReasonAddressConflict, ReasonFamilyMismatch, ReasonAddressOutsideSubnet, ReasonAddressOutsideLAN, ReasonDuplicateAddress,
	ReasonDuplicateIPv6Block, ReasonAddressInUse, ReasonIPv6BlockInUse, ReasonNICInOtherLAN,
	ReasonWaitingForLAN, ReasonWaitingForIPv6, ReasonWaitingForAddress, ReasonPoolFailed, ReasonWaitingForRelease,
}

func TestProblemText(t *testing.T) {
	in := world(attach("storage", "storage", v4(backupV4)), attach("x", "nowhere"))
	in.Claims = []Claim{held("worker-1.storage.ipv4", backupV4, "10.30.0.5")}
	problems := New(in).Problems
	got := make([]string, 0, len(problems))
	for _, problem := range problems {
		got = append(got, problem.String())
	}
	want := []string{
		`Network "storage", ipv4, pool GlobalInClusterIPPool.ipam.cluster.x-k8s.io/backup-v4: the address 10.30.0.5 is outside of the subnet 10.20.0.0/22 of cluster network "storage"; correct the addresses of the pool, or ipv4Subnet, then delete claim worker-1.storage.ipv4`,
		`Network "x": the cluster has no network "nowhere"; correct clusterNetwork, or add the network to the cluster`,
	}
	if d := diff(want, got); d != "" {
		t.Errorf("texts differ (-want +got):\n%s", d)
	}
}

func TestWaitText(t *testing.T) {
	in := world(attach("a", "", v4(nodesV4)), attach("b", "", v6(nodesV6)))
	failing := held("worker-1.a.ipv4", nodesV4, "")
	failing.Failure = "PoolExhausted: no address is free"
	in.Claims = []Claim{failing, held("worker-1.b.ipv6", backupV4, "")}
	waits := New(in).Waits
	got := make([]string, 0, len(waits))
	for _, wait := range waits {
		got = append(got, wait.String())
	}
	want := []string{
		`Network "a", ipv4, pool IonosCloudIPPool.infrastructure.cluster.x-k8s.io/nodes-v4, claim worker-1.a.ipv4: the pool gives no address: PoolExhausted: no address is free`,
		`Network "b", ipv6, pool InClusterIPPool.ipam.cluster.x-k8s.io/nodes-v6, claim worker-1.b.ipv6: the claim is released, because it is on GlobalInClusterIPPool.ipam.cluster.x-k8s.io/backup-v4 and the spec asks for InClusterIPPool.ipam.cluster.x-k8s.io/nodes-v6; another one follows`,
	}
	if d := diff(want, got); d != "" {
		t.Errorf("texts differ (-want +got):\n%s", d)
	}
}

func TestBlockedAndReady(t *testing.T) {
	tests := map[string]struct {
		plan           Plan
		blocked, ready bool
	}{
		"nothing": {Plan{}, false, true},
		"warning": {Plan{Problems: []Problem{{Warning: true}}}, false, true},
		"problem": {Plan{Problems: []Problem{{Warning: true}, {}}}, true, false},
		"wait":    {Plan{Waits: []Wait{{}}}, false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.plan.Blocked() != test.blocked || test.plan.Ready() != test.ready {
				t.Errorf("blocked %t, ready %t", test.plan.Blocked(), test.plan.Ready())
			}
		})
	}
}

// Problems come before warnings, so that a message that is cut short still says what has to be done.
func TestProblemsComeBeforeWarnings(t *testing.T) {
	in := world(attachLAN("a", backupLAN, dhcpv6(true)), attach("b", "nowhere"))
	problems := New(in).Problems
	if len(problems) != 2 || problems[0].Warning || !problems[1].Warning {
		t.Errorf("got %v", problems)
	}
}

func TestReasonsAreUnique(t *testing.T) {
	sorted := slices.Clone(allReasons)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(allReasons) {
		t.Error("two reasons have one text")
	}
}
