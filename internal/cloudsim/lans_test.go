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
	"strconv"
	"testing"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

func TestLANs(t *testing.T) {
	r := newRig(t)
	create := func(properties ionoscloud.LanProperties) (ionoscloud.Lan, error) {
		created, response, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &properties}).Execute()
		if err != nil {
			return created, err
		}
		r.done(t, response, nil)
		got, _, err := r.sdk.LANsApi.DatacentersLansFindById(t.Context(), r.dc, *created.Id).Execute()
		return got, err
	}
	public, err := create(ionoscloud.LanProperties{Name: ptr.To("a"), Public: ptr.To(true)})
	if err != nil || *public.Id != "3" || public.Properties.Ipv4CidrBlock != nil || public.Properties.IpFailover == nil {
		t.Errorf("got %+v and %v, want number 3, no ipv4CidrBlock, an empty ipFailover", public.Properties, err)
	}
	private, err := create(ionoscloud.LanProperties{Name: ptr.To("a"), Public: ptr.To(false)})
	if err != nil || *private.Id != "4" || private.Properties.Ipv4CidrBlock == nil {
		t.Errorf("got %+v and %v, want number 4 and an ipv4CidrBlock", private.Properties, err)
	}
	unsaid, err := create(ionoscloud.LanProperties{})
	if err != nil || *unsaid.Properties.Public {
		t.Errorf("got %+v and %v, want a private LAN", unsaid.Properties, err)
	}
	_, err = create(ionoscloud.LanProperties{Ipv4CidrBlock: ptr.To("10.0.0.0/24")})
	wantRefusal(t, err, http.StatusUnprocessableEntity, "105", "Attribute is not allowed in create requests")
	_, err = create(ionoscloud.LanProperties{IpFailover: &[]ionoscloud.IPFailover{{Ip: &r.ips[0], NicUuid: ptr.To("x")}}})
	wantRefusal(t, err, http.StatusUnprocessableEntity, "", "ipFailover")

	patch := func(properties ionoscloud.LanProperties) error {
		_, response, err := r.sdk.LANsApi.DatacentersLansPatch(t.Context(), r.dc, *private.Id).Lan(properties).Execute()
		if err == nil {
			r.done(t, response, nil)
		}
		return err
	}
	if err := patch(ionoscloud.LanProperties{Name: ptr.To("renamed")}); err != nil {
		t.Error(err)
	}
	if name := r.Snapshot().Datacenters[0].LANs[3].Name; name != "renamed" {
		t.Errorf("LAN is called %s", name)
	}
	// Echoing what was read is refused, though it changes nothing.
	wantRefusal(t, patch(ionoscloud.LanProperties{Name: ptr.To("x"), Ipv4CidrBlock: private.Properties.Ipv4CidrBlock}), http.StatusUnprocessableEntity, "105", "ipv4CidrBlock")
	wantRefusal(t, patch(ionoscloud.LanProperties{Public: ptr.To(true)}), http.StatusUnprocessableEntity, "100", "public")
}

func TestPublicLANDefault(t *testing.T) {
	r := newRig(t, cloudsim.WithPublicLANDefault())
	created, _, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{}}).Execute()
	if err != nil || !*created.Properties.Public {
		t.Errorf("got %+v and %v, want a public LAN", created.Properties, err)
	}
}

func TestLANDeletion(t *testing.T) {
	for name, test := range map[string]struct {
		options []cloudsim.Option
		refused bool
	}{
		"in use":                      {nil, true},
		"in use, and NICs go with it": {[]cloudsim.Option{cloudsim.WithLANDeletionInUse()}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, test.options...)
			server := r.create(t, "node", nic(privateLAN))
			response, err := r.sdk.LANsApi.DatacentersLansDelete(t.Context(), r.dc, strconv.Itoa(privateLAN)).Execute()
			if !test.refused {
				r.done(t, response, err)
				if nics := nicsOf(r.get(t, *server.Id)); len(nics) != 0 {
					t.Errorf("%d NICs are left", len(nics))
				}
				return
			}
			wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "still has 1 NICs")
			response, err = r.sdk.NetworkInterfacesApi.DatacentersServersNicsDelete(t.Context(), r.dc, *server.Id, *nicsOf(server)[0].Id).Execute()
			r.done(t, response, err)
			response, err = r.sdk.LANsApi.DatacentersLansDelete(t.Context(), r.dc, strconv.Itoa(privateLAN)).Execute()
			r.done(t, response, err)
			_, _, err = r.sdk.LANsApi.DatacentersLansFindById(t.Context(), r.dc, strconv.Itoa(privateLAN)).Execute()
			wantRefusal(t, err, http.StatusNotFound, "", "")
		})
	}
}

func TestNICCannotBeInALANThatIsNotReady(t *testing.T) {
	r := newRig(t, slow())
	id := r.AddServer(r.dc, cloudsim.ServerSeed{Name: "node"})
	if _, _, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{}}).Execute(); err != nil {
		t.Fatal(err)
	}
	_, _, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsPost(t.Context(), r.dc, id).Nic(ionoscloud.Nic{Properties: ptr.To(nic(3))}).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "not available yet")
}
