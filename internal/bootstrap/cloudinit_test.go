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
	"encoding/json"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// cloudInitView is what the real cloud-init makes of user data.
type cloudInitView struct {
	Parts []struct {
		Type, Filename string
		Content        []byte
	}
	Merged     map[string]any
	BootScript string
	Scripts    []string
}

// cloudInitPython is the Python interpreter that the installed cloud-init runs with. It need not be the first in the path.
func cloudInitPython(t *testing.T) string {
	t.Helper()
	cloudInit, err := exec.LookPath("cloud-init")
	if err != nil {
		t.Skipf("cloud-init is not installed: %v", err)
	}
	script, err := os.ReadFile(cloudInit)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(script), "\n")
	interpreter := strings.Fields(strings.TrimPrefix(line, "#!"))
	if len(interpreter) != 1 || !strings.HasPrefix(line, "#!") {
		t.Skipf("%s is no script that names its interpreter", cloudInit)
	}
	return interpreter[0]
}

func askCloudInit(t *testing.T, document []byte) cloudInitView {
	t.Helper()
	command := exec.CommandContext(t.Context(), cloudInitPython(t), "testdata/read_userdata.py", t.TempDir())
	command.Stdin = bytes.NewReader(document)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("cloud-init: %v: %s", err, &stderr)
	}
	var view cloudInitView
	if err := json.Unmarshal(out, &view); err != nil {
		t.Fatal(err)
	}
	return view
}

// ours is our part of the merged config, as YAML reads it.
func ours(t *testing.T) map[string]any {
	t.Helper()
	config, err := json.Marshal(ourPart(t, parse(t, mustRender(t, "#cloud-config\n"))))
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := json.Unmarshal(config, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

func mustRender(t *testing.T, user string) []byte {
	t.Helper()
	document, err := Render(FormatCloudConfig, []byte(user), exampleGuest())
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func TestCloudInitMergesOurPart(t *testing.T) {
	ourFile, ourCommand := ours(t)["write_files"].([]any)[0], ours(t)["bootcmd"].([]any)[0]
	ourEnvironment := map[string]any{"path": "/etc/ionoscloud/network.env", "content": "X=1\n"}
	tests := map[string]struct {
		user string
		want map[string]any
	}{
		"user lists come after ours": {
			"#cloud-config\nwrite_files:\n- path: /a\nruncmd: [kubeadm init]\nbootcmd: [early]\nusers: [default]\nntp: {enabled: true}\n",
			map[string]any{
				"hostname":    "worker-1",
				"write_files": []any{ourFile, map[string]any{"path": "/a"}},
				"bootcmd":     []any{ourCommand, "early"},
				"runcmd":      []any{"kubeadm init"},
				"users":       []any{"default"},
				"ntp":         map[string]any{"enabled": true},
			},
		},
		"user's hostname wins": {
			"#cloud-config\nhostname: mine\npreserve_hostname: true\n",
			map[string]any{"hostname": "mine", "preserve_hostname": true},
		},
		"user's file with our path is written last": {
			"#cloud-config\nwrite_files:\n- path: /etc/ionoscloud/network.env\n  content: |\n    X=1\n",
			map[string]any{"write_files": []any{ourFile, ourEnvironment}},
		},
		"user's own merge rules are no matter": {
			"#cloud-config\nmerge_how: dict(replace)+list(replace)\nruncmd: [a]\nwrite_files: [{path: /a}]\n",
			map[string]any{"runcmd": []any{"a"}, "write_files": []any{ourFile, map[string]any{"path": "/a"}}},
		},
		"nothing but a header": {
			"#cloud-config\n",
			map[string]any{"hostname": "worker-1", "write_files": []any{ourFile}},
		},
		"jinja": {
			"## template: jinja\n#cloud-config\nruncmd: ['{{ ds.meta_data.local_hostname }}']\nwrite_files: [{path: /a}]\n",
			map[string]any{
				"runcmd": []any{"from-metadata"}, "hostname": "worker-1", "write_files": []any{ourFile, map[string]any{"path": "/a"}},
			},
		},
		"CRLF": {
			"#cloud-config\r\nruncmd:\r\n- ls\r\n",
			map[string]any{"runcmd": []any{"ls"}, "hostname": "worker-1"},
		},
		"not ASCII": {
			"#cloud-config\nlocale: \"grün ☃\"\n",
			map[string]any{"locale": "grün ☃", "hostname": "worker-1"},
		},
		"gzip": {
			string(compress(t, "#cloud-config\nruncmd: [ls]\n")),
			map[string]any{"runcmd": []any{"ls"}, "hostname": "worker-1", "bootcmd": []any{ourCommand}},
		},
		"gzip of jinja": {
			string(compress(t, "## template: jinja\n#cloud-config\nruncmd: ['{{ ds.meta_data.local_hostname }}']\n")),
			map[string]any{"runcmd": []any{"from-metadata"}, "hostname": "worker-1"},
		},
		"archive": {
			"#cloud-config-archive\n- content: |\n    #cloud-config\n    runcmd: [one]\n- type: text/cloud-config\n  content: 'bootcmd: [two]'\n",
			map[string]any{"runcmd": []any{"one"}, "bootcmd": []any{ourCommand, "two"}, "hostname": "worker-1"},
		},
		"MIME": {
			userMIME,
			map[string]any{"runcmd": []any{"two"}, "hostname": "worker-1", "bootcmd": []any{ourCommand}},
		},
		"MIME compressed": {
			string(compress(t, userMIME)),
			map[string]any{"runcmd": []any{"two"}, "hostname": "worker-1", "bootcmd": []any{ourCommand}},
		},
		"MIME with CRLF and an envelope": {
			"From nobody Thu Jan  1 00:00:00 1970\r\n" + strings.ReplaceAll(userMIME, "\n", "\r\n"),
			map[string]any{"runcmd": []any{"two"}, "hostname": "worker-1"},
		},
		"MIME without an end": {
			strings.TrimSuffix(userMIME, "\n--==inner==--\n"),
			map[string]any{"runcmd": []any{"two"}, "hostname": "worker-1"},
		},
		"shell script": {
			"#!/bin/sh\nls\n",
			map[string]any{"hostname": "worker-1", "write_files": []any{ourFile}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			view := askCloudInit(t, mustRender(t, test.user))
			for key, want := range test.want {
				if diff := cmp.Diff(want, view.Merged[key]); diff != "" {
					t.Errorf("%s: %s", key, diff)
				}
			}
		})
	}
}

// cloud-init makes of the user's data what it makes of it alone: the same parts in the same order under the same names,
// and the same scripts. Ours is one more part, the last.
func TestCloudInitFindsTheUsersContent(t *testing.T) {
	tests := map[string]string{
		"script":         "#!/bin/sh\nls",
		"script, lines":  "#!/bin/sh\nls\n\n\n",
		"script, binary": "#!/bin/sh\n\x00\xff\xfe\r\n\r",
		"script, CRLF":   "#!/bin/sh\r\nls\r\n",
		"boothook":       "#cloud-boothook\nls\n",
		"jinja":          "## template: jinja\n#cloud-config\nruncmd: ['{{ ds.meta_data.local_hostname }}']\n",
		"gzip":           string(compress(t, "#!/bin/sh\nls\n")),
		"archive":        "#cloud-config-archive\n- content: |\n    #!/bin/sh\n    ls\n- content: |\n    #cloud-config\n    a: b\n",
		"MIME":           userMIME,
		"MIME, CRLF":     strings.ReplaceAll(userMIME, "\n", "\r\n"),
		"MIME, gzip":     string(compress(t, userMIME)),
		"MIME, one part": "MIME-Version: 1.0\nContent-Type: text/x-shellscript\n\n#!/bin/sh\nls\n",
		"MIME, envelope": "From nobody Thu Jan  1 00:00:00 1970\n" + userMIME,
	}
	for name, user := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, got := askCloudInit(t, []byte(user)), askCloudInit(t, mustRender(t, user))
			last := len(got.Parts) - 1
			if diff := cmp.Diff(want.Parts, got.Parts[:last]); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(want.Scripts, got.Scripts); diff != "" {
				t.Error(diff)
			}
			if ours := got.Parts[last]; ours.Type != "text/cloud-config" || ours.Filename != "ionoscloud.cfg" {
				t.Errorf("last part is %q of type %q", ours.Filename, ours.Type)
			}
		})
	}
}

