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
	"time"
)

// Fault is something that goes wrong on demand.
type Fault struct {
	// Method and Path say for which calls, Path as in Counters: "/datacenters/{}/servers". Empty means any.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// Skip lets so many calls pass first; Count is how often it happens then, zero for until it is removed.
	Skip  int `json:"skip,omitempty"`
	Count int `json:"count,omitempty"`
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
	// Delay is how long the call's request runs.
	Delay time.Duration `json:"delay,omitempty"`
	// Latency is how long the answer takes.
	Latency time.Duration `json:"latency,omitempty"`
}

// before tells whether the fault keeps the call from having its effect.
func (f *Fault) before() bool { return (f.Status != 0 || f.DropConnection) && !f.After }

type activeFault struct {
	Fault
	seen, happened int
}

// Inject makes something go wrong until it is removed, or has happened as often as it should.
func (c *Cloud) Inject(fault Fault) (remove func()) {
	active := &activeFault{Fault: fault}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.faults = append(c.faults, active)
	return func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for i, other := range c.faults {
			if other == active {
				c.faults = append(c.faults[:i:i], c.faults[i+1:]...)
				return
			}
		}
	}
}

// takeFault finds the fault for a call. The mutex is held.
func (c *Cloud) takeFault(route string) *Fault {
	for _, fault := range c.faults {
		if fault.Method != "" && fault.Path != "" && route != fault.Method+" "+fault.Path {
			continue
		}
		if fault.Method != "" && fault.Path == "" && !hasMethod(route, fault.Method) || fault.Method == "" && fault.Path != "" && !hasPath(route, fault.Path) {
			continue
		}
		if fault.Count > 0 && fault.happened >= fault.Count {
			continue
		}
		fault.seen++
		if fault.seen <= fault.Skip {
			continue
		}
		fault.happened++
		taken := fault.Fault
		return &taken
	}
	return nil
}

func hasMethod(route, method string) bool {
	return len(route) > len(method) && route[:len(method)+1] == method+" "
}

func hasPath(route, path string) bool {
	return len(route) > len(path) && route[len(route)-len(path)-1:] == " "+path
}

// disturb spoils an answer, and tells whether it wrote one itself.
func (f *Fault) disturb(w http.ResponseWriter, answer *response) bool {
	if f.Latency > 0 {
		timer := time.NewTimer(f.Latency)
		<-timer.C
	}
	switch {
	case f.DropConnection:
		panic(http.ErrAbortHandler)
	case f.Status != 0:
		if f.RetryAfter != "" {
			w.Header().Set("Retry-After", f.RetryAfter)
		}
		code, message := f.Code, f.Message
		if message == "" {
			message = http.StatusText(f.Status)
		}
		writeJSON(w, f.Status, (&apiError{f.Status, code, message}).body())
		return true
	case answer == nil:
		return false
	case f.NoLocation:
		answer.location = ""
	case f.Truncate:
		full, err := json.Marshal(answer.body)
		if err != nil {
			return false
		}
		if answer.location != "" {
			w.Header().Set("Location", answer.location)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(answer.status)
		_, _ = w.Write(full[:len(full)/2])
		return true
	}
	return false
}
