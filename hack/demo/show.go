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

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

const (
	// machineCount is how many machines the manifests make.
	machineCount = 5
	pollInterval = 100 * time.Millisecond
)

// machines lists the machines, sorted by name.
func (s *stage) machines(ctx context.Context) ([]infrav1.IonosCloudMachine, error) {
	list := &infrav1.IonosCloudMachineList{}
	if err := s.cluster.Client.List(ctx, list, client.InNamespace(namespace)); err != nil {
		return nil, fmt.Errorf("list machines: %w", err)
	}
	slices.SortFunc(list.Items, func(a, b infrav1.IonosCloudMachine) int { return strings.Compare(a.Name, b.Name) })
	return list.Items, nil
}

// waitForMachines shows what each machine waits for, until all are ready.
func (s *stage) waitForMachines(ctx context.Context, timeout time.Duration) error {
	s.say("Waiting until %d machines are ready; each line is a change of a condition", machineCount)
	shown := map[string]string{}
	err := wait.PollUntilContextTimeout(ctx, pollInterval, timeout, true, func(ctx context.Context) (bool, error) {
		machines, err := s.machines(ctx)
		if err != nil {
			return false, err
		}
		ready := 0
		for i := range machines {
			machine := &machines[i]
			state := firstNotTrue(machine)
			if state == "" {
				ready++
				state = "Ready"
			}
			if shown[machine.Name] != state {
				shown[machine.Name] = state
				s.print("%5.1fs  %-28s %s", time.Since(s.began).Seconds(), machine.Name, state)
			}
		}
		return ready == machineCount, nil
	})
	if err != nil {
		return fmt.Errorf("wait until the machines are ready: %w; the manager's log is in %s", err, s.workDir)
	}
	return nil
}

// firstNotTrue is the first condition that stands against a machine being ready; empty if none does.
func firstNotTrue(machine *infrav1.IonosCloudMachine) string {
	for _, kind := range []string{
		infrav1.CredentialsAvailableCondition, infrav1.NetworksPlannedCondition, infrav1.AddressesReadyCondition,
		infrav1.ServerProvisionedCondition, infrav1.NetworksAttachedCondition, infrav1.ReadyCondition,
	} {
		condition := conditions.Get(machine, kind)
		if condition == nil {
			continue
		}
		if condition.Status != "True" && condition.Reason != infrav1.ProvisioningReason {
			return fmt.Sprintf("%s: %s: %s", condition.Type, condition.Reason, condition.Message)
		}
	}
	if !conditions.IsTrue(machine, infrav1.ReadyCondition) {
		return "not reconciled yet"
	}
	return ""
}

// showMachines prints a table of machines and their NICs.
func (s *stage) showMachines(ctx context.Context) error {
	machines, err := s.machines(ctx)
	if err != nil {
		return err
	}
	s.say("Every NIC has its addresses from where its manifest says")
	table := tabwriter.NewWriter(s.out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "MACHINE\tNIC\tLAN\tSOURCE\tADDRESSES\tCLAIMS")
	for i := range machines {
		for _, nic := range machines[i].Status.Networks {
			_, _ = fmt.Fprintf(table, "%s\t%s\t%d\t%s\t%s\t%s\n", machines[i].Name, nic.Name, nic.NetworkID, sources(&machines[i], nic),
				strings.Join(slices.Concat(nic.IPv4Addresses, nic.IPv6Addresses), " "),
				orDash(strings.TrimSpace(nic.IPv4ClaimName+" "+nic.IPv6ClaimName)))
		}
	}
	return table.Flush()
}

