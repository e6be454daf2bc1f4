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

// Command manager runs the controllers and webhooks of the provider.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	cliflag "k8s.io/component-base/cli/flag"
	logsv1 "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/logs/json/register" // Registers the JSON log format.
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/cluster-api/util/apiwarnings"
	"sigs.k8s.io/cluster-api/util/flags"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	infracontroller "github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/controller"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/webhook"
)

// leaderElectionID is the lease that the managers of an installation compete for.
const leaderElectionID = "controller-leader-election-capic"

func main() {
	o := newOptions()
	o.addFlags(pflag.CommandLine)
	pflag.CommandLine.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	pflag.CommandLine.AddGoFlagSet(flag.CommandLine)
	pflag.Parse()
	if err := run(ctrl.SetupSignalHandler(), o); err != nil {
		fmt.Fprintln(os.Stderr, "manager:", err)
		os.Exit(1)
	}
}

// run runs the manager until the context ends.
func run(ctx context.Context, o *options) error {
	if err := logsv1.ValidateAndApply(o.logs, nil); err != nil {
		return fmt.Errorf("set up logging: %w", err)
	}
	ctrl.SetLogger(klog.Background())
	if err := o.validate(); err != nil {
		return err
	}
	mgr, err := newManager(o)
	if err != nil {
		return err
	}
	contracts := cloud.NewContracts(cloud.ContractsOptions{
		Clock:          clock.RealClock{},
		RequestTimeout: o.cloudTimeout,
		InventoryTTL:   o.inventoryTTL,
		PollScale:      o.pollScale,
		UserAgent:      "cluster-api-provider-ionoscloud",
	})
	if err := infracontroller.SetupWithManager(ctx, mgr, infracontroller.Options{
		Contracts:         contracts,
		Clock:             clock.RealClock{},
		PollDelay:         contracts.PollDelay,
		AllNamespaces:     o.namespace == "",
		WatchFilterValue:  o.watchFilter,
		ClusterController: controller.Options{MaxConcurrentReconciles: o.clusterConcurrency},
		MachineController: controller.Options{MaxConcurrentReconciles: o.machineConcurrency},
	}); err != nil {
		return err
	}
	if err := webhook.SetupWithManager(mgr); err != nil {
		return err
	}
	if err := mgr.AddReadyzCheck("webhook", mgr.GetWebhookServer().StartedChecker()); err != nil {
		return fmt.Errorf("add the readiness check: %w", err)
	}
	if err := mgr.AddHealthzCheck("webhook", mgr.GetWebhookServer().StartedChecker()); err != nil {
		return fmt.Errorf("add the health check: %w", err)
	}
	return mgr.Start(ctx)
}

// newManager makes the manager, with nothing registered yet.
func newManager(o *options) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme, ipamv1.AddToScheme, infrav1alpha1.AddToScheme, infrav1.AddToScheme,
	} {
		utilruntime.Must(add(scheme))
	}
	tlsOptions, metricsOptions, err := flags.GetManagerOptions(o.manager)
	if err != nil {
		return nil, fmt.Errorf("read the TLS and diagnostics flags: %w", err)
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return nil, fmt.Errorf("find the management cluster: %w", err)
	}
	config.QPS = o.kubeAPIQPS
	config.Burst = o.kubeAPIBurst
	config.UserAgent = "cluster-api-provider-ionoscloud"
	config.WarningHandler = apiwarnings.DefaultHandler(klog.Background().WithName("API Server Warning"))

	cacheOptions := cache.Options{SyncPeriod: &o.syncPeriod, DefaultTransform: cache.TransformStripManagedFields()}
	if o.namespace != "" {
		cacheOptions.DefaultNamespaces = map[string]cache.Config{o.namespace: {}}
	}
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:                        scheme,
		LeaderElection:                o.leaderElect,
		LeaderElectionID:              leaderElectionID,
		LeaderElectionNamespace:       o.leaderElectNamespace,
		LeaderElectionResourceLock:    resourcelock.LeasesResourceLock,
		LeaderElectionReleaseOnCancel: true,
		LeaseDuration:                 &o.leaseDuration,
		RenewDeadline:                 &o.renewDeadline,
		RetryPeriod:                   &o.retryPeriod,
		HealthProbeBindAddress:        o.healthAddress,
		PprofBindAddress:              o.profilerAddress,
		Metrics:                       *metricsOptions,
		Cache:                         cacheOptions,
		WebhookServer: ctrlwebhook.NewServer(ctrlwebhook.Options{
			Host: o.webhookHost, Port: o.webhookPort, CertDir: o.webhookCertDir, TLSOpts: tlsOptions,
		}),
	})
	if err != nil {
		return nil, fmt.Errorf("make the manager: %w", err)
	}
	return mgr, nil
}
