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

package webhook_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

func machineTemplate(namespace string) *infrav1.IonosCloudMachineTemplate {
	return &infrav1.IonosCloudMachineTemplate{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "workers"},
		Spec: infrav1.IonosCloudMachineTemplateSpec{Template: infrav1.IonosCloudMachineTemplateResource{Spec: infrav1.IonosCloudMachineSpec{
			DatacenterID: "2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11",
			Disk:         infrav1.Volume{Image: infrav1.ImageSpec{ID: "7a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55"}},
			Networks:     []infrav1.Attachment{{Name: "public"}, {Name: "storage", NetworkID: 7}},
		}}},
	}
}

func clusterTemplate(namespace string) *infrav1.IonosCloudClusterTemplate {
	return &infrav1.IonosCloudClusterTemplate{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "standard"},
		Spec: infrav1.IonosCloudClusterTemplateSpec{Template: infrav1.IonosCloudClusterTemplateResource{Spec: infrav1.IonosCloudClusterSpec{
			Location:       "de/txl",
			CredentialsRef: infrav1.CredentialsReference{Name: "credentials"},
			Networks:       []infrav1.ClusterNetwork{{Name: "nodes", Type: infrav1.ClusterNetworkPublic}},
		}}},
	}
}

const (
	machineTemplateImmutable = `IonosCloudMachineTemplate.infrastructure.cluster.x-k8s.io "workers" is invalid: spec: Forbidden: ` +
		`a template is immutable: create a new template with the change, and make the machines from that`
	clusterTemplateImmutable = `IonosCloudClusterTemplate.infrastructure.cluster.x-k8s.io "standard" is invalid: spec: Forbidden: ` +
		`a template is immutable: create a new template with the change, and make the clusters from that`
)

