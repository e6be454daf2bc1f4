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
	"encoding/json"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/conditions"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

func TestCredentialsThatAreMissingEmptyOrRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCluster()
	w.expectClusterCondition(infrav1.CredentialsAvailableCondition, infrav1.CredentialsSecretNotFoundReason, `"credentials"`)
	w.expectEvent(clusterName, infrav1.CredentialsSecretNotFoundReason, `"credentials"`)

	w.makeCredentials("")
	w.expectClusterCondition(infrav1.CredentialsAvailableCondition, infrav1.CredentialsInvalidReason, `"token"`)
	w.setToken("unknown-token")
	w.expectClusterCondition(infrav1.CredentialsAvailableCondition, infrav1.CredentialsRejectedReason)
	w.expectEvent(clusterName, infrav1.CredentialsRejectedReason)
	w.setToken(goodToken)
	w.Eventually(func(g Gomega) {
		g.Expect(conditions.IsTrue(w.ionosCluster(g), infrav1.CredentialsAvailableCondition)).To(BeTrue())
	}).Should(Succeed())

	// Revoked later, a machine that is being made says so, and goes on with the next token.
	w.cloud.SetTokens("next-token")
	w.makeMachine("m", threeNICs())
	w.expectMachineCondition("m", infrav1.NetworksPlannedCondition, infrav1.CredentialsRejectedReason)
	w.setToken("next-token")
	w.expectReady("m")

	w.expectNoSecretShown(goodToken, "unknown-token", "next-token", bootstrapWord)
	w.deleteCluster()
	secret := &corev1.Secret{}
	w.Expect(w.client.Get(t.Context(), w.key("credentials"), secret)).To(Succeed())
	w.Expect(secret.Finalizers).To(BeEmpty(), "the secret is given free with the cluster")
}

// expectNoSecretShown looks for secrets in the events and objects of the namespace.
func (w *world) expectNoSecretShown(secrets ...string) {
	w.t.Helper()
	var shown strings.Builder
	for _, event := range w.events(w) {
		shown.WriteString(event.Note + "\n")
	}
	for _, list := range []client.ObjectList{&infrav1.IonosCloudClusterList{}, &infrav1.IonosCloudMachineList{}, &clusterv1.MachineList{}} {
		w.Expect(w.client.List(w.t.Context(), list, client.InNamespace(w.namespace))).To(Succeed())
		text, err := json.Marshal(list)
		w.Expect(err).NotTo(HaveOccurred())
		shown.Write(text)
	}
	for _, secret := range secrets {
		w.Expect(shown.String()).NotTo(ContainSubstring(secret))
	}
}

func TestCredentialsSecretIsGoneWhenTheClusterIsDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sharedFilter)
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")
	secret := &corev1.Secret{}
	w.Expect(w.client.Get(t.Context(), w.key("credentials"), secret)).To(Succeed())
	w.Expect(secret.Finalizers).NotTo(BeEmpty())
	// Somebody takes the secret away by force.
	// Once it is being deleted, its finalizer cannot come back.
	w.Expect(w.client.Delete(t.Context(), secret)).To(Succeed())
	before := secret.DeepCopy()
	secret.Finalizers = nil
	w.Expect(w.client.Patch(t.Context(), secret, client.MergeFrom(before))).To(Succeed())

	// While the cluster lives, its credentials are waited for.
	w.deleteMachine("m")
	w.expectMachineCondition("m", infrav1.DeletingCondition, infrav1.CredentialsSecretNotFoundReason, `"credentials"`)
	w.Expect(w.claimNames(w)).NotTo(BeEmpty(), "the addresses stay reserved while the server may have them")
	// C14: with the cluster, everything goes, and what is left behind is named.
	cluster := &clusterv1.Cluster{}
	cluster.Namespace, cluster.Name = w.namespace, clusterName
	w.Expect(w.client.Delete(t.Context(), cluster)).To(Succeed())
	w.Eventually(func(g Gomega) {
		g.Expect(client.IgnoreNotFound(w.client.Get(t.Context(), w.key(clusterName), &clusterv1.Cluster{}))).To(Succeed())
		machines := &infrav1.IonosCloudMachineList{}
		g.Expect(w.client.List(t.Context(), machines, client.InNamespace(w.namespace))).To(Succeed())
		g.Expect(machines.Items).To(BeEmpty())
		clusters := &infrav1.IonosCloudClusterList{}
		g.Expect(w.client.List(t.Context(), clusters, client.InNamespace(w.namespace))).To(Succeed())
		g.Expect(clusters.Items).To(BeEmpty())
	}).Should(Succeed())
	w.expectEvent("m", "LeftBehind", w.server(w, "m").ID)
}
