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

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/cluster-api/util/topology"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// The API server converts requests of other versions before it asks, so templates are compared as v1alpha2 alone.
// +kubebuilder:webhook:path=/validate-infrastructure-cluster-x-k8s-io-v1alpha2-ionoscloudmachinetemplate,mutating=false,failurePolicy=fail,matchPolicy=Equivalent,groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudmachinetemplates,verbs=update,versions=v1alpha2,name=validation.ionoscloudmachinetemplate.infrastructure.cluster.x-k8s.io,sideEffects=None,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/validate-infrastructure-cluster-x-k8s-io-v1alpha2-ionoscloudclustertemplate,mutating=false,failurePolicy=fail,matchPolicy=Equivalent,groups=infrastructure.cluster.x-k8s.io,resources=ionoscloudclustertemplates,verbs=update,versions=v1alpha2,name=validation.ionoscloudclustertemplate.infrastructure.cluster.x-k8s.io,sideEffects=None,admissionReviewVersions=v1

func setupMachineTemplate(mgr ctrl.Manager) error {
	return setupTemplate(mgr, &infrav1.IonosCloudMachineTemplate{}, "machines",
		func(template *infrav1.IonosCloudMachineTemplate) any { return template.Spec })
}

func setupClusterTemplate(mgr ctrl.Manager) error {
	return setupTemplate(mgr, &infrav1.IonosCloudClusterTemplate{}, "clusters",
		func(template *infrav1.IonosCloudClusterTemplate) any { return template.Spec })
}

func setupTemplate[T client.Object](mgr ctrl.Manager, object T, makes string, spec func(T) any) error {
	gvk, err := mgr.GetClient().GroupVersionKindFor(object)
	if err != nil {
		return fmt.Errorf("set up the webhook of %T: %w", object, err)
	}
	validator := &templateValidator[T]{kind: gvk.GroupKind(), makes: makes, spec: spec}
	if err := ctrl.NewWebhookManagedBy(mgr, object).WithValidator(validator).Complete(); err != nil {
		return fmt.Errorf("set up the webhook of %s: %w", gvk.Kind, err)
	}
	return nil
}

// templateValidator refuses changes of a template's spec: what was made from the template would no longer be what the
// template says, and nothing would be replaced. Metadata may change.
type templateValidator[T client.Object] struct {
	kind  schema.GroupKind
	makes string // What is made from the template.
	spec  func(T) any
}

// ValidateCreate implements admission.Validator.
func (*templateValidator[T]) ValidateCreate(context.Context, T) (admission.Warnings, error) {
	return nil, nil
}

// ValidateUpdate implements admission.Validator.
func (v *templateValidator[T]) ValidateUpdate(ctx context.Context, before, after T) (admission.Warnings, error) {
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	// Cluster API's topology controller applies what a ClusterClass asks for as a dry run, to find out whether it has to
	// make a new template. Nothing is stored.
	if topology.IsDryRunRequest(request, after) {
		return nil, nil
	}
	if equality.Semantic.DeepEqual(v.spec(before), v.spec(after)) {
		return nil, nil
	}
	return nil, apierrors.NewInvalid(v.kind, after.GetName(), field.ErrorList{field.Forbidden(field.NewPath("spec"),
		fmt.Sprintf("a template is immutable: create a new template with the change, and make the %s from that", v.makes))})
}

// ValidateDelete implements admission.Validator.
func (*templateValidator[T]) ValidateDelete(context.Context, T) (admission.Warnings, error) {
	return nil, nil
}
