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
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

func TestCompositeServer(t *testing.T) {
	r := newRig(t)
	created, response, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Depth(2).
		Server(r.server("node", nic(publicLAN, r.ips[0]), nic(privateLAN))).Execute()
	if err != nil {
		t.Fatal(err)
	}
	// The answer has all IDs, and nothing that the cloud computes.
	if *created.Metadata.State != "BUSY" || created.Properties.VmState != nil || created.Properties.BootVolume != nil {
		t.Errorf("got state %s, vmState %v and bootVolume %v, want BUSY and neither of the others", *created.Metadata.State, created.Properties.VmState, created.Properties.BootVolume)
	}
	for _, n := range nicsOf(created) {
		if len(*n.Properties.Ips) != 0 || n.Properties.Mac != nil || *n.Metadata.State != "BUSY" {
			t.Errorf("new NIC %s has ips %v, mac %v and state %s", *n.Id, *n.Properties.Ips, n.Properties.Mac, *n.Metadata.State)
		}
	}
	r.done(t, response, nil)

	got := r.get(t, *created.Id)
	volumes := *got.Entities.Volumes.Items
	if *got.Metadata.State != "AVAILABLE" || *got.Properties.VmState != "RUNNING" || len(volumes) != 1 || *got.Properties.BootVolume.Id != *volumes[0].Id {
		t.Errorf("got state %s, vmState %s, %d volumes, boot volume %v", *got.Metadata.State, *got.Properties.VmState, len(volumes), got.Properties.BootVolume)
	}
	if volumes[0].Properties.UserData != nil {
		t.Errorf("user data is readable")
	}
	if data := string(r.UserData(*got.Id)); data != "hello" {
		t.Errorf("user data is %q, want hello", data)
	}
	public, private := nicsOf(got)[0].Properties, nicsOf(got)[1].Properties
	if diff := cmp.Diff([]string{r.ips[0]}, *public.Ips); diff != "" {
		t.Error(diff)
	}
	if len(*private.Ips) != 1 || !strings.HasSuffix((*private.Ips)[0], ".10") || private.Dhcpv6 != nil {
		t.Errorf("private NIC has ips %v and dhcpv6 %v", *private.Ips, private.Dhcpv6)
	}
}

func TestServerIsRefused(t *testing.T) {
	r := newRig(t)
	otherImage := r.AddImage("de/fra", "elsewhere", nil)
	plainImage := r.PlantImage(cloudsim.ImageSeed{Name: "plain", Location: location, CloudInit: "NONE"})
	volume := func(s *ionoscloud.Server) *ionoscloud.VolumeProperties {
		return (*s.Entities.Volumes.Items)[0].Properties
	}
	for name, test := range map[string]struct {
		change     func(*ionoscloud.Server)
		code, text string
	}{
		"ram":                 {func(s *ionoscloud.Server) { s.Properties.Ram = ptr.To[int32](1000) }, "100", "properties.ram"},
		"type":                {func(s *ionoscloud.Server) { s.Properties.Type = ptr.To("HUGE") }, "109", "properties.type"},
		"zone":                {func(s *ionoscloud.Server) { s.Properties.AvailabilityZone = ptr.To("ZONE_3") }, "109", "availabilityZone"},
		"cpu family for VCPU": {func(s *ionoscloud.Server) { s.Properties.CpuFamily = ptr.To("INTEL_SKYLAKE") }, "100", "cpuFamily"},
		"no cores":            {func(s *ionoscloud.Server) { s.Properties.Cores = nil }, "100", "cores"},
		"host name":           {func(s *ionoscloud.Server) { s.Properties.Hostname = ptr.To("a_b") }, "100", "hostname"},
		"vmState":             {func(s *ionoscloud.Server) { s.Properties.VmState = ptr.To("RUNNING") }, "105", "vmState"},
		"cube without template": {func(s *ionoscloud.Server) {
			s.Properties.Type, s.Properties.Cores, s.Properties.Ram = ptr.To("CUBE"), nil, nil
		}, "100", "templateUuid"},
		"image elsewhere":          {func(s *ionoscloud.Server) { volume(s).Image = &otherImage }, "100", "de/fra"},
		"unknown image":            {func(s *ionoscloud.Server) { volume(s).Image = ptr.To("nope") }, "100", "properties.image"},
		"no image and no licence":  {func(s *ionoscloud.Server) { volume(s).Image, volume(s).UserData = nil, nil }, "100", "licenceType"},
		"user data is no base64":   {func(s *ionoscloud.Server) { volume(s).UserData = ptr.To("#cloud-config") }, "100", "userData"},
		"image without cloud-init": {func(s *ionoscloud.Server) { volume(s).Image = &plainImage }, "100", "userData"},
		"disk type":                {func(s *ionoscloud.Server) { volume(s).Type = ptr.To("FLOPPY") }, "109", "properties.type"},
		"disk zone":                {func(s *ionoscloud.Server) { volume(s).AvailabilityZone = ptr.To("ZONE_4") }, "109", "availabilityZone"},
		"bus":                      {func(s *ionoscloud.Server) { volume(s).Bus = ptr.To("SCSI") }, "109", "properties.bus"},
		"smaller than the image":   {func(s *ionoscloud.Server) { volume(s).Size = ptr.To[float32](1) }, "100", "properties.size"},
		"password":                 {func(s *ionoscloud.Server) { volume(s).ImagePassword = ptr.To("short") }, "100", "imagePassword"},
	} {
		t.Run(name, func(t *testing.T) {
			before := r.Snapshot()
			body := r.server("node", nic(publicLAN))
			test.change(&body)
			_, _, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(body).Execute()
			wantRefusal(t, err, http.StatusUnprocessableEntity, test.code, test.text)
			if diff := cmp.Diff(before, r.Snapshot()); diff != "" {
				t.Errorf("a refused call changed the cloud:\n%s", diff)
			}
		})
	}
}

