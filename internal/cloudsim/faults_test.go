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

package cloudsim_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// createServers means the calls that create a server.
var createServers = cloudsim.Pattern{Method: http.MethodPost, Path: "/datacenters/{dc}/servers"}

func (r *rig) post(ctx context.Context) (ionoscloud.Server, *ionoscloud.APIResponse, error) {
	return r.sdk.ServersApi.DatacentersServersPost(ctx, r.dc).Server(r.server("node", nic(publicLAN, r.ips[0]))).Execute()
}

// servers is how many servers there are, as the list and the snapshot say.
func (r *rig) servers(t *testing.T) int {
	t.Helper()
	list, _, err := r.sdk.ServersApi.DatacentersServersGet(t.Context(), r.dc).Depth(1).Execute()
	if err != nil {
		t.Fatal(err)
	}
	if in := len(r.Snapshot().Datacenters[0].Servers); in != len(*list.Items) {
		t.Errorf("the list has %d servers, the snapshot %d", len(*list.Items), in)
	}
	return len(*list.Items)
}

func TestErrorsOnDemand(t *testing.T) {
	for _, status := range []int{401, 403, 422, 429, 500, 502, 503, 504} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d, after the effect: %v", status, after), func(t *testing.T) {
				r := newRig(t)
				r.Inject(cloudsim.Fault{Pattern: createServers, Status: status, Code: "301", Message: "Oops", After: after, Count: 1})
				_, _, err := r.post(t.Context())
				wantRefusal(t, err, status, "301", "Oops")
				want := map[bool]int{false: 0, true: 1}[after]
				if got := r.servers(t); got != want {
					t.Errorf("got %d servers, want %d", got, want)
				}
				requests, _, err := r.sdk.RequestsApi.RequestsGet(t.Context()).FilterMethod("POST").FilterUrl("datacenters/" + r.dc + "/servers").Execute()
				if err != nil || len(*requests.Items) != want {
					t.Errorf("got %d requests and %v, want %d", len(*requests.Items), err, want)
				}
			})
		}
	}
}

func TestRetryAfter(t *testing.T) {
	r := newRig(t)
	for _, retryAfter := range []string{"", "7", "Fri, 02 Jan 2026 03:04:05 GMT"} {
		r.Inject(cloudsim.Fault{Status: http.StatusTooManyRequests, RetryAfter: retryAfter, Count: 1})
		answer, _ := r.raw(t, http.MethodGet, "/ipblocks", "")
		if got := answer.Header.Get("Retry-After"); answer.StatusCode != http.StatusTooManyRequests || got != retryAfter {
			t.Errorf("got %d with Retry-After %q, want 429 with %q", answer.StatusCode, got, retryAfter)
		}
	}
}

func TestLostResponse(t *testing.T) {
	for after, want := range map[bool]int{false: 0, true: 1} {
		r := newRig(t)
		r.Inject(cloudsim.Fault{Pattern: createServers, DropConnection: true, After: after, Count: 1})
		_, response, err := r.post(t.Context())
		if err == nil || response != nil && response.Response != nil {
			t.Fatalf("got an answer (%v), want none", err)
		}
		// Whether the server is there is found out by its name, and by the request.
		if got := r.servers(t); got != want {
			t.Errorf("after the effect %v: got %d servers, want %d", after, got, want)
		}
		requests, _, err := r.sdk.RequestsApi.RequestsGet(t.Context()).Depth(2).FilterMethod("POST").FilterUrl("datacenters/" + r.dc + "/servers").Execute()
		if err != nil || len(*requests.Items) != want {
			t.Errorf("after the effect %v: got %d requests and %v, want %d", after, len(*requests.Items), err, want)
		}
		if want == 1 && !strings.Contains(*(*requests.Items)[0].Properties.Body, `"name":"node"`) {
			t.Errorf("the request does not tell what was asked for: %s", *(*requests.Items)[0].Properties.Body)
		}
	}
}

