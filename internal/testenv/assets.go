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
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	assetsVariable = "KUBEBUILDER_ASSETS"
	clusterAPI     = "sigs.k8s.io/cluster-api"
)

// repositoryRoot is the folder of the go.mod that the working directory belongs to.
func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find repository root: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find repository root: no go.mod in the working directory or above it")
		}
		dir = parent
	}
}

// assetsDirectory is the folder with kube-apiserver and etcd: the one that the environment names, else bin/envtest
// of the repository. An error says how to get them.
func assetsDirectory(root string) (string, error) {
	dir, source := os.Getenv(assetsVariable), "the variable "+assetsVariable
	if dir == "" {
		dir, source = filepath.Join(root, "bin", "envtest"), "the default"
	}
	for _, binary := range []string{"kube-apiserver", "etcd"} {
		if _, err := os.Stat(filepath.Join(dir, binary)); err != nil {
			return "", fmt.Errorf("find %s in %s (%s): run \"make envtest-assets\", or set %s to a folder that has kube-apiserver and etcd: %w",
				binary, dir, source, assetsVariable, err)
		}
	}
	return dir, nil
}

// clusterAPIDirectory is the folder with the sources of Cluster API at the version that go.mod names.
func clusterAPIDirectory(root string) (string, error) {
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", clusterAPI) //nolint:noctx // Ends by itself, before any test runs.
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
		}
		return "", fmt.Errorf("find the sources of %s: %w", clusterAPI, err)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", fmt.Errorf("find the sources of %s: not downloaded: run \"go mod download\"", clusterAPI)
	}
	return dir, nil
}
