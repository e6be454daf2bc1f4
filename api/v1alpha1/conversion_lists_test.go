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
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// attachedMachine has a primary NIC and four others, all with something that only v1alpha2 can say: one on a cluster network whose
// LAN is 12, one on a cluster network whose LAN is not known, and two on LAN 9.
func attachedMachine() *infrav1.IonosCloudMachine {
	routes := func(to string) []infrav1.Route { return []infrav1.Route{{Destination: to, Gateway: "10.0.0.1"}} }
	return &infrav1.IonosCloudMachine{
		ObjectMeta: metav1.ObjectMeta{Name: "attached"},
		Spec: infrav1.IonosCloudMachineSpec{
			DatacenterID: "5a1d6a0c-62a4-4f4c-9b34-61a0b29a7d10",
			Networks: []infrav1.Attachment{
				{Name: "public", NetworkID: 4, DHCP: ptr.To(true), FailoverIPs: []string{"AUTO", "198.51.100.7"}},
				{Name: "storage", ClusterNetwork: "data", DHCP: ptr.To(true), Routes: routes("10.1.0.0/16")},
				{Name: "pending", ClusterNetwork: "spare", DHCP: ptr.To(true), Routes: routes("10.2.0.0/16")},
				{Name: "backup-a", NetworkID: 9, DHCP: ptr.To(true), Routes: routes("10.3.0.0/16")},
				{Name: "backup-b", NetworkID: 9, DHCP: ptr.To(false), Routes: routes("10.4.0.0/16")},
			},
		},
		Status: infrav1.IonosCloudMachineStatus{Networks: []infrav1.AttachmentStatus{
			{Name: "public", NetworkID: 4, NICID: "nic-public", IPv4Addresses: []string{"203.0.113.21"}},
			{Name: "storage", NetworkID: 12, NICID: "nic-storage", IPv4Addresses: []string{"10.1.0.5"}},
			{Name: "backup-a", NetworkID: 9, NICID: "nic-backup-a", IPv4Addresses: []string{"10.3.0.5"}},
			{Name: "backup-b", NetworkID: 9, NICID: "nic-backup-b"},
		}},
	}
}

