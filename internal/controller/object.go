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
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	kerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/klog/v2"
	clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"
	"sigs.k8s.io/cluster-api/util/patch"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// requeueAtOnce asks for another pass when the object was just written, so that the pass sees what was written.
func requeueAtOnce(again bool) ctrl.Result {
	if !again {
		return ctrl.Result{}
	}
	return ctrl.Result{RequeueAfter: time.Millisecond}
}

// isOurs tells whether an object is among those that this manager looks after.
func isOurs(object client.Object, watchFilter string) bool {
	return watchFilter == "" || object.GetLabels()[clusterv1.WatchLabel] == watchFilter
}

// ownChanges lets every change of an object pass but that of its status, which is our own. A resync, which changes
// nothing, passes too: it is when the cloud is looked at again.
func ownChanges() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		if e.ObjectOld == nil || e.ObjectNew == nil {
			return false
		}
		if e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion() {
			return true
		}
		return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() || !equalMeta(e.ObjectOld, e.ObjectNew)
	}}
}

// equalMeta tells whether two states of an object have the same labels, annotations, owners, finalizers and deletion.
func equalMeta(a, b client.Object) bool {
	return maps.Equal(a.GetLabels(), b.GetLabels()) && maps.Equal(a.GetAnnotations(), b.GetAnnotations()) &&
		slices.Equal(a.GetFinalizers(), b.GetFinalizers()) &&
		equality.Semantic.DeepEqual(a.GetOwnerReferences(), b.GetOwnerReferences()) &&
		a.GetDeletionTimestamp().Equal(b.GetDeletionTimestamp())
}

// apiObject is an object of ours as the API server knows it.
type apiObject interface {
	conditionedObject
	client.Object
}

// persister returns a function that writes what changed in an object since it was last called.
func persister(c client.Client, object apiObject, owned []string, ownedV1Beta1 ...clusterv1.ConditionType) (func(context.Context) error, error) {
	helper, err := patch.NewHelper(object, c)
	if err != nil {
		return nil, fmt.Errorf("prepare to patch %s: %w", klog.KObj(object), err)
	}
	return func(ctx context.Context) error {
		err := helper.Patch(ctx, object, patch.WithOwnedConditions{Conditions: owned}, patch.WithOwnedV1Beta1Conditions{Conditions: ownedV1Beta1})
		if !object.GetDeletionTimestamp().IsZero() {
			// With its last finalizer the object is gone, and so is its status.
			err = kerrors.FilterOut(err, apierrors.IsNotFound)
		}
		if err != nil {
			return fmt.Errorf("patch %s: %w", klog.KObj(object), err)
		}
		if helper, err = patch.NewHelper(object, c); err != nil {
			return fmt.Errorf("prepare to patch %s: %w", klog.KObj(object), err)
		}
		return nil
	}, nil
}
