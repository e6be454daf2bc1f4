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
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	v30 "github.com/coreos/ignition/v2/config/v3_0"
	v31 "github.com/coreos/ignition/v2/config/v3_1"
	v32 "github.com/coreos/ignition/v2/config/v3_2"
	v33 "github.com/coreos/ignition/v2/config/v3_3"
	v34 "github.com/coreos/ignition/v2/config/v3_4"
	v35 "github.com/coreos/ignition/v2/config/v3_5"
	v23 "github.com/flatcar/ignition/config/v2_3"
	v24 "github.com/flatcar/ignition/config/v2_4"
	"github.com/google/go-cmp/cmp"
)

// fullIgnition is a user's config with something of every kind. VERSION and FS are replaced.
const fullIgnition = `{
  "ignition": {"version": "VERSION", "timeouts": {"httpTotal": 30}},
  "passwd": {"users": [{"name": "core", "sshAuthorizedKeys": ["ssh-ed25519 AAAA <a&b>"]}], "groups": [{"name": "ops", "gid": 900}]},
  "storage": {
    "files": [
      {FS "path": "/etc/kubeadm.yml", "mode": 384, "contents": {"source": "data:;base64,c2VjcmV0"}},
      {FS "path": "/etc/kubeadm.sh", "mode": 448, "contents": {"source": "data:,ls"}}
    ],
    "directories": [{FS "path": "/opt/x", "mode": 493}],
    "links": [{FS "path": "/opt/y", "target": "/opt/x"}]
  },
  "systemd": {"units": [
    {"name": "kubeadm.service", "enabled": true, "contents": "[Unit]\nDescription=kubeadm\n[Service]\nExecStart=/etc/kubeadm.sh\n[Install]\nWantedBy=multi-user.target\n"},
    {"name": "docker.service", "dropins": [{"name": "a.conf", "contents": "[Service]\nRestart=always\n"}]}
  ]}
}`

func userIgnition(version string) string {
	filesystem := ""
	if version[0] == '2' {
		filesystem = `"filesystem": "root",`
	}
	return strings.NewReplacer("VERSION", version, "FS", filesystem).Replace(fullIgnition)
}

// normal parses a config with the real parser of its version and gives back what the parser understood, as JSON values.
func normal[Config, Report any](parse func([]byte) (Config, Report, error)) func(*testing.T, []byte) map[string]any {
	return func(t *testing.T, raw []byte) map[string]any {
		t.Helper()
		config, _, err := parse(raw)
		if err != nil {
			t.Fatalf("parse: %v: %s", err, raw)
		}
		text, err := json.Marshal(config)
		if err != nil {
			t.Fatal(err)
		}
		var values map[string]any
		if err := json.Unmarshal(text, &values); err != nil {
			t.Fatal(err)
		}
		return values
	}
}

func normalizers() map[string]func(*testing.T, []byte) map[string]any {
	return map[string]func(*testing.T, []byte) map[string]any{
		"2.0.0": normal(v23.Parse), "2.1.0": normal(v23.Parse), "2.2.0": normal(v23.Parse), "2.3.0": normal(v23.Parse),
		"2.4.0": normal(v24.Parse),
		"3.0.0": normal(v30.Parse), "3.1.0": normal(v31.Parse), "3.2.0": normal(v32.Parse),
		"3.3.0": normal(v33.Parse), "3.4.0": normal(v34.Parse), "3.5.0": normal(v35.Parse),
	}
}

