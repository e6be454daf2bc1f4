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
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/component-base/logs"
	logsv1 "k8s.io/component-base/logs/api/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/flags"
)

// options are the flags of the manager.
type options struct {
	logs    *logs.Options
	manager flags.ManagerOptions

	leaderElect                               bool
	leaderElectNamespace                      string
	leaseDuration, renewDeadline, retryPeriod time.Duration

	namespace, watchFilter string
	syncPeriod             time.Duration

	clusterConcurrency, machineConcurrency int
	kubeAPIQPS                             float32
	kubeAPIBurst                           int

	cloudTimeout, inventoryTTL time.Duration
	pollScale                  float64

	webhookHost, webhookCertDir    string
	webhookPort                    int
	healthAddress, profilerAddress string
}

func newOptions() *options { return &options{logs: logs.NewOptions()} }

func (o *options) addFlags(set *pflag.FlagSet) {
	logsv1.AddFlags(o.logs, set)
	flags.AddManagerOptions(set, &o.manager)

	set.BoolVar(&o.leaderElect, "leader-elect", false, "Let one manager of an installation be active at a time.")
	set.StringVar(&o.leaderElectNamespace, "leader-elect-namespace", "", "Namespace of the lease; empty means the manager's own. Needed outside a cluster.")
	set.DurationVar(&o.leaseDuration, "leader-elect-lease-duration", 15*time.Second, "How long a manager that fell silent keeps the lease.")
	set.DurationVar(&o.renewDeadline, "leader-elect-renew-deadline", 10*time.Second, "How long the active manager tries to renew the lease before it gives up.")
	set.DurationVar(&o.retryPeriod, "leader-elect-retry-period", 2*time.Second, "How long to wait between two tries to get or renew the lease.")

	set.StringVar(&o.namespace, "namespace", "", "Namespace whose objects are reconciled; empty means all namespaces.")
	set.StringVar(&o.watchFilter, "watch-filter", "", fmt.Sprintf("Only reconcile objects whose label %s has this value; empty means all objects.", clusterv1.WatchLabel))
	set.DurationVar(&o.syncPeriod, "sync-period", 10*time.Minute, "How often every object is compared with the cloud though nothing changed.")

	set.IntVar(&o.clusterConcurrency, "ionoscloudcluster-concurrency", 10, "Number of IonosCloudClusters that are reconciled at a time.")
	set.IntVar(&o.machineConcurrency, "ionoscloudmachine-concurrency", 20, "Number of IonosCloudMachines that are reconciled at a time.")
	set.Float32Var(&o.kubeAPIQPS, "kube-api-qps", 100, "Requests to the management cluster's API server in a second, on average.")
	set.IntVar(&o.kubeAPIBurst, "kube-api-burst", 200, "Requests to the management cluster's API server at once.")

	set.DurationVar(&o.cloudTimeout, "cloud-request-timeout", time.Minute, "How long a call of the IONOS Cloud API may take.")
	set.DurationVar(&o.inventoryTTL, "cloud-inventory-ttl", 30*time.Second, "How long the lists of servers and LANs of a data center are shared before they are read again.")
	set.Float64Var(&o.pollScale, "cloud-poll-scale", 1, "Factor on the time between two looks at a cloud request; smaller is for fast simulators.")

	set.StringVar(&o.webhookHost, "webhook-host", "", "Address that the webhooks listen on; empty means all addresses.")
	set.IntVar(&o.webhookPort, "webhook-port", 9443, "Port that the webhooks listen on.")
	set.StringVar(&o.webhookCertDir, "webhook-cert-dir", "/tmp/k8s-webhook-server/serving-certs/", "Directory with tls.crt and tls.key of the webhooks.")
	set.StringVar(&o.healthAddress, "health-addr", ":9440", "Address of the health and readiness endpoints.")
	set.StringVar(&o.profilerAddress, "profiler-address", "", "Address of the profiler; empty means none.")
}

// validate finds what the flags' types cannot.
func (o *options) validate() error {
	switch {
	case o.clusterConcurrency < 1 || o.machineConcurrency < 1:
		return errors.New("--ionoscloudcluster-concurrency and --ionoscloudmachine-concurrency must be at least 1")
	case o.syncPeriod <= 0:
		return errors.New("--sync-period must be positive")
	case o.pollScale <= 0:
		return errors.New("--cloud-poll-scale must be positive")
	case o.renewDeadline >= o.leaseDuration:
		return errors.New("--leader-elect-renew-deadline must be less than --leader-elect-lease-duration")
	}
	return nil
}
