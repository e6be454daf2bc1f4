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

package managementcluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// infrastructureGroup is the API group of the provider.
const infrastructureGroup = "infrastructure.cluster.x-k8s.io"

// webhookServer is who serves webhooks, and how to trust it.
type webhookServer struct {
	url string
	ca  []byte
}

// installCRDs installs the CRDs of Cluster API and of the provider, with the webhooks that convert their versions.
func (c *Cluster) installCRDs(options Options, core, own webhookServer) error {
	files := envtest.CRDInstallOptions{
		Paths: []string{
			filepath.Join(options.ClusterAPIDir, "core", "config", "crd", "bases"),
			filepath.Join(options.ConfigDir, "crd", "bases"),
		},
		ErrorIfPathMissing: true,
	}
	if err := envtest.ReadCRDFiles(&files); err != nil {
		return fmt.Errorf("read CRDs: %w", err)
	}
	for _, crd := range files.CRDs {
		switch {
		case len(crd.Spec.Versions) < 2:
		case crd.Spec.Group == infrastructureGroup:
			own.convert(crd)
		case strings.HasSuffix(crd.Spec.Group, "cluster.x-k8s.io"):
			core.convert(crd)
		}
	}
	crds := slices.Concat(files.CRDs, options.ExtraCRDs)
	if err := envtest.CreateCRDs(c.Config, crds); err != nil {
		return fmt.Errorf("create CRDs: %w", err)
	}
	if err := envtest.WaitForCRDs(c.Config, crds, envtest.CRDInstallOptions{MaxTime: time.Minute, PollInterval: 50 * time.Millisecond}); err != nil {
		return fmt.Errorf("wait for CRDs: %w", err)
	}
	return nil
}

// convert makes the server convert the versions of a CRD.
func (s webhookServer) convert(crd *apiextensionsv1.CustomResourceDefinition) {
	url := s.url + "/convert"
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig:             &apiextensionsv1.WebhookClientConfig{URL: &url, CABundle: s.ca},
			ConversionReviewVersions: []string{"v1"},
		},
	}
}

// admit points a webhook at the server.
func (s webhookServer) admit(config *admissionv1.WebhookClientConfig) {
	if config.Service == nil || config.Service.Path == nil {
		return
	}
	url := s.url + *config.Service.Path
	*config = admissionv1.WebhookClientConfig{URL: &url, CABundle: s.ca}
}

// installWebhooks installs the webhook configurations of a file, under names with a prefix.
func (c *Cluster) installWebhooks(ctx context.Context, path, prefix string, server webhookServer) error {
	documents, err := readDocuments(path)
	if err != nil {
		return err
	}
	for _, document := range documents {
		object, err := webhookConfiguration(document, server)
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		object.SetName(prefix + "-" + object.GetName())
		if err := c.Client.Create(ctx, object); err != nil {
			return fmt.Errorf("create %s %s: %w", document.GetKind(), object.GetName(), err)
		}
	}
	return nil
}

// webhookConfiguration makes a webhook configuration of a document, pointed at the server.
func webhookConfiguration(document *unstructured.Unstructured, server webhookServer) (client.Object, error) {
	switch document.GetKind() {
	case "MutatingWebhookConfiguration":
		object := &admissionv1.MutatingWebhookConfiguration{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(document.Object, object); err != nil {
			return nil, err
		}
		for i := range object.Webhooks {
			server.admit(&object.Webhooks[i].ClientConfig)
		}
		return object, nil
	case "ValidatingWebhookConfiguration":
		object := &admissionv1.ValidatingWebhookConfiguration{}
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(document.Object, object); err != nil {
			return nil, err
		}
		for i := range object.Webhooks {
			server.admit(&object.Webhooks[i].ClientConfig)
		}
		return object, nil
	}
	return nil, fmt.Errorf("%s is no webhook configuration", document.GetKind())
}

// readDocuments reads the YAML documents of a file.
func readDocuments(path string) ([]*unstructured.Unstructured, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(content), 4096)
	var documents []*unstructured.Unstructured
	for {
		document := &unstructured.Unstructured{}
		err := decoder.Decode(document)
		if errors.Is(err, io.EOF) {
			return documents, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		if len(document.Object) > 0 {
			documents = append(documents, document)
		}
	}
}
