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
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

func TestEnvironment(t *testing.T) {
	env := Start(t)

	t.Run("serves the kinds that the provider works with", func(t *testing.T) {
		namespace := env.Namespace(t)
		meta := metav1.ObjectMeta{Namespace: namespace, Name: "shop"}
		pool := poolstandin.PoolSpec{Addresses: []string{"192.0.2.10-192.0.2.20"}, Prefix: 24}
		for _, object := range []client.Object{
			&infrav1.IonosCloudCluster{ObjectMeta: meta, Spec: infrav1.IonosCloudClusterSpec{
				CredentialsRef: infrav1.CredentialsReference{Name: "credentials"},
			}},
			&clusterv1.Cluster{ObjectMeta: meta, Spec: clusterv1.ClusterSpec{
				InfrastructureRef: clusterv1.ContractVersionedObjectReference{
					APIGroup: infrav1.GroupVersion.Group, Kind: "IonosCloudCluster", Name: "shop",
				},
			}},
			&ipamv1.IPAddressClaim{ObjectMeta: meta, Spec: ipamv1.IPAddressClaimSpec{PoolRef: ipamv1.IPPoolReference{
				APIGroup: "ipam.cluster.x-k8s.io", Kind: "InClusterIPPool", Name: "nodes",
			}}},
			poolstandin.NewInClusterIPPool(namespace, "nodes", pool),
			poolstandin.NewGlobalInClusterIPPool(namespace, pool),
		} {
			if err := env.Client.Create(t.Context(), object); err != nil {
				t.Errorf("create %T: %v", object, err)
			}
		}
	})

	t.Run("another user may do what RBAC grants", func(t *testing.T) {
		namespace := env.Namespace(t)
		nobody := env.As(t, "nobody", "strangers")
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "credentials"}}
		if err := nobody.Client.Create(t.Context(), secret); !apierrors.IsForbidden(err) {
			t.Errorf("create secret as nobody: got %v, want forbidden", err)
		}
		if err := env.Client.Create(t.Context(), secret); err != nil {
			t.Errorf("create secret as administrator: %v", err)
		}
	})

	t.Run("managers run one after another with the same controllers", func(t *testing.T) {
		g := NewWithT(t)
		namespace := env.Namespace(t)
		for _, name := range []string{"first", "second"} {
			seen := make(chan string, 100)
			mgr := env.NewManager(t)
			err := ctrl.NewControllerManagedBy(mgr).Named("seer").For(&corev1.Secret{}).
				Complete(reconcile.Func(func(_ context.Context, request reconcile.Request) (reconcile.Result, error) {
					seen <- request.String()
					return reconcile.Result{}, nil
				}))
			g.Expect(err).NotTo(HaveOccurred())
			stop := mgr.Run(t)
			secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
			g.Expect(env.Client.Create(t.Context(), secret)).To(Succeed())
			g.Eventually(seen, 10*time.Second).Should(Receive(Equal(namespace + "/" + name)))
			stop()
		}
	})
}

func TestPanicFailsTheRun(t *testing.T) {
	g := NewWithT(t)
	env, err := start(nil)
	g.Expect(err).NotTo(HaveOccurred())
	stopped := false
	t.Cleanup(func() {
		if !stopped {
			_ = env.control.Stop()
		}
	})

	mgr := env.NewManager(t)
	err = ctrl.NewControllerManagedBy(mgr).Named("faulty").For(&corev1.Namespace{}).
		Complete(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { panic("for the test") }))
	g.Expect(err).NotTo(HaveOccurred())
	stop := mgr.Run(t)
	g.Eventually(func(g Gomega) {
		panics, err := recoveredPanics()
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(panics).To(BeNumerically(">", env.panicsBefore))
	}, 10*time.Second).Should(Succeed())
	stop()

	stopped = true
	if err := env.stop(); err == nil || !strings.Contains(err.Error(), "panics were recovered") {
		t.Errorf("got %v; want an error that counts the panics", err)
	}
}

func TestManagerThatEndsAtOnce(t *testing.T) {
	env := &Manager{Manager: endedManager{}}
	ended := make(chan struct{})
	close(ended)
	if err := env.waitUntilStarted(t.Context(), ended); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v; want an error at once", err)
	}
}

// endedManager is a manager that was never elected.
type endedManager struct{ ctrl.Manager }

func (endedManager) Elected() <-chan struct{} { return nil }
