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
	"testing"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// Each case plans one machine; the wanted reasons are all that the plan reports.
func TestLANs(t *testing.T) {
	tests := map[string]struct {
		in   Input
		edit func(*Input)
		want []string
	}{
		"default network":    {in: world(attach("a", ""))},
		"named network":      {in: world(attach("a", "nodes"))},
		"LAN by number":      {in: world(attachLAN("a", backupLAN))},
		"two on one network": {in: world(attach("a", ""), attach("b", "nodes"), attachLAN("c", nodesLAN))},
		"unknown network":    {in: world(attach("a", "nowhere")), want: []string{"UnknownClusterNetwork a"}},
		"both": {
			in:   world(attachLAN("a", backupLAN, func(a *infrav1.Attachment) { a.ClusterNetwork = "nodes" })),
			want: []string{"AmbiguousNetwork a"},
		},
		"no LAN number":    {in: world(attachLAN("a", LANID(infrav1.InvalidNetworkID))), want: []string{"InvalidNetworkID a"}},
		"unknown LAN":      {in: world(attachLAN("a", 44)), want: []string{"LANNotFound a"}},
		"duplicate name":   {in: world(attach("a", "nodes"), attach("b", ""), attach("a", "storage")), want: []string{"DuplicateAttachment a"}},
		"offline, any LAN": {in: world(attachLAN("a", 44)), edit: func(in *Input) { in.LANs = nil }},
		"offline, known cluster LAN": {
			in: world(attach("a", "", v6(nodesV6))), edit: func(in *Input) {
				in.LANs, in.Claims = nil, []Claim{held("worker-1.a.ipv6", nodesV6, "2001:db8:0:1::5")}
			},
		},
		"no LAN yet": {
			in: world(attach("a", "storage", v4(storageV4))), edit: func(in *Input) { in.ClusterLANs = nil },
			// The claim does not wait for the LAN.
			want: []string{"wait WaitingForAddress a ipv4", "wait WaitingForLAN a"},
		},
		"LAN being made": {
			in: world(attach("a", "")), edit: func(in *Input) { in.ClusterLANs[0].NetworkID = 0 },
			want: []string{"wait WaitingForLAN a"},
		},
		"cluster LAN that is gone": {
			in: world(attach("a", "")), edit: func(in *Input) { in.LANs = in.LANs[1:] },
			want: []string{"wait WaitingForLAN a"},
		},
		"broken subnet": {
			in: world(attach("a", "storage", v4(storageV4))), edit: func(in *Input) {
				in.ClusterNetworks[1].IPv4Subnet, in.Claims = "10.20.0.0", []Claim{held("worker-1.a.ipv4", storageV4, "10.20.0.5")}
			},
			want: []string{"InvalidSubnet a ipv4"},
		},
		"IPv6 pool on a LAN without IPv6":             {in: world(attachLAN("a", backupLAN, v6(nodesV6))), want: []string{"NoIPv6 a ipv6"}},
		"IPv6 pool on a network without IPv6":         {in: world(attach("a", "storage", v4(PoolRef{}), v6(nodesV6))), want: []string{"NoIPv6 a ipv6", "wait WaitingForAddress a ipv4"}},
		"IPv6 pool of the network, which has no IPv6": {in: world(attach("a", "")), edit: networkV6("None"), want: []string{"NoIPv6 a ipv6"}},
		"IPv6 pool before the block is there":         {in: world(attach("a", "")), edit: networkV6("AUTO"), want: []string{"wait WaitingForIPv6 a ipv6"}},
		// C22: dhcpv6 is never sent where the LAN has no IPv6, whichever value it has.
		"dhcpv6 without IPv6":           {in: world(attachLAN("a", backupLAN, dhcpv6(true))), want: []string{"?DHCPv6Ignored a ipv6"}},
		"dhcpv6 off without IPv6":       {in: world(attachLAN("a", backupLAN, dhcpv6(false))), want: []string{"?DHCPv6Ignored a ipv6"}},
		"dhcpv6 before the block comes": {in: world(attach("a", "", dhcpv6(true))), edit: func(in *Input) { in.LANs[0].IPv6Block = prefix0 }, want: []string{"wait WaitingForIPv6 a ipv6"}},
		"dhcpv6 with IPv6":              {in: world(attach("a", "", dhcpv6(true)), attachLAN("b", legacyLAN, dhcpv6(false)))},
		// C16: several failover addresses, on every attached public LAN.
		"failover on public LANs":                {in: world(attach("a", "", failover("AUTO", "198.51.100.7")), attachLAN("b", nodesLAN, failover("198.51.100.8")))},
		"failover on a private network":          {in: world(attach("a", "storage", v4(PoolRef{}), failover("AUTO"))), want: []string{"FailoverOnPrivateLAN a ipv4", "wait WaitingForAddress a ipv4"}},
		"failover on a private LAN":              {in: world(attachLAN("a", backupLAN, failover("198.51.100.7"))), want: []string{"FailoverOnPrivateLAN a ipv4"}},
		"failover that is no address":            {in: world(attach("a", "", failover("2001:db8::1", "auto"))), want: []string{"InvalidFailoverIP a ipv4", "InvalidFailoverIP a ipv4"}},
		"failover that is the NIC's own address": {in: world(attach("a", "", v4(nodesV4), failover("203.0.113.20"))), edit: claims(held("worker-1.a.ipv4", nodesV4, "203.0.113.20")), want: []string{"InvalidFailoverIP a ipv4"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if test.edit != nil {
				test.edit(&test.in)
			}
			plan := New(test.in)
			if d := diff(test.want, reasons(plan)); d != "" {
				t.Errorf("reasons differ (-want +got):\n%s", d)
			}
			if (plan.Ready() != (len(plan.Attach) == len(test.in.Attachments))) || (!plan.Ready() && len(plan.Attach) > 0) {
				t.Errorf("ready is %t, and %d NICs would be attached", plan.Ready(), len(plan.Attach))
			}
			checkLANs(t, test.in, plan)
		})
	}
}

