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

package network

import (
	"slices"
	"strings"
	"testing"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

func TestNames(t *testing.T) {
	for want, got := range map[string]string{
		"worker-1.storage.ipv6": ClaimName(owner, "storage", IPv6),
		// The v1alpha1 provider's names, to be adopted.
		"nic-worker-1-ipv4":        LegacyClaimName("worker-1", true, 0, IPv4),
		"nic-worker-1-7-ipv6":      LegacyClaimName("worker-1", false, 7, IPv6),
		"nic-worker-1":             LegacyPrimaryNICName("worker-1"),
		"lan-fleet-shop":           LegacyLANName("fleet", "shop"),
		"vol-worker-1":             VolumeName("worker-1"),
		"fleet.worker-1.storage":   NICName(owner, "storage"),
		"fleet.shop.nodes":         LANName("fleet", "shop", "nodes"),
		"fleet.shop.example.nodes": LANName("fleet", "shop.example", "nodes"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Two owners never share a name, whatever dots and dashes they have.
func TestNamesAreUnique(t *testing.T) {
	parts := []string{"a", "b", "a-b", "b-c", "a.b", "b.c", "a.b.c", "ipv4", "a.ipv4"}
	labels := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return strings.Contains(part, ".") })
	seenClaims, seenNICs, seenLANs := map[string]string{}, map[string]string{}, map[string]string{}
	note := func(seen map[string]string, name, subject string) {
		if other, taken := seen[name]; taken && other != subject {
			t.Errorf("%q is the name for %q and for %q", name, other, subject)
		}
		seen[name] = subject
	}
	for _, namespace := range labels {
		for _, name := range parts {
			for _, label := range labels {
				subject := namespace + "/" + name + "/" + label
				note(seenNICs, NICName(Owner{Namespace: namespace, Name: name}, label), subject)
				note(seenLANs, LANName(namespace, name, label), subject)
				for _, family := range families {
					note(seenClaims, ClaimName(Owner{Namespace: "same", Name: name}, label, family), name+"/"+label+"/"+string(family))
				}
			}
		}
	}
}

func TestServerIsOwn(t *testing.T) {
	tests := map[string]struct {
		server string
		nics   []string
		want   bool
	}{
		"name and NIC":                      {"worker-1", []string{"", "fleet.worker-1.storage"}, true},
		"legacy primary NIC":                {"worker-1", []string{"nic-worker-1", ""}, true},
		"name alone":                        {"worker-1", []string{"", "eth0"}, false},
		"no NIC":                            {"worker-1", nil, false},
		"NIC alone":                         {"worker-2", []string{"fleet.worker-1.storage"}, false},
		"other namespace":                   {"worker-1", []string{"other.worker-1.storage"}, false},
		"machine whose name begins like it": {"worker-1", []string{"fleet.worker-1.a.storage"}, false},
		"NIC without attachment":            {"worker-1", []string{"fleet.worker-1."}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := ServerIsOwn(owner, test.server, test.nics); got != test.want {
				t.Errorf("got %t, want %t", got, test.want)
			}
		})
	}
}

func TestCandidateClaimNames(t *testing.T) {
	tests := map[string]struct {
		attachments []infrav1.Attachment
		want        []string
	}{
		"implicit attachment": {nil, []string{
			"nic-worker-1-ipv4", "nic-worker-1-ipv6", "worker-1.primary.ipv4", "worker-1.primary.ipv6",
		}},
		"two on one LAN": {[]infrav1.Attachment{attachLAN("primary", 4), attachLAN("lan-7", 7), attachLAN("lan-7-2", 7)}, []string{
			"nic-worker-1-7-ipv4", "nic-worker-1-7-ipv6", "nic-worker-1-ipv4", "nic-worker-1-ipv6",
			"worker-1.lan-7-2.ipv4", "worker-1.lan-7-2.ipv6", "worker-1.lan-7.ipv4", "worker-1.lan-7.ipv6",
			"worker-1.primary.ipv4", "worker-1.primary.ipv6",
		}},
		"invalid LAN": {[]infrav1.Attachment{attach("public", ""), attachLAN("x", LANID(infrav1.InvalidNetworkID))}, []string{
			"nic-worker-1-ipv4", "nic-worker-1-ipv6", "worker-1.public.ipv4", "worker-1.public.ipv6", "worker-1.x.ipv4", "worker-1.x.ipv6",
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if d := diff(test.want, CandidateClaimNames(owner, test.attachments)); d != "" {
				t.Errorf("names differ (-want +got):\n%s", d)
			}
		})
	}
}
