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

package controller

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/bootstrap"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// Keys of the bootstrap secret, by the Cluster API contract.
const (
	bootstrapKeyValue  = "value"
	bootstrapKeyFormat = "format"
)

// imageCloud reads images.
type imageCloud interface {
	Images(ctx context.Context, location string, matchLabels map[string]string) ([]cloud.Image, error)
}

// userData is what the guest is told at boot: the user's bootstrap data, and what the provider adds.
func (r *IonosCloudMachineReconciler) userData(ctx context.Context, scope *machineScope) ([]byte, outcome) {
	name := ptr.Deref(scope.machine.Spec.Bootstrap.DataSecretName, "")
	if name == "" {
		return nil, wait(infrav1.WaitingForBootstrapDataReason, "Waits for the bootstrap data", 0)
	}
	secret := &corev1.Secret{}
	if err := r.APIReader.Get(ctx, types.NamespacedName{Namespace: scope.ionosMachine.Namespace, Name: name}, secret); err != nil {
		if apierrors.IsNotFound(err) {
			return nil, wait(infrav1.WaitingForBootstrapDataReason, fmt.Sprintf("Waits for the bootstrap secret %q", name), 0)
		}
		return nil, failed(fmt.Errorf("get bootstrap secret %s/%s: %w", scope.ionosMachine.Namespace, name, err))
	}
	data, err := bootstrap.Render(bootstrap.Format(secret.Data[bootstrapKeyFormat]), secret.Data[bootstrapKeyValue], guestOf(scope))
	if err != nil {
		return nil, problem(infrav1.BootstrapDataInvalidReason, fmt.Sprintf("Bootstrap secret %q: %v", name, err), 0)
	}
	return data, done()
}

// guestOf is what the plan has for the guest.
func guestOf(scope *machineScope) bootstrap.Guest {
	guest := bootstrap.Guest{Hostname: scope.ionosMachine.Name}
	for _, planned := range scope.plan.Attachments {
		attachment := bootstrap.Attachment{Name: planned.Name, DHCP: planned.DHCP}
		for _, address := range []network.Address{planned.IPv4, planned.IPv6} {
			if !address.Addr.IsValid() {
				continue
			}
			attachment.Addresses = append(attachment.Addresses, netip.PrefixFrom(address.Addr, address.Bits))
			if planned.Primary {
				guest.NodeIPs = append(guest.NodeIPs, address.Addr)
			}
		}
		attachment.Routes = append(attachment.Routes, planned.Routes...)
		guest.Attachments = append(guest.Attachments, attachment)
	}
	return guest
}

// errNoLocation is returned for a data center whose location is not known.
var errNoLocation = errors.New("the location of the data center is not known")

// image resolves the image of the boot volume to its ID.
func (r *IonosCloudMachineReconciler) image(ctx context.Context, scope *machineScope) (string, outcome) {
	spec := scope.ionosMachine.Spec.Disk.Image
	if spec.ID != "" {
		return spec.ID, done()
	}
	location := scope.ionosMachine.Status.Location
	if spec.Selector == nil || location == "" {
		return "", failed(errNoLocation)
	}
	images, err := scope.cloud.Images(ctx, location, spec.Selector.MatchLabels)
	if err != nil {
		return "", cloudFailed(err)
	}
	wanted := fmt.Sprintf("labels %s", labelText(spec.Selector.MatchLabels))
	if ptr.Deref(spec.Selector.UseMachineVersion, true) {
		version := strings.TrimPrefix(scope.machine.Spec.Version, "v")
		if version == "" {
			return "", problem(infrav1.ImageNotFoundReason, "disk.image.selector.useMachineVersion needs the version of the Machine, which is not set: set it, or set useMachineVersion to false", 0)
		}
		images = slices.DeleteFunc(slices.Clone(images), func(image cloud.Image) bool { return !strings.Contains(image.Name, version) })
		wanted += fmt.Sprintf(" and a name with %s", version)
	}
	switch {
	case len(images) == 0:
		return "", problem(infrav1.ImageNotFoundReason, fmt.Sprintf("No image in location %s has %s: correct disk.image, or upload and label an image", location, wanted), problemRetry)
	case len(images) > 1 && spec.Selector.ResolutionPolicy != infrav1.ResolutionPolicyNewest:
		return "", problem(infrav1.ImageAmbiguousReason, fmt.Sprintf("%d images in location %s have %s: narrow the selector, or use resolutionPolicy Newest", len(images), location, wanted), problemRetry)
	}
	newest := slices.MaxFunc(images, func(a, b cloud.Image) int {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return newest.ID, done()
}

func labelText(labels map[string]string) string {
	pairs := make([]string, 0, len(labels))
	for key, value := range labels {
		pairs = append(pairs, key+"="+value)
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}
