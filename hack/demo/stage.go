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
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"text/template"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/managementcluster"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

const (
	namespace = "fleet"
	token     = "demo-token"
	location  = "de/txl"
	// provisioningTime is how long the simulator works on a request.
	provisioningTime = 300 * time.Millisecond
	// startTimeout is how long each part may take to start.
	startTimeout = time.Minute
	fieldOwner   = client.FieldOwner("demo")
)

//go:embed manifests
var manifests embed.FS

// values fill in the manifests.
type values struct {
	Token, APIURL, DatacenterID, ImageID string
	PublicLAN, StorageLAN, BackupLAN     int32
	IPv6Addresses                        []string
}

// stage is where the demo plays.
type stage struct {
	out     io.Writer
	began   time.Time
	workDir string
	cloud   *cloudsim.Server
	values  values
	cluster *managementcluster.Cluster
	scheme  *runtime.Scheme
	// closers undo what was started, the last first.
	closers []func() error
}

func newStage(out io.Writer) *stage { return &stage{out: out, began: time.Now()} }

// say prints a line with the time since the beginning.
func (s *stage) say(format string, arguments ...any) {
	_, _ = fmt.Fprintf(s.out, "\n[%5.1fs] %s\n", time.Since(s.began).Seconds(), fmt.Sprintf(format, arguments...))
}

// print prints a line.
func (s *stage) print(format string, arguments ...any) {
	_, _ = fmt.Fprintf(s.out, "         %s\n", fmt.Sprintf(format, arguments...))
}

// close stops everything, the last part first.
func (s *stage) close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

// start starts the parts.
func (s *stage) start(ctx context.Context, o options) error {
	if _, err := os.Stat(o.manager); err != nil {
		return fmt.Errorf("the manager is missing: %w: run the demo by make, which builds what it needs", err)
	}
	var err error
	if s.workDir, err = os.MkdirTemp("", "ionoscloud-demo-"); err != nil {
		return fmt.Errorf("make a folder for logs: %w", err)
	}
	s.scheme = runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, clusterv1.AddToScheme, ipamv1.AddToScheme, infrav1alpha1.AddToScheme, infrav1.AddToScheme,
	} {
		if err := add(s.scheme); err != nil {
			return fmt.Errorf("make a scheme: %w", err)
		}
	}
	if err := s.startCloud(); err != nil {
		return err
	}
	s.say("Starting etcd, kube-apiserver and Cluster API's core manager (logs: %s)", s.workDir)
	crds, err := poolstandin.CRDs()
	if err != nil {
		return err
	}
	s.cluster, err = managementcluster.Start(ctx, managementcluster.Options{
		AssetsDir: o.assetsDir, CoreManager: o.coreManager, ClusterAPIDir: o.clusterAPIDir, ConfigDir: o.configDir,
		ExtraCRDs: crds, Scheme: s.scheme, WorkDir: s.workDir, StartTimeout: startTimeout,
	})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, s.cluster.Stop)
	if err := s.startManager(ctx, o); err != nil {
		return err
	}
	return s.startPools(ctx)
}

