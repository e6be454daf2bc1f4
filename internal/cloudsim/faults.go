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

package cloudsim

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// Fault is something that goes wrong on demand.
type Fault struct {
	// Pattern says with which calls.
	Pattern
	// Skip lets so many calls pass first; Count is how often it happens then, zero for until it is removed.
	Skip  int `json:"skip,omitempty"`
	Count int `json:"count,omitempty"`
	// Probability is how often it happens, between 0 and 1; zero means each time.
	Probability float64 `json:"probability,omitempty"`
	// Status, Code and Message are the answer.
	Status  int    `json:"status,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// RetryAfter is the header of that name.
	RetryAfter string `json:"retryAfter,omitempty"`
	// After lets the call have its effect before it goes wrong.
	After bool `json:"after,omitempty"`
	// DropConnection closes the connection instead of answering.
	DropConnection bool `json:"dropConnection,omitempty"`
	// NoLocation leaves the header Location out.
	NoLocation bool `json:"noLocation,omitempty"`
	// Truncate cuts the answer in the middle.
	Truncate bool `json:"truncate,omitempty"`
	// FailRequest accepts the call, and fails its request with this message.
	FailRequest string `json:"failRequest,omitempty"`
	// Delay is how long the call's request runs. Stuck lets it run until Finish.
	Delay time.Duration `json:"delay,omitempty"`
	Stuck bool          `json:"stuck,omitempty"`
	// HideFor is how long the resources that the call makes do not show after its request is done.
	HideFor time.Duration `json:"hideFor,omitempty"`
	// Latency is how much longer the answer takes: before the effect, or after it with After.
	Latency time.Duration `json:"latency,omitempty"`
}

// breaks tells whether the caller does not get the call's own answer.
func (f *Fault) breaks() bool { return f.Status != 0 || f.DropConnection }

type activeFault struct {
	Fault
	seen, happened int
}

// Inject makes something go wrong until it is removed, or has happened as often as it should. Of several faults that
// match a call, the first one injected happens.
func (c *Cloud) Inject(fault Fault) (remove func()) {
	active := &activeFault{Fault: fault}
	c.enter()
	defer c.leave()
	c.faults = append(c.faults, active)
	return func() {
		c.enter()
		defer c.leave()
		c.faults = slices.DeleteFunc(c.faults, func(other *activeFault) bool { return other == active })
	}
}

// ClearFaults removes all faults.
func (c *Cloud) ClearFaults() {
	c.enter()
	defer c.leave()
	c.faults = nil
}

// FaultState is a fault that was injected, and how often it happened.
type FaultState struct {
	Fault
	Happened int `json:"happened"`
}

// Faults are the faults that were injected and not removed.
func (c *Cloud) Faults() []FaultState {
	c.enter()
	defer c.leave()
	faults := make([]FaultState, 0, len(c.faults))
	for _, active := range c.faults {
		faults = append(faults, FaultState{active.Fault, active.happened})
	}
	return faults
}

// takeFault finds the fault for a call. The mutex is held.
func (c *Cloud) takeFault(method, path string) *Fault {
	for _, fault := range c.faults {
		if !fault.matches(method, path) || fault.Count > 0 && fault.happened >= fault.Count {
			continue
		}
		fault.seen++
		if fault.seen <= fault.Skip || fault.Probability > 0 && c.random.Float64() >= fault.Probability {
			continue
		}
		fault.happened++
		taken := fault.Fault
		return &taken
	}
	return nil
}

// answer answers instead of the call: with an error, or not at all.
func (f *Fault) answer(w http.ResponseWriter) {
	if f.DropConnection {
		panic(http.ErrAbortHandler)
	}
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
	failure := &apiError{f.Status, f.Code, f.Message}
	if failure.message == "" {
		failure.message = http.StatusText(f.Status)
	}
	writeJSON(w, f.Status, failure.body())
}

// truncate writes the first half of an answer.
func truncate(w http.ResponseWriter, answer *response) {
	full, err := json.Marshal(answer.body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if answer.location != "" {
		w.Header().Set("Location", answer.location)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(answer.status)
	_, _ = w.Write(full[:len(full)/2]) // The caller may be gone.
}