// sources says where the addresses of each family come from.
func sources(machine *infrav1.IonosCloudMachine, nic infrav1.AttachmentStatus) string {
	assigned := "DHCP"
	for _, attachment := range machine.Spec.Networks {
		if attachment.Name == nic.Name && attachment.DHCP != nil && !*attachment.DHCP {
			assigned = "cloud"
		}
	}
	source := func(addresses []string, claim string) string {
		switch {
		case len(addresses) == 0:
			return ""
		case claim != "":
			return "pool"
		}
		return assigned
	}
	var parts []string
	if v4 := source(nic.IPv4Addresses, nic.IPv4ClaimName); v4 != "" {
		parts = append(parts, "v4:"+v4)
	}
	if v6 := source(nic.IPv6Addresses, nic.IPv6ClaimName); v6 != "" {
		parts = append(parts, "v6:"+v6)
	}
	return orDash(strings.Join(parts, " "))
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// showOtherVersions reads objects back in the version that they were not written in.
func (s *stage) showOtherVersions(ctx context.Context) error {
	machines, err := s.machines(ctx)
	if err != nil {
		return err
	}
	objects := []struct{ kind, name, version string }{
		{"IonosCloudCluster", "shop", "v1alpha2"}, {"IonosCloudMachineTemplate", "shop-workers", "v1alpha2"},
		{"IonosCloudCluster", "depot", "v1alpha1"}, {"IonosCloudMachineTemplate", "depot-workers", "v1alpha1"},
	}
	for i := range machines {
		version := "v1alpha2"
		if machines[i].Labels[clusterv1.ClusterNameLabel] == "depot" {
			version = "v1alpha1"
		}
		objects = append(objects, struct{ kind, name, version string }{"IonosCloudMachine", machines[i].Name, version})
	}
	s.say("Each object reads in the other version too; the conversion webhook does that")
	printed := map[string]bool{}
	for _, entry := range objects {
		object := &unstructured.Unstructured{}
		object.SetAPIVersion(infrav1.GroupVersion.Group + "/" + entry.version)
		object.SetKind(entry.kind)
		if err := s.cluster.Client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: entry.name}, object); err != nil {
			return fmt.Errorf("read %s %s as %s: %w", entry.kind, entry.name, entry.version, err)
		}
		s.print("%s/%s as %s: read", entry.kind, entry.name, entry.version)
		if entry.kind != "IonosCloudMachineTemplate" || printed[entry.version] {
			continue
		}
		printed[entry.version] = true
		spec, err := yaml.Marshal(map[string]any{"apiVersion": object.GetAPIVersion(), "kind": object.GetKind(), "spec": object.Object["spec"]})
		if err != nil {
			return fmt.Errorf("print %s %s: %w", entry.kind, entry.name, err)
		}
		_, _ = fmt.Fprintf(s.out, "\n%s\n", strings.TrimSpace(string(spec)))
	}
	return nil
}

// deleteAll deletes the clusters, and what belongs to them with them.
func (s *stage) deleteAll(ctx context.Context, timeout time.Duration) error {
	s.say("Deleting both clusters")
	for _, name := range []string{"shop", "depot"} {
		cluster := &clusterv1.Cluster{}
		cluster.Name, cluster.Namespace = name, namespace
		if err := s.cluster.Client.Delete(ctx, cluster); err != nil {
			return fmt.Errorf("delete Cluster %s: %w", name, err)
		}
	}
	shown := ""
	err := wait.PollUntilContextTimeout(ctx, pollInterval, timeout, true, func(ctx context.Context) (bool, error) {
		counts, left, err := s.counts(ctx)
		if err != nil {
			return false, err
		}
		if counts != shown {
			shown = counts
			s.print("%5.1fs  %s", time.Since(s.began).Seconds(), counts)
		}
		return left == 0, nil
	})
	if err != nil {
		return fmt.Errorf("wait until everything is gone (%s): %w; the manager's log is in %s", shown, err, s.workDir)
	}
	return nil
}

// counts says how much is left.
func (s *stage) counts(ctx context.Context) (string, int, error) {
	var parts []string
	left := 0
	for _, kind := range []struct {
		name string
		list client.ObjectList
	}{
		{"clusters", &clusterv1.ClusterList{}}, {"machines", &infrav1.IonosCloudMachineList{}}, {"claims", &ipamv1.IPAddressClaimList{}}, {"addresses", &ipamv1.IPAddressList{}},
	} {
		if err := s.cluster.Client.List(ctx, kind.list, client.InNamespace(namespace)); err != nil {
			return "", 0, fmt.Errorf("list %s: %w", kind.name, err)
		}
		count := meta.LenList(kind.list)
		left += count
		parts = append(parts, fmt.Sprintf("%s %d", kind.name, count))
	}
	return strings.Join(parts, ", "), left, nil
}

// showNothingLeft compares the cloud with what it was before.
func (s *stage) showNothingLeft(ctx context.Context, before cloudsim.Snapshot) error {
	counts, _, err := s.counts(ctx)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(before, s.cloud.Snapshot()); diff != "" {
		return fmt.Errorf("something is left in the cloud (-before +after):\n%s", diff)
	}
	s.say("All gone: %s; servers, volumes, NICs and LANs in the cloud are what they were before", counts)
	return nil
}
