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

package v1alpha1_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// TestNetworkIDs converts every kind of text that the networkID of a primary NIC can be. What is no LAN number must not become the
// default LAN.
func TestNetworkIDs(t *testing.T) {
	for text, want := range map[string]struct {
		networkID   int32
		needsMemory bool
	}{
		"1":           {1, false},
		"2147483647":  {2147483647, false},
		"-1":          {infrav1.InvalidNetworkID, false},
		"007":         {7, true},
		"":            {infrav1.InvalidNetworkID, true},
		"0":           {infrav1.InvalidNetworkID, true},
		"+7":          {infrav1.InvalidNetworkID, true},
		"-7":          {infrav1.InvalidNetworkID, true},
		"7\n":         {infrav1.InvalidNetworkID, true},
		"7.0":         {infrav1.InvalidNetworkID, true},
		"0x7":         {infrav1.InvalidNetworkID, true},
		"1_0":         {infrav1.InvalidNetworkID, true},
		"٧":           {infrav1.InvalidNetworkID, true},
		"2147483648":  {infrav1.InvalidNetworkID, true},
		"99999999999": {infrav1.InvalidNetworkID, true},
		"public":      {infrav1.InvalidNetworkID, true},
	} {
		t.Run(text, func(t *testing.T) {
			c := newConverter(t)
			in := &infrav1alpha1.IonosCloudMachine{Spec: infrav1alpha1.IonosCloudMachineSpec{NetworkID: &text}}
			hub := c.machineUp(t, in)
			if got := hub.Spec.Networks[0].NetworkID; got != want.networkID || hasMemory(hub) != want.needsMemory {
				t.Errorf("networkID is %d and remembered: %t, want %d and %t", got, hasMemory(hub), want.networkID, want.needsMemory)
			}
			checkRoundTrip(t, c, in, &infrav1.IonosCloudMachine{}, &infrav1alpha1.IonosCloudMachine{})
		})
	}
}

// TestInvalidAdditionalLANs has LAN numbers that no LAN has.
func TestInvalidAdditionalLANs(t *testing.T) {
	c := newConverter(t)
	in := &infrav1alpha1.IonosCloudMachine{Spec: infrav1alpha1.IonosCloudMachineSpec{
		AdditionalNetworks: []infrav1alpha1.Network{{NetworkID: 0}, {NetworkID: -7}, {NetworkID: -2147483648}, {NetworkID: 2147483647}},
	}}
	want := "primary 0, lan--1 -1, lan--1-2 -1, lan--1-3 -1, lan-2147483647 2147483647"
	if got := describe(c.machineUp(t, in).Spec.Networks); got != want {
		t.Errorf("attachments are %s, want %s", got, want)
	}
	checkRoundTrip(t, c, in, &infrav1.IonosCloudMachine{}, &infrav1alpha1.IonosCloudMachine{})
}

