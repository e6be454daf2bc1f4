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

package cloudsim_test

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

func TestIPBlocks(t *testing.T) {
	r := newRig(t)
	reserve := func(properties ionoscloud.IpBlockProperties) (ionoscloud.IpBlock, error) {
		created, response, err := r.sdk.IPBlocksApi.IpblocksPost(t.Context()).Ipblock(ionoscloud.IpBlock{Properties: &properties}).Execute()
		if err != nil {
			return created, err
		}
		if ips := *created.Properties.Ips; len(ips) != 0 {
			t.Errorf("BUSY block has addresses %v", ips)
		}
		r.done(t, response, nil)
		got, _, err := r.sdk.IPBlocksApi.IpblocksFindById(t.Context(), *created.Id).Execute()
		return got, err
	}
	seen := map[string]bool{}
	for range 2 {
		block, err := reserve(ionoscloud.IpBlockProperties{Name: ptr.To("ipb"), Location: ptr.To(location), Size: ptr.To[int32](3)})
		if err != nil {
			t.Fatal(err)
		}
		for _, ip := range *block.Properties.Ips {
			if seen[ip] || !netip.MustParseAddr(ip).Is4() {
				t.Errorf("address %s is given twice, or is none", ip)
			}
			seen[ip] = true
		}
	}
	if len(seen) != 6 {
		t.Errorf("got %d addresses, want 6", len(seen))
	}
	for name, properties := range map[string]ionoscloud.IpBlockProperties{
		"location":  {Location: ptr.To("de/nowhere"), Size: ptr.To[int32](1)},
		"size":      {Location: ptr.To(location), Size: ptr.To[int32](0)},
		"addresses": {Location: ptr.To(location), Size: ptr.To[int32](1), Ips: &[]string{"203.0.113.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := reserve(properties)
			wantRefusal(t, err, http.StatusUnprocessableEntity, "", "")
		})
	}
	_, response, err := r.sdk.IPBlocksApi.IpblocksPatch(t.Context(), r.block).Ipblock(ionoscloud.IpBlockProperties{Name: ptr.To("renamed")}).Execute()
	r.done(t, response, err)
	_, _, err = r.sdk.IPBlocksApi.IpblocksPatch(t.Context(), r.block).Ipblock(ionoscloud.IpBlockProperties{Size: ptr.To[int32](9)}).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "105", "size")
	got, _, err := r.sdk.IPBlocksApi.IpblocksFindById(t.Context(), r.block).Execute()
	if err != nil || *got.Properties.Name != "renamed" || *got.Properties.Size != 4 {
		t.Errorf("got %+v and %v", got.Properties, err)
	}
}

func TestIPBlockKnowsItsConsumers(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN, r.ips[1]))
	block, _, err := r.sdk.IPBlocksApi.IpblocksFindById(t.Context(), r.block).Execute()
	if err != nil {
		t.Fatal(err)
	}
	got := *block.Properties.IpConsumers
	n := nicsOf(server)[0]
	want := []ionoscloud.IpConsumer{{
		Ip: &r.ips[1], Mac: n.Properties.Mac, NicId: n.Id, ServerId: server.Id, ServerName: ptr.To("node"), DatacenterId: &r.dc, DatacenterName: ptr.To("fleet"),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string][]string{r.ips[1]: {"node"}}, r.Snapshot().IPBlocks[0].UsedBy); diff != "" {
		t.Error(diff)
	}
	_, err = r.sdk.IPBlocksApi.IpblocksDelete(t.Context(), r.block).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "is used")
	response, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *server.Id).Execute()
	r.done(t, response, err)
	response, err = r.sdk.IPBlocksApi.IpblocksDelete(t.Context(), r.block).Execute()
	r.done(t, response, err)
	_, _, err = r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("late", nic(publicLAN, r.ips[1]))).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "not reserved")
}

func TestIPBlockThatComesIntoUseIsNotDeleted(t *testing.T) {
	r := newRig(t, slow())
	response, err := r.sdk.IPBlocksApi.IpblocksDelete(t.Context(), r.block).Execute()
	if err != nil {
		t.Fatal(err)
	}
	// The server's request runs beside that of the block, and is done first.
	r.SetProvisioningTime(cloudsim.Pattern{Path: "/datacenters/{}/servers"}, 0)
	r.create(t, "node", nic(publicLAN, r.ips[0]))
	r.Finish()
	r.failed(t, response, nil, "is used")
	if len(r.Snapshot().IPBlocks) != 1 {
		t.Error("the block is gone")
	}
}
