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

package webhook

import (
	"context"
	"fmt"
	"net/http"

	apiconversion "k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// setupConversion serves the conversion between the versions of all kinds.
func setupConversion(mgr ctrl.Manager) error {
	handler, err := NewConversionHandler(mgr.GetScheme(), mgr.GetConverterRegistry())
	if err != nil {
		return err
	}
	mgr.GetWebhookServer().Register("/convert", handler)
	return nil
}

// NewConversionHandler returns what answers the ConversionReviews of the API server. The converters of all kinds are added to
// the registry.
func NewConversionHandler(scheme *runtime.Scheme, registry conversion.Registry) (http.Handler, error) {
	for _, constructor := range converters() {
		converter, err := constructor.make(scheme)
		if err != nil {
			return nil, fmt.Errorf("make the converter of %s: %w", constructor.kind, err)
		}
		if err := registry.RegisterConverter(infrav1.GroupVersion.WithKind(constructor.kind).GroupKind(), converter); err != nil {
			return nil, fmt.Errorf("register the converter of %s: %w", constructor.kind, err)
		}
	}
	return conversion.NewWebhookHandler(scheme, registry), nil
}

// kindConverter makes the converter of a kind.
type kindConverter struct {
	kind string
	make func(*runtime.Scheme) (conversion.Converter, error)
}

// converters are those of all kinds. They convert by the functions that the scheme has too.
func converters() []kindConverter {
	return []kindConverter{
		{"IonosCloudCluster", converter(&infrav1.IonosCloudCluster{}, &infrav1alpha1.IonosCloudCluster{},
			infrav1alpha1.Convert_v1alpha2_IonosCloudCluster_To_v1alpha1_IonosCloudCluster, infrav1alpha1.Convert_v1alpha1_IonosCloudCluster_To_v1alpha2_IonosCloudCluster)},
		{"IonosCloudClusterTemplate", converter(&infrav1.IonosCloudClusterTemplate{}, &infrav1alpha1.IonosCloudClusterTemplate{},
			infrav1alpha1.Convert_v1alpha2_IonosCloudClusterTemplate_To_v1alpha1_IonosCloudClusterTemplate, infrav1alpha1.Convert_v1alpha1_IonosCloudClusterTemplate_To_v1alpha2_IonosCloudClusterTemplate)},
		{"IonosCloudMachine", converter(&infrav1.IonosCloudMachine{}, &infrav1alpha1.IonosCloudMachine{},
			infrav1alpha1.Convert_v1alpha2_IonosCloudMachine_To_v1alpha1_IonosCloudMachine, infrav1alpha1.Convert_v1alpha1_IonosCloudMachine_To_v1alpha2_IonosCloudMachine)},
		{"IonosCloudMachineTemplate", converter(&infrav1.IonosCloudMachineTemplate{}, &infrav1alpha1.IonosCloudMachineTemplate{},
			infrav1alpha1.Convert_v1alpha2_IonosCloudMachineTemplate_To_v1alpha1_IonosCloudMachineTemplate, infrav1alpha1.Convert_v1alpha1_IonosCloudMachineTemplate_To_v1alpha2_IonosCloudMachineTemplate)},
	}
}

// converter makes a converter of a pair of conversion functions.
func converter[Hub, Spoke client.Object](hub Hub, spoke Spoke, down func(Hub, Spoke, apiconversion.Scope) error, up func(Spoke, Hub, apiconversion.Scope) error) func(*runtime.Scheme) (conversion.Converter, error) {
	return conversion.NewHubSpokeConverter(hub, conversion.NewSpokeConverter(spoke,
		func(_ context.Context, src Hub, dst Spoke) error { return down(src, dst, nil) },
		func(_ context.Context, src Spoke, dst Hub) error { return up(src, dst, nil) },
	))
}