func TestServerHas24DevicesAtMost(t *testing.T) {
	r := newRig(t)
	nics := make([]ionoscloud.NicProperties, 24)
	for i := range nics {
		nics[i] = nic(privateLAN)
	}
	_, _, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("node", nics...)).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "24")
	server := r.create(t, "node", nics[1:]...)
	_, _, err = r.sdk.NetworkInterfacesApi.DatacentersServersNicsPost(t.Context(), r.dc, *server.Id).Nic(ionoscloud.Nic{Properties: &nics[0]}).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "24")
	volume := r.AddVolume(r.dc, "", "data")
	_, _, err = r.sdk.ServersApi.DatacentersServersVolumesPost(t.Context(), r.dc, *server.Id).Volume(ionoscloud.Volume{Id: &volume}).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "24")
}

func TestServerChanges(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN))
	patch := func(properties ionoscloud.ServerProperties) (*ionoscloud.APIResponse, error) {
		_, response, err := r.sdk.ServersApi.DatacentersServersPatch(t.Context(), r.dc, *server.Id).Server(properties).Execute()
		return response, err
	}
	response, err := patch(ionoscloud.ServerProperties{Name: ptr.To("renamed"), Cores: ptr.To[int32](4)})
	r.done(t, response, err)
	got := r.get(t, *server.Id)
	if *got.Properties.Name != "renamed" || *got.Properties.Cores != 4 || *got.Properties.Ram != 4096 {
		t.Errorf("got %s with %d cores and %d MB", *got.Properties.Name, *got.Properties.Cores, *got.Properties.Ram)
	}
	if !got.Metadata.LastModifiedDate.After(got.Metadata.CreatedDate.Time) && *got.Metadata.Etag == *server.Metadata.Etag {
		t.Error("the change does not show in the metadata")
	}
	_, err = patch(ionoscloud.ServerProperties{BootVolume: &ionoscloud.ResourceReference{Id: ptr.To("nope")}})
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "bootVolume")
	_, err = patch(ionoscloud.ServerProperties{Ram: ptr.To[int32](100)})
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "ram")

	answer, _ := r.raw(t, http.MethodPatch, "/datacenters/"+r.dc+"/servers/"+*server.Id, `{"properties":{"name":"x"}}`)
	if answer.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("PATCH with a wrapper: got %d, want 422", answer.StatusCode)
	}
	answer, _ = r.raw(t, http.MethodPut, "/datacenters/"+r.dc+"/servers/"+*server.Id, `{"properties":{"name":"put"}}`)
	if name := *r.get(t, *server.Id).Properties.Name; answer.StatusCode != http.StatusAccepted || name != "put" {
		t.Errorf("PUT: got %d and name %s", answer.StatusCode, name)
	}
}

