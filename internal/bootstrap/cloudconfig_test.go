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
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type part struct {
	mediaType string
	header    map[string][]string
	content   []byte
}

// leaves returns the parts of a MIME message with their contents decoded, nested messages opened.
func leaves(t testing.TB, header map[string][]string, body io.Reader) []part {
	t.Helper()
	mediaType, parameters, err := mime.ParseMediaType(mail.Header(header).Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(mediaType, "multipart/") {
		if strings.EqualFold(mail.Header(header).Get("Content-Transfer-Encoding"), "base64") {
			body = base64.NewDecoder(base64.StdEncoding, body)
		}
		content, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return []part{{mediaType: mediaType, header: header, content: content}}
	}
	var all []part
	reader := multipart.NewReader(body, parameters["boundary"])
	for {
		p, err := reader.NextRawPart()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, leaves(t, p.Header, p)...)
	}
}

func parse(t testing.TB, document []byte) []part {
	t.Helper()
	message, err := mail.ReadMessage(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if got := message.Header.Get("Mime-Version"); got != "1.0" {
		t.Errorf("MIME-Version is %q", got)
	}
	return leaves(t, message.Header, message.Body)
}

// ourPart is the last part, as cloud-init reads it.
func ourPart(t testing.TB, parts []part) cloudConfig {
	t.Helper()
	last := parts[len(parts)-1]
	if last.mediaType != "text/cloud-config" {
		t.Fatalf("our part has type %q", last.mediaType)
	}
	if diff := cmp.Diff([]string{mergeType}, last.header["X-Merge-Type"]); diff != "" {
		t.Error(diff)
	}
	content, found := bytes.CutPrefix(last.content, []byte("#cloud-config\n"))
	if !found {
		t.Fatalf("our part starts differently: %q", last.content)
	}
	var config cloudConfig
	if err := json.Unmarshal(content, &config); err != nil {
		t.Fatal(err)
	}
	return config
}

const userMIME = "Content-Type: multipart/mixed; boundary=\"==inner==\"\n" +
	"MIME-Version: 1.0\n" +
	"Number-Attachments: 2\n" +
	"\n" +
	"--==inner==\n" +
	"Content-Type: text/x-shellscript; charset=\"us-ascii\"\n" +
	"Content-Disposition: attachment; filename=\"first.sh\"\n" +
	"\n" +
	"#!/bin/sh\necho one\n" +
	"\n--==inner==\n" +
	"Content-Type: text/cloud-config\n" +
	"X-Merge-Type: list(append)+dict(recurse_list)\n" +
	"X-Own: kept\n" +
	"\n" +
	"#cloud-config\nruncmd: [two]\n" +
	"\n--==inner==--\n"

func TestCloudConfigKeepsTheUsersBytes(t *testing.T) {
	tests := map[string]struct {
		user, mediaType string
	}{
		"cloud-config":          {"#cloud-config\nhostname: mine\n", "text/cloud-config"},
		"no line end":           {"#cloud-config\nhostname: mine", "text/cloud-config"},
		"many line ends":        {"#cloud-config\n\n\n\n", "text/cloud-config"},
		"upper case":            {"#Cloud-Config\na: b\n", "text/cloud-config"},
		"leading space":         {"\n  #cloud-config\na: b\n", "text/cloud-config"},
		"CRLF":                  {"#cloud-config\r\nruncmd:\r\n- ls\r\n", "text/cloud-config"},
		"not ASCII":             {"#cloud-config\nlocale: \"grün ☃\"\n", "text/cloud-config"},
		"not UTF-8":             {"#cloud-config\nlocale: \"gr\xfcn\"\n", "text/cloud-config"},
		"long line":             {"#cloud-config\nx: " + strings.Repeat("a", 5000) + "\n", "text/cloud-config"},
		"speaks of MIME":        {"#cloud-config\n# MIME-Version: 1.0\nMIME-Version: 1.0\n", "text/cloud-config"},
		"jinja":                 {"## template: jinja\n#cloud-config\nhostname: '{{ ds.meta_data.hostname }}'\n", "text/jinja2"},
		"jinja script":          {"## template: jinja\n#!/bin/sh\necho {{ v1.instance_id }}\n", "text/jinja2"},
		"shell script":          {"#!/bin/bash\nexec ls\n", "text/x-shellscript"},
		"binary script":         {"#!/bin/bash\nexec tail -n +3 $0\n\x00\x01\xff", "text/x-shellscript"},
		"boothook":              {"#cloud-boothook\n#!/bin/sh\nls\n", "text/cloud-boothook"},
		"include":               {"#include\nhttps://example.com/a\n", "text/x-include-url"},
		"include once":          {"#include-once\nhttps://example.com/a\n", "text/x-include-once-url"},
		"archive":               {"#cloud-config-archive\n- content: x\n", "text/cloud-config-archive"},
		"JSON patch":            {"#cloud-config-jsonp\n[]\n", "text/cloud-config-jsonp"},
		"part handler":          {"#part-handler\n", "text/part-handler"},
		"gzip":                  {string(compress(t, "#cloud-config\nruncmd: [ls]\n")), "application/gzip"},
		"looks like a boundary": {"#!/bin/sh\ncat <<.\n--ionoscloud-\n--ionoscloud---\n.\n", "text/x-shellscript"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			document, err := Render(FormatCloudConfig, []byte(test.user), exampleGuest())
			if err != nil {
				t.Fatal(err)
			}
			parts := parse(t, document)
			if len(parts) != 2 {
				t.Fatalf("got %d parts", len(parts))
			}
			if parts[0].mediaType != test.mediaType {
				t.Errorf("type is %q, want %q", parts[0].mediaType, test.mediaType)
			}
			if diff := cmp.Diff(test.user, string(parts[0].content)); diff != "" {
				t.Error(diff)
			}
			ourPart(t, parts)
		})
	}
}