// startCloud starts the simulator with what a user has in the cloud before the first cluster: a data center with three
// LANs, an image, and reserved addresses.
func (s *stage) startCloud() error {
	s.say("Starting the cloud simulator")
	var err error
	if s.cloud, err = cloudsim.Start(cloudsim.WithTokens(token), cloudsim.WithAdmin(), cloudsim.WithProvisioningTime(provisioningTime)); err != nil {
		return err
	}
	s.closers = append(s.closers, s.cloud.Close)
	planted, err := s.cloud.Plant(cloudsim.Seed{
		IPBlocks:    []cloudsim.IPBlockSeed{{Location: location, First: "203.0.113.10", Last: "203.0.113.60"}},
		Images:      []cloudsim.ImageSeed{{Location: location, Name: "ubuntu-24.04-kube-v1.36.3", Labels: map[string]string{"os": "ubuntu-24.04"}}},
		Datacenters: []cloudsim.DatacenterSeed{{Name: "fleet", Location: location}},
	})
	if err != nil {
		return fmt.Errorf("furnish the cloud: %w", err)
	}
	datacenterID := planted.Datacenters[0]
	s.values = values{
		Token: token, APIURL: s.cloud.URL, DatacenterID: datacenterID, ImageID: planted.Images[0],
		PublicLAN:  s.cloud.AddLAN(datacenterID, cloudsim.LANSeed{ID: 4, Name: "partners", Public: true, IPv6: "AUTO"}),
		StorageLAN: s.cloud.AddLAN(datacenterID, cloudsim.LANSeed{ID: 7, Name: "storage"}),
		BackupLAN:  s.cloud.AddLAN(datacenterID, cloudsim.LANSeed{ID: 9, Name: "backup"}),
	}
	// The fifth group of an address tells the /80 blocks of a LAN apart.
	block := s.cloud.LANIPv6(datacenterID, s.values.PublicLAN).Addr().As16()
	for i := byte(1); i <= 20; i++ {
		block[9], block[15] = i, 0x10
		s.values.IPv6Addresses = append(s.values.IPv6Addresses, netip.AddrFrom16(block).String())
	}
	return nil
}

// startManager starts the provider's manager, a process of its own.
func (s *stage) startManager(ctx context.Context, o options) error {
	s.say("Starting the provider's manager with its webhooks")
	health := net.JoinHostPort("127.0.0.1", strconv.Itoa(s.cluster.WebhookPort+1))
	manager, err := managementcluster.StartProcess(ctx, managementcluster.ProcessOptions{
		Name: "manager", Path: o.manager, WorkDir: s.workDir, Kubeconfig: s.cluster.KubeconfigPath,
		HealthAddress: health, StartTimeout: startTimeout,
		Args: []string{
			"--webhook-host=127.0.0.1", "--webhook-port=" + strconv.Itoa(s.cluster.WebhookPort), "--webhook-cert-dir=" + s.cluster.WebhookCertDir,
			"--health-addr=" + health, "--insecure-diagnostics", "--diagnostics-address=127.0.0.1:0",
			// The simulator works through a request in a fraction of a second.
			"--cloud-poll-scale=0.1", "-v=2",
		},
	})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, manager.Stop)
	return s.cluster.InstallProviderWebhooks(ctx, o.configDir)
}

// startPools starts the stand-in for the in-cluster IPAM provider.
func (s *stage) startPools(ctx context.Context) error {
	s.say("Starting a stand-in for the in-cluster IPAM provider, which users install: it fulfils claims on InClusterIPPool and GlobalInClusterIPPool")
	mgr, err := ctrl.NewManager(s.cluster.Config, ctrl.Options{Scheme: s.scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return fmt.Errorf("make the manager of the stand-in: %w", err)
	}
	if err := poolstandin.SetupWithManager(mgr); err != nil {
		return err
	}
	// It ends with the demo and not with the context, so that an interrupted demo can still release its claims.
	poolsContext, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(poolsContext) }()
	s.closers = append(s.closers, func() error {
		stop()
		return <-ended
	})
	return nil
}

// apply applies a manifest by server-side apply, document by document.
func (s *stage) apply(ctx context.Context, name string) error {
	text, err := template.ParseFS(manifests, "manifests/"+name)
	if err != nil {
		return fmt.Errorf("parse %s: %w", name, err)
	}
	var filled bytes.Buffer
	if err := text.Execute(&filled, s.values); err != nil {
		return fmt.Errorf("fill in %s: %w", name, err)
	}
	decoder := yaml.NewYAMLOrJSONDecoder(&filled, 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(object)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if err := s.cluster.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), fieldOwner, client.ForceOwnership); err != nil {
			return fmt.Errorf("apply %s %s of %s: %w", object.GetKind(), object.GetName(), name, err)
		}
		if object.GroupVersionKind().Group != corev1.GroupName {
			s.print("%-55s %s", strings.ToLower(object.GetKind())+"/"+object.GetName(), object.GetAPIVersion())
		}
	}
}
