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
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// attach gives a server a NIC.
func (r *rig) attach(t *testing.T, server ionoscloud.Server, properties ionoscloud.NicProperties) (ionoscloud.Nic, error) {
	t.Helper()
	created, response, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsPost(t.Context(), r.dc, *server.Id).Nic(ionoscloud.Nic{Properties: &properties}).Execute()
	if err != nil {
		return ionoscloud.Nic{}, err
	}
	r.done(t, response, nil)
	got, _, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsFindById(t.Context(), r.dc, *server.Id, *created.Id).Execute()
	if err != nil {
		t.Fatal(err)
	}
	return got, nil
}

func TestNICAddresses(t *testing.T) {
	r := newRig(t)
	r.AddIPBlock("de/fra", "203.0.113.99")
	server := r.create(t, "node", nic(publicLAN, r.ips[0]), nic(privateLAN, "10.9.9.9"))
	withoutDHCP := nic(publicLAN)
	withoutDHCP.Dhcp = ptr.To(false)
	for name, test := range map[string]struct {
		nic ionoscloud.NicProperties
		// want are the addresses, refused what is said if there are none.
		want    []string
		refused string
	}{
		"reserved":                        {nic(publicLAN, r.ips[1]), []string{r.ips[1]}, ""},
		"several reserved, in order":      {nic(publicLAN, r.ips[3], r.ips[2]), []string{r.ips[3], r.ips[2]}, ""},
		"not reserved":                    {nic(publicLAN, "203.0.113.77"), nil, "not reserved"},
		"reserved elsewhere":              {nic(publicLAN, "203.0.113.99"), nil, "not reserved in location de/txl"},
		"used by another NIC":             {nic(publicLAN, r.ips[0]), nil, "already used"},
		"private in a public LAN":         {nic(publicLAN, "10.0.0.1"), nil, "not reserved"},
		"public without DHCP":             {withoutDHCP, []string{}, ""},
		"any private in a private LAN":    {nic(privateLAN, "192.168.7.7"), []string{"192.168.7.7"}, ""},
		"private that is used in the LAN": {nic(privateLAN, "10.9.9.9"), nil, "already used in LAN 2"},
		"same private in another LAN":     {nic(3, "10.9.9.9"), []string{"10.9.9.9"}, ""},
		"public in a private LAN":         {nic(privateLAN, r.ips[1]), nil, "no private address"},
		"given twice":                     {nic(privateLAN, "10.1.1.1", "10.1.1.1"), nil, "twice"},
		"no address":                      {nic(privateLAN, "ten"), nil, "no address"},
		"IPv6 among IPv4":                 {nic(privateLAN, "2001:db8::1"), nil, "no IPv4 address"},
		"no LAN":                          {ionoscloud.NicProperties{Name: ptr.To("x")}, nil, "lan is required"},
		"LAN zero":                        {nic(0), nil, "no LAN"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.attach(t, server, test.nic)
			if test.refused != "" {
				wantRefusal(t, err, http.StatusUnprocessableEntity, "100", test.refused)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, *got.Properties.Ips); diff != "" {
				t.Error(diff)
			}
			response, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsDelete(t.Context(), r.dc, *server.Id, *got.Id).Execute()
			r.done(t, response, err)
		})
	}
}

func TestAssignedAddresses(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN), nic(publicLAN), nic(privateLAN), nic(privateLAN))
	seen := map[string]bool{}
	for _, n := range nicsOf(server) {
		if ips := *n.Properties.Ips; len(ips) != 1 || seen[ips[0]] {
			t.Errorf("NIC in LAN %d has %v", *n.Properties.Lan, ips)
		} else {
			seen[ips[0]] = true
		}
	}
	lan := r.Snapshot().Datacenters[0].LANs[1]
	prefix := strings.TrimSuffix(lan.IPv4, "0/24")
	if !seen[prefix+"10"] || !seen[prefix+"11"] {
		t.Errorf("got %v, want the first two of %s from .10 on", seen, lan.IPv4)
	}
	// An assigned address may be kept with others, but nobody else may have it.
	auto := (*nicsOf(server)[0].Properties.Ips)[0]
	if err := r.patchNIC(t, nicsOf(server)[0], server, ionoscloud.NicProperties{Ips: &[]string{auto, r.ips[0]}}); err != nil {
		t.Error(err)
	}
	wantRefusal(t, r.patchNIC(t, nicsOf(server)[1], server, ionoscloud.NicProperties{Ips: &[]string{auto}}), http.StatusUnprocessableEntity, "100", "not reserved")
}

