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
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// errKilled is what a manager gets to see after it was killed.
var errKilled = errors.New("the manager was killed")

// killer kills a manager after a number of effects: calls of the cloud, and writes to the management cluster. The last
// one still has its effect, but the manager does not hear of it.
type killer struct {
	kill context.CancelFunc

	mutex sync.Mutex
	// left is how many effects are left; negative while the killer is not armed.
	left int
}

// arm has the manager killed after so many effects from now on.
func (k *killer) arm(effects int) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.left = effects
}

// effect counts an effect, and tells whether it may happen, and whether its outcome may be heard of.
func (k *killer) effect() (happens, heard bool) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	switch {
	case k.left < 0:
		return true, true
	case k.left == 0:
		return false, false
	}
	k.left--
	if k.left == 0 {
		k.kill()
		return true, false
	}
	return true, true
}

// RoundTripper wraps the transport to the cloud.
func (k *killer) wrapTransport(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		happens, heard := k.effect()
		if !happens {
			return nil, errKilled
		}
		response, err := next.RoundTrip(request.WithContext(context.WithoutCancel(request.Context())))
		if err == nil && !heard {
			_ = response.Body.Close()
			return nil, errKilled
		}
		return response, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// wrapClient wraps the client to the management cluster. Only objects of the test's namespace count.
func (k *killer) wrapClient(namespace string) func(client.Client) client.Client {
	return func(next client.Client) client.Client {
		write := func(of string, do func() error) error {
			if of != namespace {
				return do()
			}
			happens, heard := k.effect()
			if !happens {
				return errKilled
			}
			if err := do(); err != nil || heard {
				return err
			}
			return errKilled
		}
		return interceptor.NewClient(withWatch{next}, interceptor.Funcs{
			Create: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.CreateOption) error {
				return write(object.GetNamespace(), func() error { return c.Create(context.WithoutCancel(ctx), object, options...) })
			},
			Delete: func(ctx context.Context, c client.WithWatch, object client.Object, options ...client.DeleteOption) error {
				return write(object.GetNamespace(), func() error { return c.Delete(context.WithoutCancel(ctx), object, options...) })
			},
			Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
				return write(object.GetNamespace(), func() error { return c.Patch(context.WithoutCancel(ctx), object, patch, options...) })
			},
			Apply: func(ctx context.Context, c client.WithWatch, object runtime.ApplyConfiguration, options ...client.ApplyOption) error {
				return write(namespace, func() error { return c.Apply(context.WithoutCancel(ctx), object, options...) })
			},
			SubResourcePatch: func(ctx context.Context, c client.Client, subresource string, object client.Object, patch client.Patch, options ...client.SubResourcePatchOption) error {
				return write(object.GetNamespace(), func() error {
					return c.SubResource(subresource).Patch(context.WithoutCancel(ctx), object, patch, options...)
				})
			},
		})
	}
}

// withWatch makes a client look like one that watches, which the interceptor asks for and managers do not use.
type withWatch struct{ client.Client }

func (withWatch) Watch(context.Context, client.ObjectList, ...client.ListOption) (watch.Interface, error) {
	return nil, errors.New("this client does not watch")
}

// mortal is a manager that can be killed.
type mortal struct {
	*killer
	killed chan struct{}
	ended  chan error
	stop   context.CancelFunc
}

// startMortal starts a manager for the objects of the test.
func (w *world) startMortal() *mortal {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	m := &mortal{killed: make(chan struct{}), ended: make(chan error, 1), stop: cancel}
	m.killer = &killer{left: -1, kill: func() {
		close(m.killed)
		cancel()
	}}
	mgr, err := newManager(ctx, managerOptions{
		watchFilter: w.filter, namespace: w.namespace, syncPeriod: time.Minute, inventoryTTL: 100 * time.Millisecond, wrapTransport: m.wrapTransport, wrapClient: m.wrapClient(w.namespace),
	})
	w.Expect(err).NotTo(HaveOccurred())
	go func() { m.ended <- mgr.Start(ctx) }()
	return m
}

// end stops a manager that was not killed, and waits until it has ended.
func (w *world) end(m *mortal) {
	w.t.Helper()
	m.stop()
	w.Eventually(m.ended).Should(Receive())
}

// until waits until something holds, or the manager was killed, and tells which.
func (w *world) until(m *mortal, holds func(Gomega)) (killed bool) {
	w.t.Helper()
	w.Eventually(func(g Gomega) {
		select {
		case <-m.killed:
			killed = true
		default:
			holds(g)
		}
	}).Should(Succeed())
	if killed {
		w.Eventually(m.ended).Should(Receive())
	}
	return killed
}

// TestManagerKilledAtEachStep kills the manager after its first effect, its second, and so on, while it makes a machine
// and while it deletes one, and starts another. Nothing is made twice, and nothing is left.
func TestManagerKilledAtEachStep(t *testing.T) {
	t.Parallel()
	const strides = 3
	for first := range strides {
		t.Run(fmt.Sprintf("effects %d, %d, ...", first+1, first+1+strides), func(t *testing.T) {
			t.Parallel()
			killAtSteps(t, fmt.Sprintf("killed-%d", first), first+1, strides)
		})
	}
}

// killAtSteps kills managers after the first number of effects, and then after ever more by a stride.
func killAtSteps(t *testing.T, filter string, first, stride int) {
	t.Helper()
	w := newWorld(t, filter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	manager := w.startMortal()
	w.until(manager, func(g Gomega) { g.Expect(w.ionosCluster(g).Status.Initialization.Provisioned).NotTo(BeNil()) })

	steps := first
	for ; ; steps += stride {
		w.Expect(steps).To(BeNumerically("<", 80), "a machine must come to its end")
		name := fmt.Sprintf("m%d", steps)
		ready := func(g Gomega) { g.Expect(w.machine(g, name).Status.Initialization.Provisioned).NotTo(BeNil()) }
		gone := func(g Gomega) {
			for _, claim := range w.claimNames(g) {
				g.Expect(claim).NotTo(HavePrefix(name + "."))
			}
			g.Expect(apierrors.IsNotFound(w.client.Get(t.Context(), w.key(name), w.emptyMachine()))).To(BeTrue())
		}
		manager.arm(steps)
		w.makeMachine(name, threeNICs())
		if !w.until(manager, ready) {
			break
		}
		manager = w.startMortal()
		w.until(manager, ready)
		w.Expect(w.server(w, name).NICs).To(HaveLen(3))
		// Each machine goes before the next comes, and its manager is killed after as many effects.
		manager.arm(steps)
		w.deleteMachine(name)
		if w.until(manager, gone) {
			manager = w.startMortal()
			w.until(manager, gone)
		}
		w.Expect(w.servers()).To(BeEmpty())
		w.Expect(w.cloud.Snapshot().Datacenters[0].Volumes).To(BeEmpty())
	}
	t.Logf("a machine was made within %d effects", steps)
	manager.arm(-1)
	w.deleteCluster()
	w.end(manager)
}
