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

package bootstrap

import (
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

func TestRoutesScript(t *testing.T) {
	guest := exampleGuest()
	script := routesScript(guest)
	want := `	route 4 '02:01:aa:bb:cc:dd' '10.1.0.10/32' 10.99.0.0/16 10.1.0.1 || result=1
	route 6 '02:01:aa:bb:cc:dd' '10.1.0.10/32' ::/0 fe80::1 || result=1
`
	if !strings.Contains(script, want) {
		t.Errorf("got:\n%s\nwant in it:\n%s", script, want)
	}
	guest.Attachments[1].Routes = nil
	if got := routesScript(guest); got != "" {
		t.Errorf("without routes, got:\n%s", got)
	}
}

// inNetworkNamespace runs a shell script in a network namespace of its own, with two NICs on one subnet and the routes
// script as $ROUTES.
func inNetworkNamespace(t *testing.T, routes, shell string) (string, error) {
	t.Helper()
	const setup = `set -e
ip link add nic0 address 02:00:00:00:00:01 type veth peer name peer0
ip link add nic1 address 02:00:00:00:00:02 type veth peer name peer1
for link in nic0 peer0 nic1 peer1; do ip link set "$link" up; done
`
	probe := exec.CommandContext(t.Context(), "unshare", "-n", "sh", "-c", setup)
	if out, err := probe.CombinedOutput(); err != nil {
		t.Skipf("this system lets the test make no network namespace with NICs: %v: %s", err, out)
	}
	command := exec.CommandContext(t.Context(), "unshare", "-n", "sh", "-c", setup+shell)
	command.Env = append(os.Environ(), "ROUTES="+routes)
	out, err := command.CombinedOutput()
	return string(out), err
}

func TestRoutesAppearOnTheRightInterface(t *testing.T) {
	guest := Guest{Hostname: "a", Attachments: []Attachment{{
		Name:      "by-address",
		Addresses: []netip.Prefix{netip.MustParsePrefix("10.0.0.99/32"), netip.MustParsePrefix("10.0.0.5/24")},
		Routes: []network.Route{
			{Destination: netip.MustParsePrefix("192.0.2.0/24"), Gateway: netip.MustParseAddr("10.0.0.1")},
		},
	}, {
		Name: "by-mac",
		MAC:  "02:00:00:00:00:02",
		Routes: []network.Route{
			{Destination: netip.MustParsePrefix("198.51.100.0/24"), Gateway: netip.MustParseAddr("10.0.0.1")},
			{Destination: netip.MustParsePrefix("::/0"), Gateway: netip.MustParseAddr("fe80::1")},
		},
	}, {
		Name: "by-subnet",
		Routes: []network.Route{
			{Destination: netip.MustParsePrefix("0.0.0.0/0"), Gateway: netip.MustParseAddr("10.2.0.1")},
		},
	}}}
	// The addresses come while the script already waits for them; it runs twice, as in two boots.
	out, err := inNetworkNamespace(t, routesScript(guest), `
sh -c "$ROUTES" & 
ip addr add 10.0.0.5/24 dev nic0
ip addr add 10.0.0.6/24 dev nic1
ip addr add 10.2.0.6/24 dev nic1
wait $!
sh -c "$ROUTES"
ip -4 route show 192.0.2.0/24
ip -4 route show 198.51.100.0/24
ip -4 route show default
ip -6 route show default
`)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var got []string
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		got = append(got, strings.Join(fields[:min(5, len(fields))], " "))
	}
	want := []string{
		"192.0.2.0/24 via 10.0.0.1 dev nic0",
		"198.51.100.0/24 via 10.0.0.1 dev nic1",
		"default via 10.2.0.1 dev nic1",
		"default via fe80::1 dev nic1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A route that can never be set ends the script after its tries, with a message; the other routes are set all the same.
func TestRoutesScriptEnds(t *testing.T) {
	guest := Guest{Hostname: "a", Attachments: []Attachment{{
		Name: "absent",
		MAC:  "02:00:00:00:00:99",
		Routes: []network.Route{
			{Destination: netip.MustParsePrefix("192.0.2.0/24"), Gateway: netip.MustParseAddr("10.0.0.1")},
		},
	}, {
		Name: "present",
		MAC:  "02:00:00:00:00:01",
		Routes: []network.Route{
			{Destination: netip.MustParsePrefix("198.51.100.0/24"), Gateway: netip.MustParseAddr("10.0.0.1")},
		},
	}}}
	script := strings.Replace(routesScript(guest), "tries=30", "tries=2", 1)
	out, err := inNetworkNamespace(t, script, `
ip addr add 10.0.0.5/24 dev nic0
sh -c "$ROUTES" && echo "ended well"
ip -4 route show 198.51.100.0/24
`)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"static routes: no interface has MAC address 02:00:00:00:00:99\n", "198.51.100.0/24 via 10.0.0.1 dev nic0"} {
		if !strings.Contains(out, want) {
			t.Errorf("got %q, want in it %q", out, want)
		}
	}
	if strings.Contains(out, "ended well") {
		t.Error("the script reported success")
	}
}
