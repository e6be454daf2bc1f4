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
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

const (
	token    = "eyJhbGciOiJSUzI1NiJ9.c2VjcmV0.c2lnbmF0dXJl" //nolint:gosec // It opens nothing.
	userData = "#cloud-config\npassword: correct-horse-battery-staple\n"
	location = "de/txl"
)

// world is a cloud with something of each kind in it, and a session with it.
type world struct {
	*cloudsim.Server
	session *cloud.Session

	datacenterID       string
	publicLAN, private network.LANID
	emptyLAN           network.LANID
	serverID, nicID    string
	volumeID, imageID  string
	request            cloud.Request
}

// newWorld makes a world. Its request queue is empty, but for one request that is done.
func newWorld(t *testing.T, options cloud.ContractsOptions, simOptions ...cloudsim.Option) *world {
	t.Helper()
	sim, err := cloudsim.Start(append(simOptions, cloudsim.WithTokens(token))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &world{Server: sim, datacenterID: sim.AddDatacenter("dc", location)}
	w.publicLAN = network.LANID(sim.AddLAN(w.datacenterID, cloudsim.LANSeed{Name: "public", Public: true, IPv6: "AUTO"}))
	w.private = network.LANID(sim.AddLAN(w.datacenterID, cloudsim.LANSeed{Name: "private"}))
	w.emptyLAN = network.LANID(sim.AddLAN(w.datacenterID, cloudsim.LANSeed{Name: "empty"}))
	w.imageID = sim.AddImage(location, "ubuntu-v1.36.3", map[string]string{"os": "ubuntu", "k8s": "v1.36.3"})
	w.serverID = sim.AddServer(w.datacenterID, cloudsim.ServerSeed{
		Name: "old", VolumeName: "vol-old", NICs: []cloudsim.NICSeed{{Name: "ns.old.primary", LAN: int32(w.publicLAN), DHCP: true}},
	})
	w.session = w.newSession(t, options)
	server := must(w.session.Server(t.Context(), w.datacenterID, w.serverID))(t)
	w.nicID, w.volumeID = server.NICs[0].ID, server.BootVolumeID
	w.request = must(w.session.StartServer(t.Context(), w.datacenterID, w.serverID))(t)
	w.settle(t)
	w.ResetCounters()
	return w
}

// newSession makes a session of its own contract.
func (w *world) newSession(t *testing.T, options cloud.ContractsOptions) *cloud.Session {
	t.Helper()
	session, err := cloud.NewContracts(options).Session(cloud.Credentials{Token: token, APIURL: w.URL})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// settle waits until all requests have ended.
func (w *world) settle(t *testing.T) {
	t.Helper()
	if err := w.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// serverSettings are those of a server with a NIC in each LAN.
func (w *world) serverSettings() cloud.ServerSettings {
	return cloud.ServerSettings{
		Name: "new", Cores: 2, MemoryMB: 4096, AvailabilityZone: "AUTO", CPUFamily: "INTEL_SKYLAKE", Type: "ENTERPRISE",
		Volume: cloud.VolumeSettings{Name: "vol-new", DiskType: "HDD", AvailabilityZone: "AUTO", ImageID: w.imageID, SizeGB: 20, UserData: []byte(userData)},
		NICs: []network.NICSettings{
			{Name: "ns.new.primary", LAN: w.publicLAN, DHCP: true},
			{Name: "ns.new.storage", LAN: w.private, IPv4: addresses("10.7.0.5", "10.7.0.4")},
		},
	}
}

// inject makes something go wrong with the calls of a method and path; an empty path means any.
func (w *world) inject(method, path string, fault cloudsim.Fault) {
	fault.Method, fault.Path = method, path
	w.Inject(fault)
}

// placeholder is what stands for an ID in the name of a route.
var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// calls are the numbers of calls, as "GET /datacenters/{}/servers".
func (w *world) calls() map[string]int {
	calls := map[string]int{}
	for route, count := range w.Counters() {
		calls[placeholder.ReplaceAllString(route, "{}")] += count
	}
	return calls
}

// history are the bodies of the changes that the cloud executed with a method on paths with the given end.
func (w *world) history(method, pathEnd string) []string {
	var bodies []string
	for _, event := range w.History() {
		if event.Method == method && strings.HasSuffix(event.Path, pathEnd) {
			bodies = append(bodies, event.Body)
		}
	}
	return bodies
}

// must returns the first of two results, and fails the test when the second is an error.
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func addresses(texts ...string) []netip.Addr {
	parsed := make([]netip.Addr, 0, len(texts))
	for _, text := range texts {
		parsed = append(parsed, netip.MustParseAddr(text))
	}
	return parsed
}

// byValue compares addresses and blocks.
var byValue = cmpopts.EquateComparable(netip.Addr{}, netip.Prefix{})

// decode reads JSON of any form.
func decode(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

// checkSecrets fails the test when an error shows something that must stay secret.
func checkSecrets(t *testing.T, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		for _, secret := range []string{token, "eyJhbGci", "Bearer", "Authorization", userData, "correct-horse", base64.StdEncoding.EncodeToString([]byte(userData))} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%q is in the error %q", secret, err)
			}
		}
	}
}
