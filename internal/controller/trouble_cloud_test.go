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
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

const (
	serversPath = "/datacenters/{}/servers"
	lansPath    = "/datacenters/{}/lans"
)

// TestCloudTroubleWhileCreating has the cloud answer the creation of a server, or of a LAN, in every bad way. The
// machine becomes ready all the same, with one server and one LAN, and leaves nothing.
func TestCloudTroubleWhileCreating(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]cloudsim.Fault{
		"401 once":                        {Status: http.StatusUnauthorized, Count: 1},
		"403 once":                        {Status: http.StatusForbidden, Count: 1},
		"404 once":                        {Status: http.StatusNotFound, Count: 1},
		"422 once":                        {Status: http.StatusUnprocessableEntity, Code: "100", Message: "not now", Count: 1},
		"429":                             {Status: http.StatusTooManyRequests, RetryAfter: "1", Count: 2},
		"429 without time":                {Status: http.StatusTooManyRequests, Count: 1},
		"500 before the effect":           {Status: http.StatusInternalServerError, Count: 2},
		"500 after the effect":            {Status: http.StatusInternalServerError, Count: 1, After: true},
		"503 before the effect":           {Status: http.StatusServiceUnavailable, Count: 2},
		"503 after the effect":            {Status: http.StatusServiceUnavailable, Count: 1, After: true},
		"response lost before the effect": {DropConnection: true, Count: 2},
		"response lost after the effect":  {DropConnection: true, Count: 1, After: true},
		"no location":                     {NoLocation: true, Count: 1},
		"truncated":                       {Truncate: true, Count: 1},
		"request fails":                   {FailRequest: "[VDC-5-0] unknown error", Count: 1},
	} {
		for _, path := range []string{serversPath, lansPath} {
			for _, hidden := range []bool{false, true} {
				if hidden && !fault.After && fault.FailRequest == "" {
					continue
				}
				t.Run(name+" "+path[len("/datacenters/{}/"):]+map[bool]string{true: " hidden", false: ""}[hidden], func(t *testing.T) {
					t.Parallel()
					var options []cloudsim.Option
					if hidden {
						options = append(options, cloudsim.WithHiddenUntilDone())
					}
					w := newWorld(t, sharedFilter, options...)
					fault.Method, fault.Path = http.MethodPost, path
					if path == serversPath {
						// The creation that was never heard of is still under way when it is tried again.
						fault.Delay = 500 * time.Millisecond
					}
					w.cloud.Inject(fault)
					w.makeCredentials(goodToken)
					w.makeCluster()
					// A machine in the default network needs a LAN too.
					w.makeMachine("m", withNetworks(infrav1.Attachment{Name: "nodes", DHCP: ptr.To(true)}, infrav1.Attachment{Name: "storage", NetworkID: storageLAN, IPv4PoolRef: poolRef("storage-v4")}))
					w.nudge("m")
					w.expectReady("m")
					w.Expect(w.servers()).To(HaveLen(1))
					w.Expect(w.cloud.Snapshot().Datacenters[0].LANs).To(HaveLen(4))
					w.deleteCluster()
				})
			}
		}
	}
}

// nudge has a cluster and a machine looked at again soon, so that a test does not sit out the time after which a
// refused call is tried again.
func (w *world) nudge(name string) {
	w.t.Helper()
	stop := time.Now().Add(eventually)
	w.Eventually(func(g Gomega) {
		machine := w.machine(g, name)
		if ptr.Deref(machine.Status.Initialization.Provisioned, false) || time.Now().After(stop) {
			return
		}
		for _, object := range []client.Object{machine, w.ionosCluster(g)} {
			before, _ := object.DeepCopyObject().(client.Object)
			annotations := object.GetAnnotations()
			if annotations == nil {
				annotations = map[string]string{}
			}
			annotations["test/nudge"] = time.Now().Format(time.RFC3339Nano)
			object.SetAnnotations(annotations)
			g.Expect(w.client.Patch(w.t.Context(), object, client.MergeFrom(before))).To(Succeed())
		}
		g.Expect(false).To(BeTrue(), "not provisioned yet")
	}).WithPolling(time.Second).Should(Succeed())
}

func TestQuotaShowsInConditionAndEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.cloud.SetQuota("coresPerContract", 1)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", func(m *infrav1.IonosCloudMachine) { m.Spec.NumCores = 4 })
	// C15: the cloud's own words.
	w.expectMachineCondition("m", infrav1.ServerProvisionedCondition, infrav1.QuotaExceededReason, "quota is exceeded", "4 requested")
	w.expectEvent("m", infrav1.QuotaExceededReason, "quota is exceeded")
	w.cloud.SetQuota("coresPerContract", 100)
	w.nudge("m")
	w.expectReady("m")
	w.deleteCluster()
}

