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

package ipam_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	ipamv1 "sigs.k8s.io/cluster-api/api/ipam/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/ipam"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/testenv"
)

const (
	timeout    = 20 * time.Second
	fieldOwner = client.FieldOwner("ipam-test")
	finalizer  = infrav1.MachineFinalizer
)

var env *testenv.Environment

func TestMain(m *testing.M) {
	os.Exit(testenv.Run(m, func(e *testenv.Environment) { env = e }))
}

// errBroken is what a call ends with that was broken off.
var errBroken = errors.New("connection broken off")

// world is a namespace with a pool, the stand-in that serves it, and claims that are made in it.
type world struct {
	namespace string
	claims    ipam.Claims
	// cache reads what claims.Client reads.
	cache client.Reader
	// calls are the calls to the API server and to the cache since the last look.
	calls []string
	// breakAt is the call, counted from one, that is broken off: before its effect, or after it. Zero breaks none.
	breakAt    int
	breakAfter bool
	// late, if set, answers a read of the cache, as one that is behind would.
	late func(key types.NamespacedName, object client.Object) (bool, error)
}

// newWorld makes a world with a pool "nodes" of the given addresses.
func newWorld(t *testing.T, addresses ...string) *world {
	t.Helper()
	mgr := env.NewManager(t)
	if err := ipam.SetupIndexes(t.Context(), mgr); err != nil {
		t.Fatal(err)
	}
	if err := poolstandin.SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	mgr.Run(t)
	w := &world{namespace: env.Namespace(t), cache: mgr.GetCache()}
	create(t, poolstandin.NewInClusterIPPool(w.namespace, "nodes", poolstandin.PoolSpec{Addresses: addresses, Prefix: 24, Gateway: "192.0.2.1"}))
	w.claims = ipam.Claims{
		Client:     w.client(t, &client.CacheOptions{Reader: mgr.GetCache()}),
		APIReader:  w.client(t, nil),
		FieldOwner: fieldOwner,
		Finalizer:  finalizer,
	}
	refuseChangesOfSpecs(t, w.namespace)
	return w
}

// client is a client whose calls are counted and broken off.
func (w *world) client(t *testing.T, cache *client.CacheOptions) client.Client {
	t.Helper()
	c, err := client.NewWithWatch(env.Config, client.Options{Scheme: env.Scheme, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	where := "live"
	if cache != nil {
		where = "cached"
	}
	return interceptor.NewClient(c, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
			return w.call(fmt.Sprintf("%s get %T", where, object), func() error {
				if w.late != nil && cache != nil {
					if answered, err := w.late(key, object); answered {
						return err
					}
				}
				return c.Get(ctx, key, object, opts...)
			})
		},
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			return w.call(fmt.Sprintf("%s list %T", where, list), func() error { return c.List(ctx, list, opts...) })
		},
		Delete: func(ctx context.Context, c client.WithWatch, object client.Object, opts ...client.DeleteOption) error {
			return w.call(fmt.Sprintf("write delete %T", object), func() error { return c.Delete(ctx, object, opts...) })
		},
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch, opts ...client.PatchOption) error {
			return w.call(fmt.Sprintf("write patch %T", object), func() error { return c.Patch(ctx, object, patch, opts...) })
		},
		Apply: func(ctx context.Context, c client.WithWatch, object runtime.ApplyConfiguration, opts ...client.ApplyOption) error {
			return w.call("write apply", func() error { return c.Apply(ctx, object, opts...) })
		},
		Create: func(context.Context, client.WithWatch, client.Object, ...client.CreateOption) error {
			return w.call("write create", func() error { return errors.New("create is not allowed") })
		},
		Update: func(context.Context, client.WithWatch, client.Object, ...client.UpdateOption) error {
			return w.call("write update", func() error { return errors.New("update is not allowed") })
		},
	})
}

func (w *world) call(name string, do func() error) error {
	w.calls = append(w.calls, name)
	if len(w.calls) != w.breakAt {
		return do()
	}
	if w.breakAfter {
		_ = do()
	}
	return errBroken
}

