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
	"bytes"
	"compress/gzip"
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// exampleGuest has two NICs, both families, and routes.
func exampleGuest() Guest {
	return Guest{
		Hostname: "worker-1",
		NodeIPs:  []netip.Addr{netip.MustParseAddr("203.0.113.10"), netip.MustParseAddr("2001:db8:0:1::10")},
		Attachments: []Attachment{{
			Name: "primary",
			Addresses: []netip.Prefix{
				netip.MustParsePrefix("203.0.113.10/24"),
				netip.MustParsePrefix("203.0.113.11/24"),
				netip.MustParsePrefix("2001:db8:0:1::10/80"),
			},
			DHCP: true,
		}, {
			Name:      "storage-a",
			Addresses: []netip.Prefix{netip.MustParsePrefix("10.1.0.10/16")},
			MAC:       "02:01:AA:BB:CC:DD",
			Routes: []network.Route{
				{Destination: netip.MustParsePrefix("10.99.0.0/16"), Gateway: netip.MustParseAddr("10.1.0.1")},
				{Destination: netip.MustParsePrefix("::/0"), Gateway: netip.MustParseAddr("fe80::1")},
			},
		}},
	}
}

func compress(t testing.TB, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRenderRefusesEmptyData(t *testing.T) {
	for _, format := range []Format{FormatCloudConfig, FormatIgnition, "", "other"} {
		for _, user := range []string{"", " \r\n\t"} {
			if _, err := Render(format, []byte(user), exampleGuest()); !errors.Is(err, ErrEmpty) {
				t.Errorf("format %q, data %q: got %v, want ErrEmpty", format, user, err)
			}
		}
	}
}

func TestRenderRefusesUnknownFormat(t *testing.T) {
	_, err := Render("talos", []byte("machine: {}"), exampleGuest())
	if err == nil || !strings.Contains(err.Error(), `"talos" is unknown`) {
		t.Errorf("got %v", err)
	}
}

func TestRenderRefusesGuestThatAShellCouldMisread(t *testing.T) {
	route := func(destination, gateway string) network.Route {
		return network.Route{Destination: netip.MustParsePrefix(destination), Gateway: netip.MustParseAddr(gateway)}
	}
	tests := map[string]struct {
		change func(*Guest)
		want   string
	}{
		"no hostname":          {func(g *Guest) { g.Hostname = "" }, "hostname"},
		"command in hostname":  {func(g *Guest) { g.Hostname = "a;reboot" }, "hostname"},
		"line in hostname":     {func(g *Guest) { g.Hostname = "a\nb" }, "hostname"},
		"long hostname":        {func(g *Guest) { g.Hostname = strings.Repeat("a", 65) }, "at most 64"},
		"zero node address":    {func(g *Guest) { g.NodeIPs = []netip.Addr{{}} }, "node address"},
		"command in zone":      {func(g *Guest) { g.NodeIPs = []netip.Addr{netip.MustParseAddr("fe80::1%$(id)")} }, "zone"},
		"mapped address":       {func(g *Guest) { g.NodeIPs = []netip.Addr{netip.MustParseAddr("::ffff:192.0.2.1")} }, "written as IPv6"},
		"attachment name":      {func(g *Guest) { g.Attachments[0].Name = "a=b" }, "name is invalid"},
		"attachment twice":     {func(g *Guest) { g.Attachments[0].Name = "storage-a" }, "named twice"},
		"MAC address":          {func(g *Guest) { g.Attachments[0].MAC = "02:01'; reboot" }, "MAC address"},
		"long MAC address":     {func(g *Guest) { g.Attachments[0].MAC = "02:00:5e:10:00:00:00:01" }, "MAC address"},
		"zero address":         {func(g *Guest) { g.Attachments[0].Addresses = []netip.Prefix{{}} }, "address"},
		"destination is host":  {func(g *Guest) { g.Attachments[0].Routes = []network.Route{route("10.0.0.1/8", "10.1.0.1")} }, "destination"},
		"gateway other family": {func(g *Guest) { g.Attachments[0].Routes = []network.Route{route("10.0.0.0/8", "fe80::1")} }, "other family"},
		"gateway with zone":    {func(g *Guest) { g.Attachments[0].Routes = []network.Route{route("::/0", "fe80::1%a;b")} }, "zone"},
		"no gateway": {func(g *Guest) {
			g.Attachments[0].Routes = []network.Route{{Destination: netip.MustParsePrefix("10.0.0.0/8")}}
		}, "gateway"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			guest := exampleGuest()
			test.change(&guest)
			for format, user := range map[Format]string{FormatCloudConfig: "#cloud-config\n", FormatIgnition: `{"ignition":{"version":"3.4.0"}}`} {
				_, err := Render(format, []byte(user), guest)
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s: got error %v, want one with %q", format, err, test.want)
				}
			}
		})
	}
}