func TestAnswersAreSpoilt(t *testing.T) {
	r := newRig(t)
	r.Inject(cloudsim.Fault{Pattern: createServers, NoLocation: true, Count: 1})
	_, response, err := r.post(t.Context())
	if err != nil || response.StatusCode != http.StatusAccepted || response.Header.Get("Location") != "" {
		t.Errorf("got %v, want 202 without Location", err)
	}
	r.Inject(cloudsim.Fault{Pattern: cloudsim.Pattern{Method: http.MethodGet}, Truncate: true, Count: 1})
	_, _, err = r.sdk.ServersApi.DatacentersServersGet(t.Context(), r.dc).Execute()
	if err == nil {
		t.Error("half a body was read without an error")
	}
	if got := r.servers(t); got != 1 {
		t.Errorf("got %d servers, want 1", got)
	}
}

func TestRequestFails(t *testing.T) {
	r := newRig(t)
	before := r.Snapshot()
	r.Inject(cloudsim.Fault{Pattern: createServers, FailRequest: "[VDC-5-0] unknown error", Count: 1})
	_, response, err := r.post(t.Context())
	r.failed(t, response, err, "[VDC-5-0] unknown error")
	if diff := cmp.Diff(before, r.Snapshot()); diff != "" {
		t.Errorf("a failed request left something:\n%s", diff)
	}
}

func TestSlowAndStuckRequests(t *testing.T) {
	clock := clocktesting.NewFakeClock(start)
	r := newRig(t, cloudsim.WithClock(clock), cloudsim.WithProvisioningTime(time.Second))
	r.Inject(cloudsim.Fault{Pattern: createServers, Delay: time.Hour, Count: 1})
	r.Inject(cloudsim.Fault{Pattern: createServers, Stuck: true, Count: 1})
	_, slow, err := r.post(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clock.Step(time.Minute)
	if got := statusOf(t, r, slow); got != "RUNNING" {
		t.Errorf("slow request is %s after a minute", got)
	}
	clock.Step(time.Hour)
	r.done(t, slow, nil)
	_, stuck, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server("stuck")).Execute()
	if err != nil {
		t.Fatal(err)
	}
	clock.Step(1000 * time.Hour)
	if got := statusOf(t, r, stuck); got != "RUNNING" {
		t.Errorf("stuck request is %s", got)
	}
	r.Finish()
	r.done(t, stuck, nil)
}

func TestSlowVisibility(t *testing.T) {
	clock := clocktesting.NewFakeClock(start)
	r := newRig(t, cloudsim.WithClock(clock))
	r.Inject(cloudsim.Fault{Pattern: createServers, HideFor: time.Minute})
	created, response, err := r.post(t.Context())
	r.done(t, response, err)
	_, _, err = r.sdk.ServersApi.DatacentersServersFindById(t.Context(), r.dc, *created.Id).Execute()
	wantRefusal(t, err, http.StatusNotFound, "", "")
	list, _, err := r.sdk.ServersApi.DatacentersServersGet(t.Context(), r.dc).Execute()
	if err != nil || len(*list.Items) != 0 {
		t.Errorf("got %d servers and %v, want none yet", len(*list.Items), err)
	}
	clock.Step(2 * time.Minute)
	if got := r.servers(t); got != 1 {
		t.Errorf("got %d servers, want 1", got)
	}
}

func TestHowOftenFaultsHappen(t *testing.T) {
	outcomes := func(r *rig, fault cloudsim.Fault, calls int) string {
		fault.Status = http.StatusServiceUnavailable
		defer r.Inject(fault)()
		text := ""
		for range calls {
			answer, _ := r.raw(t, http.MethodGet, "/ipblocks", "")
			text += map[int]string{http.StatusOK: ".", http.StatusServiceUnavailable: "x"}[answer.StatusCode]
		}
		return text
	}
	r := newRig(t)
	for want, fault := range map[string]cloudsim.Fault{
		"xxxxxx": {},
		"xx....": {Count: 2},
		"..xxx.": {Skip: 2, Count: 3},
		"......": {Pattern: cloudsim.Pattern{Path: "/images"}},
	} {
		if got := outcomes(r, fault, len(want)); got != want {
			t.Errorf("%+v: got %s, want %s", fault, got, want)
		}
	}
	if got := outcomes(r, cloudsim.Fault{Skip: 100}, 3); got != "..." {
		t.Errorf("a fault that was removed still happens: %s", got)
	}
	// By chance, but in each run the same; another seed gives another row.
	rows := map[string]bool{}
	for _, seed := range []uint64{7, 7, 8} {
		row := outcomes(newRig(t, cloudsim.WithRandomSeed(seed)), cloudsim.Fault{Probability: 0.5}, 40)
		if n := strings.Count(row, "x"); n < 8 || n > 32 {
			t.Errorf("%d of 40 calls failed, want about half", n)
		}
		rows[row] = true
	}
	if len(rows) != 2 {
		t.Errorf("got %d different rows of two seeds", len(rows))
	}
}