func TestMachineTemplateIsImmutable(t *testing.T) {
	namespace := serve(t)
	template := machineTemplate(namespace)
	if err := env.Client.Create(t.Context(), template); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change func(*infrav1.IonosCloudMachineTemplate)
		want   string // Empty means that the change is admitted.
	}{
		{name: "labels", change: func(m *infrav1.IonosCloudMachineTemplate) { m.Labels = map[string]string{"team": "shop"} }},
		{name: "annotations", change: func(m *infrav1.IonosCloudMachineTemplate) { m.Annotations = map[string]string{"note": "x"} }},
		{
			name:   "size",
			change: func(m *infrav1.IonosCloudMachineTemplate) { m.Spec.Template.Spec.NumCores = 8 },
			want:   machineTemplateImmutable,
		},
		{
			name: "attachment is added",
			change: func(m *infrav1.IonosCloudMachineTemplate) {
				m.Spec.Template.Spec.Networks = append(m.Spec.Template.Spec.Networks, infrav1.Attachment{Name: "backup", NetworkID: 9})
			},
			want: machineTemplateImmutable,
		},
		{
			name: "attachment is removed",
			change: func(m *infrav1.IonosCloudMachineTemplate) {
				m.Spec.Template.Spec.Networks = m.Spec.Template.Spec.Networks[:1]
			},
			want: machineTemplateImmutable,
		},
		{
			name: "labels of the machines",
			change: func(m *infrav1.IonosCloudMachineTemplate) {
				m.Spec.Template.ObjectMeta.Labels = map[string]string{"team": "shop"}
			},
			want: machineTemplateImmutable,
		},
		{
			name: "size, with the annotation of a dry run that is none",
			change: func(m *infrav1.IonosCloudMachineTemplate) {
				m.Annotations = map[string]string{clusterv1.TopologyDryRunAnnotation: ""}
				m.Spec.Template.Spec.NumCores = 8
			},
			want: machineTemplateImmutable,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := template.DeepCopy()
			tt.change(changed)
			err := env.Client.Patch(t.Context(), changed, client.MergeFrom(template))
			if got := text(err); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestClusterTemplateIsImmutable(t *testing.T) {
	namespace := serve(t)
	template := clusterTemplate(namespace)
	if err := env.Client.Create(t.Context(), template); err != nil {
		t.Fatal(err)
	}
	changed := template.DeepCopy()
	changed.Spec.Template.Spec.Location = "de/fra"
	if got := text(env.Client.Patch(t.Context(), changed, client.MergeFrom(template))); got != clusterTemplateImmutable {
		t.Errorf("got  %s\nwant %s", got, clusterTemplateImmutable)
	}
	changed = template.DeepCopy()
	changed.Labels = map[string]string{"team": "shop"}
	if err := env.Client.Patch(t.Context(), changed, client.MergeFrom(template)); err != nil {
		t.Errorf("change labels: %v", err)
	}
	if err := env.Client.Delete(t.Context(), template); err != nil {
		t.Errorf("delete: %v", err)
	}
}

// TestTopologyDryRunPasses is case C11: the topology controller finds out by a dry run whether it needs a new template, and
// must not be refused.
func TestTopologyDryRunPasses(t *testing.T) {
	namespace := serve(t)
	for _, template := range []client.Object{machineTemplate(namespace), clusterTemplate(namespace)} {
		if err := env.Client.Create(t.Context(), template); err != nil {
			t.Fatal(err)
		}
	}
	machines, clusters := machineTemplate(namespace), clusterTemplate(namespace)
	machines.Spec.Template.Spec.Networks[1].NetworkID = 8
	clusters.Spec.Template.Spec.Location = "de/fra"
	for _, tt := range []struct {
		template client.Object
		path     []string
		dryRun   any // The value at the path that the dry run returns.
		stored   any // The value at the path afterwards.
		refused  string
	}{
		{machines, []string{"spec", "template", "spec", "networks"}, int64(8), int64(7), machineTemplateImmutable},
		{clusters, []string{"spec", "template", "spec", "location"}, "de/fra", "de/txl", clusterTemplateImmutable},
	} {
		t.Run(tt.template.GetName(), func(t *testing.T) {
			apply := func(annotations map[string]any, opts ...client.ApplyOption) (*unstructured.Unstructured, error) {
				object := asManifest(t, tt.template)
				object.SetName(tt.template.GetName())
				object.SetNamespace(namespace)
				if annotations != nil {
					if err := unstructured.SetNestedMap(object.Object, annotations, "metadata", "annotations"); err != nil {
						t.Fatal(err)
					}
				}
				opts = append(opts, client.ForceOwnership, client.FieldOwner("capi-topology"))
				return object, env.Client.Apply(t.Context(), client.ApplyConfigurationFromUnstructured(object), opts...)
			}
			dryRunAnnotation := map[string]any{clusterv1.TopologyDryRunAnnotation: ""}

			object, err := apply(dryRunAnnotation, client.DryRunAll)
			if err != nil {
				t.Errorf("dry run of the topology controller: %v", err)
			}
			if got := at(t, object, tt.path); got != tt.dryRun {
				t.Errorf("the dry run returns %v, want %v", got, tt.dryRun)
			}
			if _, err := apply(nil, client.DryRunAll); text(err) != tt.refused {
				t.Errorf("dry run of somebody else: got %v\nwant %s", err, tt.refused)
			}
			if _, err := apply(dryRunAnnotation); text(err) != tt.refused {
				t.Errorf("apply: got %v\nwant %s", err, tt.refused)
			}
			if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
				t.Fatal(err)
			}
			if got := at(t, object, tt.path); got != tt.stored {
				t.Errorf("stored is %v, want %v", got, tt.stored)
			}
		})
	}
}

// asManifest is what a user would write for an object.
func asManifest(t *testing.T, object client.Object) *unstructured.Unstructured {
	t.Helper()
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		t.Fatal(err)
	}
	manifest := &unstructured.Unstructured{Object: map[string]any{"spec": content["spec"]}}
	gvk, err := env.Client.GroupVersionKindFor(object)
	if err != nil {
		t.Fatal(err)
	}
	manifest.SetGroupVersionKind(gvk)
	return manifest
}

// at reads a field; of a list of attachments, the networkID of the second.
func at(t *testing.T, object *unstructured.Unstructured, path []string) any {
	t.Helper()
	value, _, err := unstructured.NestedFieldCopy(object.Object, path...)
	if err != nil {
		t.Fatal(err)
	}
	if list, ok := value.([]any); ok {
		return list[1].(map[string]any)["networkID"]
	}
	return value
}

func text(err error) string {
	if err == nil {
		return ""
	}
	_, after, found := strings.Cut(err.Error(), "denied the request: ")
	if !found {
		return err.Error()
	}
	if !apierrors.IsInvalid(err) {
		return "not reported as invalid: " + after
	}
	return after
}