func TestRenderIsDeterministic(t *testing.T) {
	for format, user := range map[Format]string{
		FormatCloudConfig: "#cloud-config\nruncmd: [ls]\n",
		FormatIgnition:    `{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/a"},{"path":"/b"}]}}`,
	} {
		first, err := Render(format, []byte(user), exampleGuest())
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			again, err := Render(format, []byte(user), exampleGuest())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(first), string(again)); diff != "" {
				t.Fatalf("%s: %s", format, diff)
			}
		}
	}
}

// A user's bootstrap data holds join tokens and keys; an error ends in a condition that many may read.
func TestErrorsRepeatNothingOfTheUser(t *testing.T) {
	const secret = "s3cr3tt0ken"
	tests := map[string]struct {
		format Format
		user   string
	}{
		"unknown beginning":     {FormatCloudConfig, secret + ": yes"},
		"MIME headers":          {FormatCloudConfig, "MIME-Version: 1.0\n" + secret + "\n\nbody"},
		"MIME type":             {FormatCloudConfig, "MIME-Version: 1.0\nContent-Type: " + secret + ";;=\n\nbody"},
		"MIME without boundary": {FormatCloudConfig, "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=" + secret + "\n\n" + secret},
		"gzip":                  {FormatCloudConfig, string(compress(t, secret))},
		"gzip header":           {FormatCloudConfig, "\x1f\x8b" + secret},
		"JSON":                  {FormatIgnition, `{"ignition": ` + secret + `}`},
		"JSON type":             {FormatIgnition, `{"ignition": "` + secret + `"}`},
		"JSON key":              {FormatIgnition, `{"` + secret + `": 1}`},
		"version":               {FormatIgnition, `{"ignition": {"version": "` + secret + `"}}`},
		"version like a secret": {FormatIgnition, `{"ignition": {"version": "3.4.0-` + secret + `"}}`},
		"field type":            {FormatIgnition, `{"ignition": {"version": "3.4.0"}, "storage": "` + secret + `"}`},
		"source":                {FormatIgnition, `{"ignition": {"version": "3.4.0"}, "storage": {"files": [{"path": "/a", "contents": {"source": "data:%zz` + secret + `"}}]}}`},
		"path":                  {FormatIgnition, `{"ignition": {"version": "3.0.0"}, "storage": {"files": [{"path": "` + secret + `"}]}}`},
		"unit":                  {FormatIgnition, `{"ignition": {"version": "3.5.0"}, "systemd": {"units": [{"name": "` + secret + `.service", "contents": "[` + secret + `"}]}}`},
		"version 2 source":      {FormatIgnition, `{"ignition": {"version": "2.3.0"}, "storage": {"files": [{"filesystem": "root", "path": "/a", "contents": {"source": "data:%zz` + secret + `"}}]}}`},
		"version 2 path":        {FormatIgnition, `{"ignition": {"version": "2.3.0"}, "storage": {"files": [{"filesystem": "root", "path": "` + secret + `"}]}}`},
		"version 2 field type":  {FormatIgnition, `{"ignition": {"version": "2.3.0"}, "storage": "` + secret + `"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Render(test.format, []byte(test.user), exampleGuest())
			if err == nil {
				t.Fatal("want an error")
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("error repeats the content: %v", err)
			}
		})
	}
}