// takeOurs removes our entries from a config and returns what they hold, by path or unit name.
func takeOurs(t *testing.T, config map[string]any) map[string]string {
	t.Helper()
	ours := map[string]string{}
	storage, systemd := config["storage"].(map[string]any), config["systemd"].(map[string]any)
	var files, units []any
	for _, entry := range storage["files"].([]any) {
		file := entry.(map[string]any)
		path := file["path"].(string)
		if path != hostnamePath && path != environmentPath && path != routesScriptPath {
			files = append(files, entry)
			continue
		}
		encoded := file["contents"].(map[string]any)["source"].(string)
		content, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(encoded, "data:;base64,"))
		if err != nil {
			t.Fatal(err)
		}
		ours[path] = fmt.Sprintf("%o %v %s", int(file["mode"].(float64)), file["overwrite"], content)
	}
	for _, entry := range systemd["units"].([]any) {
		if unit := entry.(map[string]any); unit["name"] == routesUnitName {
			ours[routesUnitName] = fmt.Sprintf("%v %v", unit["enabled"], unit["contents"])
			continue
		}
		units = append(units, entry)
	}
	storage["files"], systemd["units"] = files, units
	return ours
}

func TestIgnitionKeepsTheUsersConfigAndAddsOurs(t *testing.T) {
	want := map[string]string{
		"/etc/hostname":               "644 true worker-1\n",
		"/etc/ionoscloud/network.env": "644 true " + environment(exampleGuest()),
		"/etc/ionoscloud/routes.sh":   "755 true " + routesScript(exampleGuest()),
		"ionoscloud-routes.service":   "true " + routesUnit,
	}
	for version, normalize := range normalizers() {
		t.Run(version, func(t *testing.T) {
			user := userIgnition(version)
			out, err := Render(FormatIgnition, []byte(user), exampleGuest())
			if err != nil {
				t.Fatal(err)
			}
			got := normalize(t, out)
			if diff := cmp.Diff(want, takeOurs(t, got)); diff != "" {
				t.Errorf("ours: %s", diff)
			}
			if diff := cmp.Diff(normalize(t, []byte(user)), got); diff != "" {
				t.Errorf("user's: %s", diff)
			}
		})
	}
}

func TestIgnitionWithoutRoutesHasNoUnit(t *testing.T) {
	guest := exampleGuest()
	guest.Attachments[1].Routes = nil
	out, err := Render(FormatIgnition, []byte(`{"ignition":{"version":"3.4.0"}}`), guest)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), routesScriptPath) || strings.Contains(string(out), routesUnitName) {
		t.Errorf("got %s", out)
	}
}

