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
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// TestGeneratedRoleIsEnough runs a manager that may only what the generated role gives, through the life of a cluster.
func TestGeneratedRoleIsEnough(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "rbac")
	root, err := repositoryRoot()
	w.Expect(err).NotTo(HaveOccurred())
	content, err := os.ReadFile(filepath.Join(root, "config", "rbac", "role.yaml"))
	w.Expect(err).NotTo(HaveOccurred())
	role := &rbacv1.ClusterRole{}
	w.Expect(yaml.UnmarshalStrict(content, role)).To(Succeed())
	const user = "provider"
	w.Expect(w.client.Create(t.Context(), role)).To(Succeed())
	w.Expect(w.client.Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: user},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	})).To(Succeed())
	config, err := env.ConfigOf(user)
	w.Expect(err).NotTo(HaveOccurred())

	ctx, cancel := context.WithCancel(t.Context())
	mgr, err := newManager(ctx, managerOptions{watchFilter: w.filter, syncPeriod: time.Minute, config: config})
	w.Expect(err).NotTo(HaveOccurred())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	w.makeCredentials(goodToken)
	w.makeCluster()
	w.makeMachine("m", threeNICs())
	w.expectReady("m")
	w.expectEvent("m", "ServerProvisioned")
	w.deleteCluster()
	cancel()
	w.Eventually(ended).Should(Receive())
}
