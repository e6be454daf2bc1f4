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

package cloud_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// retryAfter is how long the caller is asked to wait; zero when it is not.
func retryAfter(err error) time.Duration {
	var limited *cloud.RateLimitedError
	if errors.As(err, &limited) {
		return limited.RetryAfter
	}
	return 0
}

// A contract that asks for fewer calls gets none until the time is over, and then all goes on (C21).
func TestRateLimit(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, test := range map[string]struct {
		header string
		want   time.Duration
	}{
		"seconds":       {"42", 42 * time.Second},
		"a date":        {now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second},
		"a date passed": {now.Add(-time.Hour).Format(http.TimeFormat), time.Second},
		"nothing":       {"", 5 * time.Second},
		"rubbish":       {"soon", 5 * time.Second},
		"zero":          {"0", time.Second},
		"a century":     {"3153600000", 10 * time.Minute},
		"negative":      {"-7", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			clock := clocktesting.NewFakeClock(now)
			w := newWorld(t, cloud.ContractsOptions{Clock: clock})
			w.inject(http.MethodGet, "/requests/{}/status", cloudsim.Fault{Status: 429, RetryAfter: test.header, Count: 1})
			began := time.Now()
			if _, err := w.session.RequestStatus(t.Context(), w.request); retryAfter(err) != test.want {
				t.Fatalf("got %v after %v", err, retryAfter(err))
			}
			clock.Step(test.want - 100*time.Millisecond)
			for name, operation := range operations() {
				if err := operation.call(t.Context(), w); retryAfter(err) != 100*time.Millisecond {
					t.Errorf("%s: got %v after %v", name, err, retryAfter(err))
				}
			}
			if calls := w.calls(); len(calls) != 1 || calls["GET /requests/{}/status"] != 1 {
				t.Errorf("sent %v", calls)
			}
			// Another contract is not concerned.
			if _, err := w.newSession(t, cloud.ContractsOptions{}).RequestStatus(t.Context(), w.request); err != nil {
				t.Error(err)
			}
			clock.Step(100 * time.Millisecond)
			if status := must(w.session.RequestStatus(t.Context(), w.request))(t); status.State != "DONE" {
				t.Errorf("the request is %v", status)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("somebody waited: %v", took)
			}
		})
	}
}

// A cloud that says when it is back is left alone until then; but whether the call had its effect stays open.
func TestUnavailableWithRetryAfter(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	w := newWorld(t, cloud.ContractsOptions{Clock: clock})
	w.inject(http.MethodPost, "", cloudsim.Fault{Status: 503, RetryAfter: "30", Count: 1, After: true})
	_, err := w.session.StartServer(t.Context(), w.datacenterID, w.serverID)
	if !cloud.IsUncertain(err) || retryAfter(err) != 0 {
		t.Errorf("got %v", err)
	}
	if _, err := w.session.RequestStatus(t.Context(), w.request); retryAfter(err) != 30*time.Second || cloud.IsUncertain(err) {
		t.Errorf("got %v", err)
	}
	clock.Step(30 * time.Second)
	must(w.session.RequestStatus(t.Context(), w.request))(t)
}

// What a rate limit says does not differ from one time to the next, or each look would change a condition (G7).
func TestRateLimitMessage(t *testing.T) {
	var texts []string
	for _, wait := range []time.Duration{time.Second, time.Minute} {
		texts = append(texts, fmt.Sprint(&cloud.RateLimitedError{RetryAfter: wait}))
	}
	if texts[0] != texts[1] {
		t.Errorf("%q", texts)
	}
}
