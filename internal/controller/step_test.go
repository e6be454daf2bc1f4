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
	"strings"
	"testing"

	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/cluster-api/util/conditions"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// TestStepsEndWithTheFirstThatIsNotDone has the conditions tell how far the steps came.
func TestStepsEndWithTheFirstThatIsNotDone(t *testing.T) {
	recorder := events.NewFakeRecorder(10)
	machine := &infrav1.IonosCloudMachine{}
	runner := stepRunner{object: machine, recorder: recorder, reasons: map[string]string{"A": "AIsGood"}}
	steps := func(second outcome) []step {
		return []step{
			{"first", "A", func(context.Context) outcome { return done() }},
			{"second", "B", func(context.Context) outcome { return second }},
			{"third", "C", func(context.Context) outcome { t.Error("the third step ran"); return done() }},
		}
	}
	for range 2 {
		result, err := runner.run(t.Context(), steps(problem("Broken", "it broke", quotaRetry)))
		if err != nil || result.RequeueAfter != quotaRetry {
			t.Errorf("got %v, %v", result, err)
		}
	}
	for kind, want := range map[string]string{"A": "True AIsGood ", "B": "False Broken it broke", "C": "Unknown Provisioning Waits for B"} {
		condition := conditions.Get(machine, kind)
		if got := string(condition.Status) + " " + condition.Reason + " " + condition.Message; got != want {
			t.Errorf("condition %s: got %q, want %q", kind, got, want)
		}
	}
	if len(recorder.Events) != 1 {
		t.Errorf("%d events, want one for two passes with the same problem", len(recorder.Events))
	}
	if _, err := runner.run(t.Context(), steps(failed(errors.New("no luck")))); err == nil || !strings.Contains(err.Error(), "second: no luck") {
		t.Errorf("got %v", err)
	}
}

// TestStoppedManagerLeavesConditionsAlone has a manager stop in the middle of a pass.
func TestStoppedManagerLeavesConditionsAlone(t *testing.T) {
	machine := &infrav1.IonosCloudMachine{}
	ctx, cancel := context.WithCancel(t.Context())
	runner := stepRunner{object: machine, recorder: events.NewFakeRecorder(10)}
	_, err := runner.run(ctx, []step{{"read", "A", func(context.Context) outcome {
		cancel()
		return failed(context.Canceled)
	}}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if len(machine.Status.Conditions) != 0 {
		t.Errorf("got %v", machine.Status.Conditions)
	}
}
