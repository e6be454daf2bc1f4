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
	"testing"
)

// FuzzRender checks that nothing makes Render panic, that cloud-init user data is in the document byte for byte, and
// that what Render makes of an Ignition config is one that it accepts.
func FuzzRender(f *testing.F) {
	for _, user := range []string{
		"", "#cloud-config\nruncmd: [ls]\n", "## template: jinja\n#cloud-config\n", "#!/bin/sh\r\n\x00\xff", userMIME,
		"From nobody\n" + userMIME, "MIME-Version: 1.0\nContent-Type: text/x-shellscript\n\n#!/bin/sh\n",
		string(compress(f, "#cloud-config\n")), string(compress(f, userMIME)),
	} {
		f.Add(false, []byte(user))
	}
	for version := range ignitionVersions() {
		f.Add(true, []byte(userIgnition(version)))
	}
	guest := exampleGuest()
	f.Fuzz(func(t *testing.T, ignition bool, user []byte) {
		if ignition {
			out, err := Render(FormatIgnition, user, guest)
			if err != nil {
				return
			}
			again, err := Render(FormatIgnition, out, guest)
			if err != nil {
				t.Fatalf("own output is refused: %v: %s", err, out)
			}
			if !bytes.Equal(out, again) {
				t.Errorf("rendered twice, it differs:\n%s\n%s", out, again)
			}
			return
		}
		document, err := Render(FormatCloudConfig, user, guest)
		if err != nil {
			return
		}
		data, err := readUserData(user)
		if err != nil {
			t.Fatal(err)
		}
		if data.mediaType == "" {
			if !bytes.Contains(document, data.content) {
				t.Errorf("the user's MIME message is not in the document: %q", document)
			}
			return
		}
		parts := parse(t, document)
		if len(parts) != 2 || !bytes.Equal(parts[0].content, user) {
			t.Errorf("the user's bytes %q became %q", user, parts)
		}
		ourPart(t, parts)
	})
}
