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
	"encoding/binary"
	"net/http"
	"net/netip"
	"testing"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// block80 is the n-th /80 of a /64.
func block80(lan netip.Prefix, n uint16) netip.Prefix {
	bytes := lan.Addr().As16()
	binary.BigEndian.PutUint16(bytes[8:], n)
	return netip.PrefixFrom(netip.AddrFrom16(bytes), 80)
}

func TestIPv6OfNICs(t *testing.T) {
	r := newRig(t)
	lan := r.LANIPv6(r.dc, publicLAN)
	used, free := block80(lan, 1), block80(lan, 2)
	first := nic(publicLAN)
	first.Ipv6CidrBlock, first.Ipv6Ips = ptr.To(used.String()), &[]string{used.Addr().Next().String()}
	server := r.create(t, "node", first)
	address := func(block netip.Prefix) string { return block.Addr().Next().Next().String() }
	tooMany := make([]string, 0, 51)
	for a := free.Addr().Next(); len(tooMany) < 51; a = a.Next() {
		tooMany = append(tooMany, a.String())
	}
	for name, test := range map[string]struct {
		lan     int32
		change  func(*ionoscloud.NicProperties)
		want    string
		refused string
	}{
		"block and address together": {publicLAN, func(n *ionoscloud.NicProperties) {
			n.Ipv6CidrBlock, n.Ipv6Ips = ptr.To(free.String()), &[]string{address(free)}
		}, address(free), ""},
		"block only":                {publicLAN, func(n *ionoscloud.NicProperties) { n.Ipv6CidrBlock = ptr.To(free.String()) }, free.Addr().Next().String(), ""},
		"nothing":                   {publicLAN, func(*ionoscloud.NicProperties) {}, block80(lan, 0x8000).Addr().Next().String(), ""},
		"address without its block": {publicLAN, func(n *ionoscloud.NicProperties) { n.Ipv6Ips = &[]string{address(free)} }, "", "not in the NIC's ipv6CidrBlock"},
		"address in another block": {publicLAN, func(n *ionoscloud.NicProperties) {
			n.Ipv6CidrBlock, n.Ipv6Ips = ptr.To(free.String()), &[]string{address(used)}
		}, "", "not in the NIC's"},
		"block of another NIC":         {publicLAN, func(n *ionoscloud.NicProperties) { n.Ipv6CidrBlock = ptr.To(used.String()) }, "", "already used"},
		"block that is no /80":         {publicLAN, func(n *ionoscloud.NicProperties) { n.Ipv6CidrBlock = ptr.To(lan.String()) }, "", "no /80"},
		"block of another LAN":         {publicLAN, func(n *ionoscloud.NicProperties) { n.Ipv6CidrBlock = ptr.To("2001:db8:ffff::/80") }, "", "no /80"},
		"no block at all":              {publicLAN, func(n *ionoscloud.NicProperties) { n.Ipv6CidrBlock = ptr.To("block") }, "", "no block"},
		"51 addresses":                 {publicLAN, func(n *ionoscloud.NicProperties) { n.Ipv6CidrBlock, n.Ipv6Ips = ptr.To(free.String()), &tooMany }, "", "at most 50"},
		"dhcpv6 true without IPv6":     {privateLAN, func(n *ionoscloud.NicProperties) { n.Dhcpv6 = ptr.To(true) }, "", "dhcpv6"},
		"dhcpv6 false without IPv6":    {privateLAN, func(n *ionoscloud.NicProperties) { n.Dhcpv6 = ptr.To(false) }, "", "dhcpv6"},
		"block without IPv6":           {privateLAN, func(n *ionoscloud.NicProperties) { n.Ipv6CidrBlock = ptr.To(free.String()) }, "", "ipv6CidrBlock"},
		"dhcpv6 in a LAN that is made": {77, func(n *ionoscloud.NicProperties) { n.Dhcpv6 = ptr.To(true) }, "", "dhcpv6"},
	} {
		t.Run(name, func(t *testing.T) {
			properties := nic(test.lan)
			test.change(&properties)
			got, err := r.attach(t, server, properties)
			if test.refused != "" {
				wantRefusal(t, err, http.StatusUnprocessableEntity, "100", test.refused)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if ips := *got.Properties.Ipv6Ips; len(ips) != 1 || ips[0] != test.want || !*got.Properties.Dhcpv6 {
				t.Errorf("got %v in %s, want %s", ips, *got.Properties.Ipv6CidrBlock, test.want)
			}
			response, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsDelete(t.Context(), r.dc, *server.Id, *got.Id).Execute()
			r.done(t, response, err)
		})
	}
}

func TestIPv6ChangesOfNICs(t *testing.T) {
	r := newRig(t)
	lan := r.LANIPv6(r.dc, publicLAN)
	server := r.create(t, "node", nic(publicLAN))
	n := nicsOf(server)[0]
	held := netip.MustParsePrefix(*n.Properties.Ipv6CidrBlock)
	two := []string{held.Addr().Next().String(), held.Addr().Next().Next().String()}
	// Addresses of the block that the NIC holds need no block beside them.
	if err := r.patchNIC(t, n, server, ionoscloud.NicProperties{Ipv6Ips: &two}); err != nil {
		t.Fatal(err)
	}
	wantRefusal(t, r.patchNIC(t, n, server, ionoscloud.NicProperties{Ipv6Ips: &[]string{block80(lan, 3).Addr().Next().String()}}), http.StatusUnprocessableEntity, "100", "not in the NIC's")
	// Another block renumbers, and keeps the count.
	if err := r.patchNIC(t, n, server, ionoscloud.NicProperties{Ipv6CidrBlock: ptr.To(block80(lan, 3).String())}); err != nil {
		t.Fatal(err)
	}
	got := nicsOf(r.get(t, *server.Id))[0].Properties
	if ips := *got.Ipv6Ips; len(ips) != 2 || !block80(lan, 3).Contains(netip.MustParseAddr(ips[0])) {
		t.Errorf("got %v, want two in %s", ips, block80(lan, 3))
	}
	// In a LAN without IPv6 nothing of it is left.
	if err := r.patchNIC(t, n, server, ionoscloud.NicProperties{Lan: ptr.To[int32](privateLAN)}); err != nil {
		t.Fatal(err)
	}
	got = nicsOf(r.get(t, *server.Id))[0].Properties
	if len(*got.Ipv6Ips) != 0 || got.Ipv6CidrBlock != nil || got.Dhcpv6 != nil {
		t.Errorf("got %v, %v and %v", *got.Ipv6Ips, got.Ipv6CidrBlock, got.Dhcpv6)
	}
}

func TestIPv6OfLANs(t *testing.T) {
	r := newRig(t)
	dc := r.DatacenterIPv6(r.dc)
	if dc.Bits() != 56 || !dc.Overlaps(r.LANIPv6(r.dc, publicLAN)) || r.LANIPv6(r.dc, publicLAN).Bits() != 64 {
		t.Errorf("LAN has %s of %s", r.LANIPv6(r.dc, publicLAN), dc)
	}
	bytes := dc.Addr().As16()
	bytes[7] = 0x42
	free := netip.PrefixFrom(netip.AddrFrom16(bytes), 64)
	for name, test := range map[string]struct {
		block, want, refused string
	}{
		"explicit":         {free.String(), free.String(), ""},
		"used":             {r.LANIPv6(r.dc, publicLAN).String(), "", "already used"},
		"elsewhere":        {"2001:db8:ffff::/64", "", "no /64"},
		"other length":     {dc.String(), "", "no /64"},
		"bits behind":      {netip.PrefixFrom(free.Addr().Next(), 64).String(), "", "bits behind"},
		"neither of these": {"auto", "", "no /64"},
	} {
		t.Run(name, func(t *testing.T) {
			created, response, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{Ipv6CidrBlock: &test.block}}).Execute()
			if test.refused != "" {
				wantRefusal(t, err, http.StatusUnprocessableEntity, "100", test.refused)
				return
			}
			r.done(t, response, err)
			got, _, err := r.sdk.LANsApi.DatacentersLansFindById(t.Context(), r.dc, *created.Id).Execute()
			if err != nil || *got.Properties.Ipv6CidrBlock != test.want {
				t.Errorf("got %v and %v, want %s", got.Properties, err, test.want)
			}
		})
	}
}

