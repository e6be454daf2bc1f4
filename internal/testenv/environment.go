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

// Package testenv runs tests against the real API server, with the CRDs that the provider needs.
//
// Not there, as opposed to a management cluster: the garbage collector, the namespace controller, and the controllers
// and webhooks of Cluster API. A test that needs one of them does its work.
package testenv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// Environment is a running API server.
type Environment struct {
	// Config connects to the API server, as an administrator unless the environment comes from As.
	Config *rest.Config
	// KubeConfig is Config as a kubeconfig file, for programs.
	KubeConfig []byte
	// Client reads and writes without a cache.
	Client client.Client
	// Scheme knows the kinds of Kubernetes, Cluster API v1beta2 and both versions of the provider.
	Scheme *runtime.Scheme

	control      *envtest.Environment
	panicsBefore float64
	root         string
	inputsSeen   *sync.Once
}

type options struct {
	schemes  []func(*runtime.Scheme) error
	crds     []func(*apiextensionsv1.CustomResourceDefinition)
	webhooks bool
}

// Option changes what Start and Run set up.
type Option func(*options)

// WithScheme adds further kinds to the scheme.
func WithScheme(add ...func(*runtime.Scheme) error) Option {
	return func(o *options) { o.schemes = append(o.schemes, add...) }
}

// WithCRDs changes the CRDs before they are installed. A converter that was set to None stays so.
func WithCRDs(change ...func(*apiextensionsv1.CustomResourceDefinition)) Option {
	return func(o *options) { o.crds = append(o.crds, change...) }
}

// WithWebhooks installs the admission webhooks of config/webhook. A manager of the test has to serve them.
func WithWebhooks() Option {
	return func(o *options) { o.webhooks = true }
}

// Start runs an API server until the end of the test.
func Start(tb testing.TB, opts ...Option) *Environment {
	tb.Helper()
	env, err := start(opts)
	if err != nil {
		tb.Fatalf("Start the test environment: %v", err)
	}
	tb.Cleanup(func() {
		if err := env.stop(); err != nil {
			tb.Errorf("Stop the test environment: %v", err)
		}
	})
	return env
}

// Run is for TestMain: it runs the tests of a package against one API server, which it hands to use before, and returns the
// exit code. The run fails, whatever the tests say, when a controller or a webhook panicked.
func Run(m *testing.M, use func(*Environment), opts ...Option) int {
	env, err := start(opts)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Start the test environment: %v\n", err)
		return 1
	}
	use(env)
	code := m.Run()
	if err := env.stop(); err != nil {
		fmt.Fprintf(os.Stderr, "Stop the test environment: %v\n", err)
		return max(code, 1)
	}
	return code
}

func start(opts []Option) (*Environment, error) {
	var o options
	for _, option := range opts {
		option(&o)
	}
	setGlobalLoggers()

	scheme := runtime.NewScheme()
	for _, add := range append([]func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, apiextensionsv1.AddToScheme, clusterv1.AddToScheme, ipamv1.AddToScheme,
		infrav1alpha1.AddToScheme, infrav1.AddToScheme,
	}, o.schemes...) {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("build scheme: %w", err)
		}
	}
	root, err := repositoryRoot()
	if err != nil {
		return nil, err
	}
	assets, err := assetsDirectory(root)
	if err != nil {
		return nil, err
	}
	crds, err := readCRDs(root)
	if err != nil {
		return nil, err
	}
	for _, change := range o.crds {
		for _, crd := range crds {
			change(crd)
		}
	}
	panics, err := recoveredPanics()
	if err != nil {
		return nil, err
	}

	control := &envtest.Environment{
		Scheme:                   scheme,
		BinaryAssetsDirectory:    assets,
		ControlPlaneStartTimeout: time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	if o.webhooks {
		control.WebhookInstallOptions.Paths = []string{webhookManifests(root)}
	}
	env := &Environment{Scheme: scheme, control: control, panicsBefore: panics, root: root, inputsSeen: &sync.Once{}}
	if env.Config, err = control.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start kube-apiserver and etcd of %s: %w", assets, err), control.Stop())
	}
	env.KubeConfig = control.KubeConfig
	serveConversion(crds, &control.WebhookInstallOptions)
	if err := env.install(crds); err != nil {
		return nil, errors.Join(err, control.Stop())
	}
	if env.Client, err = client.New(env.Config, client.Options{Scheme: scheme}); err != nil {
		return nil, errors.Join(fmt.Errorf("make client: %w", err), control.Stop())
	}
	return env, nil
}

func (e *Environment) stop() error {
	err := e.control.Stop()
	panics, gatherErr := recoveredPanics()
	if panics > e.panicsBefore {
		err = errors.Join(err, fmt.Errorf("%v panics were recovered in controllers or webhooks; their stacks are in the log", panics-e.panicsBefore))
	}
	return errors.Join(err, gatherErr)
}

// As returns the environment as another user sees it, who may do what RBAC grants to the user and its groups.
func (e *Environment) As(tb testing.TB, user string, groups ...string) *Environment {
	tb.Helper()
	added, err := e.control.AddUser(envtest.User{Name: user, Groups: groups}, rest.CopyConfig(e.Config))
	if err != nil {
		tb.Fatalf("Add user %s: %v", user, err)
	}
	as := *e
	as.Config = added.Config()
	if as.KubeConfig, err = added.KubeConfig(); err != nil {
		tb.Fatalf("Make kubeconfig of user %s: %v", user, err)
	}
	if as.Client, err = client.New(as.Config, client.Options{Scheme: e.Scheme}); err != nil {
		tb.Fatalf("Make client of user %s: %v", user, err)
	}
	return &as
}

// Namespace creates a namespace that nobody else uses and returns its name.
func (e *Environment) Namespace(tb testing.TB) string {
	tb.Helper()
	e.seeInputs()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: namespacePrefix(tb.Name())}}
	if err := e.Client.Create(tb.Context(), namespace); err != nil {
		tb.Fatalf("Create namespace: %v", err)
	}
	return namespace.Name
}

// seeInputs looks at the files that the API server was set up with. go test reuses a result only while the files that the
// tests looked at are unchanged; what TestMain reads before the tests run does not count.
func (e *Environment) seeInputs() {
	e.inputsSeen.Do(func() {
		files, _ := filepath.Glob(filepath.Join(crdDirectory(e.root), "*"))
		for _, file := range append(files, crdDirectory(e.root), webhookManifests(e.root)) {
			_, _ = os.Stat(file)
		}
	})
}

// namespacePrefix makes the start of a namespace's name from the name of a test.
func namespacePrefix(test string) string {
	const longest = 40
	var prefix strings.Builder
	for _, r := range strings.ToLower(test) {
		if prefix.Len() == longest {
			break
		}
		if r < '0' || (r > '9' && r < 'a') || r > 'z' {
			r = '-'
		}
		prefix.WriteRune(r)
	}
	return strings.Trim(prefix.String(), "-") + "-"
}
