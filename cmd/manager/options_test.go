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

package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestFlags(t *testing.T) {
	for name, test := range map[string]struct {
		arguments []string
		// parse and validate are what the error of each must have; empty for none.
		parse, validate string
	}{
		"defaults":                {},
		"all that people set":     {arguments: []string{"--leader-elect", "--namespace=fleet", "--watch-filter=a", "--kube-api-qps=5", "--tls-min-version=VersionTLS13", "--ionoscloudmachine-concurrency=3"}},
		"unknown flag":            {arguments: []string{"--no-such-flag"}, parse: "no-such-flag"},
		"no concurrency":          {arguments: []string{"--ionoscloudmachine-concurrency=0"}, validate: "--ionoscloudmachine-concurrency"},
		"no sync period":          {arguments: []string{"--sync-period=0s"}, validate: "--sync-period"},
		"no polling":              {arguments: []string{"--cloud-poll-scale=0"}, validate: "--cloud-poll-scale"},
		"renewal after the lease": {arguments: []string{"--leader-elect-renew-deadline=1m"}, validate: "--leader-elect-renew-deadline"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOptions()
			set := pflag.NewFlagSet("manager", pflag.ContinueOnError)
			o.addFlags(set)
			expect(t, "parse", set.Parse(test.arguments), test.parse)
			if test.parse == "" {
				expect(t, "validate", o.validate(), test.validate)
			}
		})
	}
}

func expect(t *testing.T, what string, err error, word string) {
	t.Helper()
	switch {
	case word == "" && err != nil:
		t.Errorf("%s: %v", what, err)
	case word != "" && (err == nil || !strings.Contains(err.Error(), word)):
		t.Errorf("%s: got %v, want something about %s", what, err, word)
	}
}
