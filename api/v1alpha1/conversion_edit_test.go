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
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// fullHub is a v1alpha2 object with every field set. A machine has its primary NIC and three others: one on a cluster network
// whose LAN is known, one whose LAN is not, and one on a LAN by its number.
func fullHub(tb testing.TB, k kind) object {
	tb.Helper()
	in := k.hub()
	for _, name := range []string{"Spec", "Status"} {
		if field := reflect.ValueOf(in).Elem().FieldByName(name); field.IsValid() {
			fillFully(field, strings.ToLower(name))
		}
	}
	in.SetName("full")
	in.SetAnnotations(map[string]string{"example.com/note": "stays"})
	switch hub := in.(type) {
	case *infrav1.IonosCloudMachine:
		hub.Spec.Networks = fullNetworks(hub.Spec.Networks[0])
		hub.Status.Networks = slices.DeleteFunc(fullStatuses(hub.Status.Networks[0]), func(entry infrav1.AttachmentStatus) bool { return entry.Name == "pending" })
	case *infrav1.IonosCloudMachineTemplate:
		hub.Spec.Template.Spec.Networks = fullNetworks(hub.Spec.Template.Spec.Networks[0])
	}
	return overTheWire(tb, in)
}

func fullNetworks(entry infrav1.Attachment) []infrav1.Attachment {
	var all []infrav1.Attachment
	for i, name := range []string{"public", "storage", "pending", "backup"} {
		entry := *entry.DeepCopy()
		entry.Name, entry.NetworkID, entry.ClusterNetwork = name, 0, name
		if name == "public" || name == "backup" {
			entry.NetworkID, entry.ClusterNetwork = int32(i+4), ""
		}
		entry.FailoverIPs = append(entry.FailoverIPs, name)
		all = append(all, entry)
	}
	return all
}

func fullStatuses(entry infrav1.AttachmentStatus) []infrav1.AttachmentStatus {
	var all []infrav1.AttachmentStatus
	for i, name := range []string{"public", "storage", "pending", "backup"} {
		entry := *entry.DeepCopy()
		entry.Name, entry.NetworkID, entry.NICID = name, int32(i+4), "nic-"+name
		entry.IPv4Addresses = []string{"192.0.2." + name, "198.51.100." + name}
		all = append(all, entry)
	}
	return all
}

// entryOf is the attachment that a leaf belongs to.
var entryOf = regexp.MustCompile(`^(.*networks\[[^\]]*\])`)

// TestEditThroughV1alpha1 makes every edit that a v1alpha1 client can make of an object, one at a time, with the annotation as
// the client read it: the client reads back what it wrote, and what only v1alpha2 says is still there (C35).
func TestEditThroughV1alpha1(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			hub := fullHub(t, k)
			spoke := c.down(t, k, hub)
			if !hasMemory(spoke) {
				t.Fatal("an object with every field of v1alpha2 has no memory in v1alpha1")
			}
			for i, m := range mutations(spoke) {
				edited, _ := spoke.DeepCopyObject().(object)
				mutations(edited)[i].apply()
				edited = overTheWire(t, edited)
				t.Run(m.what+" "+m.path, func(t *testing.T) {
					after := c.up(t, k, edited)
					checkTakesEffect(t, c, k, m, spoke, edited, after)
					checkNothingLost(t, k, m, hub, after)
					checkRoundTrip(t, c, after, k.spoke(), k.hub())
				})
			}
		})
	}
}

// checkTakesEffect compares what a v1alpha1 client wrote with what it reads afterwards.
func checkTakesEffect(t *testing.T, c converter, k kind, m mutation, before, edited, hub object) {
	t.Helper()
	wrote, reads := leaves(edited), leaves(c.down(t, k, hub))
	if !changedByDesign(m, before, edited, wrote, reads) && !maps.Equal(wrote, reads) {
		t.Errorf("a v1alpha1 client reads something else than it wrote (-wrote +reads):\n%s", cmp.Diff(wrote, reads))
	}
}

// changedByDesign takes out of the comparison what reads differently on purpose.
func changedByDesign(m mutation, before, edited object, wrote, reads map[string]string) bool {
	if strings.HasPrefix(m.path, "status.machineNetworkInfo") {
		// The LAN of a cluster network shows in the spec as the status knows it.
		for _, all := range []map[string]string{wrote, reads} {
			maps.DeleteFunc(all, func(path, _ string) bool {
				return strings.HasPrefix(path, "spec.additionalNetworks") || path == "spec.networkID"
			})
		}
	}
	if strings.HasSuffix(m.path, "spec.failoverIP") && m.what == "unset" {
		// The next failover address shows in the place of the one that was taken away.
		delete(reads, m.path)
	}
	return reflect.DeepEqual(before, edited)
}