// callsPastCache returns the calls that reached the API server, and forgets them all.
func (w *world) callsPastCache() []string {
	calls := slices.DeleteFunc(w.calls, func(call string) bool { return len(call) > 6 && call[:6] == "cached" })
	w.calls = nil
	return calls
}

// catchUp waits until the cache has what the API server has in the namespace.
func (w *world) catchUp(t *testing.T) {
	t.Helper()
	g := NewWithT(t)
	g.Eventually(func(g Gomega) {
		g.Expect(w.versions(t, g, w.cache)).To(Equal(w.versions(t, g, env.Client)))
	}, timeout, 10*time.Millisecond).Should(Succeed())
}

func (w *world) versions(t *testing.T, g Gomega, reader client.Reader) map[string]string {
	t.Helper()
	versions := map[string]string{}
	claims, addresses := &ipamv1.IPAddressClaimList{}, &ipamv1.IPAddressList{}
	g.Expect(reader.List(t.Context(), claims, client.InNamespace(w.namespace))).To(Succeed())
	g.Expect(reader.List(t.Context(), addresses, client.InNamespace(w.namespace))).To(Succeed())
	for _, claim := range claims.Items {
		versions["claim "+claim.Name] = claim.ResourceVersion
	}
	for _, address := range addresses.Items {
		versions["address "+address.Name] = address.ResourceVersion
	}
	return versions
}

// machine is an owner of the given name. It need not exist: nothing here looks at it.
func (w *world) machine(name string) ipam.Owner {
	machine := &infrav1.IonosCloudMachine{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name, UID: types.UID("uid-of-" + name)}}
	return ipam.Owner{Object: machine, GVK: infrav1.GroupVersion.WithKind("IonosCloudMachine"), ClusterName: "shop"}
}

var nodesPool = network.PoolRef{APIGroup: poolstandin.GroupVersion.Group, Kind: poolstandin.InClusterIPPoolKind, Name: "nodes"}

func planOf(owner ipam.Owner, attachment string) network.ClaimPlan {
	return network.ClaimPlan{
		Name:       network.ClaimName(network.Owner{Name: owner.Object.GetName()}, attachment, network.IPv4),
		Attachment: attachment, Family: network.IPv4, Pool: nodesPool,
	}
}

func (w *world) ensure(t *testing.T, owner ipam.Owner, plan network.ClaimPlan) {
	t.Helper()
	if err := w.claims.Ensure(t.Context(), owner, plan); err != nil {
		t.Fatal(err)
	}
	w.catchUp(t)
}

// observe observes one claim.
func (w *world) observe(t *testing.T, owner ipam.Owner, name string) network.Claim {
	t.Helper()
	w.catchUp(t)
	claims, err := w.claims.Observe(t.Context(), owner, []string{name})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(claims, func(claim network.Claim) bool { return claim.Name == name })
	if i < 0 {
		t.Fatalf("claim %s is not observed, but %v", name, claims)
	}
	return claims[i]
}

// bind makes a claim, waits for its address and holds that.
func (w *world) bind(t *testing.T, owner ipam.Owner, attachment string) network.Claim {
	t.Helper()
	plan := planOf(owner, attachment)
	w.ensure(t, owner, plan)
	claim := w.eventuallyBound(t, owner, plan.Name)
	if err := w.claims.Hold(t.Context(), owner, claim); err != nil {
		t.Fatal(err)
	}
	w.catchUp(t)
	return claim
}

func (w *world) eventuallyBound(t *testing.T, owner ipam.Owner, name string) network.Claim {
	t.Helper()
	var claim network.Claim
	NewWithT(t).Eventually(func(g Gomega) {
		claim = w.observe(t, owner, name)
		g.Expect(claim.Address.IsValid()).To(BeTrue(), "%+v", claim)
	}, timeout, 20*time.Millisecond).Should(Succeed())
	return claim
}

// eventuallyReleased releases until nothing remains, as a controller does that is woken by each change.
func (w *world) eventuallyReleased(t *testing.T, owner ipam.Owner, recorded ...string) {
	t.Helper()
	NewWithT(t).Eventually(func(g Gomega) {
		remaining, err := w.claims.ReleaseAll(t.Context(), owner, recorded...)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(remaining).To(BeEmpty())
	}, timeout, 20*time.Millisecond).Should(Succeed())
	w.catchUp(t)
}