// checkLANs checks what must hold of every plan: no unknown LAN is ever sent, since the cloud would make it, and no
// dhcpv6 goes to a LAN without IPv6 (C22).
func checkLANs(t *testing.T, in Input, plan Plan) {
	t.Helper()
	if in.LANs == nil {
		return
	}
	lans := map[LANID]LAN{}
	for _, lan := range in.LANs {
		lans[lan.ID] = lan
	}
	for _, settings := range plan.Attach {
		lan, exists := lans[settings.LAN]
		if !exists {
			t.Errorf("NIC %q would go into LAN %d, which does not exist", settings.Attachment, settings.LAN)
		}
		if !lan.IPv6Block.IsValid() && (settings.DHCPv6 != nil || len(settings.IPv6) > 0) {
			t.Errorf("NIC %q would get IPv6 settings in LAN %d, which has no IPv6", settings.Attachment, settings.LAN)
		}
	}
}

func TestSources(t *testing.T) {
	in := world(
		attach("a", ""),
		attach("b", "", noDHCP, dhcpv6(true)),
		attach("c", "", dhcpv6(false)),
		attachLAN("d", backupLAN, noDHCP),
		attachLAN("e", legacyLAN, func(a *infrav1.Attachment) { a.DHCP = nil }),
	)
	wantSources := func(want ...string) {
		t.Helper()
		attachments := New(in).Attachments
		got := make([]string, 0, len(attachments))
		for _, a := range attachments {
			got = append(got, string(a.IPv4.Source+"/"+a.IPv6.Source))
		}
		if d := diff(want, got); d != "" {
			t.Errorf("sources differ (-want +got):\n%s", d)
		}
	}
	wantSources("DHCP/Cloud", "Cloud/DHCP", "DHCP/Cloud", "Cloud/None", "DHCP/Cloud")
	// What the cloud chose for dhcpv6 is known once there is a NIC.
	in.NICs = []NIC{nic("1", "fleet.worker-1.a", nodesLAN, "203.0.113.99")}
	in.NICs[0].DHCPv6 = dhcpv6Of(true)
	wantSources("DHCP/DHCP", "Cloud/DHCP", "DHCP/Cloud", "Cloud/None", "DHCP/Cloud")
	// Offline nobody knows whether a LAN by number has IPv6.
	in.LANs, in.NICs = nil, nil
	wantSources("DHCP/Cloud", "Cloud/DHCP", "DHCP/Cloud", "Cloud/Unknown", "DHCP/Unknown")
}

// C02: the attachment's own pool replaces the network's pool, so that there is one claim for each family.
func TestOwnPoolReplacesPoolOfNetwork(t *testing.T) {
	in := world(attach("own", "storage", v4(backupV4)), attach("inherited", "storage"))
	wantPlan(t, in, `
		own: lan 2, ipv4 Pool, ipv6 None, nic -
		inherited: lan 2, ipv4 Pool, ipv6 None, nic -
		claim worker-1.inherited.ipv4 ipv4 storage-v4 exists=false
		claim worker-1.own.ipv4 ipv4 backup-v4 exists=false
		wait WaitingForAddress Network "inherited", ipv4, pool InClusterIPPool.ipam.cluster.x-k8s.io/storage-v4, claim worker-1.inherited.ipv4: the claim has no address yet
		wait WaitingForAddress Network "own", ipv4, pool GlobalInClusterIPPool.ipam.cluster.x-k8s.io/backup-v4, claim worker-1.own.ipv4: the claim has no address yet
	`)
}

// The attachment by number is to an existing LAN, and has nothing of a cluster network that has the same LAN.
func TestLANByNumberInheritsNoPool(t *testing.T) {
	if claims := New(world(attachLAN("a", storageLAN))).Claims; len(claims) > 0 {
		t.Errorf("got claims %v", claims)
	}
}

// C26: the first attachment is the primary one, whatever it is called.
func TestPrimaryIsFirst(t *testing.T) {
	for i, a := range New(world(attach("z", ""), attach("a", ""), attach("primary", ""))).Attachments {
		if a.Primary != (i == 0) {
			t.Errorf("attachment %d, %q: primary is %t", i, a.Name, a.Primary)
		}
	}
}