func TestLatency(t *testing.T) {
	r := newRig(t)
	r.SetLatency(cloudsim.Pattern{}, time.Hour)
	r.SetLatency(cloudsim.Pattern{Method: http.MethodGet}, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, _, err := r.post(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want no answer in time", err)
	}
	if got := r.servers(t); got != 0 {
		t.Errorf("got %d servers of a call that did not arrive", got)
	}
	// Late after the effect: the caller does not know, and the server is there.
	r.SetLatency(cloudsim.Pattern{}, 0)
	r.Inject(cloudsim.Fault{Pattern: createServers, After: true, Latency: time.Hour, Count: 1})
	ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, _, err = r.post(ctx)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want no answer in time", err)
	}
	if got := r.servers(t); got != 1 {
		t.Errorf("got %d servers, want 1", got)
	}
}

func TestProvisioningTimes(t *testing.T) {
	clock := clocktesting.NewFakeClock(start)
	r := newRig(t, cloudsim.WithClock(clock), cloudsim.WithProvisioningTime(time.Minute))
	r.SetProvisioningTime(cloudsim.Pattern{Path: "/datacenters/**"}, time.Hour)
	r.SetProvisioningTime(createServers, time.Second)
	_, server, err := r.post(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	clock.Step(time.Second)
	r.done(t, server, nil)
	lan, err := r.sdk.LANsApi.DatacentersLansDelete(t.Context(), r.dc, "2").Execute()
	if err != nil {
		t.Fatal(err)
	}
	clock.Step(time.Minute)
	if got := statusOf(t, r, lan); got != "RUNNING" {
		t.Errorf("request is %s after a minute of an hour", got)
	}
	clock.Step(time.Hour)
	r.done(t, lan, nil)
}

func TestTokens(t *testing.T) {
	r := newRig(t)
	status := func(token string) int {
		_, response, _ := client(r.URL, token).IPBlocksApi.IpblocksGet(t.Context()).Execute()
		return response.StatusCode
	}
	for _, step := range []struct {
		do   func()
		want [2]int
	}{
		{func() {}, [2]int{200, 401}},
		{func() { r.AddToken("other") }, [2]int{200, 200}},
		{func() { r.RevokeToken(token) }, [2]int{401, 200}},
		{func() { r.RevokeToken("other") }, [2]int{401, 401}},
		{func() { r.SetTokens() }, [2]int{200, 200}},
	} {
		step.do()
		if got := [2]int{status(token), status("other")}; got != step.want {
			t.Errorf("got %v, want %v", got, step.want)
		}
	}
	r.SetTokens(token)
	_, _, err := client(r.URL, "wrong").IPBlocksApi.IpblocksGet(t.Context()).Execute()
	wantRefusal(t, err, http.StatusUnauthorized, "", "")
}

func TestCounters(t *testing.T) {
	r := newRig(t)
	server := r.create(t, "node")
	r.raw(t, http.MethodGet, "/nope", "")
	want := map[string]int{
		"POST /datacenters/{dc}/servers": 1, "GET /datacenters/{dc}/servers/{server}": 1, "GET /requests/{request}/status": 1, "unknown": 1,
	}
	if diff := cmp.Diff(want, r.Counters()); diff != "" {
		t.Error(diff)
	}
	if r.Reads() != 2 || r.Writes() != 1 {
		t.Errorf("got %d reads and %d writes", r.Reads(), r.Writes())
	}
	r.ResetCounters()
	r.get(t, *server.Id)
	if r.Reads() != 1 || r.Writes() != 0 {
		t.Errorf("after a reset: got %d reads and %d writes", r.Reads(), r.Writes())
	}
}
