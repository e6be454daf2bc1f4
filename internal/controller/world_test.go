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
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

const (
	goodToken     = "good-token-5f2e" //nolint:gosec // The simulator's.
	bootstrapWord = "bootstrap-secret-9c1d"
	clusterName   = "shop"
	location      = "de/txl"

	publicLAN, storageLAN, backupLAN = 4, 7, 9

	eventually = 4 * time.Minute
	interval   = 50 * time.Millisecond
)

// world is what a test plays in: a namespace with a cluster, and a cloud.
type world struct {
	*WithT
	t      *testing.T
	client client.Client
	cloud  *cloudsim.Server
	// namespace and filter tell the objects of the test from those of others.
	namespace, filter string
	datacenter, image string
	// before is the cloud before anything was made.
	before cloudsim.Snapshot
}

// newWorld makes a namespace, a cloud, pools, and the secrets; the cluster is made by makeCluster.
func newWorld(t *testing.T, filter string, options ...cloudsim.Option) *world {
	t.Helper()
	sim, err := cloudsim.Start(append([]cloudsim.Option{cloudsim.WithTokens(goodToken), cloudsim.WithProvisioningTime(20 * time.Millisecond)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	w := &world{WithT: NewWithT(t), t: t, client: env.Client, cloud: sim, filter: filter}
	w.SetDefaultEventuallyTimeout(eventually)
	w.SetDefaultEventuallyPollingInterval(interval)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	w.Expect(w.client.Create(t.Context(), namespace)).To(Succeed())
	w.namespace = namespace.Name

	w.datacenter = sim.AddDatacenter("fleet", location)
	w.image = sim.AddImage(location, "ubuntu-kube-v1.36.3", map[string]string{"os": "ubuntu"})
	var reserved []string
	for i := 10; i <= 250; i++ {
		reserved = append(reserved, fmt.Sprintf("203.0.113.%d", i))
	}
	sim.AddIPBlock(location, reserved...)
	sim.AddLAN(w.datacenter, cloudsim.LANSeed{ID: publicLAN, Name: "partners", Public: true, IPv6: "AUTO"})
	sim.AddLAN(w.datacenter, cloudsim.LANSeed{ID: storageLAN, Name: "storage"})
	sim.AddLAN(w.datacenter, cloudsim.LANSeed{ID: backupLAN, Name: "backup"})
	w.before = sim.Snapshot()

	w.makePool("public-v4", poolstandin.PoolSpec{Addresses: []string{"203.0.113.20-203.0.113.240"}, Prefix: 24, Gateway: "203.0.113.1"})
	w.makePool("storage-v4", poolstandin.PoolSpec{Addresses: []string{"10.20.0.10-10.20.3.250"}, Prefix: 22})
	var v6 []string
	block := sim.LANIPv6(w.datacenter, publicLAN).Addr().As16()
	for i := 1; i <= 30; i++ {
		v6 = append(v6, fmt.Sprintf("%x:%x:%x:%x:%x::10", uint16(block[0])<<8|uint16(block[1]), uint16(block[2])<<8|uint16(block[3]), uint16(block[4])<<8|uint16(block[5]), uint16(block[6])<<8|uint16(block[7]), i))
	}
	w.makePool("public-v6", poolstandin.PoolSpec{Addresses: v6, Prefix: 64})
	w.makeSecret("bootstrap", map[string]string{"format": "cloud-config", "value": "#cloud-config\nwrite_files:\n- {path: /x, content: " + bootstrapWord + "}\n"})
	return w
}

func (w *world) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: w.namespace, Name: name, Labels: map[string]string{clusterv1.ClusterNameLabel: clusterName, clusterv1.WatchLabel: w.filter}}
}

func (w *world) makePool(name string, spec poolstandin.PoolSpec) {
	w.t.Helper()
	w.Expect(w.client.Create(w.t.Context(), poolstandin.NewInClusterIPPool(w.namespace, name, spec))).To(Succeed())
}

func (w *world) makeSecret(name string, data map[string]string) {
	w.t.Helper()
	w.Expect(w.client.Create(w.t.Context(), &corev1.Secret{ObjectMeta: w.meta(name), StringData: data})).To(Succeed())
}

func (w *world) makeCredentials(token string) {
	w.t.Helper()
	w.makeSecret("credentials", map[string]string{"token": token, "apiURL": w.cloud.URL})
}

// setToken replaces the token in the credentials secret.
func (w *world) setToken(token string) {
	w.t.Helper()
	secret := &corev1.Secret{}
	w.Expect(w.client.Get(w.t.Context(), w.key("credentials"), secret)).To(Succeed())
	before := secret.DeepCopy()
	secret.Data["token"] = []byte(token)
	w.Expect(w.client.Patch(w.t.Context(), secret, client.MergeFrom(before))).To(Succeed())
}

// makeCluster makes a Cluster with its IonosCloudCluster.
func (w *world) makeCluster(change ...func(*infrav1.IonosCloudCluster)) {
	w.t.Helper()
	ionosCluster := &infrav1.IonosCloudCluster{ObjectMeta: w.meta(clusterName)}
	ionosCluster.Spec = infrav1.IonosCloudClusterSpec{
		Location: location, CredentialsRef: infrav1.CredentialsReference{Name: "credentials"},
		ControlPlaneEndpoint: clusterv1.APIEndpoint{Host: "203.0.113.10", Port: 6443},
	}
	for _, apply := range change {
		apply(ionosCluster)
	}
	w.Expect(w.client.Create(w.t.Context(), ionosCluster)).To(Succeed())
	cluster := &clusterv1.Cluster{ObjectMeta: w.meta(clusterName)}
	cluster.Spec.ClusterNetwork.Pods.CIDRBlocks = []string{"192.168.0.0/16"}
	cluster.Spec.InfrastructureRef = clusterv1.ContractVersionedObjectReference{APIGroup: infrav1.GroupVersion.Group, Kind: "IonosCloudCluster", Name: clusterName}
	w.Expect(w.client.Create(w.t.Context(), cluster)).To(Succeed())
}

// makeMachine makes a Machine with its IonosCloudMachine.
func (w *world) makeMachine(name string, change ...func(*infrav1.IonosCloudMachine)) {
	w.t.Helper()
	ionosMachine := &infrav1.IonosCloudMachine{ObjectMeta: w.meta(name)}
	ionosMachine.Spec = infrav1.IonosCloudMachineSpec{DatacenterID: w.datacenter, Type: infrav1.ServerTypeVCPU, Disk: infrav1.Volume{Image: infrav1.ImageSpec{ID: w.image}}}
	for _, apply := range change {
		apply(ionosMachine)
	}
	w.Expect(w.client.Create(w.t.Context(), ionosMachine)).To(Succeed())
	machine := &clusterv1.Machine{ObjectMeta: w.meta(name)}
	machine.Spec = clusterv1.MachineSpec{
		ClusterName: clusterName, Version: "v1.36.3", Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To("bootstrap")},
		InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: infrav1.GroupVersion.Group, Kind: "IonosCloudMachine", Name: name},
	}
	w.Expect(w.client.Create(w.t.Context(), machine)).To(Succeed())
}

