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
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

func oldMachineTemplate(namespace string) *infrav1alpha1.IonosCloudMachineTemplate {
	return &infrav1alpha1.IonosCloudMachineTemplate{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "workers"},
		Spec: infrav1alpha1.IonosCloudMachineTemplateSpec{Template: infrav1alpha1.IonosCloudMachineTemplateResource{
			Spec: infrav1alpha1.IonosCloudMachineSpec{
				DatacenterID:       "2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11",
				Disk:               infrav1alpha1.Volume{Image: infrav1alpha1.ImageSpec{ID: ptr.To("7a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55")}},
				AdditionalNetworks: []infrav1alpha1.Network{{NetworkID: 7}, {NetworkID: 7}},
			},
		}},
	}
}

// TestTemplateIsImmutableThroughV1alpha1 speaks v1alpha1; the webhook sees v1alpha2.
func TestTemplateIsImmutableThroughV1alpha1(t *testing.T) {
	namespace := serve(t)
	template := oldMachineTemplate(namespace)
	if err := env.Client.Create(t.Context(), template); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change func(*infrav1alpha1.IonosCloudMachineTemplate)
		opts   []client.PatchOption
		want   string
	}{
		{name: "labels", change: func(m *infrav1alpha1.IonosCloudMachineTemplate) { m.Labels = map[string]string{"team": "shop"} }},
		{name: "annotations", change: func(m *infrav1alpha1.IonosCloudMachineTemplate) { m.Annotations = map[string]string{"note": "x"} }},
		{
			name: "an empty list instead of none",
			change: func(m *infrav1alpha1.IonosCloudMachineTemplate) {
				m.Spec.Template.ObjectMeta = &infrav1alpha1.ObjectMeta{Labels: map[string]string{}}
			},
		},
		{
			name:   "size",
			change: func(m *infrav1alpha1.IonosCloudMachineTemplate) { m.Spec.Template.Spec.NumCores = 8 },
			want:   machineTemplateImmutable,
		},
		{
			name: "additional network",
			change: func(m *infrav1alpha1.IonosCloudMachineTemplate) {
				m.Spec.Template.Spec.AdditionalNetworks = m.Spec.Template.Spec.AdditionalNetworks[:1]
			},
			want: machineTemplateImmutable,
		},
		{
			name: "size, in the topology controller's dry run",
			change: func(m *infrav1alpha1.IonosCloudMachineTemplate) {
				m.Annotations = map[string]string{clusterv1.TopologyDryRunAnnotation: ""}
				m.Spec.Template.Spec.NumCores = 8
			},
			opts: []client.PatchOption{client.DryRunAll},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			changed := template.DeepCopy()
			tt.change(changed)
			if got := text(env.Client.Patch(t.Context(), changed, client.MergeFrom(template), tt.opts...)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestTemplateOfV1alpha1CanBeRelabelled changes the metadata of a template that v1alpha2 would refuse to create.
func TestTemplateOfV1alpha1CanBeRelabelled(t *testing.T) {
	namespace := serve(t)
	old := oldMachineTemplate(namespace)
	old.Spec.Template.Spec.Type = "VCPU"
	old.Spec.Template.Spec.CPUFamily = ptr.To("INTEL_SKYLAKE")
	if err := env.Client.Create(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	template := &infrav1.IonosCloudMachineTemplate{}
	if err := env.Client.Get(t.Context(), client.ObjectKeyFromObject(old), template); err != nil {
		t.Fatal(err)
	}
	changed := template.DeepCopy()
	changed.Labels = map[string]string{"team": "shop"}
	if err := env.Client.Patch(t.Context(), changed, client.MergeFrom(template)); err != nil {
		t.Errorf("change labels: %v", err)
	}
}