func TestPrivateLANRunsOut(t *testing.T) {
	r := newRig(t)
	nics := make([]cloudsim.NICSeed, 20)
	for i := range nics {
		nics[i] = cloudsim.NICSeed{LAN: privateLAN, DHCP: true}
	}
	for range 12 {
		r.AddServer(r.dc, cloudsim.ServerSeed{Name: "many", NICs: nics})
	}
	r.AddServer(r.dc, cloudsim.ServerSeed{Name: "rest", NICs: nics[:5]}) // Now 10 to 254 are used.
	_, response, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("node", nic(privateLAN))).Execute()
	r.failed(t, response, err, "no address is left")
}

func TestImplicitLAN(t *testing.T) {
	for public, options := range map[bool][]cloudsim.Option{false: nil, true: {cloudsim.WithImplicitPublicLANs()}} {
		r := newRig(t, options...)
		r.create(t, "node", nic(42), nic(42))
		lans := r.Snapshot().Datacenters[0].LANs
		if len(lans) != 3 || lans[2].ID != 42 || lans[2].Public != public || lans[2].IPv6 != "" || (lans[2].IPv4 == "") != public {
			t.Errorf("got LANs %+v, want a new one with number 42, public: %v", lans, public)
		}
		// A LAN that is made later takes a number that is free.
		created, _, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{}}).Execute()
		if err != nil || *created.Id != "3" {
			t.Errorf("got LAN %s and %v, want 3", *created.Id, err)
		}
	}
}

func TestNICChanges(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN, r.ips[0], r.ips[1]), nic(privateLAN))
	public, private := nicsOf(server)[0], nicsOf(server)[1]
	ips := func(i int) []string { return *nicsOf(r.get(t, *server.Id))[i].Properties.Ips }

	// A list is replaced; what is not sent stays.
	if err := r.patchNIC(t, public, server, ionoscloud.NicProperties{Ips: &[]string{r.ips[2]}}); err != nil {
		t.Fatal(err)
	}
	if err := r.patchNIC(t, public, server, ionoscloud.NicProperties{Name: ptr.To("renamed")}); err != nil {
		t.Fatal(err)
	}
	got := nicsOf(r.get(t, *server.Id))[0]
	if diff := cmp.Diff([]string{r.ips[2]}, *got.Properties.Ips); diff != "" || *got.Properties.Name != "renamed" || *got.Properties.Mac != *public.Properties.Mac {
		t.Errorf("got %s with %v", *got.Properties.Name, *got.Properties.Ips)
	}
	// An empty list gives one assigned address.
	if err := r.patchNIC(t, public, server, ionoscloud.NicProperties{Ips: &[]string{}}); err != nil {
		t.Fatal(err)
	}
	if auto := ips(0); len(auto) != 1 || auto[0] == r.ips[2] {
		t.Errorf("got %v, want one assigned address", auto)
	}
	for name, test := range map[string]struct {
		change ionoscloud.NicProperties
		code   string
	}{
		"mac":           {ionoscloud.NicProperties{Mac: ptr.To("02:00:00:00:00:01")}, "105"},
		"device number": {ionoscloud.NicProperties{DeviceNumber: ptr.To[int32](3)}, "105"},
		"pci slot":      {ionoscloud.NicProperties{PciSlot: ptr.To[int32](3)}, "105"},
		"firewall type": {ionoscloud.NicProperties{FirewallType: ptr.To("SIDEWAYS")}, "109"},
		"not reserved":  {ionoscloud.NicProperties{Ips: &[]string{"203.0.113.77"}}, "100"},
	} {
		t.Run(name, func(t *testing.T) {
			wantRefusal(t, r.patchNIC(t, public, server, test.change), http.StatusUnprocessableEntity, test.code, "")
		})
	}

	// A NIC moves by PATCH, or by POST to the LAN. Assigned addresses are renewed, chosen ones must fit.
	if err := r.patchNIC(t, private, server, ionoscloud.NicProperties{Lan: ptr.To[int32](9)}); err != nil {
		t.Fatal(err)
	}
	lan := r.Snapshot().Datacenters[0].LANs[2]
	if got := ips(1); len(got) != 1 || !strings.HasPrefix(got[0], strings.TrimSuffix(lan.IPv4, "0/24")) {
		t.Errorf("moved NIC has %v, want one of %s", got, lan.IPv4)
	}
	_, response, err := r.sdk.LANsApi.DatacentersLansNicsPost(t.Context(), r.dc, "2").Nic(ionoscloud.Nic{Id: private.Id}).Execute()
	r.done(t, response, err)
	if number := *nicsOf(r.get(t, *server.Id))[1].Properties.Lan; number != privateLAN {
		t.Errorf("moved NIC is in LAN %d", number)
	}
	if err := r.patchNIC(t, private, server, ionoscloud.NicProperties{Ips: &[]string{"10.77.0.1"}}); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, r.patchNIC(t, private, server, ionoscloud.NicProperties{Lan: ptr.To[int32](publicLAN)}), http.StatusUnprocessableEntity, "100", "not reserved")
}