// withNetworks sets the attachments of a machine.
func withNetworks(attachments ...infrav1.Attachment) func(*infrav1.IonosCloudMachine) {
	return func(m *infrav1.IonosCloudMachine) { m.Spec.Networks = attachments }
}

func poolRef(name string) ipamv1.IPPoolReference {
	return ipamv1.IPPoolReference{APIGroup: "ipam.cluster.x-k8s.io", Kind: "InClusterIPPool", Name: name}
}

// threeNICs are a primary NIC with addresses of both families from pools, one with a pool, and one without DHCP.
func threeNICs() func(*infrav1.IonosCloudMachine) {
	return withNetworks(
		infrav1.Attachment{Name: "public", NetworkID: publicLAN, IPv4PoolRef: poolRef("public-v4"), IPv6PoolRef: poolRef("public-v6")},
		infrav1.Attachment{Name: "storage", NetworkID: storageLAN, IPv4PoolRef: poolRef("storage-v4")},
		infrav1.Attachment{Name: "backup", NetworkID: backupLAN, DHCP: ptr.To(false)},
	)
}

func (w *world) key(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: w.namespace, Name: name}
}

func (w *world) machine(g Gomega, name string) *infrav1.IonosCloudMachine {
	machine := &infrav1.IonosCloudMachine{}
	g.Expect(w.client.Get(w.t.Context(), w.key(name), machine)).To(Succeed())
	return machine
}

