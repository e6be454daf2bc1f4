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
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/utils/ptr"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// The machine of the tests is in a data center with these LANs.
const (
	nodesLAN   LANID = 1 // public, IPv6, cluster network "nodes"
	storageLAN LANID = 2 // private, no IPv6, cluster network "storage"
	legacyLAN  LANID = 7 // private, IPv6, somebody else's
	backupLAN  LANID = 9 // private, no IPv6, somebody else's
)

var (
	owner     = Owner{Namespace: "fleet", Name: "worker-1"}
	nodesV4   = PoolRef{APIGroup: "infrastructure.cluster.x-k8s.io", Kind: "IonosCloudIPPool", Name: "nodes-v4"}
	nodesV6   = PoolRef{APIGroup: "ipam.cluster.x-k8s.io", Kind: "InClusterIPPool", Name: "nodes-v6"}
	storageV4 = PoolRef{APIGroup: "ipam.cluster.x-k8s.io", Kind: "InClusterIPPool", Name: "storage-v4"}
	backupV4  = PoolRef{APIGroup: "ipam.cluster.x-k8s.io", Kind: "GlobalInClusterIPPool", Name: "backup-v4"}
)

func ref(pool PoolRef) ipamv1.IPPoolReference {
	return ipamv1.IPPoolReference{APIGroup: pool.APIGroup, Kind: pool.Kind, Name: pool.Name}
}

func addr(text string) netip.Addr { return netip.MustParseAddr(text) }

func addrs(texts ...string) []netip.Addr {
	list := make([]netip.Addr, 0, len(texts))
	for _, text := range texts {
		list = append(list, addr(text))
	}
	return list
}

// prefix0 is no prefix.
var prefix0 netip.Prefix

func prefix(text string) netip.Prefix { return netip.MustParsePrefix(text) }

// world is an input with the networks of the tests, to be completed by a test.
func world(attachments ...infrav1.Attachment) Input {
	return Input{
		Owner:       owner,
		Attachments: attachments,
		ClusterNetworks: []infrav1.ClusterNetwork{
			{Name: "nodes", Type: infrav1.ClusterNetworkPublic},
			{Name: "storage", Type: infrav1.ClusterNetworkPrivate, IPv4Subnet: "10.20.0.0/22", IPv4PoolRef: ref(storageV4)},
		},
		ClusterLANs: []infrav1.ClusterNetworkStatus{
			{Name: "nodes", NetworkID: int32(nodesLAN), IPv6CIDRBlock: "2001:db8:0:1::/64"},
			{Name: "storage", NetworkID: int32(storageLAN)},
		},
		LANs: []LAN{
			{ID: nodesLAN, Public: true, IPv6Block: prefix("2001:db8:0:1::/64")},
			{ID: storageLAN, IPv4Block: prefix("10.7.226.0/24")},
			{ID: legacyLAN, IPv6Block: prefix("2001:db8:0:7::/64")},
			{ID: backupLAN},
		},
	}
}

// attach makes an attachment to a cluster network; an empty one is the default network.
func attach(name, clusterNetwork string, options ...func(*infrav1.Attachment)) infrav1.Attachment {
	a := infrav1.Attachment{Name: name, ClusterNetwork: clusterNetwork, DHCP: ptr.To(true)}
	for _, option := range options {
		option(&a)
	}
	return a
}

// attachLAN makes an attachment by LAN number.
func attachLAN(name string, id LANID, options ...func(*infrav1.Attachment)) infrav1.Attachment {
	a := attach(name, "", options...)
	a.NetworkID = int32(id)
	return a
}

func v4(pool PoolRef) func(*infrav1.Attachment) {
	return func(a *infrav1.Attachment) { a.IPv4PoolRef = ref(pool) }
}

func v6(pool PoolRef) func(*infrav1.Attachment) {
	return func(a *infrav1.Attachment) { a.IPv6PoolRef = ref(pool) }
}

func noDHCP(a *infrav1.Attachment) { a.DHCP = ptr.To(false) }

func dhcpv6(on bool) func(*infrav1.Attachment) {
	return func(a *infrav1.Attachment) { a.DHCPv6 = ptr.To(on) }
}

func dhcpv6Of(on bool) *bool { return &on }

func claims(list ...Claim) func(*Input) {
	return func(in *Input) { in.Claims = list }
}

