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
	"testing"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

func TestResolveNetworks(t *testing.T) {
	implicit := []infrav1.ClusterNetwork{{Name: "default", Type: infrav1.ClusterNetworkPublic, IPv6CIDRBlock: "AUTO"}}
	if d := diff(implicit, ResolveNetworks(nil)); d != "" {
		t.Errorf("implicit network differs (-want +got):\n%s", d)
	}
	given := []infrav1.ClusterNetwork{
		{Name: "a", Type: infrav1.ClusterNetworkPrivate},
		{Name: "b", Type: infrav1.ClusterNetworkPublic},
		{Name: "c", Type: infrav1.ClusterNetworkPublic, IPv6CIDRBlock: "None"},
		{Name: "d", Type: infrav1.ClusterNetworkPrivate, IPv6CIDRBlock: "2001:db8::/64"},
	}
	blocks := make([]string, 0, len(given))
	for _, network := range ResolveNetworks(given) {
		blocks = append(blocks, network.Name+" "+network.IPv6CIDRBlock)
	}
	if d := diff([]string{"a None", "b AUTO", "c None", "d 2001:db8::/64"}, blocks); d != "" {
		t.Errorf("blocks differ (-want +got):\n%s", d)
	}
	if given[0].IPv6CIDRBlock != "" {
		t.Error("the caller's list was changed")
	}
}

func TestNetworksInUse(t *testing.T) {
	networks := world().ClusterNetworks
	tests := map[string]struct {
		networks    []infrav1.ClusterNetwork
		attachments []infrav1.Attachment
		want        []string
	}{
		"nothing at all":            {nil, nil, []string{"default"}},
		"implicit attachment":       {networks, nil, []string{"nodes"}},
		"default twice":             {networks, []infrav1.Attachment{attach("a", ""), attach("b", "nodes")}, []string{"nodes"}},
		"several":                   {networks, []infrav1.Attachment{attach("a", "storage"), attach("b", "")}, []string{"nodes", "storage"}},
		"one that left the cluster": {networks, []infrav1.Attachment{attach("a", "gone")}, []string{"gone"}},
		"LANs by number":            {networks, []infrav1.Attachment{attachLAN("a", 7), attachLAN("b", LANID(infrav1.InvalidNetworkID))}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if d := diff(test.want, NetworksInUse(test.networks, test.attachments)); d != "" {
				t.Errorf("networks differ (-want +got):\n%s", d)
			}
		})
	}
}