// The user's entry stays exactly as it is: it takes over no mode and no overwrite flag of ours.
func TestIgnitionUsersEntryWins(t *testing.T) {
	tests := map[string]struct{ version, storage, systemd, want string }{
		"file": {
			"3.4.0", `"files":[{"path":"/etc/hostname","contents":{"source":"data:,mine"}}]`, ``,
			`{"files":[{"path":"/etc/hostname","contents":{"source":"data:,mine"}}]}`,
		},
		"link": {
			"3.3.0", `"links":[{"path":"/etc/hostname","target":"/etc/other"}]`, ``,
			`{"links":[{"path":"/etc/hostname","target":"/etc/other"}]}`,
		},
		"directory in place of our file": {
			"3.0.0", `"directories":[{"path":"/etc/hostname"}]`, ``, `{"directories":[{"path":"/etc/hostname"}]}`,
		},
		"version 2": {
			"2.3.0", `"files":[{"filesystem":"root","path":"/etc/hostname","contents":{"source":"data:,mine"}}]`, ``,
			`{"files":[{"filesystem":"root","path":"/etc/hostname","contents":{"source":"data:,mine"}}]}`,
		},
		"unit": {
			"3.5.0", `"files":[{"path":"/etc/hostname"}]`, `"units":[{"name":"ionoscloud-routes.service","mask":true}]`,
			`{"units":[{"name":"ionoscloud-routes.service","mask":true}]}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			user := fmt.Sprintf(`{"ignition":{"version":%q},"storage":{%s},"systemd":{%s}}`, test.version, test.storage, test.systemd)
			out, err := Render(FormatIgnition, []byte(user), exampleGuest())
			if err != nil {
				t.Fatal(err)
			}
			var got struct{ Storage, Systemd map[string][]map[string]any }
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			var want map[string][]map[string]any
			if err := json.Unmarshal([]byte(test.want), &want); err != nil {
				t.Fatal(err)
			}
			for kind, entries := range want {
				from, key := got.Storage, "path"
				if kind == "units" {
					from, key = got.Systemd, "name"
				}
				var found []map[string]any
				for _, entry := range from[kind] {
					if entry[key] != entries[0][key] {
						continue
					}
					// Ignition 2 and 3.0 write empty structures; they say nothing.
					for name, value := range entry {
						if empty, ok := value.(map[string]any); ok && name != "contents" && len(empty) == 0 {
							delete(entry, name)
						}
						if contents, ok := value.(map[string]any); ok && name == "contents" {
							delete(contents, "verification")
						}
					}
					found = append(found, entry)
				}
				if diff := cmp.Diff(entries, found); diff != "" {
					t.Error(diff)
				}
			}
			if test.systemd == "" {
				for _, file := range got.Storage["files"] {
					if file["path"] == hostnamePath && strings.Contains(fmt.Sprint(file["contents"]), "base64") {
						t.Errorf("our hostname is there as well: %v", file)
					}
				}
			}
		})
	}
}

// In version 2 a path belongs to a file system; the same path elsewhere is another file.
func TestIgnitionVersion2OtherFilesystem(t *testing.T) {
	user := `{"ignition":{"version":"2.3.0"},"storage":{
		"filesystems":[{"name":"data","path":"/data"}],
		"files":[{"filesystem":"data","path":"/etc/hostname","contents":{"source":"data:,mine"}}]}}`
	out, err := Render(FormatIgnition, []byte(user), exampleGuest())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(out), `"/etc/hostname"`); got != 2 {
		t.Errorf("got %d files, want both: %s", got, out)
	}
}

func TestIgnitionRefusesWhatItCannotMerge(t *testing.T) {
	tests := map[string]struct{ user, want string }{
		"cloud-config":      {"#cloud-config\n", "not valid JSON: broken at byte 1"},
		"cut off":           {`{"ignition":{"version":"3.4.0"`, "not valid JSON: broken at byte 30"},
		"trailing":          {`{"ignition":{"version":"3.4.0"}} x`, "not valid JSON"},
		"list":              {`[]`, "no object with a text at ignition.version"},
		"null":              {`null`, "ignition.version is missing"},
		"no version":        {`{"ignition":{}}`, "ignition.version is missing or no version"},
		"number as version": {`{"ignition":{"version":3}}`, "no object with a text"},
		"version 1":         {`{"ignition":{"version":"1.0.0"}}`, "version 1.0.0 is not supported, use 3.0.0 to 3.5.0 or 2.0.0 to 2.4.0"},
		"later version":     {`{"ignition":{"version":"3.6.0-experimental"}}`, "version 3.6.0-experimental is not supported"},
		"not UTF-8":         {"{\"ignition\":{\"version\":\"3.4.0\"},\"a\":\"\xff\"}", "not encoded as UTF-8"},
		"wrong type":        {`{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":1}]}}`, "not valid (line 1, column 62)"},
		"relative path":     {`{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"a"}]}}`, "not valid at $.storage.files.0.path (line 1, column 61)"},
		"one path twice":    {`{"ignition":{"version":"3.4.0"},"storage":{"files":[{"path":"/a"},{"path":"/a"}]}}`, "not valid at $.storage.files.1"},
		"version 2":         {`{"ignition":{"version":"2.3.0"},"storage":{"files":[{"filesystem":"root","path":"a"}]}}`, "not valid (line 1"},
		"file as our directory": {
			`{"ignition":{"version":"3.4.0"},"storage":{"links":[{"path":"/etc/ionoscloud","target":"/opt"}]}}`, "check merged Ignition config: not valid at $.storage",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			out, err := Render(FormatIgnition, []byte(test.user), exampleGuest())
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q; output %s", err, test.want, out)
			}
		})
	}
}