// TestListsThroughV1alpha1 adds, removes, reorders and changes entries of lists as a v1alpha1 client does, who does not see the names
// of the entries (C34).
func TestListsThroughV1alpha1(t *testing.T) {
	network := func(id int32) infrav1alpha1.Network { return infrav1alpha1.Network{NetworkID: id, DHCP: ptr.To(true)} }
	for _, test := range []struct {
		name string
		edit func(machine *infrav1alpha1.IonosCloudMachine)
		want string
	}{
		{
			name: "nothing",
			edit: func(*infrav1alpha1.IonosCloudMachine) {},
			want: "public 4, storage data, pending spare, backup-a 9, backup-b 9",
		},
		{
			name: "first removed, what v1alpha1 does not see stays behind the nearest one before it",
			edit: func(m *infrav1alpha1.IonosCloudMachine) {
				m.Spec.AdditionalNetworks = slices.Delete(m.Spec.AdditionalNetworks, 0, 1)
			},
			want: "public 4, pending spare, backup-a 9, backup-b 9",
		},
		{
			name: "one of two on a LAN removed",
			edit: func(m *infrav1alpha1.IonosCloudMachine) {
				m.Spec.AdditionalNetworks = slices.Delete(m.Spec.AdditionalNetworks, 1, 2)
			},
			want: "public 4, storage data, pending spare, backup-b 9",
		},
		{
			name: "last removed",
			edit: func(m *infrav1alpha1.IonosCloudMachine) { m.Spec.AdditionalNetworks = m.Spec.AdditionalNetworks[:2] },
			want: "public 4, storage data, pending spare, backup-a 9",
		},
		{
			name: "all removed",
			edit: func(m *infrav1alpha1.IonosCloudMachine) { m.Spec.AdditionalNetworks = []infrav1alpha1.Network{} },
			want: "public 4, pending spare",
		},
		{
			name: "list removed",
			edit: func(m *infrav1alpha1.IonosCloudMachine) { m.Spec.AdditionalNetworks = nil },
			want: "public 4, pending spare",
		},
		{
			name: "reversed",
			edit: func(m *infrav1alpha1.IonosCloudMachine) { slices.Reverse(m.Spec.AdditionalNetworks) },
			want: "public 4, backup-b 9, backup-a 9, storage data, pending spare",
		},
		{
			name: "added in front",
			edit: func(m *infrav1alpha1.IonosCloudMachine) {
				m.Spec.AdditionalNetworks = slices.Insert(m.Spec.AdditionalNetworks, 0, network(30))
			},
			want: "public 4, lan-30 30, storage data, pending spare, backup-a 9, backup-b 9",
		},
		{
			name: "a third one on a LAN, equal to one of the two",
			edit: func(m *infrav1alpha1.IonosCloudMachine) {
				m.Spec.AdditionalNetworks = append(m.Spec.AdditionalNetworks, network(9))
			},
			want: "public 4, storage data, pending spare, backup-a 9, backup-b 9, lan-9 9",
		},
		{
			name: "removed and another one added",
			edit: func(m *infrav1alpha1.IonosCloudMachine) {
				m.Spec.AdditionalNetworks = append(m.Spec.AdditionalNetworks[1:], network(30), network(30))
			},
			want: "public 4, pending spare, backup-a 9, backup-b 9, lan-30 30, lan-30-2 30",
		},
		{
			name: "another LAN is another entry",
			edit: func(m *infrav1alpha1.IonosCloudMachine) { m.Spec.AdditionalNetworks[0].NetworkID = 13 },
			want: "public 4, pending spare, lan-13 13, backup-a 9, backup-b 9",
		},
		{
			name: "changed on a cluster network",
			edit: func(m *infrav1alpha1.IonosCloudMachine) { m.Spec.AdditionalNetworks[0].DHCP = ptr.To(false) },
			want: "public 4, storage data, pending spare, backup-a 9, backup-b 9",
		},
		{
			name: "moved and changed at once",
			edit: func(m *infrav1alpha1.IonosCloudMachine) {
				slices.Reverse(m.Spec.AdditionalNetworks)
				m.Spec.AdditionalNetworks[2].VNET = ptr.To("inner")
			},
			want: "public 4, backup-b 9, backup-a 9, storage data, pending spare",
		},
		{
			name: "primary NIC in another LAN",
			edit: func(m *infrav1alpha1.IonosCloudMachine) { m.Spec.NetworkID = ptr.To("5") },
			want: "public 5, storage data, pending spare, backup-a 9, backup-b 9",
		},
		{
			name: "everything removed",
			edit: func(m *infrav1alpha1.IonosCloudMachine) {
				m.Spec = infrav1alpha1.IonosCloudMachineSpec{DatacenterID: m.Spec.DatacenterID}
			},
			want: "public 0, pending spare",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newConverter(t)
			before := attachedMachine()
			edited := c.machineDown(t, before)
			test.edit(edited)
			after := c.machineUp(t, edited)
			if diff := cmp.Diff(test.want, describe(after.Spec.Networks)); diff != "" {
				t.Errorf("attachments (-want +got):\n%s", diff)
			}
			for _, attachment := range after.Spec.Networks {
				for _, was := range before.Spec.Networks {
					if was.Name == attachment.Name && !cmp.Equal(was.Routes, attachment.Routes) {
						t.Errorf("attachment %s has the routes %v, and had %v", was.Name, attachment.Routes, was.Routes)
					}
				}
			}
			if diff := cmp.Diff(before.Status, after.Status); diff != "" {
				t.Errorf("an edit of the spec changed the status (-before +after):\n%s", diff)
			}
			reads := c.machineDown(t, after)
			if test.name != "everything removed" && !cmp.Equal(edited.Spec, reads.Spec) { // The second failover address shows then.
				t.Errorf("a v1alpha1 client reads something else than it wrote (-wrote +reads):\n%s", cmp.Diff(edited.Spec, reads.Spec))
			}
			checkRoundTrip(t, c, after, &infrav1alpha1.IonosCloudMachine{}, &infrav1.IonosCloudMachine{})
		})
	}
}

// describe names the attachments and where they lead.
func describe(attachments []infrav1.Attachment) string {
	var all []string
	for _, attachment := range attachments {
		to := attachment.ClusterNetwork
		if to == "" {
			to = fmt.Sprint(attachment.NetworkID)
		}
		all = append(all, attachment.Name+" "+to)
	}
	return strings.Join(all, ", ")
}

