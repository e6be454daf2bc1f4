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
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// startTimeout is how long a manager may take to fill its caches and to listen.
const startTimeout = 2 * time.Minute

// Manager is a manager of a test.
type Manager struct {
	ctrl.Manager

	webhooks *webhookServer
}

// NewManager makes a manager that does not elect a leader, serves no metrics, and logs to the test. It serves the
// webhooks that are registered with it, conversion included; in one environment one such manager can run at a time.
func (e *Environment) NewManager(tb testing.TB, change ...func(*ctrl.Options)) *Manager {
	tb.Helper()
	e.seeInputs()
	hooks := e.control.WebhookInstallOptions
	server := &webhookServer{Server: webhook.NewServer(webhook.Options{
		Host:    hooks.LocalServingHost,
		Port:    hooks.LocalServingPort,
		CertDir: hooks.LocalServingCertDir,
	})}
	opts := ctrl.Options{
		Scheme:                  e.Scheme,
		Metrics:                 metricsserver.Options{BindAddress: "0"},
		WebhookServer:           server,
		Logger:                  testLogger(tb),
		GracefulShutdownTimeout: ptr.To(30 * time.Second),
	}
	// The names of controllers are checked process-wide, and a test makes several managers with the same ones.
	opts.Controller.SkipNameValidation = ptr.To(true)
	for _, f := range change {
		f(&opts)
	}
	mgr, err := ctrl.NewManager(e.Config, opts)
	if err != nil {
		tb.Fatalf("Make manager: %v", err)
	}
	return &Manager{Manager: mgr, webhooks: server}
}

// Run starts the manager and returns when its caches are filled and its webhooks, if any, are served. The manager runs until
// the end of the test, or until the function that is returned is called, which waits until it has stopped.
func (m *Manager) Run(tb testing.TB) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan struct{})
	var runErr error
	go func() {
		defer close(ended)
		runErr = m.Start(ctx)
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
		if runErr != nil {
			tb.Errorf("Run manager: %v", runErr)
		}
	})
	tb.Cleanup(stop)
	if err := m.waitUntilStarted(ctx, ended); err != nil {
		stop()
		tb.Fatalf("Start manager: %v", err)
	}
	return stop
}

func (m *Manager) waitUntilStarted(ctx context.Context, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	select {
	case <-m.Elected():
	case <-ended:
		return errors.New("it ended at once")
	case <-ctx.Done():
		return fmt.Errorf("wait for its controllers: %w", ctx.Err())
	}
	if !m.GetCache().WaitForCacheSync(ctx) {
		return fmt.Errorf("wait for its caches: %w", ctx.Err())
	}
	if !m.webhooks.registered.Load() {
		return nil
	}
	serving := m.webhooks.StartedChecker()
	if err := wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(context.Context) (bool, error) {
		return serving(nil) == nil, nil
	}); err != nil {
		return fmt.Errorf("wait for its webhooks: %w", errors.Join(serving(nil), err))
	}
	return nil
}

// webhookServer remembers whether anything was registered with it: only then does its manager run it.
type webhookServer struct {
	webhook.Server

	registered atomic.Bool
}

// Register implements webhook.Server.
func (s *webhookServer) Register(path string, hook http.Handler) {
	s.registered.Store(true)
	s.Server.Register(path, hook)
}
