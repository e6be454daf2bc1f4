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
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/cluster-api/util/conditions"
	ctrl "sigs.k8s.io/controller-runtime"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// maxEventNote is the longest note that the API server takes, in bytes.
const maxEventNote = 1024

// outcome is how a step ended: done, or waiting, or failed. A wait and a failure name themselves.
type outcome struct {
	done bool
	// reason and message go into the condition of the step; of a step that is done, the message does.
	reason, message string
	// after is when to look again; zero when an event will tell.
	after time.Duration
	// problem is set when a person has to act, or the cloud failed; it makes a Warning event.
	problem bool
	// unknown is set when the step could not look.
	unknown bool
	// err makes the step be tried again with backoff.
	err error
}

// done ends a step that has nothing left to do.
func done() outcome { return outcome{done: true} }

// wait ends the pass until an event, or until after.
func wait(reason, message string, after time.Duration) outcome {
	return outcome{reason: reason, message: message, after: after}
}

// problem ends the pass with something that a person has to look at.
func problem(reason, message string, after time.Duration) outcome {
	return outcome{reason: reason, message: message, after: after, problem: true}
}

// failed ends the pass with an error of the API server or of our own.
func failed(err error) outcome {
	return outcome{reason: infrav1.InternalErrorReason, message: err.Error(), unknown: true, err: err}
}

// step is one of the things that a reconciler does, in order.
type step struct {
	name string
	// condition that tells about the step.
	condition string
	run       func(context.Context) outcome
}

// conditionedObject is an object of ours: it has conditions, and events are about it.
type conditionedObject interface {
	conditions.Setter
	runtime.Object
	metav1.Object
}

// stepRunner runs the steps of one pass over an object.
type stepRunner struct {
	object   conditionedObject
	recorder events.EventRecorder
	// reasons are those of each condition that is True.
	reasons map[string]string
}

// run runs the steps until the first that is not done. A condition becomes True with the last of its steps; the
// conditions that were not reached keep what they said before, or are Unknown if they said nothing yet.
func (r stepRunner) run(ctx context.Context, steps []step) (ctrl.Result, error) {
	for i, current := range steps {
		result := current.run(ctx)
		if result.done {
			if !slices.ContainsFunc(steps[i+1:], func(later step) bool { return later.condition == current.condition }) {
				r.set(current.condition, metav1.ConditionTrue, r.reasons[current.condition], result.message)
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			// The manager stops, which says nothing about the object.
			return ctrl.Result{}, fmt.Errorf("%s: %w", current.name, err)
		}
		r.report(current.condition, result)
		for _, later := range steps[i+1:] {
			if !conditions.Has(r.object, later.condition) {
				r.set(later.condition, metav1.ConditionUnknown, infrav1.ProvisioningReason, "Waits for "+current.condition)
			}
		}
		if result.err != nil {
			return ctrl.Result{}, fmt.Errorf("%s: %w", current.name, result.err)
		}
		return ctrl.Result{RequeueAfter: result.after}, nil
	}
	return ctrl.Result{}, nil
}

// report puts the outcome of a step into its condition; the first time that a problem is seen, it makes an event.
func (r stepRunner) report(condition string, result outcome) {
	status := metav1.ConditionFalse
	switch {
	case condition == infrav1.DeletingCondition:
		status = metav1.ConditionTrue
	case result.unknown:
		status = metav1.ConditionUnknown
	}
	// Get points into the object, which set changes.
	before := ptr.Deref(conditions.Get(r.object, condition), metav1.Condition{})
	r.set(condition, status, result.reason, result.message)
	if result.problem && (before.Reason != result.reason || before.Message != result.message) {
		r.recorder.Eventf(r.object, nil, corev1.EventTypeWarning, result.reason, condition, "%s", eventNote(result.message))
	}
}

func (r stepRunner) set(condition string, status metav1.ConditionStatus, reason, message string) {
	conditions.Set(r.object, metav1.Condition{
		Type: condition, Status: status, Reason: reason, Message: message, ObservedGeneration: r.object.GetGeneration(),
	})
}

// eventNote cuts a message to what an event can hold.
func eventNote(message string) string {
	if len(message) <= maxEventNote {
		return message
	}
	return strings.ToValidUTF8(message[:maxEventNote-3], "") + "..."
}