func TestServerPower(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN), nic(publicLAN, r.ips[0]), nic(privateLAN))
	ips := func(i int) string { return fmt.Sprint(*nicsOf(r.get(t, *server.Id))[i].Properties.Ips) }
	auto, private := ips(0), ips(2)

	response, err := r.sdk.ServersApi.DatacentersServersStopPost(t.Context(), r.dc, *server.Id).Execute()
	r.done(t, response, err)
	if state := *r.get(t, *server.Id).Properties.VmState; state != "SHUTOFF" {
		t.Errorf("stopped server is %s", state)
	}
	if ips(0) != "[]" || ips(1) != "["+r.ips[0]+"]" || ips(2) != private {
		t.Errorf("stopped server has %s, %s and %s; want only the assigned public address to be lost", ips(0), ips(1), ips(2))
	}
	response, err = r.sdk.ServersApi.DatacentersServersStartPost(t.Context(), r.dc, *server.Id).Execute()
	r.done(t, response, err)
	if state := *r.get(t, *server.Id).Properties.VmState; state != "RUNNING" || ips(0) == "[]" || ips(0) == auto {
		t.Errorf("started server is %s with %s, want RUNNING and another address than %s", state, ips(0), auto)
	}
	before := ips(0)
	response, err = r.sdk.ServersApi.DatacentersServersRebootPost(t.Context(), r.dc, *server.Id).Execute()
	r.done(t, response, err)
	if ips(0) != before {
		t.Errorf("a reboot changed the address from %s to %s", before, ips(0))
	}
}

func TestServerDeletion(t *testing.T) {
	for name, test := range map[string]struct {
		deleteVolumes bool
		want          int
	}{
		"volumes stay":         {false, 2},
		"volumes go with them": {true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			server := r.create(t, "node", nic(publicLAN, r.ips[0]))
			r.AddVolume(r.dc, *server.Id, "data")
			response, err := r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *server.Id).DeleteVolumes(test.deleteVolumes).Execute()
			r.done(t, response, err)
			state := r.Snapshot()
			if left := len(state.Datacenters[0].Volumes); len(state.Datacenters[0].Servers) != 0 || left != test.want || state.IPBlocks[0].UsedBy != nil {
				t.Errorf("got %d servers, %d volumes, used addresses %v", len(state.Datacenters[0].Servers), left, state.IPBlocks[0].UsedBy)
			}
			_, err = r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *server.Id).Execute()
			wantRefusal(t, err, http.StatusNotFound, "", "")
		})
	}
}

func TestServerDeletionBySteps(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN))
	r.AddVolume(r.dc, *server.Id, "data")
	response, err := r.sdk.VolumesApi.DatacentersVolumesDelete(t.Context(), r.dc, *server.Properties.BootVolume.Id).Execute()
	r.done(t, response, err)
	if got := r.get(t, *server.Id); got.Properties.BootVolume != nil || len(*got.Entities.Volumes.Items) != 1 {
		t.Errorf("boot volume %v is still there", got.Properties.BootVolume)
	}
	response, err = r.sdk.ServersApi.DatacentersServersDelete(t.Context(), r.dc, *server.Id).Execute()
	r.done(t, response, err)
	if volumes := r.Snapshot().Datacenters[0].Volumes; len(volumes) != 1 || volumes[0].Name != "data" {
		t.Errorf("got %v, want the data volume only", volumes)
	}
}

func TestNamesAreNotUnique(t *testing.T) {
	r := newRig(t)
	first, second := r.create(t, "twin"), r.create(t, "twin")
	if *first.Id == *second.Id {
		t.Error("two servers have one ID")
	}
}
