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
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// mergeType tells cloud-init how to merge our part into what the user's parts came to. Ours is the last part, so:
// a value that the user set stays, maps are merged, and our list entries go before the user's. Then our files exist and
// our routes are set before the user's commands run, and a user's file with the path of one of ours is written last.
const mergeType = "dict(no_replace,recurse_list)+list(prepend)+str()"

// cloudConfig is our part for cloud-init.
type cloudConfig struct {
	Hostname string `json:"hostname"`
	// FQDN is set where the hostname has dots: cloud-init cuts such a hostname at the first one otherwise.
	FQDN string `json:"fqdn,omitempty"`
	// PreserveHostname and PreferFQDN are false, whatever the image's defaults are: both defeat Hostname.
	PreserveHostname bool `json:"preserve_hostname"`
	PreferFQDN       bool `json:"prefer_fqdn_over_hostname"`
	// BootCommands run early in every boot.
	BootCommands [][]string  `json:"bootcmd,omitempty"`
	WriteFiles   []cloudFile `json:"write_files"`
}

type cloudFile struct {
	Path        string `json:"path"`
	Owner       string `json:"owner"`
	Permissions string `json:"permissions"`
	Content     string `json:"content"`
}

func renderCloudConfig(content []byte, guest Guest) ([]byte, error) {
	user, err := readUserData(content)
	if err != nil {
		return nil, fmt.Errorf("read cloud-init user data: %w", err)
	}
	config := cloudConfig{
		Hostname:   guest.Hostname,
		WriteFiles: []cloudFile{{Path: environmentPath, Owner: "root:root", Permissions: "0644", Content: environment(guest)}},
	}
	if strings.Contains(guest.Hostname, ".") {
		config.FQDN = guest.Hostname
	}
	if script := routesScript(guest); script != "" {
		config.BootCommands = [][]string{{"sh", "-c", script}}
	}
	// JSON is YAML, and its quoting leaves nothing to interpretation.
	ours, err := marshal(config)
	if err != nil {
		return nil, fmt.Errorf("write cloud-config: %w", err)
	}
	return mimeDocument(user, append([]byte("#cloud-config\n"), ours...)), nil
}

// mimeDocument puts the user's data and our cloud-config into one document. The user's bytes stay as they are; where a
// mail parser could change them, they travel as base64. A user's MIME message is nested with its headers.
func mimeDocument(user userData, ours []byte) []byte {
	var b bytes.Buffer
	boundary := boundary(user.content, ours)
	fmt.Fprintf(&b, "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"%s\"\r\n", boundary)
	fmt.Fprintf(&b, "\r\n--%s\r\n", boundary)
	switch {
	case user.mediaType == "":
		b.Write(user.content)
	case isPlain(user.content):
		fmt.Fprintf(&b, "Content-Type: %s\r\nContent-Transfer-Encoding: 7bit\r\n\r\n", user.mediaType)
		b.Write(user.content)
	default:
		fmt.Fprintf(&b, "Content-Type: %s\r\nContent-Transfer-Encoding: base64\r\n\r\n", user.mediaType)
		writeBase64(&b, user.content)
	}
	fmt.Fprintf(&b, "\r\n--%s\r\n", boundary)
	fmt.Fprintf(&b, "Content-Type: text/cloud-config\r\nX-Merge-Type: %s\r\n", mergeType)
	b.WriteString("Content-Disposition: attachment; filename=\"ionoscloud.cfg\"\r\n\r\n")
	b.Write(ours)
	fmt.Fprintf(&b, "\r\n--%s--\r\n", boundary)
	return b.Bytes()
}

// boundary derives a boundary from the parts that occurs in none of them.
func boundary(parts ...[]byte) string {
	content := bytes.Join(parts, nil)
	return firstAbsent(content, func(salt int) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", salt, content))
		return fmt.Sprintf("ionoscloud-%x", sum[:16])
	})
}

// firstAbsent returns the first candidate that does not occur in the content. It ends where the candidates differ:
// content of n bytes holds fewer than n different ones.
func firstAbsent(content []byte, candidate func(salt int) string) string {
	for salt := 0; ; salt++ {
		if text := candidate(salt); !bytes.Contains(content, []byte(text)) {
			return text
		}
	}
}

// isPlain tells whether every mail parser leaves the content as it is: printable ASCII in lines of at most 998 bytes
// that end in a line feed alone.
func isPlain(content []byte) bool {
	for line := range bytes.Lines(content) {
		if len(line) > 998 {
			return false
		}
		for _, c := range line {
			if (c < ' ' && c != '\n' && c != '\t') || c > '~' {
				return false
			}
		}
	}
	return true
}

// writeBase64 writes the content in lines of 76 characters.
func writeBase64(b *bytes.Buffer, content []byte) {
	const lineBytes = 57
	for len(content) > 0 {
		n := min(len(content), lineBytes)
		b.WriteString(base64.StdEncoding.EncodeToString(content[:n]))
		b.WriteString("\r\n")
		content = content[n:]
	}
}

// marshal is json.Marshal with lines, and without the escapes for HTML.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return b.Bytes(), err
}