// networkV6 gives the default network a pool of IPv6 addresses, and takes the IPv6 block from its LAN.
func networkV6(block string) func(*Input) {
	return func(in *Input) {
		in.ClusterNetworks[0].IPv6PoolRef, in.ClusterNetworks[0].IPv6CIDRBlock = ref(nodesV6), block
		in.LANs[0].IPv6Block = prefix0
	}
}

func failover(ips ...string) func(*infrav1.Attachment) {
	return func(a *infrav1.Attachment) { a.FailoverIPs = ips }
}

func route(destination, gateway string) func(*infrav1.Attachment) {
	return func(a *infrav1.Attachment) {
		a.Routes = append(a.Routes, infrav1.Route{Destination: destination, Gateway: gateway})
	}
}

// held is a claim that the owner holds, with an address; an empty text means none yet.
func held(name string, pool PoolRef, address string) Claim {
	claim := Claim{Name: name, Pool: pool, Owned: true}
	if address != "" {
		claim.Address, claim.Bits = addr(address), 24
		if claim.Address.Is6() {
			claim.Bits = 64
		}
	}
	return claim
}

// nic is a NIC of a server with DHCP on.
func nic(id, name string, lan LANID, ipv4 ...string) NIC {
	return NIC{ID: id, Name: name, ServerName: owner.Name, LAN: lan, DHCP: true, IPv4: addrs(ipv4...)}
}

func diff(want, got any) string {
	return gocmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{}), cmpopts.EquateEmpty())
}

// render is a plan as text, without its empty parts.
func render(plan Plan) string {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	for _, a := range plan.Attachments {
		line("%s: lan %d, ipv4 %s, ipv6 %s, nic %s", a.Name, a.LAN, renderAddress(a.IPv4), renderAddress(a.IPv6), cmp.Or(a.NICID, "-"))
	}
	for _, c := range plan.Claims {
		line("claim %s %s %s exists=%t", c.Name, c.Family, c.Pool.Name, c.Exists)
	}
	for _, name := range plan.Unwanted {
		line("unwanted %s", name)
	}
	for _, problem := range plan.Problems {
		kind := "problem"
		if problem.Warning {
			kind = "warning"
		}
		line("%s %s %s", kind, problem.Reason, problem)
	}
	for _, wait := range plan.Waits {
		line("wait %s %s", wait.Reason, wait)
	}
	for _, d := range plan.Detach {
		line("detach %s %s", d.Attachment, d.NICID)
	}
	for _, c := range plan.Change {
		line("change %s %s ipv4=%v ipv6=%v block=%v dhcp=%s dhcpv6=%s", c.Attachment, c.NICID, c.IPv4, c.IPv6, c.IPv6Block, renderBool(c.DHCP), renderBool(c.DHCPv6))
	}
	for _, s := range plan.Attach {
		line("attach %s %s lan=%d dhcp=%t dhcpv6=%s ipv4=%v ipv6=%v block=%v", s.Attachment, s.Name, s.LAN, s.DHCP, renderBool(s.DHCPv6), s.IPv4, s.IPv6, s.IPv6Block)
	}
	for _, name := range plan.Missing {
		line("missing %s", name)
	}
	return out.String()
}

func renderAddress(address Address) string {
	if address.Addr.IsValid() {
		return string(address.Source) + " " + address.Addr.String()
	}
	return string(address.Source)
}

func renderBool(value *bool) string {
	if value == nil {
		return "-"
	}
	return fmt.Sprint(*value)
}

// wantPlan compares a plan with its text.
func wantPlan(t *testing.T, in Input, want string) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	got := strings.Split(strings.TrimSuffix(render(New(in)), "\n"), "\n")
	if d := diff(lines, got); d != "" {
		t.Errorf("plan differs (-want +got):\n%s", d)
	}
}

// reasons are those of the problems and waits of a plan, warnings marked with a question mark.
func reasons(plan Plan) []string {
	list := make([]string, 0, len(plan.Problems)+len(plan.Waits))
	for _, problem := range plan.Problems {
		text := fmt.Sprintf("%s %s %s", problem.Reason, problem.Network, problem.Family)
		if problem.Warning {
			text = "?" + text
		}
		list = append(list, strings.TrimSpace(text))
	}
	for _, wait := range plan.Waits {
		list = append(list, strings.TrimSpace(fmt.Sprintf("wait %s %s %s", wait.Reason, wait.Network, wait.Family)))
	}
	slices.Sort(list)
	return list
}