func TestIPv6IsTurnedOnAndOff(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node", nic(privateLAN))
	patch := func(body string) {
		t.Helper()
		if answer, shown := r.raw(t, http.MethodPatch, "/datacenters/"+r.dc+"/lans/2", body); answer.StatusCode != http.StatusAccepted {
			t.Fatalf("got %d with %v", answer.StatusCode, shown)
		}
	}
	patch(`{"ipv6CidrBlock":"AUTO"}`)
	block := r.LANIPv6(r.dc, privateLAN)
	got := nicsOf(r.get(t, *server.Id))[0].Properties
	if !block.IsValid() || len(*got.Ipv6Ips) != 1 || !block.Contains(netip.MustParseAddr((*got.Ipv6Ips)[0])) {
		t.Errorf("NIC has %v, want one of %s", *got.Ipv6Ips, block)
	}
	patch(`{"ipv6CidrBlock":"AUTO"}`) // Sent again it changes nothing.
	if again := r.LANIPv6(r.dc, privateLAN); again != block {
		t.Errorf("block changed from %s to %s", block, again)
	}
	patch(`{"ipv6CidrBlock":null}`)
	got = nicsOf(r.get(t, *server.Id))[0].Properties
	if r.LANIPv6(r.dc, privateLAN).IsValid() || len(*got.Ipv6Ips) != 0 || got.Ipv6CidrBlock != nil {
		t.Errorf("NIC has %v in %v after IPv6 is off", *got.Ipv6Ips, got.Ipv6CidrBlock)
	}
}

func Test256LANsHaveIPv6(t *testing.T) {
	r := newRig(t)
	for range 255 { // One has it already.
		r.AddLAN(r.dc, cloudsim.LANSeed{IPv6: "AUTO"})
	}
	_, _, err := r.sdk.LANsApi.DatacentersLansPost(t.Context(), r.dc).Lan(ionoscloud.Lan{Properties: &ionoscloud.LanProperties{Ipv6CidrBlock: ptr.To("AUTO")}}).Execute()
	wantRefusal(t, err, http.StatusUnprocessableEntity, "100", "at most 256")
}
