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

package controller_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/managementcluster"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

// env is the management cluster that the tests of this package share: a real API server with Cluster API's core manager,
// and one manager of ours. Each test has a namespace and a cloud of its own.
var env *managementcluster.Cluster

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) (code int) {
	// The tests wait for controllers most of the time, so that more of them fit than there are cores.
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctrl.SetLogger(klog.Background())
	ctx := context.Background()
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := env.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	managerContext, stop := context.WithCancel(ctx)
	shared, err := newManager(managerContext, managerOptions{watchFilter: sharedFilter, webhooks: true, pools: true, syncPeriod: 5 * time.Second})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		return 1
	}
	ended := make(chan error, 1)
	go func() { ended <- shared.Start(managerContext) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	return m.Run()
}

// start starts the management cluster.
func start(ctx context.Context) error {
	root, err := repositoryRoot()
	if err != nil {
		return err
	}
	clusterAPI, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/cluster-api").Output()
	if err != nil {
		return fmt.Errorf("find the sources of Cluster API: %w", err)
	}
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets == "" {
		assets = filepath.Join(root, "bin", "envtest")
	}
	coreManager := os.Getenv("CLUSTER_API_CORE_MANAGER")
	if coreManager == "" {
		coreManager = filepath.Join(root, "bin", "cluster-api-core-manager")
	}
	workDir, err := os.MkdirTemp("", "ionoscloud-controller-test-")
	if err != nil {
		return err
	}
	scheme, err := newScheme()
	if err != nil {
		return err
	}
	crds, err := poolstandin.CRDs()
	if err != nil {
		return err
	}
	env, err = managementcluster.Start(ctx, managementcluster.Options{
		AssetsDir: assets, CoreManager: coreManager, ClusterAPIDir: strings.TrimSpace(string(clusterAPI)), ConfigDir: filepath.Join(root, "config"),
		ExtraCRDs: crds, Scheme: scheme, WorkDir: workDir, StartTimeout: 2 * time.Minute,
	})
	return err
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	var errs []error
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, clusterv1.AddToScheme, ipamv1.AddToScheme, infrav1alpha1.AddToScheme, infrav1.AddToScheme,
	} {
		errs = append(errs, add(scheme))
	}
	return scheme, errors.Join(errs...)
}

func repositoryRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("there is no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}
