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

package controller_test

import (
	"testing"

	. "github.com/onsi/gomega"
	"k8s.io/utils/ptr"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

// TestNetworkProblemsNameThemselves has machines that cannot be made as they are written: each says so in a condition
// and an event, makes no server, leaves no claim, and is deleted without a trace.
func TestNetworkProblemsNameThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster(func(c *infrav1.IonosCloudCluster) {
		c.Spec.Networks = []infrav1.ClusterNetwork{
			{Name: "nodes", Type: infrav1.ClusterNetworkPublic},
			{Name: "narrow", Type: infrav1.ClusterNetworkPrivate, IPv4Subnet: "10.77.0.0/24"},
		}
	})
	w.makePool("v6-only", poolstandin.PoolSpec{Addresses: []string{"2001:db8:ffff::10-2001:db8:ffff::20"}, Prefix: 64})
	w.makePool("elsewhere", poolstandin.PoolSpec{Addresses: []string{"10.88.0.10-10.88.0.20"}, Prefix: 24})
	w.makePool("taken", poolstandin.PoolSpec{Addresses: []string{"10.20.9.9"}, Prefix: 22})
	w.cloud.AddServer(w.datacenter, cloudsim.ServerSeed{Name: "somebody-else", NICs: []cloudsim.NICSeed{{LAN: storageLAN, DHCP: true, IPs: []string{"10.20.9.9"}}}})
	w.before = w.cloud.Snapshot()

	for name, test := range map[string]struct {
		attachment infrav1.Attachment
		condition  string
		reason     network.Reason
		words      []string
	}{
		"unknown-cluster-network": {
			infrav1.Attachment{Name: "a", ClusterNetwork: "nowhere"}, infrav1.NetworksPlannedCondition, network.ReasonUnknownClusterNetwork, []string{`"a"`, `"nowhere"`},
		},
		"unknown-lan": {
			infrav1.Attachment{Name: "a", NetworkID: 77}, infrav1.NetworksPlannedCondition, network.ReasonLANNotFound, []string{`"a"`, "77"},
		},
		"ipv6-pool-without-ipv6": {
			infrav1.Attachment{Name: "a", NetworkID: storageLAN, IPv6PoolRef: poolRef("public-v6")}, infrav1.NetworksPlannedCondition, network.ReasonNoIPv6, []string{`"a"`, "ipv6", "public-v6"},
		},
		"wrong-family": {
			infrav1.Attachment{Name: "a", NetworkID: storageLAN, IPv4PoolRef: poolRef("v6-only")}, infrav1.NetworksPlannedCondition, network.ReasonFamilyMismatch, []string{`"a"`, "ipv4", "v6-only"},
		},
		"outside-subnet": {
			infrav1.Attachment{Name: "a", ClusterNetwork: "narrow", IPv4PoolRef: poolRef("elsewhere")}, infrav1.NetworksPlannedCondition, network.ReasonAddressOutsideSubnet, []string{`"a"`, "10.77.0.0/24", "elsewhere"},
		},
		"outside-lan-block": {
			infrav1.Attachment{Name: "a", NetworkID: publicLAN, IPv6PoolRef: poolRef("v6-only")}, infrav1.NetworksPlannedCondition, network.ReasonAddressOutsideLAN, []string{`"a"`, "ipv6", "v6-only"},
		},
		"address-in-use": {
			infrav1.Attachment{Name: "a", NetworkID: storageLAN, IPv4PoolRef: poolRef("taken")}, infrav1.NetworksPlannedCondition, network.ReasonAddressInUse, []string{`"a"`, "10.20.9.9", "taken"},
		},
	} {
		w.makeMachine(name, withNetworks(test.attachment))
		w.expectMachineCondition(name, test.condition, string(test.reason), test.words...)
		w.expectEvent(name, string(test.reason), test.words...)
	}
	w.Expect(w.servers()).To(HaveLen(1), "no server is made for a machine that cannot be what it is written as")
	w.deleteCluster()
}

func TestPoolsThatGiveNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	attach := func(pool string) func(*infrav1.IonosCloudMachine) {
		return withNetworks(infrav1.Attachment{Name: "a", NetworkID: storageLAN, IPv4PoolRef: poolRef(pool)})
	}
	w.makeMachine("no-pool", attach("missing"))
	w.expectMachineCondition("no-pool", infrav1.AddressesReadyCondition, infrav1.WaitingForAddressReason, `"a"`, "ipv4", "missing", "PoolNotReady")

	w.makePool("one", poolstandin.PoolSpec{Addresses: []string{"10.20.2.2"}, Prefix: 22})
	w.makeMachine("first", attach("one"))
	w.expectReady("first")
	w.makeMachine("second", attach("one"))
	w.expectMachineCondition("second", infrav1.AddressesReadyCondition, infrav1.WaitingForAddressReason, `"a"`, "one", "PoolExhausted")

	// Both go on by themselves: when the pool is made, and when an address is freed (C07).
	w.makePool("missing", poolstandin.PoolSpec{Addresses: []string{"10.20.3.3"}, Prefix: 22})
	w.expectReady("no-pool")
	w.deleteMachine("first")
	w.expectReady("second")
	w.Expect(w.server(w, "second").NICs[0].IPs).To(ConsistOf("10.20.2.2"))
	w.deleteCluster()
}

