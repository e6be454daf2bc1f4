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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// TestWhatTheOldProviderMadeIsAdopted has a cluster as the v1alpha1 provider leaves it: a LAN, a server, NICs and claims
// by their old names, and a status. The new provider takes all of it over without a write to the cloud and without a claim.
func TestWhatTheOldProviderMadeIsAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "legacy")
	lan := w.cloud.AddLAN(w.datacenter, cloudsim.LANSeed{Name: "lan-" + w.namespace + "-" + clusterName, Public: true, IPv6: "AUTO"})
	serverID := w.cloud.AddServer(w.datacenter, cloudsim.ServerSeed{Name: "m", VolumeName: "vol-m", NICs: []cloudsim.NICSeed{
		{Name: "nic-m", LAN: lan, DHCP: true, IPs: []string{"203.0.113.20"}},
		{LAN: storageLAN, DHCP: true, IPs: []string{"10.20.0.10"}},
		{LAN: backupLAN},
	}})
	w.makeCredentials(goodToken)
	w.makeLegacyCluster()
	w.makeLegacyMachine("m", serverID, lan)
	before := w.cloud.Snapshot()
	w.cloud.ResetCounters()

	ctx, cancel := context.WithCancel(t.Context())
	mgr, err := newManager(ctx, managerOptions{watchFilter: w.filter, syncPeriod: time.Minute})
	w.Expect(err).NotTo(HaveOccurred())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	w.expectReady("m")
	w.Eventually(func(g Gomega) {
		cluster := w.ionosCluster(g)
		g.Expect(cluster.Status.Networks).To(HaveLen(1))
		g.Expect(cluster.Status.Networks[0].NetworkID).To(Equal(lan))
	}).Should(Succeed())

	w.Expect(w.cloud.Writes()).To(BeZero(), "%v", w.cloud.Counters())
	if diff := cmp.Diff(before, w.cloud.Snapshot()); diff != "" {
		t.Errorf("the cloud changed (-before +after):\n%s", diff)
	}
	w.Expect(w.claimNames(w)).To(ConsistOf("nic-m-ipv4", "nic-m-7-ipv4"))
	w.Eventually(func(g Gomega) {
		machine := w.machine(g, "m")
		g.Expect(machine.Status.Networks).To(HaveLen(3))
		g.Expect(machine.Status.Networks[0].IPv4ClaimName).To(Equal("nic-m-ipv4"))
		g.Expect(machine.Status.Networks[1].IPv4ClaimName).To(Equal("nic-m-7-ipv4"))
	}).Should(Succeed())

	// The LAN that was made for the cluster goes with it; w.before has only those that were there before.
	w.deleteCluster()
	cancel()
	w.Eventually(ended).Should(Receive())
}

// makeLegacyCluster makes a Cluster and its IonosCloudCluster with a status, through v1alpha1.
func (w *world) makeLegacyCluster() {
	w.t.Helper()
	ionosCluster := &infrav1alpha1.IonosCloudCluster{ObjectMeta: w.meta(clusterName)}
	ionosCluster.Finalizers = []string{infrav1.ClusterFinalizer}
	ionosCluster.Spec = infrav1alpha1.IonosCloudClusterSpec{
		Location: location, CredentialsRef: infrav1alpha1.LocalObjectReference{Name: "credentials"},
		ControlPlaneEndpoint: &infrav1alpha1.APIEndpoint{Host: "203.0.113.10", Port: 6443},
	}
	w.Expect(w.client.Create(w.t.Context(), ionosCluster)).To(Succeed())
	ionosCluster.Status.Ready = ptr.To(true)
	w.Expect(w.client.Status().Update(w.t.Context(), ionosCluster)).To(Succeed())
	cluster := &clusterv1.Cluster{ObjectMeta: w.meta(clusterName)}
	cluster.Spec.ClusterNetwork.Pods.CIDRBlocks = []string{"192.168.0.0/16"}
	cluster.Spec.InfrastructureRef = clusterv1.ContractVersionedObjectReference{APIGroup: infrav1.GroupVersion.Group, Kind: "IonosCloudCluster", Name: clusterName}
	w.Expect(w.client.Create(w.t.Context(), cluster)).To(Succeed())
}

