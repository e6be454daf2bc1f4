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

// Command demo shows the provider at work, on this machine alone: a management cluster of real parts, the cloud simulator,
// and manifests of both API versions that become servers with the right addresses on every NIC.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
)

// options are the flags of the demo.
type options struct {
	assetsDir, coreManager, manager, clusterAPIDir, configDir string
	keep                                                      bool
	timeout                                                   time.Duration
}

func main() {
	var o options
	flag.StringVar(&o.assetsDir, "assets", os.Getenv("KUBEBUILDER_ASSETS"), "Folder with kube-apiserver and etcd.")
	flag.StringVar(&o.coreManager, "core-manager", "", "Binary of Cluster API's core manager.")
	flag.StringVar(&o.manager, "manager", "", "Binary of this provider's manager.")
	flag.StringVar(&o.clusterAPIDir, "cluster-api", "", "Sources of Cluster API, for its CRDs and webhook configurations.")
	flag.StringVar(&o.configDir, "config", "config", "Configuration folder of this provider.")
	flag.BoolVar(&o.keep, "keep", os.Getenv("KEEP") == "1", "Leave everything running until interrupted, instead of deleting it.")
	flag.DurationVar(&o.timeout, "timeout", 5*time.Minute, "How long the machines may take to be ready, and to be gone.")
	flag.Parse()
	// What the stand-in logs is of no interest here; each other part has a log file of its own.
	ctrl.SetLogger(logr.Discard())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called.
	}
}

// run shows the whole story.
func run(ctx context.Context, o options, out io.Writer) (err error) {
	stage := newStage(out)
	defer func() { err = errors.Join(err, stage.close()) }()
	if err := stage.start(ctx, o); err != nil {
		return err
	}
	before := stage.cloud.Snapshot()

	stage.say("Applying a cluster and machines as users of v1alpha1 write them, and the same intent in v1alpha2")
	for _, name := range []string{"common.yaml", "v1alpha1.yaml", "v1alpha2.yaml"} {
		if err := stage.apply(ctx, name); err != nil {
			return err
		}
	}
	if err := stage.waitForMachines(ctx, o.timeout); err != nil {
		return err
	}
	if err := stage.showMachines(ctx); err != nil {
		return err
	}
	if err := stage.showOtherVersions(ctx); err != nil {
		return err
	}
	if o.keep {
		stage.say("KEEP=1: everything stays. In another terminal:\n\n    export KUBECONFIG=%s\n    kubectl get icc,icm,ipaddressclaims --namespace fleet\n\nThe cloud's state: curl %s/_sim/state\nLogs: %s\nCtrl-C ends it.", stage.cluster.KubeconfigPath, stage.cloud.URL, stage.workDir)
		<-ctx.Done()
		return nil
	}
	if err := stage.deleteAll(ctx, o.timeout); err != nil {
		return err
	}
	return stage.showNothingLeft(ctx, before)
}
