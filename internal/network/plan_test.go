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

func TestPlanOfNothing(t *testing.T) {
	// No networks at all: the default network, DHCP, as in v1alpha1.
	wantPlan(t, Input{Owner: owner}, `
		primary: lan 0, ipv4 DHCP, ipv6 Cloud, nic -
		wait WaitingForLAN Network "primary": cluster network "default" has no LAN in the data center yet
	`)
	wantPlan(t, Input{Owner: owner,
		ClusterLANs: []infrav1.ClusterNetworkStatus{{Name: "default", NetworkID: 4}},
		LANs:        []LAN{{ID: 4, Public: true, IPv6Block: prefix("2001:db8::/64")}},
	}, `
		primary: lan 4, ipv4 DHCP, ipv6 Cloud, nic -
		attach primary fleet.worker-1.primary lan=4 dhcp=true dhcpv6=- ipv4=[] ipv6=[] block=invalid Prefix
	`)
}

func TestPlanOfNewMachine(t *testing.T) {
	in := world(
		attach("public", "", v4(nodesV4), v6(nodesV6)),
		attach("storage", "storage", noDHCP),
		attachLAN("backup", backupLAN, noDHCP),
	)
	// Claims come first; there is no server before all of them have their addresses.
	wantPlan(t, in, `
		public: lan 1, ipv4 Pool, ipv6 Pool, nic -
		storage: lan 2, ipv4 Pool, ipv6 None, nic -
		backup: lan 9, ipv4 Cloud, ipv6 None, nic -
		claim worker-1.public.ipv4 ipv4 nodes-v4 exists=false
		claim worker-1.public.ipv6 ipv6 nodes-v6 exists=false
		claim worker-1.storage.ipv4 ipv4 storage-v4 exists=false
		wait WaitingForAddress Network "public", ipv4, pool IonosCloudIPPool.infrastructure.cluster.x-k8s.io/nodes-v4, claim worker-1.public.ipv4: the claim has no address yet
		wait WaitingForAddress Network "public", ipv6, pool InClusterIPPool.ipam.cluster.x-k8s.io/nodes-v6, claim worker-1.public.ipv6: the claim has no address yet
		wait WaitingForAddress Network "storage", ipv4, pool InClusterIPPool.ipam.cluster.x-k8s.io/storage-v4, claim worker-1.storage.ipv4: the claim has no address yet
	`)
	in.Claims = []Claim{
		held("worker-1.public.ipv4", nodesV4, "203.0.113.20"),
		held("worker-1.public.ipv6", nodesV6, "2001:db8:0:1:a::5"),
		held("worker-1.storage.ipv4", storageV4, ""),
	}
	wantPlan(t, in, `
		public: lan 1, ipv4 Pool 203.0.113.20, ipv6 Pool 2001:db8:0:1:a::5, nic -
		storage: lan 2, ipv4 Pool, ipv6 None, nic -
		backup: lan 9, ipv4 Cloud, ipv6 None, nic -
		claim worker-1.public.ipv4 ipv4 nodes-v4 exists=true
		claim worker-1.public.ipv6 ipv6 nodes-v6 exists=true
		claim worker-1.storage.ipv4 ipv4 storage-v4 exists=true
		wait WaitingForAddress Network "storage", ipv4, pool InClusterIPPool.ipam.cluster.x-k8s.io/storage-v4, claim worker-1.storage.ipv4: the claim has no address yet
	`)
	in.Claims[2] = held("worker-1.storage.ipv4", storageV4, "10.20.0.10")
	// C30: the /80 goes with the IPv6 address.
	wantPlan(t, in, `
		public: lan 1, ipv4 Pool 203.0.113.20, ipv6 Pool 2001:db8:0:1:a::5, nic -
		storage: lan 2, ipv4 Pool 10.20.0.10, ipv6 None, nic -
		backup: lan 9, ipv4 Cloud, ipv6 None, nic -
		claim worker-1.public.ipv4 ipv4 nodes-v4 exists=true
		claim worker-1.public.ipv6 ipv6 nodes-v6 exists=true
		claim worker-1.storage.ipv4 ipv4 storage-v4 exists=true
		attach public fleet.worker-1.public lan=1 dhcp=true dhcpv6=- ipv4=[203.0.113.20] ipv6=[2001:db8:0:1:a::5] block=2001:db8:0:1:a::/80
		attach storage fleet.worker-1.storage lan=2 dhcp=false dhcpv6=- ipv4=[10.20.0.10] ipv6=[] block=invalid Prefix
		attach backup fleet.worker-1.backup lan=9 dhcp=false dhcpv6=- ipv4=[] ipv6=[] block=invalid Prefix
	`)
}