func (w *world) claim(t *testing.T, name string) *ipamv1.IPAddressClaim {
	t.Helper()
	claim := &ipamv1.IPAddressClaim{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}}
	get(t, claim)
	return claim
}

func (w *world) address(t *testing.T, name string) *ipamv1.IPAddress {
	t.Helper()
	address := &ipamv1.IPAddress{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}}
	get(t, address)
	return address
}

// names are the claims and addresses that exist in the namespace.
func (w *world) names(t *testing.T) []string {
	t.Helper()
	var names []string
	for name := range w.versions(t, NewWithT(t), env.Client) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func get(t *testing.T, object client.Object) {
	t.Helper()
	if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
		t.Fatalf("get %T %s: %v", object, object.GetName(), err)
	}
}

func create(t *testing.T, objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		if err := env.Client.Create(t.Context(), object, client.FieldOwner("somebody")); err != nil {
			t.Fatalf("create %T %s: %v", object, object.GetName(), err)
		}
	}
}

func remove(t *testing.T, object client.Object) {
	t.Helper()
	if err := env.Client.Delete(t.Context(), object); err != nil {
		t.Fatalf("delete %T %s: %v", object, object.GetName(), err)
	}
}

// change patches an object as somebody else than the provider.
func change[T client.Object](t *testing.T, object T, with func(T)) {
	t.Helper()
	get(t, object)
	before, isObject := object.DeepCopyObject().(client.Object)
	if !isObject {
		t.Fatalf("%T is no object", object)
	}
	with(object)
	if err := env.Client.Patch(t.Context(), object, client.MergeFrom(before), client.FieldOwner("somebody")); err != nil {
		t.Fatalf("patch %T %s: %v", object, object.GetName(), err)
	}
}

// refuseChangesOfSpecs makes the API server refuse what the webhook of Cluster API refuses: a change of a claim's spec.
func refuseChangesOfSpecs(t *testing.T, namespace string) {
	t.Helper()
	const name = "specs-of-claims-are-immutable"
	policy := &admissionv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{
				RuleWithOperations: admissionv1.RuleWithOperations{
					Operations: []admissionv1.OperationType{admissionv1.Update},
					Rule: admissionv1.Rule{
						APIGroups: []string{ipamv1.GroupVersion.Group}, APIVersions: []string{"*"}, Resources: []string{"ipaddressclaims"},
					},
				},
			}}},
			Validations: []admissionv1.Validation{{Expression: "object.spec == oldObject.spec", Message: "the spec of a claim is immutable"}},
		},
	}
	binding := &admissionv1.ValidatingAdmissionPolicyBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
			PolicyName: name, ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
		},
	}
	for _, object := range []client.Object{policy, binding} {
		if err := env.Client.Create(t.Context(), object); err != nil && !apierrors.IsAlreadyExists(err) {
			t.Fatal(err)
		}
	}
	probe := &ipamv1.IPAddressClaim{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "probe"},
		Spec:       ipamv1.IPAddressClaimSpec{PoolRef: ipamv1.IPPoolReference{APIGroup: "example.com", Kind: "Pool", Name: "any"}},
	}
	create(t, probe)
	NewWithT(t).Eventually(func() error {
		changed := probe.DeepCopy()
		changed.Spec.ClusterName = "other"
		return env.Client.Patch(t.Context(), changed, client.MergeFrom(probe), client.DryRunAll)
	}, timeout, 50*time.Millisecond).Should(MatchError(ContainSubstring("the spec of a claim is immutable")))
	remove(t, probe)
}

// poolRef names the pool "nodes" as claims do.
func poolRef() ipamv1.IPPoolReference {
	return ipamv1.IPPoolReference{APIGroup: nodesPool.APIGroup, Kind: nodesPool.Kind, Name: nodesPool.Name}
}

// controller is a reference to a controller.
func controller(apiVersion, kind, name string, uid types.UID) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: name, UID: uid, Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true)}
}