// TestEqualEntries removes one of two entries that v1alpha1 cannot tell apart, which its neighbours tell apart.
func TestEqualEntries(t *testing.T) {
	c := newConverter(t)
	hub := &infrav1.IonosCloudMachine{Spec: infrav1.IonosCloudMachineSpec{Networks: []infrav1.Attachment{
		{Name: "primary", DHCP: ptr.To(true)}, {Name: "a", NetworkID: 7}, {Name: "b", NetworkID: 9}, {Name: "c", NetworkID: 7},
	}}}
	for want, left := range map[string][]int32{
		"primary 0, b 9, c 7":                 {9, 7},
		"primary 0, a 7, b 9":                 {7, 9},
		"primary 0, a 7, c 7":                 {7, 7},
		"primary 0, a 7, lan-7 7, b 9, c 7":   {7, 7, 9, 7},
		"primary 0, lan-3 3, a 7, b 9, c 7":   {3, 7, 9, 7},
		"primary 0, b 9":                      {9},
		"primary 0, a 7, b 9, c 7, lan-7 7":   {7, 9, 7, 7},
		"primary 0, a 7, lan-10 10, c 7":      {7, 10, 7},
		"primary 0, b 9, a 7, c 7, lan-10 10": {9, 7, 7, 10},
	} {
		edited := c.machineDown(t, hub)
		edited.Spec.AdditionalNetworks = nil
		for _, networkID := range left {
			edited.Spec.AdditionalNetworks = append(edited.Spec.AdditionalNetworks, infrav1alpha1.Network{NetworkID: networkID})
		}
		if got := describe(c.machineUp(t, edited).Spec.Networks); got != want {
			t.Errorf("with LANs %v left, attachments are %s, want %s", left, got, want)
		}
	}
}

// TestNamesDoNotCollide adds an entry whose derived name another LAN's entry has already.
func TestNamesDoNotCollide(t *testing.T) {
	c := newConverter(t)
	machine := attachedMachine()
	machine.Spec.Networks[3].Name = "lan-30"
	edited := c.machineDown(t, machine)
	// The entry of that name goes at the same time: its claims may still be there, so its name is not used again.
	edited.Spec.AdditionalNetworks[1] = infrav1alpha1.Network{NetworkID: 30}
	got := describe(c.machineUp(t, edited).Spec.Networks)
	if want := "public 4, storage data, pending spare, lan-30-2 30, backup-b 9"; got != want {
		t.Errorf("attachments are %s, want %s", got, want)
	}
}

