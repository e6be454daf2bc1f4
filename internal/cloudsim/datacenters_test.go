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
	"slices"
	"testing"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"
)

func TestDatacenters(t *testing.T) {
	r := newRig(t)
	created, response, err := r.sdk.DataCentersApi.DatacentersPost(t.Context()).
		Datacenter(ionoscloud.DatacenterPost{Properties: &ionoscloud.DatacenterPropertiesPost{Name: ptr.To("new"), Location: ptr.To("de/fra/2")}}).Execute()
	r.done(t, response, err)
	if *created.Metadata.State != "BUSY" {
		t.Errorf("new data center is %s, want BUSY", *created.Metadata.State)
	}
	patch := func(properties ionoscloud.DatacenterPropertiesPut) (*ionoscloud.APIResponse, error) {
		_, response, err := r.sdk.DataCentersApi.DatacentersPatch(t.Context(), *created.Id).Datacenter(properties).Execute()
		return response, err
	}
	response, err = patch(ionoscloud.DatacenterPropertiesPut{Name: ptr.To("renamed")})
	r.done(t, response, err)
	_, err = patch(ionoscloud.DatacenterPropertiesPut{Location: ptr.To("de/txl")})
	wantRefusal(t, err, http.StatusUnprocessableEntity, "105", "location")
	got, _, err := r.sdk.DataCentersApi.DatacentersFindById(t.Context(), *created.Id).Execute()
	if err != nil || *got.Properties.Name != "renamed" || *got.Properties.Location != "de/fra/2" || *got.Metadata.State != "AVAILABLE" || *got.Properties.Version != 3 {
		t.Errorf("got %+v and %v", got.Properties, err)
	}
	all, _, err := r.sdk.DataCentersApi.DatacentersGet(t.Context()).Depth(1).Execute()
	if err != nil || len(*all.Items) != 2 {
		t.Errorf("got %v and %v, want two data centers", all.Items, err)
	}
	_, _, err = r.sdk.DataCentersApi.DatacentersPost(t.Context()).
		Datacenter(ionoscloud.DatacenterPost{Properties: &ionoscloud.DatacenterPropertiesPost{Name: ptr.To("new"), Location: ptr.To("xx/yyy")}}).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "location")

	// With a data center goes everything in it, and its addresses are free.
	r.create(t, "node", nic(publicLAN, r.ips[0]))
	response, err = r.sdk.DataCentersApi.DatacentersDelete(t.Context(), r.dc).Execute()
	r.done(t, response, err)
	if state := r.Snapshot(); len(state.Datacenters) != 1 || state.IPBlocks[0].UsedBy != nil {
		t.Errorf("got %+v", state)
	}
}

func TestLocations(t *testing.T) {
	r := newRig(t)
	all, _, err := r.sdk.LocationsApi.LocationsGet(t.Context()).Depth(1).Execute()
	if err != nil || len(*all.Items) != 11 {
		t.Errorf("got %v and %v", all.Items, err)
	}
	region, _, err := r.sdk.LocationsApi.LocationsFindByRegionId(t.Context(), "de").Depth(1).Execute()
	if err != nil || !slices.ContainsFunc(*region.Items, func(l ionoscloud.Location) bool { return *l.Id == "de/fra/2" }) || len(*region.Items) != 4 {
		t.Errorf("got %v and %v, want the four of de", region.Items, err)
	}
	for _, id := range []string{"fra", "fra/2"} {
		got, _, err := r.sdk.LocationsApi.LocationsFindByRegionIdAndId(t.Context(), "de", id).Depth(1).Execute()
		if err != nil || *got.Id != "de/"+id || len(*got.Properties.CpuArchitecture) == 0 {
			t.Errorf("de/%s: got %+v and %v", id, got, err)
		}
	}
	answer, _ := r.raw(t, http.MethodGet, "/locations/de/fra/2", "")
	if answer.StatusCode != http.StatusOK {
		t.Errorf("three segments: got %d", answer.StatusCode)
	}
	_, _, err = r.sdk.LocationsApi.LocationsFindByRegionIdAndId(t.Context(), "de", "nope").Execute()
	wantRefusal(t, err, http.StatusNotFound, "", "")
}

func TestQuotas(t *testing.T) {
	for name, test := range map[string]struct {
		limit int
		do    func(*rig, *testing.T) error
	}{
		"coresPerContract":    {3, (*rig).second},
		"coresPerServer":      {1, (*rig).second},
		"ramPerContract":      {8000, (*rig).second},
		"ramPerServer":        {4000, (*rig).second},
		"ssdLimitPerContract": {30 * 1024, (*rig).second},
		"ssdLimitPerVolume":   {10 * 1024, (*rig).second},
		"hddLimitPerContract": {5 * 1024, (*rig).bigVolume},
		"reservableIps":       {5, (*rig).twoAddresses},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.create(t, "first") // 2 cores, 4096 MB, 20 GB of SSD; 4 addresses are reserved.
			r.SetQuota(name, test.limit)
			wantRefusal(t, test.do(r, t), http.StatusUnprocessableEntity, "100", "quota")
			r.SetQuota(name, 1_000_000)
			if err := test.do(r, t); err != nil {
				t.Errorf("with a higher limit: %v", err)
			}
			answer, _, err := r.sdk.ContractResourcesApi.ContractsGet(t.Context()).Depth(1).Execute()
			if err != nil {
				t.Fatal(err)
			}
			limits := (*answer.Items)[0].Properties.ResourceLimits
			if *limits.CoresProvisioned < 2 || *limits.RamProvisioned < 4096 || *limits.ReservedIpsOnContract < 4 {
				t.Errorf("got %+v", limits)
			}
		})
	}
}

// second asks for one more server.
func (r *rig) second(t *testing.T) error {
	t.Helper()
	_, _, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("second")).Execute()
	return err
}

// bigVolume asks for a volume of 10 GB.
func (r *rig) bigVolume(t *testing.T) error {
	t.Helper()
	_, _, err := r.sdk.VolumesApi.DatacentersVolumesPost(t.Context(), r.dc).
		Volume(ionoscloud.Volume{Properties: &ionoscloud.VolumeProperties{Size: ptr.To[float32](10), LicenceType: ptr.To("OTHER")}}).Execute()
	return err
}

// twoAddresses asks for two public addresses.
func (r *rig) twoAddresses(t *testing.T) error {
	t.Helper()
	_, _, err := r.sdk.IPBlocksApi.IpblocksPost(t.Context()).
		Ipblock(ionoscloud.IpBlock{Properties: &ionoscloud.IpBlockProperties{Location: ptr.To(location), Size: ptr.To[int32](2)}}).Execute()
	return err
}

func TestQuotaIsCheckedAgainWhenExecuted(t *testing.T) {
	r := newRig(t, slow())
	r.SetQuota("coresPerContract", 3)
	if err := r.second(t); err != nil {
		t.Fatal(err)
	}
	// What is accepted counts at once, so nothing more is.
	wantRefusal(t, r.second(t), http.StatusUnprocessableEntity, "100", "quota")
	r.SetQuota("coresPerContract", 1)
	r.Finish()
	list, _, err := r.sdk.RequestsApi.RequestsGet(t.Context()).Depth(2).Execute()
	if err != nil || *(*list.Items)[0].Metadata.RequestStatus.Metadata.Status != "FAILED" {
		t.Errorf("got %v and %v, want a failed request", list.Items, err)
	}
}
