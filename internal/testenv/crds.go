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
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

const infrastructureGroup = "infrastructure.cluster.x-k8s.io"

// readCRDs returns the provider's own CRDs, those of Cluster API, and those of the stand-in pools.
func readCRDs(root string) ([]*apiextensionsv1.CustomResourceDefinition, error) {
	clusterAPIDir, err := clusterAPIDirectory(root)
	if err != nil {
		return nil, err
	}
	files := envtest.CRDInstallOptions{
		Paths: []string{
			crdDirectory(root),
			filepath.Join(clusterAPIDir, "core", "config", "crd", "bases"),
		},
		ErrorIfPathMissing: true,
	}
	if err := envtest.ReadCRDFiles(&files); err != nil {
		return nil, fmt.Errorf("read CRDs: %w", err)
	}
	pools, err := poolstandin.CRDs()
	if err != nil {
		return nil, err
	}
	return append(files.CRDs, pools...), nil
}

// serveConversion points the provider's own CRDs to the converter of the webhook server. The other CRDs keep no
// converter: the manager that would serve it does not run, so only their storage version can be used.
func serveConversion(crds []*apiextensionsv1.CustomResourceDefinition, webhooks *envtest.WebhookInstallOptions) {
	url := "https://" + net.JoinHostPort(webhooks.LocalServingHost, strconv.Itoa(webhooks.LocalServingPort)) + "/convert"
	for _, crd := range crds {
		if crd.Spec.Group != infrastructureGroup {
			crd.Spec.Conversion = nil
			continue
		}
		if len(crd.Spec.Versions) < 2 || (crd.Spec.Conversion != nil && crd.Spec.Conversion.Strategy == apiextensionsv1.NoneConverter) {
			continue
		}
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
			Strategy: apiextensionsv1.WebhookConverter,
			Webhook: &apiextensionsv1.WebhookConversion{
				ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: webhooks.LocalServingCAData},
				ConversionReviewVersions: []string{"v1"},
			},
		}
	}
}

// crdDirectory is the folder with the generated CRDs.
func crdDirectory(root string) string {
	return filepath.Join(root, "config", "crd", "bases")
}

// webhookManifests is the file with the admission webhooks.
func webhookManifests(root string) string {
	return filepath.Join(root, "config", "webhook", "manifests.yaml")
}

// install creates the CRDs and waits until they are served.
func (e *Environment) install(crds []*apiextensionsv1.CustomResourceDefinition) error {
	if err := envtest.CreateCRDs(e.Config, crds); err != nil {
		return fmt.Errorf("create CRDs: %w", err)
	}
	wait := envtest.CRDInstallOptions{MaxTime: time.Minute, PollInterval: 50 * time.Millisecond}
	if err := envtest.WaitForCRDs(e.Config, crds, wait); err != nil {
		return fmt.Errorf("wait for CRDs: %w", err)
	}
	return nil
}

// OnlyVersion is for WithCRDs: it leaves one version of the provider's own CRDs, stored as it is. What that version's
// schema accepts can then be seen without any conversion.
func OnlyVersion(version string) func(*apiextensionsv1.CustomResourceDefinition) {
	return func(crd *apiextensionsv1.CustomResourceDefinition) {
		if crd.Spec.Group != infrastructureGroup {
			return
		}
		crd.Spec.Versions = slices.DeleteFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
			return v.Name != version
		})
		for i := range crd.Spec.Versions {
			crd.Spec.Versions[i].Storage = true
		}
	}
}