func (w *world) ionosCluster(g Gomega) *infrav1.IonosCloudCluster {
	cluster := &infrav1.IonosCloudCluster{}
	g.Expect(w.client.Get(w.t.Context(), w.key(clusterName), cluster)).To(Succeed())
	return cluster
}

// expectReady waits until machines are ready.
func (w *world) expectReady(names ...string) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		for _, name := range names {
			machine := w.machine(g, name)
			ready := conditions.Get(machine, infrav1.ReadyCondition)
			g.Expect(ready).NotTo(BeNil())
			g.Expect(ready.Status).To(Equal(metav1.ConditionTrue), "%s: %s", name, ready.Message)
			g.Expect(ptr.Deref(machine.Status.Initialization.Provisioned, false)).To(BeTrue())
		}
	}).Should(Succeed())
}

// expectCondition waits until a condition is not True for a reason, with a message that has all the words.
func (w *world) expectCondition(getter func(Gomega) conditions.Getter, kind, reason string, words ...string) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		condition := conditions.Get(getter(g), kind)
		g.Expect(condition).NotTo(BeNil())
		g.Expect(condition.Reason).To(Equal(reason), condition.Message)
		for _, word := range words {
			g.Expect(condition.Message).To(ContainSubstring(word))
		}
	}).Should(Succeed())
}

func (w *world) expectMachineCondition(name, kind, reason string, words ...string) {
	w.t.Helper()
	w.expectCondition(func(g Gomega) conditions.Getter { return w.machine(g, name) }, kind, reason, words...)
}

func (w *world) expectClusterCondition(kind, reason string, words ...string) {
	w.t.Helper()
	w.expectCondition(func(g Gomega) conditions.Getter { return w.ionosCluster(g) }, kind, reason, words...)
}

// expectEvent waits for an event about an object.
func (w *world) expectEvent(object, reason string, words ...string) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		var notes []string
		for _, event := range w.events(g) {
			if event.Regarding.Name == object && event.Reason == reason {
				notes = append(notes, event.Note)
			}
		}
		g.Expect(notes).NotTo(BeEmpty(), "an event %s about %s", reason, object)
		for _, word := range words {
			g.Expect(strings.Join(notes, "\n")).To(ContainSubstring(word))
		}
	}).Should(Succeed())
}

func (w *world) events(g Gomega) []eventsv1.Event {
	events := &eventsv1.EventList{}
	g.Expect(w.client.List(w.t.Context(), events, client.InNamespace(w.namespace))).To(Succeed())
	return events.Items
}

// servers are the servers of the cloud.
func (w *world) servers() []cloudsim.ServerState { return w.cloud.Snapshot().Datacenters[0].Servers }

// server is the only server of a name.
func (w *world) server(g Gomega, name string) cloudsim.ServerState {
	var found []cloudsim.ServerState
	for _, server := range w.servers() {
		if server.Name == name {
			found = append(found, server)
		}
	}
	g.Expect(found).To(HaveLen(1), "servers named %s", name)
	return found[0]
}

func (w *world) deleteMachine(name string) {
	w.t.Helper()
	machine := &clusterv1.Machine{}
	machine.Namespace, machine.Name = w.namespace, name
	w.Expect(w.client.Delete(w.t.Context(), machine)).To(Succeed())
}

