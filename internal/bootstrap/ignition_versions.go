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
	"fmt"

	v30 "github.com/coreos/ignition/v2/config/v3_0"
	v31 "github.com/coreos/ignition/v2/config/v3_1"
	v32 "github.com/coreos/ignition/v2/config/v3_2"
	v33 "github.com/coreos/ignition/v2/config/v3_3"
	v34 "github.com/coreos/ignition/v2/config/v3_4"
	v35 "github.com/coreos/ignition/v2/config/v3_5"
	report3 "github.com/coreos/vcontext/report"
	v23 "github.com/flatcar/ignition/config/v2_3"
	v24 "github.com/flatcar/ignition/config/v2_4"
	report2 "github.com/flatcar/ignition/config/validate/report"
)

// ignitionVersion is what is known about a declared version of the Ignition config.
type ignitionVersion struct {
	// written is the version of the merged config.
	written string
	// filesystem is the name of the root file system, in versions that have such names.
	filesystem string
	// join merges the user's config over ours.
	join func(ours, user []byte) ([]byte, error)
}

// ignitionVersions has, for every version of the Ignition config, that version's own parser and merge. Version 2 is what
// the kubeadm bootstrap provider of Cluster API writes; its versions up to 2.3 are read as 2.3, which contains them.
func ignitionVersions() map[string]ignitionVersion {
	v2 := version2("2.3.0", v23.Parse, v23.Append)
	return map[string]ignitionVersion{
		"2.0.0": v2,
		"2.1.0": v2,
		"2.2.0": v2,
		"2.3.0": v2,
		"2.4.0": version2("2.4.0", v24.Parse, v24.Append),
		"3.0.0": version3("3.0.0", v30.Parse, v30.Merge),
		"3.1.0": version3("3.1.0", v31.Parse, v31.Merge),
		"3.2.0": version3("3.2.0", v32.Parse, v32.Merge),
		"3.3.0": version3("3.3.0", v33.Parse, v33.Merge),
		"3.4.0": version3("3.4.0", v34.Parse, v34.Merge),
		"3.5.0": version3("3.5.0", v35.Parse, v35.Merge),
	}
}

func version3[Config any](
	written string, parse func([]byte) (Config, report3.Report, error), merge func(_, _ Config) Config,
) ignitionVersion {
	return ignitionVersion{written: written, join: func(ours, user []byte) ([]byte, error) {
		return joinIgnition(ours, user, parse, merge, place3)
	}}
}

func version2[Config any](
	written string, parse func([]byte) (Config, report2.Report, error), merge func(_, _ Config) Config,
) ignitionVersion {
	return ignitionVersion{written: written, filesystem: "root", join: func(ours, user []byte) ([]byte, error) {
		return joinIgnition(ours, user, parse, merge, place2)
	}}
}

// place3 names the field and the line of the first error. Fields are those of Ignition's types, so they tell nothing
// of the content.
func place3(report report3.Report) string {
	for _, entry := range report.Entries {
		if !entry.Kind.IsFatal() {
			continue
		}
		place := ""
		if entry.Context.Len() > 0 {
			place = " at " + entry.Context.String()
		}
		if start := entry.Marker.StartP; start != nil {
			place += fmt.Sprintf(" (line %d, column %d)", start.Line, start.Column)
		}
		return place
	}
	return ""
}

// place2 names the line of the first error.
func place2(report report2.Report) string {
	for _, entry := range report.Entries {
		if entry.Kind == report2.EntryError && entry.Line > 0 {
			return fmt.Sprintf(" (line %d, column %d)", entry.Line, entry.Column)
		}
	}
	return ""
}
