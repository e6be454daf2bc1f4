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

package poolstandin

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
)

const (
	// InClusterIPPoolKind is the kind of a pool for the claims of its own namespace.
	InClusterIPPoolKind = "InClusterIPPool"
	// GlobalInClusterIPPoolKind is the kind of a pool, without a namespace, for the claims of every namespace.
	GlobalInClusterIPPoolKind = "GlobalInClusterIPPool"
)

// GroupVersion is the group and version of the pools.
var GroupVersion = schema.GroupVersion{Group: "ipam.cluster.x-k8s.io", Version: "v1alpha2"}

//go:embed crds.yaml
var crdsYAML []byte

// PoolSpec is what a pool hands out.
type PoolSpec struct {
	// Addresses are addresses, ranges "first-last" and CIDRs.
	Addresses []string `json:"addresses"`
	// Prefix is the prefix length of the subnet.
	Prefix int32 `json:"prefix"`
	// Gateway is the subnet's gateway, which is not handed out. Empty means none.
	Gateway string `json:"gateway,omitempty"`
}

// NewInClusterIPPool makes a pool for the claims of a namespace.
func NewInClusterIPPool(namespace, name string, spec PoolSpec) *unstructured.Unstructured {
	pool := newPool(InClusterIPPoolKind, name, spec)
	pool.SetNamespace(namespace)
	return pool
}

// NewGlobalInClusterIPPool makes a pool for the claims of every namespace.
func NewGlobalInClusterIPPool(name string, spec PoolSpec) *unstructured.Unstructured {
	return newPool(GlobalInClusterIPPoolKind, name, spec)
}

func newPool(kind, name string, spec PoolSpec) *unstructured.Unstructured {
	addresses := make([]any, len(spec.Addresses))
	for i, address := range spec.Addresses {
		addresses[i] = address
	}
	fields := map[string]any{"addresses": addresses, "prefix": int64(spec.Prefix)}
	if spec.Gateway != "" {
		fields["gateway"] = spec.Gateway
	}
	pool := &unstructured.Unstructured{Object: map[string]any{"spec": fields}}
	pool.SetGroupVersionKind(GroupVersion.WithKind(kind))
	pool.SetName(name)
	return pool
}

// poolSpec reads the spec of a pool.
func poolSpec(pool *unstructured.Unstructured) (PoolSpec, error) {
	var object struct {
		Spec PoolSpec `json:"spec"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(pool.Object, &object); err != nil {
		return PoolSpec{}, fmt.Errorf("read pool %s: %w", pool.GetName(), err)
	}
	return object.Spec, nil
}

// CRDs returns the definitions of the pool kinds.
func CRDs() ([]*apiextensionsv1.CustomResourceDefinition, error) {
	var crds []*apiextensionsv1.CustomResourceDefinition
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(crdsYAML), 4096)
	for {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		err := decoder.Decode(crd)
		if errors.Is(err, io.EOF) {
			return crds, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the CRDs of the stand-in pools: %w", err)
		}
		crds = append(crds, crd)
	}
}

// CRDsYAML returns the definitions of the pool kinds as a manifest.
func CRDsYAML() []byte { return bytes.Clone(crdsYAML) }