func TestAddressStaysReservedWhenItsClaimIsDeletedByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makePool("one", poolstandin.PoolSpec{Addresses: []string{"10.20.2.2"}, Prefix: 22})
	one := withNetworks(infrav1.Attachment{Name: "a", NetworkID: storageLAN, IPv4PoolRef: poolRef("one")})
	w.makeMachine("m", one)
	w.expectReady("m")
	claim := &ipamv1.IPAddressClaim{}
	w.Expect(w.client.Get(t.Context(), w.key("m.a.ipv4"), claim)).To(Succeed())
	address := &ipamv1.IPAddress{}
	w.Expect(w.client.Get(t.Context(), w.key(claim.Status.AddressRef.Name), address)).To(Succeed())
	w.Expect(w.client.Delete(t.Context(), claim)).To(Succeed())
	w.Expect(client.IgnoreNotFound(w.client.Delete(t.Context(), address))).To(Succeed())

	w.expectMachineConditionTrue("m", infrav1.NetworksPlannedCondition, "m.a.ipv4", "10.20.2.2")
	// Nobody else gets the address while the server has it.
	w.makeMachine("other", one)
	w.expectMachineCondition("other", infrav1.AddressesReadyCondition, infrav1.WaitingForAddressReason, "PoolExhausted")
	w.Expect(w.server(w, "m").NICs[0].IPs).To(ConsistOf("10.20.2.2"))
	w.deleteMachine("m")
	w.expectReady("other")
	w.deleteCluster()
}

func TestNICRemovedByHandIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")
	server := w.server(w, "m")
	w.cloud.DeleteNIC(w.datacenter, server.ID, server.NICs[1].ID)
	w.expectMachineCondition("m", infrav1.NetworksAttachedCondition, infrav1.NICMissingReason, "storage")
	w.expectEvent("m", infrav1.NICMissingReason, "storage")
	w.Expect(w.server(w, "m").NICs).To(HaveLen(2))
	// C14: it is deleted all the same.
	w.deleteCluster()
}

func TestUnsupportedSpecSaysSo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change    func(*infrav1.IonosCloudCluster)
		condition string
		word      string
	}{
		"endpoint from a pool": {func(c *infrav1.IonosCloudCluster) {
			c.Spec.ControlPlaneEndpointSource = infrav1.ControlPlaneEndpointSource{Type: infrav1.ControlPlaneEndpointSourceIPPool, PoolRef: poolRef("public-v4")}
		}, infrav1.ControlPlaneEndpointReadyCondition, "IPPool"},
		"load balancer provider": {func(c *infrav1.IonosCloudCluster) {
			c.Spec.ControlPlaneEndpoint.Host, c.Spec.ControlPlaneEndpoint.Port = "", 0
			c.Spec.LoadBalancerProviderRef = &infrav1.LoadBalancerProviderReference{Name: "lb"}
		}, infrav1.ControlPlaneEndpointReadyCondition, "loadBalancerProviderRef"},
		"NAT gateway": {func(c *infrav1.IonosCloudCluster) {
			c.Spec.Networks = []infrav1.ClusterNetwork{{Name: "n", Type: infrav1.ClusterNetworkPrivate, IPv4Subnet: "10.0.0.0/24", NATGateway: &infrav1.NATGateway{GatewayIP: "10.0.0.1"}}}
		}, infrav1.NetworksReadyCondition, "natGateway"},
		"cross connect": {func(c *infrav1.IonosCloudCluster) {
			c.Spec.Networks = []infrav1.ClusterNetwork{{Name: "n", Type: infrav1.ClusterNetworkPrivate, CrossConnectID: "6a0b4c3e-5c4e-4a35-8d8c-6d1a6a0c1f01"}}
		}, infrav1.NetworksReadyCondition, "crossConnectID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sharedFilter)
			w.makeCredentials(goodToken)
			w.makeCluster(test.change)
			w.expectClusterCondition(test.condition, infrav1.NotSupportedReason, test.word)
			w.expectEvent(clusterName, infrav1.NotSupportedReason, test.word)
			w.deleteCluster()
		})
	}
}

func TestFailoverIPSaysThatItIsNotSupported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", withNetworks(infrav1.Attachment{Name: "a", NetworkID: publicLAN, DHCP: ptr.To(true), FailoverIPs: []string{"AUTO"}}))
	w.expectMachineCondition("m", infrav1.FailoverReadyCondition, infrav1.NotSupportedReason, `"a"`, "AUTO")
	w.Eventually(func(g Gomega) {
		g.Expect(ptr.Deref(w.machine(g, "m").Status.Initialization.Provisioned, false)).To(BeTrue())
	}).Should(Succeed())
	w.deleteCluster()
}