// makeLegacyMachine makes a Machine and its IonosCloudMachine with status and claims, through v1alpha1.
func (w *world) makeLegacyMachine(name, serverID string, lan int32) {
	w.t.Helper()
	ionosMachine := &infrav1alpha1.IonosCloudMachine{ObjectMeta: w.meta(name)}
	ionosMachine.Finalizers = []string{infrav1.MachineFinalizer}
	pool := func(name string) *infrav1alpha1.TypedLocalObjectReference {
		return &infrav1alpha1.TypedLocalObjectReference{APIGroup: ptr.To("ipam.cluster.x-k8s.io"), Kind: "InClusterIPPool", Name: name}
	}
	ionosMachine.Spec = infrav1alpha1.IonosCloudMachineSpec{
		DatacenterID: w.datacenter, ProviderID: ptr.To("ionos://" + serverID), Disk: infrav1alpha1.Volume{Image: infrav1alpha1.ImageSpec{ID: &w.image}},
		IPAMConfig: infrav1alpha1.IPAMConfig{IPv4PoolRef: pool("public-v4")},
		AdditionalNetworks: []infrav1alpha1.Network{
			{NetworkID: storageLAN, IPAMConfig: infrav1alpha1.IPAMConfig{IPv4PoolRef: pool("storage-v4")}},
			{NetworkID: backupLAN, DHCP: ptr.To(false)},
		},
	}
	w.Expect(w.client.Create(w.t.Context(), ionosMachine)).To(Succeed())
	ionosMachine.Status.Ready = ptr.To(true)
	ionosMachine.Status.MachineNetworkInfo = &infrav1alpha1.MachineNetworkInfo{NICInfo: []infrav1alpha1.NICInfo{
		{NetworkID: lan, Primary: true, IPv4Addresses: []string{"203.0.113.20"}},
		{NetworkID: storageLAN, IPv4Addresses: []string{"10.20.0.10"}},
		{NetworkID: backupLAN},
	}}
	w.Expect(w.client.Status().Update(w.t.Context(), ionosMachine)).To(Succeed())
	machine := &clusterv1.Machine{ObjectMeta: w.meta(name)}
	machine.Spec = clusterv1.MachineSpec{
		ClusterName: clusterName, Version: "v1.36.3", Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To("bootstrap")},
		InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: infrav1.GroupVersion.Group, Kind: "IonosCloudMachine", Name: name},
	}
	w.Expect(w.client.Create(w.t.Context(), machine)).To(Succeed())
	for claimName, pool := range map[string]string{"nic-" + name + "-ipv4": "public-v4", "nic-" + name + "-7-ipv4": "storage-v4"} {
		claim := &ipamv1.IPAddressClaim{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: claimName, Finalizers: []string{infrav1.MachineFinalizer}}}
		claim.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(ionosMachine, infrav1alpha1.GroupVersion.WithKind("IonosCloudMachine"))}
		claim.Spec.PoolRef = poolRef(pool)
		w.Expect(w.client.Create(w.t.Context(), claim)).To(Succeed())
		w.Eventually(func(g Gomega) {
			g.Expect(w.client.Get(w.t.Context(), client.ObjectKeyFromObject(claim), claim)).To(Succeed())
			g.Expect(claim.Status.AddressRef.Name).NotTo(BeEmpty())
		}).Should(Succeed())
	}
}

func TestPausedClusterIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")
	w.pause(true)
	w.Eventually(func(g Gomega) {
		g.Expect(metav1Condition(w.machine(g, "m").Status.Conditions, infrav1.PausedCondition)).To(Equal(metav1.ConditionTrue))
		g.Expect(metav1Condition(w.ionosCluster(g).Status.Conditions, infrav1.PausedCondition)).To(Equal(metav1.ConditionTrue))
	}).Should(Succeed())
	// Deleted while it is paused, it keeps its server and its addresses.
	w.Expect(w.client.Delete(t.Context(), w.machine(w, "m"))).To(Succeed())
	w.Eventually(func(g Gomega) { g.Expect(w.machine(g, "m").DeletionTimestamp).NotTo(BeNil()) }).Should(Succeed())
	writes := w.cloud.Writes()
	w.makeMachine("other")
	w.Eventually(func(g Gomega) {
		g.Expect(metav1Condition(w.machine(g, "other").Status.Conditions, infrav1.PausedCondition)).To(Equal(metav1.ConditionTrue))
	}).Should(Succeed())
	w.Expect(w.cloud.Writes()).To(Equal(writes))
	w.Expect(w.claimNames(w)).To(HaveLen(3))
	w.pause(false)
	w.expectReady("other")
	w.deleteCluster()
}

// pause pauses the Cluster, or resumes it.
func (w *world) pause(paused bool) {
	w.t.Helper()
	cluster := &clusterv1.Cluster{}
	w.Expect(w.client.Get(w.t.Context(), w.key(clusterName), cluster)).To(Succeed())
	before := cluster.DeepCopy()
	cluster.Spec.Paused = ptr.To(paused)
	w.Expect(w.client.Patch(w.t.Context(), cluster, client.MergeFrom(before))).To(Succeed())
}

func metav1Condition(conditions []metav1.Condition, kind string) metav1.ConditionStatus {
	for _, condition := range conditions {
		if condition.Type == kind {
			return condition.Status
		}
	}
	return ""
}