// checkNothingLost looks for what only v1alpha2 says, on every entry that is left.
func checkNothingLost(t *testing.T, k kind, m mutation, before, after object) {
	t.Helper()
	fields, kept := mapping()[k.name], leaves(after)
	gone := map[string]bool{}
	for path, value := range leaves(before) {
		if !slices.Contains(fields[mappedPath(path)], onlyInV1alpha2) || kept[path] == value {
			continue
		}
		entry := entryOf.FindString(path)
		if entry != "" && !slices.ContainsFunc(slices.Collect(maps.Keys(kept)), func(path string) bool { return strings.HasPrefix(path, entry+".") }) {
			gone[entry] = true
			continue
		}
		if removesClusterNetwork(m, path) {
			continue
		}
		t.Errorf("%s was %s and is %q", path, value, kept[path])
	}
	if wanted := entriesThatGo(m); len(gone) > wanted {
		t.Errorf("%d entries are gone: %v, wanted at most %d", len(gone), slices.Collect(maps.Keys(gone)), wanted)
	}
}

// mappedPath is the path of a leaf as the mapping writes it.
func mappedPath(path string) string {
	path = regexp.MustCompile(`\[[^\]]*\]`).ReplaceAllString(path, "[]")
	path = regexp.MustCompile(`(labels|annotations|matchLabels|capacity)\..*`).ReplaceAllString(path, "$1{}")
	return path
}

// entriesThatGo is how many entries of a list an edit takes away. A LAN's number is the identity of an entry, so an entry with
// another number is another one.
func entriesThatGo(m mutation) int {
	isEntry := regexp.MustCompile(`(additionalNetworks|nicInfo)(\[\d+\](\.networkID)?)?$`).MatchString(m.path)
	switch {
	case isEntry && m.what == "unset":
		return 3
	case strings.HasSuffix(m.path, "machineNetworkInfo") && m.what == "unset", m.path == "status" && m.what == "unset":
		return 3
	case isEntry && (m.what == "remove" || m.what == "change"):
		return 1
	// The name of an entry of the status says whether it is the primary one.
	case strings.HasSuffix(m.path, ".primary"):
		return 1
	default:
		return 0
	}
}

// removesClusterNetwork tells whether an edit puts a LAN in the place of a cluster network.
func removesClusterNetwork(m mutation, path string) bool {
	return strings.HasSuffix(m.path, ".networkID") && strings.HasSuffix(path, ".clusterNetwork")
}

// oddSpoke is a v1alpha1 object with every field set, and with values that v1alpha2 cannot say.
func oddSpoke(tb testing.TB, k kind) object {
	tb.Helper()
	in := k.spoke()
	for _, name := range []string{"Spec", "Status"} {
		if field := reflect.ValueOf(in).Elem().FieldByName(name); field.IsValid() {
			fillFully(field, strings.ToLower(name))
		}
	}
	odd := func(spec *infrav1alpha1.IonosCloudMachineSpec) {
		spec.NetworkID = ptr.To("007")
		spec.ProviderID = ptr.To("")
		spec.AdditionalNetworks[1].NetworkID = 9
		spec.AdditionalNetworks[1].VNET = ptr.To("")
		spec.AdditionalNetworks[1].IPv6PoolRef = &infrav1alpha1.TypedLocalObjectReference{APIGroup: ptr.To(""), Name: "pool"}
	}
	switch spoke := in.(type) {
	case *infrav1alpha1.IonosCloudMachine:
		odd(&spoke.Spec)
		spoke.Status.Location = ptr.To("")
		spoke.Status.MachineNetworkInfo.NICInfo[1].Primary = false
		spoke.Status.MachineNetworkInfo.NICInfo[1].NetworkID = 9
		spoke.Status.MachineNetworkInfo.NICInfo[1].IPv6Addresses = []string{}
	case *infrav1alpha1.IonosCloudMachineTemplate:
		odd(&spoke.Spec.Template.Spec)
		spoke.Spec.Template.ObjectMeta.Labels = map[string]string{}
	case *infrav1alpha1.IonosCloudCluster:
		spoke.Spec.ControlPlaneEndpoint = &infrav1alpha1.APIEndpoint{}
		spoke.Status.ControlPlaneEndpointIPBlockID = ptr.To("")
		spoke.Status.CurrentClusterRequest = &infrav1alpha1.ProvisioningRequest{}
	case *infrav1alpha1.IonosCloudClusterTemplate:
		spoke.Spec.Template.Spec.ControlPlaneEndpoint = &infrav1alpha1.APIEndpoint{}
	}
	return overTheWire(tb, in)
}