func TestCloudConfigNestsAMIMEMessage(t *testing.T) {
	for name, user := range map[string]string{
		"plain":      userMIME,
		"CRLF":       strings.ReplaceAll(userMIME, "\n", "\r\n"),
		"compressed": string(compress(t, userMIME)),
	} {
		t.Run(name, func(t *testing.T) {
			document, err := Render(FormatCloudConfig, []byte(user), exampleGuest())
			if err != nil {
				t.Fatal(err)
			}
			if name == "compressed" {
				user = userMIME
			}
			if !bytes.Contains(document, []byte(user)) {
				t.Error("the user's message is not in the document as it was")
			}
			parts := parse(t, document)
			if len(parts) != 3 {
				t.Fatalf("got %d parts", len(parts))
			}
			if got := strings.TrimSpace(string(parts[0].content)); !strings.HasPrefix(got, "#!/bin/sh") {
				t.Errorf("first part is %q", got)
			}
			if got := parts[1].header; got["X-Own"][0] != "kept" || got["X-Merge-Type"][0] != "list(append)+dict(recurse_list)" {
				t.Errorf("headers of the second part are %v", got)
			}
			ourPart(t, parts)
		})
	}
}

func TestCloudConfigNestsASinglePartMessage(t *testing.T) {
	user := "MIME-Version: 1.0\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n"
	document, err := Render("", []byte(user), exampleGuest())
	if err != nil {
		t.Fatal(err)
	}
	parts := parse(t, document)
	if len(parts) != 2 || parts[0].mediaType != "text/x-shellscript" || string(parts[0].content) != "#!/bin/sh\n" {
		t.Errorf("got %q", parts)
	}
}

