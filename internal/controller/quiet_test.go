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
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// TestFiftyReadyMachinesAreQuiet has 50 ready machines of 3 NICs in one data center looked at again, as a resync does:
// that takes one list of servers and one of LANs, and no write, neither to the cloud nor to the machines.
func TestFiftyReadyMachinesAreQuiet(t *testing.T) {
	t.Parallel()
	const machines = 50
	w := newWorld(t, "quiet")
	w.makePool("many-v6", manyIPv6(w, machines))
	w.makeCredentials(goodToken)
	w.makeCluster()
	names := make([]string, 0, machines)
	for i := range machines {
		names = append(names, fmt.Sprintf("m%02d", i))
		w.makeMachine(names[i], func(m *infrav1.IonosCloudMachine) {
			threeNICs()(m)
			m.Spec.Networks[0].IPv6PoolRef = poolRef("many-v6")
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	mgr, err := newManager(ctx, managerOptions{watchFilter: w.filter, namespace: w.namespace, syncPeriod: time.Hour, inventoryTTL: 30 * time.Second})
	w.Expect(err).NotTo(HaveOccurred())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	w.expectReady(names...)
	logCalls(t, "create", w.cloud.Counters(), machines)
	// The last passes write what they saw.
	before := map[string]string{}
	w.Eventually(func(g Gomega) {
		now := w.versions()
		same := maps.Equal(now, before)
		before = now
		g.Expect(same).To(BeTrue())
	}).WithPolling(2 * time.Second).Should(Succeed())
	cancel()
	w.Eventually(ended).Should(Receive())

	// A manager that starts looks at every object once, which is what a resync does.
	versions := w.versions()
	w.cloud.ResetCounters()
	ctx, cancel = context.WithCancel(t.Context())
	k := &watcher{namespace: w.namespace}
	mgr, err = newManager(ctx, managerOptions{watchFilter: w.filter, namespace: w.namespace, syncPeriod: time.Hour, inventoryTTL: 30 * time.Second, wrapClient: k.wrap})
	w.Expect(err).NotTo(HaveOccurred())
	go func() { ended <- mgr.Start(ctx) }()
	w.Eventually(func(g Gomega) { g.Expect(k.machines()).To(HaveLen(machines)) }).Should(Succeed())
	cancel()
	w.Eventually(ended).Should(Receive())

	counters := w.cloud.Counters()
	logCalls(t, "steady", counters, machines)
	w.Expect(w.cloud.Writes()).To(BeZero(), "%v", counters)
	w.Expect(total(counters, "/servers")).To(BeNumerically("<=", 1), "%v", counters)
	w.Expect(total(counters, "/lans")).To(BeNumerically("<=", 1), "%v", counters)
	w.Expect(k.writes()).To(BeEmpty())
	w.Expect(w.versions()).To(Equal(versions), "no object was written")

	w.cloud.ResetCounters()
	manager := w.startMortal()
	w.deleteCluster()
	w.end(manager)
	logCalls(t, "delete", w.cloud.Counters(), machines)
}

// total is the number of calls of all routes that end so.
func total(counters map[string]int, suffix string) int {
	sum := 0
	for route, count := range counters {
		if strings.HasSuffix(route, suffix) {
			sum += count
		}
	}
	return sum
}

func logCalls(t *testing.T, phase string, counters map[string]int, machines int) {
	t.Helper()
	reads, writes := 0, 0
	for route, count := range counters {
		if strings.HasPrefix(route, "GET ") {
			reads += count
		} else {
			writes += count
		}
	}
	t.Logf("%s: %.2f reads and %.2f writes a machine: %v", phase, float64(reads)/float64(machines), float64(writes)/float64(machines), counters)
}

// versions are the resource versions of the machines and the cluster.
func (w *world) versions() map[string]string {
	versions := map[string]string{clusterName: w.ionosCluster(w).ResourceVersion}
	machines := &infrav1.IonosCloudMachineList{}
	w.Expect(w.client.List(w.t.Context(), machines, client.InNamespace(w.namespace))).To(Succeed())
	for _, machine := range machines.Items {
		versions["machine "+machine.Name] = machine.ResourceVersion
	}
	return versions
}
