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

package cloud_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

func TestCreateAndDeleteLAN(t *testing.T) {
	const crossConnect = "3f1f8f0e-6f7c-4b0e-8a52-3f6a5f0b9d11"
	w := newWorld(t, cloud.ContractsOptions{})
	explicit := w.DatacenterIPv6(w.datacenterID).Addr().String() + "/64"
	for i, test := range []struct {
		settings cloud.LANSettings
		want     string
		block    bool
	}{
		{cloud.LANSettings{Name: "a", Public: true, IPv6Block: "AUTO"}, `{"properties":{"name":"a","public":true,"ipv6CidrBlock":"AUTO"}}`, true},
		{cloud.LANSettings{Name: "b"}, `{"properties":{"name":"b","public":false}}`, false},
		{cloud.LANSettings{Name: "c", IPv6Block: explicit, CrossConnectID: crossConnect}, `{"properties":{"name":"c","public":false,"ipv6CidrBlock":"` + explicit + `","pcc":"` + crossConnect + `"}}`, true},
	} {
		id, request, err := w.session.CreateLAN(t.Context(), w.datacenterID, test.settings)
		if err != nil {
			t.Fatal(err)
		}
		w.settle(t)
		if status := must(w.session.RequestStatus(t.Context(), request))(t); status.State != "DONE" {
			t.Errorf("%s: the request is %v", test.settings.Name, status)
		}
		if diff := cmp.Diff(decode(t, test.want), decode(t, w.history(http.MethodPost, "/lans")[i])); diff != "" {
			t.Errorf("body (-want +got):\n%s", diff)
		}
		lans := must(w.session.Inventory(t.Context(), w.datacenterID))(t).LANs
		got := lans[len(lans)-1]
		want := cloud.LAN{LAN: network.LAN{ID: id, Name: test.settings.Name, Public: test.settings.Public, IPv4Block: got.IPv4Block, IPv6Block: got.IPv6Block}, State: cloud.StateAvailable}
		if got != want || got.IPv6Block.IsValid() != test.block || got.IPv4Block.IsValid() == got.Public {
			t.Errorf("the list shows %+v, want %+v", got, want)
		}
		must(w.session.DeleteLAN(t.Context(), w.datacenterID, id))(t)
		w.settle(t)
		if _, err := w.session.DeleteLAN(t.Context(), w.datacenterID, id); !errors.Is(err, cloud.ErrNotFound) {
			t.Errorf("deleted twice: %v", err)
		}
	}
}

func TestLANInUse(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	for id, want := range map[network.LANID]int{w.publicLAN: 1, w.emptyLAN: 0} {
		if got := must(w.session.LANInUse(t.Context(), w.datacenterID, id))(t); got != want {
			t.Errorf("LAN %d: %d NICs, want %d", id, got, want)
		}
	}
	if _, err := w.session.LANInUse(t.Context(), w.datacenterID, 77); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("no such LAN: %v", err)
	}
	_, err := w.session.DeleteLAN(t.Context(), w.datacenterID, w.publicLAN)
	if !cloud.IsInvalid(err) || !strings.Contains(err.Error(), "still has 1 NICs") {
		t.Errorf("a LAN in use: %v", err)
	}
}