func TestCloudConfigRefusesWhatCloudInitWouldIgnore(t *testing.T) {
	tests := map[string]struct{ user, want string }{
		"no header":         {"hostname: a\n", "beginning is none that cloud-init knows"},
		"Ignition":          {`{"ignition":{"version":"3.4.0"}}`, "beginning is none that cloud-init knows"},
		"gzip of nothing":   {string(compress(t, "")), "unpacked: beginning"},
		"gzip twice":        {string(compress(t, string(compress(t, "#cloud-config\n")))), "unpacked: beginning"},
		"gzip cut off":      {string(compress(t, "#cloud-config\n")[:20]), "unpack gzip"},
		"gzip damaged":      {strings.Replace(string(compress(t, strings.Repeat("#cloud-config\n", 9))), "\x1f\x8b\x08", "\x1f\x8b\x09", 1), "read gzip header"},
		"gzip bomb":         {string(compress(t, "#cloud-config\n"+strings.Repeat(" ", maxUnpacked))), "larger than 32 MiB"},
		"MIME headers only": {"MIME-Version: 1.0\nbroken\n\n", "headers are malformed"},
		"MIME no type":      {"MIME-Version: 1.0\n\n#cloud-config\n", "Content-Type is missing"},
		"MIME no boundary":  {"MIME-Version: 1.0\nContent-Type: multipart/mixed\n\n--a\n", "multipart without parts"},
		"MIME no parts":     {"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=a\n\n", "multipart without parts"},
		"MIME not UTF-8":    {"MIME-Version: 1.0\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n\xff\n", "not encoded as UTF-8"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			document, err := Render(FormatCloudConfig, []byte(test.user), exampleGuest())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q; document %q", err, test.want, document)
			}
		})
	}
}

func TestBoundaryOccursInNoPart(t *testing.T) {
	content := []byte("a\n--edge0\n--edge1--\n")
	if got := firstAbsent(content, func(salt int) string { return fmt.Sprint("edge", salt) }); got != "edge2" {
		t.Errorf("got %q, want the first that the content does not hold", got)
	}
	first, second := boundary([]byte("x"), []byte("ours")), boundary([]byte("y"), []byte("ours"))
	if first == second {
		t.Error("different parts got the same boundary")
	}
	if len(first) > 70 { // The limit of RFC 2046.
		t.Errorf("boundary %q has %d characters", first, len(first))
	}
}

func TestOurCloudConfig(t *testing.T) {
	document, err := Render(FormatCloudConfig, []byte("#cloud-config\n"), exampleGuest())
	if err != nil {
		t.Fatal(err)
	}
	want := cloudConfig{
		Hostname:     "worker-1",
		BootCommands: [][]string{{"sh", "-c", routesScript(exampleGuest())}},
		WriteFiles: []cloudFile{{
			Path: "/etc/ionoscloud/network.env", Owner: "root:root", Permissions: "0644", Content: environment(exampleGuest()),
		}},
	}
	if diff := cmp.Diff(want, ourPart(t, parse(t, document))); diff != "" {
		t.Error(diff)
	}
}

func TestGoldenDocument(t *testing.T) {
	document, err := Render(FormatCloudConfig, []byte("#!/bin/sh\nls"), Guest{Hostname: "node.example"})
	if err != nil {
		t.Fatal(err)
	}
	want := `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="BOUNDARY"

--BOUNDARY
Content-Type: text/x-shellscript
Content-Transfer-Encoding: 7bit

#!/bin/sh
ls
--BOUNDARY
Content-Type: text/cloud-config
X-Merge-Type: dict(no_replace,recurse_list)+list(prepend)+str()
Content-Disposition: attachment; filename="ionoscloud.cfg"

#cloud-config
{
  "hostname": "node.example",
  "fqdn": "node.example",
  "preserve_hostname": false,
  "prefer_fqdn_over_hostname": false,
  "write_files": [
    {
      "path": "/etc/ionoscloud/network.env",
      "owner": "root:root",
      "permissions": "0644",
      "content": "# Addresses of this machine, as the infrastructure assigned them before the first boot.\nNODE_IPV4=\nNODE_IPV6=\nNODE_IPS=\nATTACHMENTS=\n"
    }
  ]
}

--BOUNDARY--
`
	got := strings.ReplaceAll(string(document), "\r\n", "\n")
	_, after, _ := strings.Cut(got, `boundary="`)
	boundary, _, _ := strings.Cut(after, `"`)
	if diff := cmp.Diff(want, strings.ReplaceAll(got, boundary, "BOUNDARY")); diff != "" {
		t.Error(diff)
	}
}
