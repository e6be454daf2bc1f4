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
	"context"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

func TestMachineGetsItsAddressesOnEveryNIC(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")

	server := w.server(w, "m")
	w.Expect(server.NICs).To(HaveLen(3))
	byLAN := map[int32]int{}
	for i, nic := range server.NICs {
		byLAN[nic.LAN] = i
	}
	public, storage, backup := server.NICs[byLAN[publicLAN]], server.NICs[byLAN[storageLAN]], server.NICs[byLAN[backupLAN]]
	w.Expect(public.IPs).To(HaveLen(1))
	w.Expect(public.IPs[0]).To(HavePrefix("203.0.113."))
	// C30: the block of the claimed IPv6 address was sent with it.
	w.Expect(public.IPv6IPs).To(HaveLen(1))
	w.Expect(public.IPv6IPs[0]).To(HaveSuffix("::10"))
	w.Expect(storage.IPs[0]).To(HavePrefix("10.20."))
	w.Expect(backup.DHCP).To(BeFalse())

	machine := w.machine(w, "m")
	w.Expect(machine.Spec.ProviderID).To(Equal("ionos://" + server.ID))
	w.Expect(machine.Status.Location).To(Equal(location))
	w.Expect(machine.Status.Networks).To(HaveLen(3))
	w.Expect(machine.Status.Networks[0].Name).To(Equal("public"))
	w.Expect(machine.Status.Networks[0].IPv4ClaimName).To(Equal("m.public.ipv4"))
	w.Expect(machine.Status.Addresses).To(ContainElement(clusterv1.MachineAddress{Type: clusterv1.MachineExternalIP, Address: public.IPs[0]}))
	w.Expect(machine.Status.Addresses).To(ContainElement(clusterv1.MachineAddress{Type: clusterv1.MachineInternalIP, Address: storage.IPs[0]}))
	first := slices.IndexFunc(machine.Status.Addresses, func(a clusterv1.MachineAddress) bool { return a.Type != clusterv1.MachineHostName })
	w.Expect(machine.Status.Addresses[first].Address).To(Equal(public.IPs[0]), "the addresses of the primary NIC come first")
	w.deleteCluster()
}

func TestClusterNetworksBecomeLANs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster(func(c *infrav1.IonosCloudCluster) {
		c.Spec.Networks = []infrav1.ClusterNetwork{
			{Name: "nodes", Type: infrav1.ClusterNetworkPublic, IPv4PoolRef: poolRef("public-v4")},
			{Name: "storage", Type: infrav1.ClusterNetworkPrivate, IPv4Subnet: "10.20.0.0/22", IPv4PoolRef: poolRef("storage-v4")},
			{Name: "unused", Type: infrav1.ClusterNetworkPrivate},
		}
	})
	w.makeMachine("m", withNetworks(infrav1.Attachment{Name: "a"}, infrav1.Attachment{Name: "b", ClusterNetwork: "storage"}))
	w.expectReady("m")
	lans := map[string]bool{}
	for _, lan := range w.cloud.Snapshot().Datacenters[0].LANs {
		lans[lan.Name] = lan.Public
	}
	w.Expect(lans).To(HaveKeyWithValue(w.namespace+".shop.nodes", true))
	w.Expect(lans).To(HaveKeyWithValue(w.namespace+".shop.storage", false))
	w.Expect(lans).NotTo(HaveKey(w.namespace + ".shop.unused"))
	// C02: the attachment without a pool of its own has one claim, from the network's pool.
	machine := w.machine(w, "m")
	w.Expect(machine.Status.Networks[0].IPv4ClaimName).To(Equal("m.a.ipv4"))
	w.Expect(machine.Status.Networks[1].IPv4Addresses[0]).To(HavePrefix("10.20."))

	// LANs outlive machines.
	w.deleteMachine("m")
	w.expectMachineGone("m")
	w.Expect(w.cloud.Snapshot().Datacenters[0].LANs).To(HaveLen(5))
	w.deleteCluster()
}

func TestAttachmentsCanBeAddedAndRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")
	before := w.server(w, "m")

	machine := w.machine(w, "m")
	machine.Spec.Networks = append(machine.Spec.Networks[:1:1], infrav1.Attachment{Name: "late", NetworkID: storageLAN, DHCP: ptr.To(true), IPv4PoolRef: poolRef("storage-v4")})
	w.Expect(w.client.Update(t.Context(), machine)).To(Succeed())
	w.Eventually(func(g Gomega) {
		server := w.server(g, "m")
		g.Expect(server.NICs).To(HaveLen(2))
		g.Expect(server.NICs[0].ID).To(Equal(before.NICs[0].ID))
		g.Expect(server.NICs[1].IPs).To(ConsistOf(HavePrefix("10.20.")))
		machine := w.machine(g, "m")
		g.Expect(machine.Status.Networks).To(HaveLen(2))
		g.Expect(machine.Status.Networks[1].Name).To(Equal("late"))
	}).Should(Succeed())
	w.expectReady("m")
	// The claims of the attachments that left are released.
	w.Eventually(func(g Gomega) {
		g.Expect(w.claimNames(g)).To(ConsistOf("m.public.ipv4", "m.public.ipv6", "m.late.ipv4"))
	}).Should(Succeed())
	w.deleteCluster()
}

func TestDeletedClusterTakesItsMachinesAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("a", threeNICs())
	w.makeMachine("b")
	w.expectReady("a", "b")
	w.deleteCluster()
}

func TestMachineDeletedWhileCreating(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.slowServers()
	w.makeMachine("m", threeNICs())
	w.expectMachineCondition("m", infrav1.ServerProvisionedCondition, infrav1.WaitingForRequestReason)
	w.deleteMachine("m")
	w.expectMachineGone("m")
	w.Expect(w.servers()).To(BeEmpty())
	w.deleteCluster()
}

func TestDataVolumesStayWhenAMachineGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m")
	w.expectReady("m")
	data := w.cloud.AddVolume(w.datacenter, w.server(w, "m").ID, "csi-data")
	w.deleteMachine("m")
	w.expectMachineGone("m")
	volumes := w.cloud.Snapshot().Datacenters[0].Volumes
	w.Expect(volumes).To(HaveLen(1), "the boot volume goes with the machine, the data volume stays")
	w.Expect(volumes[0].ID).To(Equal(data))
}

// TestReadyMachineStaysReadyWhenTheInventoryIsOld has lists that were read while the servers were being made shared for long.
func TestReadyMachineStaysReadyWhenTheInventoryIsOld(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "old-inventory")
	w.makeCredentials(goodToken)
	w.makeCluster()
	ctx, cancel := context.WithCancel(t.Context())
	mgr, err := newManager(ctx, managerOptions{watchFilter: w.filter, namespace: w.namespace, syncPeriod: time.Second, inventoryTTL: time.Hour})
	w.Expect(err).NotTo(HaveOccurred())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	names := []string{"a", "b", "c", "d"}
	for _, name := range names {
		w.makeMachine(name, threeNICs())
	}
	w.expectReady(names...)
	w.nudgeOnce(names...)
	w.expectReady(names...)
	for _, event := range w.events(w) {
		w.Expect(event.Reason).NotTo(BeElementOf(infrav1.ServerNotRunningReason, infrav1.AddressConflictReason), event.Note)
	}
	w.deleteCluster()
	cancel()
	w.Eventually(ended).Should(Receive())
}

// nudgeOnce has machines looked at again, and waits until they were.
func (w *world) nudgeOnce(names ...string) {
	w.t.Helper()
	for _, name := range names {
		machine := w.machine(w, name)
		generation := machine.Generation
		machine.Spec.Networks = append(machine.Spec.Networks, infrav1.Attachment{Name: "more", NetworkID: backupLAN})
		w.Expect(w.client.Update(w.t.Context(), machine)).To(Succeed())
		w.Eventually(func(g Gomega) {
			ready := conditions.Get(w.machine(g, name), infrav1.ReadyCondition)
			g.Expect(ready.ObservedGeneration).To(BeNumerically(">", generation))
		}).Should(Succeed())
	}
}