// TestEditThroughV1alpha2 makes every edit that a v1alpha2 client can make of an object that remembers what v1alpha1 said: v1alpha1
// shows what the v1alpha2 object says now, and its own way of saying it where nothing was changed (C35).
func TestEditThroughV1alpha2(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			spoke := oddSpoke(t, k)
			hub := c.up(t, k, spoke)
			if !hasMemory(hub) {
				t.Fatal("an object that v1alpha2 cannot say has no memory of it")
			}
			for i, m := range mutations(hub) {
				edited, _ := hub.DeepCopyObject().(object)
				mutations(edited)[i].apply()
				edited = overTheWire(t, edited)
				t.Run(m.what+" "+m.path, func(t *testing.T) {
					checkShowsEdit(t, c, k, spoke, hub, edited)
					checkRoundTrip(t, c, edited, k.spoke(), k.hub())
				})
			}
		})
	}
}

// checkShowsEdit compares what v1alpha1 shows of an edited v1alpha2 object with what it would show without any memory.
func checkShowsEdit(t *testing.T, c converter, k kind, spoke, hub, edited object) {
	t.Helper()
	shows := c.down(t, k, edited)
	plain := forgetful(c.down(t, k, forgetful(edited)))
	checkSaysWhatTheHubSays(t, c, k, edited)
	before, after := leaves(forgetful(c.down(t, k, forgetful(hub)))), leaves(plain)
	said, now := leaves(spoke), leaves(shows)
	for path, value := range said {
		list, _, isEntry := strings.Cut(path, "[")
		if isEntry && !maps.Equal(below(before, list), below(after, list)) {
			continue
		}
		if value == "{}" || value == "[]" {
			// Empty is what is left of what is around it.
			path = path[:strings.LastIndex(path, ".")]
			if maps.Equal(below(before, path), below(after, path)) && !maps.Equal(below(said, path), below(now, path)) {
				t.Errorf("%s was %v and is %v, though nobody changed it", path, below(said, path), below(now, path))
			}
			continue
		}
		if before[path] == after[path] && now[path] != value {
			t.Errorf("%s was %s and is %q, though nobody changed it", path, value, now[path])
		}
	}
}

// below are the leaves below a path.
func below(all map[string]string, path string) map[string]string {
	found := map[string]string{}
	for key, value := range all {
		if strings.HasPrefix(key, path) {
			found[key] = value
		}
	}
	return found
}

// TestRandomEdits makes edits, one after the other, of random objects, through either version.
func TestRandomEdits(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			seed := newSeed(t)
			random := rand.New(rand.NewPCG(uint64(seed), 0)) //nolint:gosec // Any seed is good, and nothing is secret.
			for range *count / 10 {
				for _, source := range fillers(random.Int64()) {
					hub := fill(t, source.filler, k.hub())
					for range 4 {
						hub = editRandomly(t, c, k, random, hub)
						if t.Failed() {
							t.Fatalf("with %s", source.name)
						}
					}
				}
			}
		})
	}
}

// editRandomly edits an object, through v1alpha2 or through v1alpha1, and returns the v1alpha2 object afterwards.
func editRandomly(tb testing.TB, c converter, k kind, random *rand.Rand, hub object) object {
	tb.Helper()
	if random.IntN(2) == 0 {
		hub, _ = mutateRandomly(tb, random, hub)
		checkRoundTrip(tb, c, hub, k.spoke(), k.hub())
		checkSaysWhatTheHubSays(tb, c, k, hub)
		return hub
	}
	edited, m := mutateRandomly(tb, random, c.down(tb, k, hub))
	before := hub
	hub = c.up(tb, k, edited)
	checkReadsBack(tb, m, before, edited, c.down(tb, k, hub))
	checkRoundTrip(tb, c, hub, k.spoke(), k.hub())
	// From the second time on, the memory is one of the object as it is now.
	checkRoundTrip(tb, c, c.down(tb, k, hub), k.hub(), k.spoke())
	return hub
}

func mutateRandomly(tb testing.TB, random *rand.Rand, in object) (object, mutation) {
	tb.Helper()
	in, _ = in.DeepCopyObject().(object)
	m := mutation{what: "nothing", apply: func() {}}
	if all := mutations(in); len(all) > 0 {
		m = all[random.IntN(len(all))]
	}
	m.apply()
	return overTheWire(tb, in), m
}