// TestNICsThroughV1alpha1 edits the status as the v1alpha1 provider does.
func TestNICsThroughV1alpha1(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(nics []infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo
		want string
	}{
		{
			name: "removed",
			edit: func(nics []infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo { return slices.Delete(nics, 1, 2) },
			want: "public 4 nic-public, backup-a 9 nic-backup-a, backup-b 9 nic-backup-b",
		},
		{
			name: "reversed",
			edit: func(nics []infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo { slices.Reverse(nics); return nics },
			want: "backup-b 9 nic-backup-b, backup-a 9 nic-backup-a, storage 12 nic-storage, public 4 nic-public",
		},
		{
			name: "another address",
			edit: func(nics []infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo {
				nics[0].IPv4Addresses = []string{"203.0.113.99"}
				return nics
			},
			want: "public 4 nic-public, storage 12 nic-storage, backup-a 9 nic-backup-a, backup-b 9 nic-backup-b",
		},
		{
			name: "another LAN, recognised by the address",
			edit: func(nics []infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo { nics[1].NetworkID = 13; return nics },
			want: "public 4 nic-public, storage 13 nic-storage, backup-a 9 nic-backup-a, backup-b 9 nic-backup-b",
		},
		{
			name: "another primary NIC",
			edit: func(nics []infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo {
				nics[0].Primary, nics[1].Primary = false, true
				return nics
			},
			want: "lan-4 4 nic-public, public 12 nic-storage, backup-a 9 nic-backup-a, backup-b 9 nic-backup-b",
		},
		{
			name: "added",
			edit: func(nics []infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo {
				return append(nics, infrav1alpha1.NICInfo{NetworkID: 9}, infrav1alpha1.NICInfo{NetworkID: 4, Primary: true})
			},
			want: "public 4 nic-public, storage 12 nic-storage, backup-a 9 nic-backup-a, backup-b 9 nic-backup-b, lan-9-3 9, lan-4 4",
		},
		{
			name: "all removed",
			edit: func([]infrav1alpha1.NICInfo) []infrav1alpha1.NICInfo { return nil },
			want: "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newConverter(t)
			before := attachedMachine()
			edited := c.machineDown(t, before)
			edited.Status.MachineNetworkInfo.NICInfo = test.edit(edited.Status.MachineNetworkInfo.NICInfo)
			after := c.machineUp(t, edited)
			var got []string
			for _, entry := range after.Status.Networks {
				got = append(got, strings.TrimSpace(fmt.Sprint(entry.Name, " ", entry.NetworkID, " ", entry.NICID)))
			}
			if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("NICs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before.Spec, after.Spec); diff != "" {
				t.Errorf("an edit of the status changed the spec (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(edited.Status, c.machineDown(t, after).Status); diff != "" {
				t.Errorf("a v1alpha1 client reads something else than it wrote (-wrote +reads):\n%s", diff)
			}
		})
	}
}

// TestTwoPrimaryNICs reorders and removes NICs, in v1alpha2, of a status in which v1alpha1 called two NICs the primary one: the first was.
func TestTwoPrimaryNICs(t *testing.T) {
	nic := func(networkID int32, primary bool) infrav1alpha1.NICInfo {
		return infrav1alpha1.NICInfo{NetworkID: networkID, Primary: primary}
	}
	for _, test := range []struct {
		name string
		edit func(entries []infrav1.AttachmentStatus) []infrav1.AttachmentStatus
		want []infrav1alpha1.NICInfo
	}{
		{
			name: "nothing",
			edit: func(entries []infrav1.AttachmentStatus) []infrav1.AttachmentStatus { return entries },
			want: []infrav1alpha1.NICInfo{nic(4, true), nic(7, true)},
		},
		{
			name: "one added",
			edit: func(entries []infrav1.AttachmentStatus) []infrav1.AttachmentStatus {
				return append(entries, infrav1.AttachmentStatus{Name: "new", NetworkID: 9})
			},
			want: []infrav1alpha1.NICInfo{nic(4, true), nic(7, true), nic(9, false)},
		},
		{
			name: "reversed",
			edit: func(entries []infrav1.AttachmentStatus) []infrav1.AttachmentStatus {
				slices.Reverse(entries)
				return entries
			},
			want: []infrav1alpha1.NICInfo{nic(7, false), nic(4, true)},
		},
		{
			name: "first removed",
			edit: func(entries []infrav1.AttachmentStatus) []infrav1.AttachmentStatus { return entries[1:] },
			want: []infrav1alpha1.NICInfo{nic(7, false)},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newConverter(t)
			hub := c.machineUp(t, &infrav1alpha1.IonosCloudMachine{Status: infrav1alpha1.IonosCloudMachineStatus{
				MachineNetworkInfo: &infrav1alpha1.MachineNetworkInfo{NICInfo: []infrav1alpha1.NICInfo{nic(4, true), nic(7, true)}},
			}})
			hub.Status.Networks = test.edit(hub.Status.Networks)
			if diff := cmp.Diff(test.want, c.machineDown(t, hub).Status.MachineNetworkInfo.NICInfo); diff != "" {
				t.Errorf("NICs (-want +got):\n%s", diff)
			}
			checkRoundTrip(t, c, hub, &infrav1alpha1.IonosCloudMachine{}, &infrav1.IonosCloudMachine{})
		})
	}
}

// TestAnotherPrimaryNIC makes another NIC the primary one, in v1alpha2: v1alpha1 still says the rest in its own words.
func TestAnotherPrimaryNIC(t *testing.T) {
	c := newConverter(t)
	nics := []infrav1alpha1.NICInfo{{NetworkID: 4, Primary: true, IPv4Addresses: []string{}}, {NetworkID: 7, IPv6Addresses: []string{}}}
	hub := c.machineUp(t, &infrav1alpha1.IonosCloudMachine{Status: infrav1alpha1.IonosCloudMachineStatus{
		MachineNetworkInfo: &infrav1alpha1.MachineNetworkInfo{NICInfo: nics},
	}})
	hub.Spec.Networks = []infrav1.Attachment{{Name: hub.Status.Networks[1].Name}}
	nics[0].Primary, nics[1].Primary = false, true
	if diff := cmp.Diff(nics, c.machineDown(t, hub).Status.MachineNetworkInfo.NICInfo); diff != "" {
		t.Errorf("NICs (-want +got):\n%s", diff)
	}
}
