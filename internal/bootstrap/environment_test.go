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
	"encoding/json"
	"net/netip"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Cases C26 and C28: the guest reads its addresses, it does not guess them from an interface.
func TestEnvironment(t *testing.T) {
	want := `# Addresses of this machine, as the infrastructure assigned them before the first boot.
NODE_IPV4=203.0.113.10
NODE_IPV6=2001:db8:0:1::10
NODE_IPS=203.0.113.10,2001:db8:0:1::10
ATTACHMENTS=primary,storage-a
ATTACHMENT_PRIMARY_IPV4=203.0.113.10
ATTACHMENT_PRIMARY_IPV6=2001:db8:0:1::10
ATTACHMENT_PRIMARY_ADDRESSES=203.0.113.10/24,203.0.113.11/24,2001:db8:0:1::10/80
ATTACHMENT_PRIMARY_MAC=
ATTACHMENT_PRIMARY_DHCP=true
ATTACHMENT_STORAGE_A_IPV4=10.1.0.10
ATTACHMENT_STORAGE_A_IPV6=
ATTACHMENT_STORAGE_A_ADDRESSES=10.1.0.10/16
ATTACHMENT_STORAGE_A_MAC=02:01:aa:bb:cc:dd
ATTACHMENT_STORAGE_A_DHCP=false
`
	if diff := cmp.Diff(want, environment(exampleGuest())); diff != "" {
		t.Error(diff)
	}
}

func TestEnvironmentOfDHCPMachineSetsEveryVariable(t *testing.T) {
	got := environment(Guest{Hostname: "a", Attachments: []Attachment{{Name: "primary", DHCP: true}}})
	for _, line := range []string{"NODE_IPV4=", "NODE_IPV6=", "NODE_IPS=", "ATTACHMENT_PRIMARY_IPV4=", "ATTACHMENT_PRIMARY_DHCP=true"} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("line %q is missing in:\n%s", line, got)
		}
	}
}

// A variable belongs to one attachment only, however the names are chosen.
func TestEnvironmentVariablesAreUnique(t *testing.T) {
	guest := Guest{Hostname: "a"}
	for _, name := range []string{"a", "a-ipv4", "a-ipv4-ipv4", "a-mac", "ipv4", "addresses"} {
		guest.Attachments = append(guest.Attachments, Attachment{Name: name})
	}
	seen := map[string]bool{}
	for line := range strings.Lines(environment(guest)) {
		name, _, _ := strings.Cut(line, "=")
		if seen[name] {
			t.Errorf("variable %s is set twice", name)
		}
		seen[name] = true
	}
}

func TestEnvironmentIsReadByAShell(t *testing.T) {
	shell := "set -eu\n" + environment(exampleGuest()) + `printf '["%s","%s","%s"]' "$NODE_IPS" "$ATTACHMENT_STORAGE_A_IPV4" "$ATTACHMENT_PRIMARY_MAC"`
	out, err := exec.CommandContext(t.Context(), "sh", "-c", shell).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"203.0.113.10,2001:db8:0:1::10", "10.1.0.10", ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestEnvironmentPutsFamiliesApart(t *testing.T) {
	got := environment(Guest{Hostname: "a", NodeIPs: []netip.Addr{netip.MustParseAddr("2001:db8::1")}})
	if !strings.Contains(got, "NODE_IPV4=\nNODE_IPV6=2001:db8::1\n") {
		t.Errorf("got:\n%s", got)
	}
}
