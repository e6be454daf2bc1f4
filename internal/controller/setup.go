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

// Package controller reconciles the kinds of the provider: one file for each kind, one for each of its long steps.
package controller

import (
	"context"
	"time"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/ipam"
)

// fieldOwner is what the controllers apply objects as.
const fieldOwner client.FieldOwner = "cluster-api-provider-ionoscloud"

// Options are what the controllers of a manager share.
type Options struct {
	// Contracts gives access to the cloud.
	Contracts *cloud.Contracts
	// Clock tells the time.
	Clock clock.PassiveClock
	// PollDelay is the time until the next look at a cloud request of the given age.
	PollDelay func(age time.Duration) time.Duration
	// AllNamespaces is whether the manager sees all namespaces.
	AllNamespaces bool
	// WatchFilterValue limits the objects to those that carry it in the watch label; empty means all.
	WatchFilterValue string
	// ClusterController and MachineController tune the controllers.
	ClusterController, MachineController controller.Options
}

// SetupWithManager registers all controllers with a manager.
func SetupWithManager(ctx context.Context, mgr ctrl.Manager, options Options) error {
	if err := ipam.SetupIndexes(ctx, mgr); err != nil {
		return err
	}
	clusters := &IonosCloudClusterReconciler{
		Client:           mgr.GetClient(),
		APIReader:        mgr.GetAPIReader(),
		Contracts:        options.Contracts,
		Recorder:         mgr.GetEventRecorder("ionoscloudcluster-controller"),
		Clock:            options.Clock,
		PollDelay:        options.PollDelay,
		AllNamespaces:    options.AllNamespaces,
		WatchFilterValue: options.WatchFilterValue,
	}
	if err := clusters.SetupWithManager(ctx, mgr, options.ClusterController); err != nil {
		return err
	}
	machines := &IonosCloudMachineReconciler{
		Client:           mgr.GetClient(),
		APIReader:        mgr.GetAPIReader(),
		Contracts:        options.Contracts,
		Claims:           ipam.Claims{Client: mgr.GetClient(), APIReader: mgr.GetAPIReader(), FieldOwner: fieldOwner, Finalizer: infrav1.MachineFinalizer},
		Recorder:         mgr.GetEventRecorder("ionoscloudmachine-controller"),
		Clock:            options.Clock,
		PollDelay:        options.PollDelay,
		WatchFilterValue: options.WatchFilterValue,
	}
	return machines.SetupWithManager(ctx, mgr, options.MachineController)
}
