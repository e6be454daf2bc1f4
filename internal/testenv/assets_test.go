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

package testenv

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAssetsDirectory(t *testing.T) {
	tests := []struct {
		name     string
		variable []string // Binaries in the folder that the variable names; nil leaves it unset.
		binaries []string // Binaries in bin/envtest.
		want     string   // The folder; or else
		wantErr  []string // what the error mentions.
	}{
		{name: "default", binaries: []string{"etcd", "kube-apiserver"}, want: "bin/envtest"},
		{name: "variable", variable: []string{"etcd", "kube-apiserver"}, want: "elsewhere"},
		{name: "nothing built", wantErr: []string{"kube-apiserver", "bin/envtest", "make envtest-assets", "KUBEBUILDER_ASSETS"}},
		{name: "half built", binaries: []string{"kube-apiserver"}, wantErr: []string{"find etcd", "make envtest-assets"}},
		{
			name: "variable names a wrong folder", variable: []string{}, binaries: []string{"etcd", "kube-apiserver"},
			wantErr: []string{"kube-apiserver", "elsewhere", "KUBEBUILDER_ASSETS"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			fill(t, filepath.Join(root, "bin", "envtest"), tt.binaries)
			t.Setenv(assetsVariable, "")
			if tt.variable != nil {
				fill(t, filepath.Join(root, "elsewhere"), tt.variable)
				t.Setenv(assetsVariable, filepath.Join(root, "elsewhere"))
			}
			got, err := assetsDirectory(root)
			if len(tt.wantErr) == 0 {
				if want := filepath.Join(root, tt.want); got != want || err != nil {
					t.Fatalf("got %q, %v; want %q", got, err, want)
				}
				return
			}
			for _, word := range tt.wantErr {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("got error %v; want it to mention %q", err, word)
				}
			}
		})
	}
}

func fill(t *testing.T, dir string, files []string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNamespacePrefix(t *testing.T) {
	for test, want := range map[string]string{
		"TestPool":                         "testpool-",
		"TestPool/oldest_claim_first":      "testpool-oldest-claim-first-",
		"TestÄ/" + strings.Repeat("x", 80): "test--" + strings.Repeat("x", 34) + "-",
	} {
		if got := namespacePrefix(test); got != want {
			t.Errorf("%s: got %q, want %q", test, got, want)
		}
	}
}
