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
	"testing"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

func TestVolumes(t *testing.T) {
	r := newRig(t)
	alias := r.PlantImage(cloudsim.ImageSeed{Name: "alias", Location: location, Aliases: []string{"ubuntu:latest"}, NoHotPlug: true})
	public := r.PlantImage(cloudsim.ImageSeed{Name: "public", Location: location, Public: true})
	create := func(properties ionoscloud.VolumeProperties) (ionoscloud.Volume, error) {
		created, response, err := r.sdk.VolumesApi.DatacentersVolumesPost(t.Context(), r.dc).Volume(ionoscloud.Volume{Properties: &properties}).Execute()
		if err != nil {
			return created, err
		}
		r.done(t, response, nil)
		got, _, err := r.sdk.VolumesApi.DatacentersVolumesFindById(t.Context(), r.dc, *created.Id).Execute()
		return got, err
	}
	size := ptr.To[float32](10)
	data, err := create(ionoscloud.VolumeProperties{Name: ptr.To("data"), Size: size, LicenceType: ptr.To("OTHER")})
	if err != nil || *data.Properties.Type != "HDD" || *data.Properties.Bus != "VIRTIO" || *data.Properties.BootOrder != "AUTO" || *data.Properties.NicHotPlug {
		t.Errorf("got %+v and %v", data.Properties, err)
	}
	hot, err := create(ionoscloud.VolumeProperties{Size: size, Image: &r.image})
	if err != nil || !*hot.Properties.NicHotPlug || !*hot.Properties.NicHotUnplug || *hot.Properties.LicenceType != "LINUX" {
		t.Errorf("got %+v and %v, want the image's flags and licence", hot.Properties, err)
	}
	cold, err := create(ionoscloud.VolumeProperties{Size: size, ImageAlias: ptr.To("ubuntu:latest")})
	if err != nil || *cold.Properties.Image != alias || *cold.Properties.NicHotPlug {
		t.Errorf("got %+v and %v, want image %s and its flags", cold.Properties, err, alias)
	}
	withKeys, err := create(ionoscloud.VolumeProperties{Size: size, Image: &public, SshKeys: &[]string{"ssh-ed25519 AAAA"}})
	if err != nil || withKeys.Properties.SshKeys != nil {
		t.Errorf("got %+v and %v, want no keys to be readable", withKeys.Properties, err)
	}
	for name, test := range map[string]struct {
		properties ionoscloud.VolumeProperties
		code, text string
	}{
		"no licence":             {ionoscloud.VolumeProperties{Size: size}, "100", "licenceType"},
		"no size":                {ionoscloud.VolumeProperties{LicenceType: ptr.To("OTHER")}, "100", "size"},
		"licence":                {ionoscloud.VolumeProperties{Size: size, LicenceType: ptr.To("FREE")}, "109", "licenceType"},
		"DAS":                    {ionoscloud.VolumeProperties{Size: size, LicenceType: ptr.To("OTHER"), Type: ptr.To("DAS")}, "100", "CUBE"},
		"unknown alias":          {ionoscloud.VolumeProperties{Size: size, ImageAlias: ptr.To("nope")}, "100", "imageAlias"},
		"public without access":  {ionoscloud.VolumeProperties{Size: size, Image: &public}, "100", "imagePassword"},
		"password without image": {ionoscloud.VolumeProperties{Size: size, LicenceType: ptr.To("OTHER"), ImagePassword: ptr.To("abcdefgh1")}, "100", "imagePassword"},
		"boot order":             {ionoscloud.VolumeProperties{Size: size, LicenceType: ptr.To("OTHER"), BootOrder: ptr.To("LAST")}, "109", "bootOrder"},
		"device number":          {ionoscloud.VolumeProperties{Size: size, LicenceType: ptr.To("OTHER"), DeviceNumber: ptr.To[int64](1)}, "105", "deviceNumber"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := create(test.properties)
			wantRefusal(t, err, http.StatusUnprocessableEntity, test.code, test.text)
		})
	}

	patch := func(properties ionoscloud.VolumeProperties) error {
		_, response, err := r.sdk.VolumesApi.DatacentersVolumesPatch(t.Context(), r.dc, *data.Id).Volume(properties).Execute()
		if err == nil {
			r.done(t, response, nil)
		}
		return err
	}
	if err := patch(ionoscloud.VolumeProperties{Size: ptr.To[float32](20)}); err != nil {
		t.Error(err)
	}
	wantRefusal(t, patch(ionoscloud.VolumeProperties{Size: size}), http.StatusUnprocessableEntity, "100", "shrink")
	wantRefusal(t, patch(ionoscloud.VolumeProperties{Size: ptr.To[float32](20), Type: ptr.To("SSD")}), http.StatusUnprocessableEntity, "105", "type")
}

func TestVolumesAreAttachedAndDetached(t *testing.T) {
	r := newRig(t)
	server, other := r.create(t, "node"), r.create(t, "other")
	id := r.AddVolume(r.dc, "", "data")
	attach := func(server ionoscloud.Server) (*ionoscloud.APIResponse, error) {
		_, response, err := r.sdk.ServersApi.DatacentersServersVolumesPost(t.Context(), r.dc, *server.Id).Volume(ionoscloud.Volume{Id: &id}).Execute()
		return response, err
	}
	response, err := attach(server)
	r.done(t, response, err)
	_, err = attach(other)
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "is attached")
	got, _, err := r.sdk.ServersApi.DatacentersServersVolumesFindById(t.Context(), r.dc, *server.Id, id).Execute()
	if err != nil || *got.Properties.BootServer != *server.Id || *got.Properties.DeviceNumber != 2 {
		t.Errorf("got %+v and %v, want it to be the server's second", got.Properties, err)
	}
	_, _, err = r.sdk.ServersApi.DatacentersServersVolumesFindById(t.Context(), r.dc, *other.Id, id).Execute()
	wantRefusal(t, err, http.StatusNotFound, "", "")
	attached, _, err := r.sdk.ServersApi.DatacentersServersVolumesGet(t.Context(), r.dc, *server.Id).Depth(1).Execute()
	if err != nil || len(*attached.Items) != 2 {
		t.Errorf("got %v and %v, want two volumes", attached.Items, err)
	}
	// The attached volume can boot; detached it survives.
	_, response, err = r.sdk.ServersApi.DatacentersServersPatch(t.Context(), r.dc, *server.Id).Server(ionoscloud.ServerProperties{BootVolume: &ionoscloud.ResourceReference{Id: &id}}).Execute()
	r.done(t, response, err)
	response, err = r.sdk.ServersApi.DatacentersServersVolumesDelete(t.Context(), r.dc, *server.Id, id).Execute()
	r.done(t, response, err)
	if boot := r.get(t, *server.Id).Properties.BootVolume; boot != nil {
		t.Errorf("server still boots from %s", *boot.Id)
	}
	all, _, err := r.sdk.VolumesApi.DatacentersVolumesGet(t.Context(), r.dc).Depth(1).Execute()
	if err != nil || len(*all.Items) != 3 {
		t.Errorf("got %v and %v, want three volumes", all.Items, err)
	}
	response, err = attach(other)
	r.done(t, response, err)
}
