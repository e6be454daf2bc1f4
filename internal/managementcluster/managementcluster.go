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

// Package managementcluster runs a management cluster on this machine, from real parts: etcd, kube-apiserver and Cluster
// API's core manager with its webhooks. It is for the demo and for tests. Everything listens on loopback.
package managementcluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// loopback is the only address that anything listens on.
const loopback = "127.0.0.1"

// Options say where the parts are.
type Options struct {
	// AssetsDir has the binaries kube-apiserver and etcd.
	AssetsDir string
	// CoreManager is the binary of Cluster API's core manager.
	CoreManager string
	// ClusterAPIDir has the sources of Cluster API, for its CRDs and webhook configurations.
	ClusterAPIDir string
	// ConfigDir is the config folder of the provider, for its CRDs and webhook configurations.
	ConfigDir string
	// ExtraCRDs are further CRDs to install.
	ExtraCRDs []*apiextensionsv1.CustomResourceDefinition
	// Scheme is for the client; it must know the kinds that are used with it.
	Scheme *runtime.Scheme
	// WorkDir is where the kubeconfig and the logs of the parts go.
	WorkDir string
	// StartTimeout is how long each part may take to start.
	StartTimeout time.Duration
}

// Cluster is a management cluster that runs.
type Cluster struct {
	// Config connects to the API server as an administrator.
	Config *rest.Config
	// Client reads and writes without a cache.
	Client client.Client
	// KubeconfigPath is a file for kubectl and for managers.
	KubeconfigPath string
	// WebhookPort is where the provider's webhooks are expected, on loopback, with the certificate in WebhookCertDir.
	WebhookPort    int
	WebhookCertDir string

	environment *envtest.Environment
	core        *Process
}

// Start starts the cluster. What started is stopped again when something does not.
func Start(ctx context.Context, options Options) (_ *Cluster, err error) {
	for what, path := range map[string]string{
		"kube-apiserver":              filepath.Join(options.AssetsDir, "kube-apiserver"),
		"etcd":                        filepath.Join(options.AssetsDir, "etcd"),
		"Cluster API's core manager":  options.CoreManager,
		"the sources of Cluster API":  options.ClusterAPIDir,
		"the config of this provider": options.ConfigDir,
	} {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("%s is missing: %w: run the command again by make, which builds what it needs", what, err)
		}
	}
	environment := &envtest.Environment{
		BinaryAssetsDirectory:    options.AssetsDir,
		ControlPlaneStartTimeout: options.StartTimeout,
		ControlPlaneStopTimeout:  options.StartTimeout,
	}
	cluster := &Cluster{environment: environment}
	defer func() {
		if err != nil {
			err = errors.Join(err, cluster.Stop())
		}
	}()
	if cluster.WebhookPort, err = freePort(ctx); err != nil {
		return nil, err
	}
	corePort, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	if cluster.Config, err = environment.Start(); err != nil {
		return nil, fmt.Errorf("start etcd and kube-apiserver: %w", err)
	}
	cluster.WebhookCertDir = environment.WebhookInstallOptions.LocalServingCertDir
	cluster.KubeconfigPath = filepath.Join(options.WorkDir, "kubeconfig")
	if err := os.WriteFile(cluster.KubeconfigPath, environment.KubeConfig, 0o600); err != nil {
		return nil, fmt.Errorf("write the kubeconfig: %w", err)
	}
	if cluster.Client, err = client.New(cluster.Config, client.Options{Scheme: options.Scheme}); err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	ca := environment.WebhookInstallOptions.LocalServingCAData
	coreHooks := webhookServer{url: "https://" + net.JoinHostPort(loopback, strconv.Itoa(corePort)), ca: ca}
	ownHooks := webhookServer{url: "https://" + net.JoinHostPort(loopback, strconv.Itoa(cluster.WebhookPort)), ca: ca}
	if err := cluster.installCRDs(options, coreHooks, ownHooks); err != nil {
		return nil, err
	}
	if err := cluster.startCore(ctx, options, corePort); err != nil {
		return nil, err
	}
	// The webhook configurations come last, so that nothing calls a webhook that nobody serves.
	if err := cluster.installWebhooks(ctx, filepath.Join(options.ClusterAPIDir, "core", "config", "webhook", "manifests.yaml"), "cluster-api", coreHooks); err != nil {
		return nil, err
	}
	return cluster, nil
}

// InstallProviderWebhooks installs the webhook configurations of the provider. Call it once the provider's manager serves them.
func (c *Cluster) InstallProviderWebhooks(ctx context.Context, configDir string) error {
	hooks := webhookServer{
		url: "https://" + net.JoinHostPort(loopback, strconv.Itoa(c.WebhookPort)),
		ca:  c.environment.WebhookInstallOptions.LocalServingCAData,
	}
	return c.installWebhooks(ctx, filepath.Join(configDir, "webhook", "manifests.yaml"), "ionoscloud", hooks)
}

// ConfigOf connects to the API server as a user, who may nothing that no role gives.
func (c *Cluster) ConfigOf(user string, groups ...string) (*rest.Config, error) {
	added, err := c.environment.AddUser(envtest.User{Name: user, Groups: groups}, rest.CopyConfig(c.Config))
	if err != nil {
		return nil, fmt.Errorf("add user %s: %w", user, err)
	}
	return added.Config(), nil
}

// startCore starts Cluster API's core manager.
func (c *Cluster) startCore(ctx context.Context, options Options, webhookPort int) error {
	healthPort, err := freePort(ctx)
	if err != nil {
		return err
	}
	health := net.JoinHostPort(loopback, strconv.Itoa(healthPort))
	c.core, err = StartProcess(ctx, ProcessOptions{
		Name: "cluster-api-core", Path: options.CoreManager, WorkDir: options.WorkDir, Kubeconfig: c.KubeconfigPath,
		HealthAddress: health, StartTimeout: options.StartTimeout,
		Args: []string{
			"--webhook-port=" + strconv.Itoa(webhookPort), "--webhook-cert-dir=" + c.WebhookCertDir,
			"--health-addr=" + health, "--insecure-diagnostics", "--diagnostics-address=" + net.JoinHostPort(loopback, "0"),
		},
	})
	return err
}

// Stop stops the cluster.
func (c *Cluster) Stop() error {
	return errors.Join(c.core.Stop(), c.environment.Stop())
}

// freePort finds a port on loopback that nobody listens on.
func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	address, isTCP := listener.Addr().(*net.TCPAddr)
	if !isTCP {
		return 0, fmt.Errorf("find a free port: %s is no TCP address", listener.Addr())
	}
	return address.Port, nil
}