func TestImageSelector(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	selector := func(policy infrav1.ImageSelectorResolutionPolicy, label string) func(*infrav1.IonosCloudMachine) {
		return func(m *infrav1.IonosCloudMachine) {
			m.Spec.Disk.Image = infrav1.ImageSpec{Selector: &infrav1.ImageSelector{MatchLabels: map[string]string{"os": label}, ResolutionPolicy: policy}}
		}
	}
	w.makeMachine("none", selector(infrav1.ResolutionPolicyExact, "plan9"))
	w.expectMachineCondition("none", infrav1.ServerProvisionedCondition, infrav1.ImageNotFoundReason, "os=plan9", "1.36.3", location)
	w.makeMachine("one", selector(infrav1.ResolutionPolicyExact, "ubuntu"))
	w.expectReady("one")
	w.cloud.AddImage(location, "debian-kube-v1.36.3-old", map[string]string{"os": "debian"})
	newest := w.cloud.AddImage(location, "debian-kube-v1.36.3-new", map[string]string{"os": "debian"})
	w.cloud.AddImage(location, "debian-kube-v1.35.0", map[string]string{"os": "debian"})
	w.cloud.AddImage("de/fra", "debian-kube-v1.36.3", map[string]string{"os": "debian"})
	w.makeMachine("two", selector(infrav1.ResolutionPolicyExact, "debian"))
	w.expectMachineCondition("two", infrav1.ServerProvisionedCondition, infrav1.ImageAmbiguousReason, "2 images")
	w.expectEvent("two", infrav1.ImageAmbiguousReason, "2 images")
	w.makeMachine("newest", selector(infrav1.ResolutionPolicyNewest, "debian"))
	w.expectReady("newest")
	_ = newest // Both were made within one second, which is as exact as the cloud's dates are.
	w.Expect(w.server(w, "newest").Volumes[0].Image).NotTo(Equal(w.image))
	w.deleteCluster()
}

func TestBootstrapSecretThatAppearsLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	ionosMachine := &infrav1.IonosCloudMachine{ObjectMeta: w.meta("m")}
	ionosMachine.Spec = infrav1.IonosCloudMachineSpec{DatacenterID: w.datacenter, Disk: infrav1.Volume{Image: infrav1.ImageSpec{ID: w.image}}}
	w.Expect(w.client.Create(t.Context(), ionosMachine)).To(Succeed())
	machine := &clusterv1.Machine{ObjectMeta: w.meta("m")}
	machine.Spec = clusterv1.MachineSpec{
		ClusterName: clusterName, Version: "v1.36.3", Bootstrap: clusterv1.Bootstrap{DataSecretName: ptr.To("late")},
		InfrastructureRef: clusterv1.ContractVersionedObjectReference{APIGroup: infrav1.GroupVersion.Group, Kind: "IonosCloudMachine", Name: "m"},
	}
	w.Expect(w.client.Create(t.Context(), machine)).To(Succeed())
	w.expectMachineCondition("m", infrav1.ServerProvisionedCondition, infrav1.WaitingForBootstrapDataReason, `"late"`)
	w.makeSecret("late", map[string]string{"format": "ignition", "value": "this is no JSON: " + bootstrapWord})
	w.expectMachineCondition("m", infrav1.ServerProvisionedCondition, infrav1.BootstrapDataInvalidReason, `"late"`)
	w.expectNoSecretShown(bootstrapWord)
	secret := w.getSecret("late")
	before := secret.DeepCopy()
	secret.Data["value"] = []byte(`{"ignition":{"version":"3.4.0"}}`)
	w.Expect(w.client.Patch(t.Context(), secret, client.MergeFrom(before))).To(Succeed())
	w.expectReady("m")
	w.Expect(string(w.cloud.UserData(w.server(w, "m").ID))).To(ContainSubstring("/etc/hostname"))
	w.deleteCluster()
}

func TestDeletionWhenThingsAreGoneAlready(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*world){
		"server": func(w *world) { w.cloud.DeleteServer(w.datacenter, w.server(w, "m").ID) },
		"NIC": func(w *world) {
			server := w.server(w, "m")
			w.cloud.DeleteNIC(w.datacenter, server.ID, server.NICs[0].ID)
		},
		"LAN": func(w *world) {
			for _, lan := range w.cloud.Snapshot().Datacenters[0].LANs {
				if lan.ID != publicLAN && lan.ID != storageLAN && lan.ID != backupLAN {
					w.cloud.DeleteLAN(w.datacenter, lan.ID)
				}
			}
		},
		"data center": func(w *world) { w.cloud.DeleteDatacenter(w.datacenter) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sharedFilter)
			w.makeCredentials(goodToken)
			w.makeCluster()
			w.makeMachine("m", withNetworks(infrav1.Attachment{Name: "nodes"}, infrav1.Attachment{Name: "storage", NetworkID: storageLAN, IPv4PoolRef: poolRef("storage-v4")}))
			w.expectReady("m")
			remove(w)
			if name == "data center" {
				w.before = w.cloud.Snapshot()
			}
			// C14: the deletion ends.
			w.deleteCluster()
		})
	}
}

func TestServerThatVanishedIsReportedAndNotMadeAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")
	w.cloud.DeleteServer(w.datacenter, w.server(w, "m").ID)
	w.expectMachineCondition("m", infrav1.NetworksPlannedCondition, infrav1.ServerNotFoundReason)
	w.expectEvent("m", infrav1.ServerNotFoundReason)
	w.Expect(w.servers()).To(BeEmpty())
	w.Expect(w.claimNames(w)).NotTo(BeEmpty())
	w.deleteCluster()
}

func TestServerThatWasStoppedIsReported(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")
	w.cloud.StopServer(w.datacenter, w.server(w, "m").ID)
	w.expectMachineCondition("m", infrav1.ServerProvisionedCondition, infrav1.ServerNotRunningReason, "SHUTOFF")
	w.deleteCluster()
}