// expectMachineGone waits until a machine, its claims and its server are gone.
func (w *world) expectMachineGone(name string) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		g.Expect(client.IgnoreNotFound(w.client.Get(w.t.Context(), w.key(name), &infrav1.IonosCloudMachine{}))).To(Succeed())
		machines := &infrav1.IonosCloudMachineList{}
		g.Expect(w.client.List(w.t.Context(), machines, client.InNamespace(w.namespace))).To(Succeed())
		for _, machine := range machines.Items {
			g.Expect(machine.Name).NotTo(Equal(name), "%v", conditions.Get(&machine, infrav1.DeletingCondition))
		}
	}).Should(Succeed())
}

// deleteCluster deletes the Cluster, and waits until everything is gone: objects, claims, addresses, and all that was
// made in the cloud.
func (w *world) deleteCluster() {
	w.t.Helper()
	cluster := &clusterv1.Cluster{}
	cluster.Namespace, cluster.Name = w.namespace, clusterName
	w.Expect(client.IgnoreNotFound(w.client.Delete(w.t.Context(), cluster))).To(Succeed())
	w.expectNothingLeft()
}

func (w *world) expectNothingLeft() {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		for _, list := range []client.ObjectList{
			&clusterv1.ClusterList{}, &infrav1.IonosCloudClusterList{}, &infrav1.IonosCloudMachineList{}, &ipamv1.IPAddressClaimList{}, &ipamv1.IPAddressList{},
		} {
			g.Expect(w.client.List(w.t.Context(), list, client.InNamespace(w.namespace))).To(Succeed())
			switch list := list.(type) {
			case *infrav1.IonosCloudMachineList:
				g.Expect(list.Items).To(BeEmpty())
			case *infrav1.IonosCloudClusterList:
				g.Expect(list.Items).To(BeEmpty())
			case *ipamv1.IPAddressClaimList:
				g.Expect(list.Items).To(BeEmpty())
			case *ipamv1.IPAddressList:
				g.Expect(list.Items).To(BeEmpty())
			case *clusterv1.ClusterList:
				g.Expect(list.Items).To(BeEmpty())
			}
		}
	}).Should(Succeed())
	if diff := cmp.Diff(w.before, w.cloud.Snapshot()); diff != "" {
		w.t.Errorf("something is left in the cloud (-before +after):\n%s", diff)
	}
}

// claimNames are the names of the claims.
func (w *world) claimNames(g Gomega) []string {
	claims := &ipamv1.IPAddressClaimList{}
	g.Expect(w.client.List(w.t.Context(), claims, client.InNamespace(w.namespace))).To(Succeed())
	names := make([]string, 0, len(claims.Items))
	for _, claim := range claims.Items {
		names = append(names, claim.Name)
	}
	return names
}

// slowServers makes each creation of a server take so long that a test can do something meanwhile.
func (w *world) slowServers() {
	w.cloud.Inject(cloudsim.Fault{Pattern: cloudsim.Pattern{Method: "POST", Path: "/datacenters/{}/servers"}, Delay: 3 * time.Second})
}

// expectMachineConditionTrue waits until a condition is True with a message that has all the words.
func (w *world) expectMachineConditionTrue(name, kind string, words ...string) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		condition := conditions.Get(w.machine(g, name), kind)
		g.Expect(condition).NotTo(BeNil())
		g.Expect(condition.Status).To(Equal(metav1.ConditionTrue), condition.Message)
		for _, word := range words {
			g.Expect(condition.Message).To(ContainSubstring(word))
		}
	}).Should(Succeed())
}

func (w *world) getSecret(name string) *corev1.Secret {
	w.t.Helper()
	secret := &corev1.Secret{}
	w.Expect(w.client.Get(w.t.Context(), w.key(name), secret)).To(Succeed())
	return secret
}

func (w *world) emptyMachine() *infrav1.IonosCloudMachine { return &infrav1.IonosCloudMachine{} }