// TestPrimaryNICThroughV1alpha1 edits the fields of the primary NIC, of which v1alpha2 says more than v1alpha1 shows.
func TestPrimaryNICThroughV1alpha1(t *testing.T) {
	before := infrav1.Attachment{Name: "nodes", ClusterNetwork: "nodes", DHCP: ptr.To(false), FailoverIPs: []string{"AUTO", "198.51.100.7", "198.51.100.8"}, VNET: "inner"}
	for _, test := range []struct {
		name string
		edit func(spec *infrav1alpha1.IonosCloudMachineSpec)
		want func(attachment *infrav1.Attachment)
	}{
		{
			name: "another LAN takes the place of the cluster network",
			edit: func(spec *infrav1alpha1.IonosCloudMachineSpec) { spec.NetworkID = ptr.To("6") },
			want: func(attachment *infrav1.Attachment) { attachment.ClusterNetwork, attachment.NetworkID = "", 6 },
		},
		{
			name: "no LAN is the default network",
			edit: func(spec *infrav1alpha1.IonosCloudMachineSpec) { spec.NetworkID = nil },
			want: func(attachment *infrav1.Attachment) { attachment.ClusterNetwork = "" },
		},
		{
			name: "another failover address",
			edit: func(spec *infrav1alpha1.IonosCloudMachineSpec) { spec.FailoverIP = ptr.To("198.51.100.9") },
			want: func(attachment *infrav1.Attachment) { attachment.FailoverIPs[0] = "198.51.100.9" },
		},
		{
			name: "a failover address that v1alpha1 does not show",
			edit: func(spec *infrav1alpha1.IonosCloudMachineSpec) { spec.FailoverIP = ptr.To("198.51.100.8") },
			want: func(attachment *infrav1.Attachment) {
				attachment.FailoverIPs = []string{"198.51.100.8", "198.51.100.7"}
			},
		},
		{
			name: "no failover address",
			edit: func(spec *infrav1alpha1.IonosCloudMachineSpec) { spec.FailoverIP = nil },
			want: func(attachment *infrav1.Attachment) { attachment.FailoverIPs = attachment.FailoverIPs[1:] },
		},
		{
			name: "a pool",
			edit: func(spec *infrav1alpha1.IonosCloudMachineSpec) {
				spec.IPv4PoolRef = &infrav1alpha1.TypedLocalObjectReference{Kind: "InClusterIPPool", Name: "pool"}
			},
			want: func(attachment *infrav1.Attachment) {
				attachment.IPv4PoolRef.Kind, attachment.IPv4PoolRef.Name = "InClusterIPPool", "pool"
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newConverter(t)
			machine := &infrav1.IonosCloudMachine{
				Spec:   infrav1.IonosCloudMachineSpec{Networks: []infrav1.Attachment{*before.DeepCopy()}},
				Status: infrav1.IonosCloudMachineStatus{Networks: []infrav1.AttachmentStatus{{Name: "nodes", NetworkID: 5}}},
			}
			edited := c.machineDown(t, machine)
			if got := ptr.Deref(edited.Spec.NetworkID, ""); got != "5" {
				t.Fatalf("LAN 5 shows as %q", got)
			}
			test.edit(&edited.Spec)
			want := before.DeepCopy()
			test.want(want)
			if diff := cmp.Diff([]infrav1.Attachment{*want}, c.machineUp(t, edited).Spec.Networks); diff != "" {
				t.Errorf("attachments (-want +got):\n%s", diff)
			}
		})
	}
}

// TestClusterNetworkShowsItsLAN looks at an attachment to a cluster network before and after its LAN is known.
func TestClusterNetworkShowsItsLAN(t *testing.T) {
	c := newConverter(t)
	machine := &infrav1.IonosCloudMachine{Spec: infrav1.IonosCloudMachineSpec{Networks: []infrav1.Attachment{
		{Name: "nodes", ClusterNetwork: "nodes"}, {Name: "storage", ClusterNetwork: "storage"}, {Name: "spare"},
	}}}
	spec := c.machineDown(t, machine).Spec
	if spec.NetworkID != nil || len(spec.AdditionalNetworks) > 0 {
		t.Errorf("LANs that nobody knows yet show as %v and %v", spec.NetworkID, spec.AdditionalNetworks)
	}
	machine.Status.Networks = []infrav1.AttachmentStatus{{Name: "spare", NetworkID: 8}, {Name: "nodes", NetworkID: 5}, {Name: "storage", NetworkID: 6}}
	spec = c.machineDown(t, machine).Spec
	if ptr.Deref(spec.NetworkID, "") != "5" || len(spec.AdditionalNetworks) != 2 || spec.AdditionalNetworks[0].NetworkID != 6 || spec.AdditionalNetworks[1].NetworkID != 8 {
		t.Errorf("LANs 5, 6 and 8 show as %v and %v", ptr.Deref(spec.NetworkID, "none"), spec.AdditionalNetworks)
	}
	// The implicit default network shows none, as v1alpha1 machines in it never did.
	machine.Spec.Networks[0].ClusterNetwork = ""
	if spec = c.machineDown(t, machine).Spec; spec.NetworkID != nil {
		t.Errorf("the default network shows as LAN %s", *spec.NetworkID)
	}
}
