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
	"testing"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// otherMachines is how many machines share the data center with the planned one, each with three NICs.
const otherMachines = 50

// BenchmarkPlan plans a machine that is as it should be, every NIC with an address of both families from a pool.
func BenchmarkPlan(b *testing.B) {
	for _, nics := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("nics=%d", nics), func(b *testing.B) {
			in := steadyMachine(nics)
			if plan := New(in); !plan.Ready() || len(plan.Claims) != 2*nics || len(plan.Attach)+len(plan.Change)+len(plan.Detach) > 0 {
				b.Fatalf("the machine is not as it should be:\n%s", render(plan))
			}
			b.ReportAllocs()
			for b.Loop() {
				New(in)
			}
		})
	}
}

func steadyMachine(nics int) Input {
	in := world()
	for i := range nics {
		name := fmt.Sprintf("net-%d", i)
		v4Addr, v6Addr := addr(fmt.Sprintf("203.0.113.%d", i+1)), addr(fmt.Sprintf("2001:db8:0:1:%x::1", i+1))
		in.Attachments = append(in.Attachments, attach(name, "", v4(nodesV4), v6(nodesV6)))
		in.Claims = append(in.Claims,
			held(ClaimName(owner, name, IPv4), nodesV4, v4Addr.String()),
			held(ClaimName(owner, name, IPv6), nodesV6, v6Addr.String()))
		n := nic(fmt.Sprintf("n-%d", i), NICName(owner, name), nodesLAN, v4Addr.String())
		n.IPv6, n.IPv6Block = []netip.Addr{v6Addr}, nicBlock(v6Addr)
		in.NICs = append(in.NICs, n)
		in.Recorded = append(in.Recorded, infrav1.AttachmentStatus{
			Name: name, NICID: n.ID, NetworkID: int32(nodesLAN),
			IPv4Addresses: []string{v4Addr.String()}, IPv6Addresses: []string{v6Addr.String()},
			IPv4ClaimName: ClaimName(owner, name, IPv4), IPv6ClaimName: ClaimName(owner, name, IPv6),
		})
	}
	for i := range otherMachines * 3 {
		other := nic(fmt.Sprintf("o-%d", i), "", nodesLAN, fmt.Sprintf("198.51.100.%d", i))
		other.ServerName = fmt.Sprintf("worker-%d", i/3+2)
		in.OtherNICs = append(in.OtherNICs, other)
	}
	return in
}