func TestNICsAreFoundEverywhere(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(publicLAN), nic(privateLAN))
	private := nicsOf(server)[1]
	lanNICs, _, err := r.sdk.LANsApi.DatacentersLansNicsGet(t.Context(), r.dc, strconv.Itoa(privateLAN)).Depth(1).Execute()
	if err != nil || len(*lanNICs.Items) != 1 || *(*lanNICs.Items)[0].Id != *private.Id {
		t.Errorf("got %v and %v, want NIC %s", lanNICs.Items, err, *private.Id)
	}
	serverNICs, _, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsGet(t.Context(), r.dc, *server.Id).Depth(1).Execute()
	if err != nil || len(*serverNICs.Items) != 2 {
		t.Errorf("got %v and %v, want two NICs", serverNICs.Items, err)
	}
	if _, _, err := r.sdk.LANsApi.DatacentersLansNicsFindById(t.Context(), r.dc, "2", *private.Id).Execute(); err != nil {
		t.Error(err)
	}
	_, _, err = r.sdk.LANsApi.DatacentersLansNicsFindById(t.Context(), r.dc, "1", *private.Id).Execute()
	wantRefusal(t, err, http.StatusNotFound, "", "")
	response, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsDelete(t.Context(), r.dc, *server.Id, *private.Id).Execute()
	r.done(t, response, err)
	_, _, err = r.sdk.NetworkInterfacesApi.DatacentersServersNicsFindById(t.Context(), r.dc, *server.Id, *private.Id).Execute()
	wantRefusal(t, err, http.StatusNotFound, "", "")
}

func TestAddressSwitches(t *testing.T) {
	r := newRig(t, cloudsim.WithDuplicatePrivateIPs(), cloudsim.WithAddressWithoutDHCP())
	withoutDHCP := nic(publicLAN)
	withoutDHCP.Dhcp = ptr.To(false)
	server := r.create(t, "node", nic(privateLAN, "10.9.9.9"), nic(privateLAN, "10.9.9.9"), withoutDHCP)
	if ips := *nicsOf(server)[2].Properties.Ips; len(ips) != 1 {
		t.Errorf("NIC without DHCP has %v, want one address", ips)
	}
}

func TestNICsOfOneServerMustFitTogether(t *testing.T) {
	r := newRig(t)
	block := ptr.To(block80(r.LANIPv6(r.dc, publicLAN), 1).String())
	withBlock := func() ionoscloud.NicProperties {
		n := nic(publicLAN)
		n.Ipv6CidrBlock = block
		return n
	}
	for name, nics := range map[string][]ionoscloud.NicProperties{
		"public address":  {nic(publicLAN, r.ips[0]), nic(publicLAN, r.ips[0])},
		"private address": {nic(privateLAN, "10.0.0.1"), nic(privateLAN, "10.0.0.1")},
		"block":           {withBlock(), withBlock()},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("node", nics...)).Execute()
			wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "two NICs")
		})
	}
	r.create(t, "node", nic(privateLAN, "10.0.0.1"), nic(9, "10.0.0.1")) // In two LANs it is fine.
}
