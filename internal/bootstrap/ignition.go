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
	"errors"
	"fmt"
	"path"
	"regexp"
	"unicode/utf8"

	"k8s.io/utils/ptr"
)

const (
	hostnamePath     = "/etc/hostname"
	routesScriptPath = "/etc/ionoscloud/routes.sh"
	routesUnitName   = "ionoscloud-routes.service"
	// routesUnit sets the routes in every boot, before kubeadm and the kubelet need them.
	routesUnit = `[Unit]
Description=Static routes of this machine
Wants=network-online.target
After=network-online.target
Before=kubeadm.service kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh ` + routesScriptPath + `

[Install]
WantedBy=multi-user.target
`
)

// ignitionConfig is the part of an Ignition config that we write, and look for in the user's. It has the same shape in
// every version that we know, with the exception of the file system, which only version 2 names.
type ignitionConfig struct {
	Ignition struct {
		Version string `json:"version"`
	} `json:"ignition"`
	Storage struct {
		Files       []ignitionNode `json:"files,omitempty"`
		Directories []ignitionNode `json:"directories,omitempty"`
		Links       []ignitionNode `json:"links,omitempty"`
	} `json:"storage"`
	Systemd struct {
		Units []ignitionUnit `json:"units,omitempty"`
	} `json:"systemd"`
}

type ignitionNode struct {
	Filesystem string            `json:"filesystem,omitempty"`
	Path       string            `json:"path"`
	Mode       *int              `json:"mode,omitempty"`
	Overwrite  *bool             `json:"overwrite,omitempty"`
	Contents   *ignitionContents `json:"contents,omitempty"`
}

type ignitionContents struct {
	Source string `json:"source,omitempty"`
}

type ignitionUnit struct {
	Name     string `json:"name"`
	Enabled  *bool  `json:"enabled,omitempty"`
	Contents string `json:"contents,omitempty"`
}

// versionPattern recognises what may be repeated in an error: nothing secret fits.
var versionPattern = regexp.MustCompile(`^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{1,2}(-experimental)?$`)

func renderIgnition(user []byte, guest Guest) ([]byte, error) {
	declared, err := declaredVersion(user)
	if err != nil {
		return nil, fmt.Errorf("read Ignition config: %w", err)
	}
	version, ok := ignitionVersions()[declared]
	if !ok {
		if !versionPattern.MatchString(declared) {
			return nil, errors.New("read Ignition config: ignition.version is missing or no version")
		}
		return nil, fmt.Errorf("read Ignition config: version %s is not supported, use 3.0.0 to 3.5.0 or 2.0.0 to 2.4.0", declared)
	}
	var known ignitionConfig
	// The parser of the version judges the config; here only what can be understood of it counts.
	_ = json.Unmarshal(user, &known)
	ours, err := marshal(ignitionFor(guest, version, known))
	if err != nil {
		return nil, fmt.Errorf("write Ignition config: %w", err)
	}
	return version.join(ours, user)
}

// declaredVersion returns the declared version; errors say where the JSON is broken, never what stands there.
func declaredVersion(user []byte) (string, error) {
	if !utf8.Valid(user) {
		return "", errors.New("not encoded as UTF-8")
	}
	var declared struct {
		Ignition struct {
			Version string `json:"version"`
		} `json:"ignition"`
	}
	err := json.Unmarshal(user, &declared)
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return "", fmt.Errorf("not valid JSON: broken at byte %d", syntax.Offset)
	case errors.As(err, &mismatch):
		return "", errors.New("no object with a text at ignition.version")
	case err != nil:
		return "", errors.New("not valid JSON")
	}
	return declared.Ignition.Version, nil
}

// ignitionFor builds our config in the given version, without what the user's config has too: Ignition merges two
// entries for one path field by field, and half of each is what nobody asked for.
func ignitionFor(guest Guest, version ignitionVersion, user ignitionConfig) ignitionConfig {
	var ours ignitionConfig
	ours.Ignition.Version = version.written
	taken := map[string]bool{}
	for _, nodes := range [][]ignitionNode{user.Storage.Files, user.Storage.Directories, user.Storage.Links} {
		for _, node := range nodes {
			if node.Filesystem == version.filesystem {
				taken[path.Clean(node.Path)] = true
			}
		}
	}
	file := func(path string, mode int, content string) {
		if taken[path] {
			return
		}
		ours.Storage.Files = append(ours.Storage.Files, ignitionNode{
			Filesystem: version.filesystem,
			Path:       path,
			Mode:       ptr.To(mode),
			Overwrite:  ptr.To(true),
			Contents:   &ignitionContents{Source: "data:;base64," + base64.StdEncoding.EncodeToString([]byte(content))},
		})
	}
	file(hostnamePath, 0o644, guest.Hostname+"\n")
	file(environmentPath, 0o644, environment(guest))
	script := routesScript(guest)
	if script == "" {
		return ours
	}
	file(routesScriptPath, 0o755, script)
	for _, unit := range user.Systemd.Units {
		if unit.Name == routesUnitName {
			return ours
		}
	}
	ours.Systemd.Units = []ignitionUnit{{Name: routesUnitName, Enabled: ptr.To(true), Contents: routesUnit}}
	return ours
}

// joinIgnition parses both configs with the parser of their version, merges the user's over ours, and has the parser
// judge the result. place says where a report found the first error.
func joinIgnition[Config, Report any](
	ours, user []byte,
	parse func([]byte) (Config, Report, error),
	merge func(parent, child Config) Config,
	place func(Report) string,
) ([]byte, error) {
	parent, report, err := parse(ours)
	if err != nil {
		return nil, fmt.Errorf("read own Ignition config: not valid%s: %w", place(report), err)
	}
	child, report, err := parse(user)
	if err != nil {
		// Neither the cause nor the report's text: they may quote what they found.
		return nil, fmt.Errorf("read Ignition config: not valid%s", place(report))
	}
	merged, err := marshal(merge(parent, child))
	if err != nil {
		return nil, errors.New("write merged Ignition config: a value cannot be written as JSON")
	}
	if _, report, err = parse(merged); err != nil {
		return nil, fmt.Errorf("check merged Ignition config: not valid%s", place(report))
	}
	return bytes.TrimSpace(merged), nil
}