// The routes appear when the boot commands run the way cloud-init runs them, and the user's commands run after.
func TestCloudInitSetsTheRoutes(t *testing.T) {
	guest := Guest{Hostname: "a", Attachments: []Attachment{{
		Name: "primary",
		MAC:  "02:00:00:00:00:02",
		Routes: []network.Route{
			{Destination: netip.MustParsePrefix("192.0.2.0/24"), Gateway: netip.MustParseAddr("10.0.0.1")},
		},
	}}}
	document, err := Render(FormatCloudConfig, []byte("#cloud-config\nbootcmd: [ip -4 route show 192.0.2.0/24]\n"), guest)
	if err != nil {
		t.Fatal(err)
	}
	out, err := inNetworkNamespace(t, askCloudInit(t, document).BootScript, "ip addr add 10.0.0.5/24 dev nic1\nsh -c \"$ROUTES\"\n")
	if err != nil || strings.TrimSpace(out) != "192.0.2.0/24 via 10.0.0.1 dev nic1" {
		t.Errorf("got %v, %q", err, out)
	}
}

func TestCloudInitSchemaAcceptsOurPart(t *testing.T) {
	cloudInit, err := exec.LookPath("cloud-init")
	if err != nil {
		t.Skipf("cloud-init is not installed: %v", err)
	}
	parts := parse(t, mustRender(t, "#cloud-config\n"))
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, parts[1].content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), cloudInit, "schema", "--config-file", file).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Valid") {
		t.Errorf("%v: %s", err, out)
	}
}
