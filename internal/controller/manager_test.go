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
	"net/http"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	ctrlwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	infracontroller "github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/controller"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/webhook"
)

// sharedFilter is the watch label of the objects that the shared manager looks after.
const sharedFilter = "shared"

// managerOptions are how the managers of tests differ.
type managerOptions struct {
	watchFilter string
	// namespace is the only one that is looked at; empty means all.
	namespace       string
	webhooks, pools bool
	syncPeriod      time.Duration
	inventoryTTL    time.Duration
	// config connects to the management cluster; nil means as an administrator.
	config *rest.Config
	// wrapTransport and wrapClient see what the manager does to the cloud and to the management cluster.
	wrapTransport func(http.RoundTripper) http.RoundTripper
	wrapClient    func(client.Client) client.Client
}

// newManager makes a manager with all controllers, which polls fast.
func newManager(ctx context.Context, o managerOptions) (ctrl.Manager, error) {
	if o.inventoryTTL == 0 {
		o.inventoryTTL = time.Second
	}
	options := ctrl.Options{
		Scheme:     env.Client.Scheme(),
		Metrics:    metricsserver.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache:      cache.Options{SyncPeriod: &o.syncPeriod},
		// What is under way when a manager is stopped is broken off, as in a crash.
		GracefulShutdownTimeout: ptr.To(10 * time.Second),
	}
	if o.namespace != "" {
		options.Cache.DefaultNamespaces = map[string]cache.Config{o.namespace: {}}
	}
	if o.webhooks {
		options.WebhookServer = ctrlwebhook.NewServer(ctrlwebhook.Options{Host: "127.0.0.1", Port: env.WebhookPort, CertDir: env.WebhookCertDir})
	}
	if o.wrapClient != nil {
		options.NewClient = func(config *rest.Config, options client.Options) (client.Client, error) {
			made, err := client.New(config, options)
			if err != nil {
				return nil, err
			}
			return o.wrapClient(made), nil
		}
	}
	if o.config == nil {
		o.config = env.Config
	}
	mgr, err := ctrl.NewManager(o.config, options)
	if err != nil {
		return nil, err
	}
	if o.webhooks {
		if err := webhook.SetupWithManager(mgr); err != nil {
			return nil, err
		}
	}
	if o.pools {
		if err := poolstandin.SetupWithManager(mgr); err != nil {
			return nil, err
		}
	}
	contracts := cloud.NewContracts(cloud.ContractsOptions{
		RequestTimeout: 5 * time.Second, InventoryTTL: o.inventoryTTL, PollScale: 0.05, UserAgent: "test", WrapTransport: o.wrapTransport,
	})
	return mgr, infracontroller.SetupWithManager(ctx, mgr, infracontroller.Options{
		Contracts: contracts, Clock: clock.RealClock{}, PollDelay: contracts.PollDelay, AllNamespaces: true, WatchFilterValue: o.watchFilter,
		ClusterController: controller.Options{MaxConcurrentReconciles: 10},
		MachineController: controller.Options{MaxConcurrentReconciles: 20},
	})
}
