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
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/poolstandin"
)

// watcher notes which machines a manager reads the claims of, and what it writes.
type watcher struct {
	namespace string

	mutex   sync.Mutex
	read    map[string]bool
	written []string
}

// machines are those whose claims were read: they were planned.
func (k *watcher) machines() []string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Sorted(maps.Keys(k.read))
}

func (k *watcher) writes() []string {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Clone(k.written)
}

func (k *watcher) note(what string, object any) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	name := ""
	if named, isObject := object.(client.Object); isObject {
		name = named.GetNamespace() + "/" + named.GetName()
	}
	k.written = append(k.written, fmt.Sprintf("%s %T %s", what, object, name))
}

func (k *watcher) wrap(next client.Client) client.Client {
	return interceptor.NewClient(withWatch{next}, interceptor.Funcs{
		Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, options ...client.GetOption) error {
			if _, isMachine := object.(*infrav1.IonosCloudMachine); isMachine && key.Namespace == k.namespace {
				k.mutex.Lock()
				if k.read == nil {
					k.read = map[string]bool{}
				}
				k.read[key.Name] = true
				k.mutex.Unlock()
			}
			return c.Get(ctx, key, object, options...)
		},
		Patch: func(ctx context.Context, c client.WithWatch, object client.Object, patch client.Patch, options ...client.PatchOption) error {
			k.note("patch", object)
			return c.Patch(ctx, object, patch, options...)
		},
		Apply: func(ctx context.Context, c client.WithWatch, object runtime.ApplyConfiguration, options ...client.ApplyOption) error {
			k.note("apply", object)
			return c.Apply(ctx, object, options...)
		},
		SubResourcePatch: func(ctx context.Context, c client.Client, subresource string, object client.Object, patch client.Patch, options ...client.SubResourcePatchOption) error {
			data, _ := patch.Data(object)
			k.note("patch "+subresource+" "+string(data), object)
			return c.SubResource(subresource).Patch(ctx, object, patch, options...)
		},
	})
}

// manyIPv6 is a pool with an address in each of so many /80 blocks.
func manyIPv6(w *world, count int) poolstandin.PoolSpec {
	block := w.cloud.LANIPv6(w.datacenter, publicLAN).Addr().As16()
	spec := poolstandin.PoolSpec{Prefix: 64}
	for i := range count {
		spec.Addresses = append(spec.Addresses, fmt.Sprintf("%x:%x:%x:%x:%x::20",
			uint16(block[0])<<8|uint16(block[1]), uint16(block[2])<<8|uint16(block[3]), uint16(block[4])<<8|uint16(block[5]), uint16(block[6])<<8|uint16(block[7]), 0x100+i))
	}
	return spec
}
