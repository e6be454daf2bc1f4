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
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// adminRoutes are the endpoints for people and scripts. They are not part of the API, and need no token.
func (c *Cloud) adminRoutes(mux *http.ServeMux) {
	get := func(path string, read func() any) {
		mux.HandleFunc("GET /_sim/"+path, func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, read()) })
	}
	get("state", func() any { return c.Snapshot() })
	get("counters", func() any { return c.Counters() })
	get("history", func() any { return c.History() })
	get("faults", func() any { return c.shownFaults() })

	act := func(pattern string, do func()) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			do()
			w.WriteHeader(http.StatusNoContent)
		})
	}
	act("DELETE /_sim/counters", c.ResetCounters)
	act("DELETE /_sim/faults", c.ClearFaults)
	act("POST /_sim/finish", c.Finish)
	mux.HandleFunc("DELETE /_sim/tokens/{token}", func(w http.ResponseWriter, r *http.Request) {
		c.RevokeToken(r.PathValue("token"))
		w.WriteHeader(http.StatusNoContent)
	})

	mux.HandleFunc("POST /_sim/faults", admin(func(body faultBody) (any, error) {
		fault, err := body.fault()
		if err != nil {
			return nil, err
		}
		c.Inject(fault)
		return nil, nil
	}))
	mux.HandleFunc("POST /_sim/timings", admin(c.setTiming))
	mux.HandleFunc("POST /_sim/seed", admin(func(seed Seed) (any, error) { return c.Plant(seed) }))
	mux.HandleFunc("POST /_sim/quotas", admin(func(quotas map[string]int) (any, error) {
		for name, value := range quotas {
			c.SetQuota(name, value)
		}
		return nil, nil
	}))
	mux.HandleFunc("POST /_sim/tokens", admin(func(body struct {
		Token string `json:"token"`
	}) (any, error) {
		if body.Token == "" {
			return nil, fmt.Errorf("token is required")
		}
		c.AddToken(body.Token)
		return nil, nil
	}))
}

// admin makes a handler of a function that takes a JSON body, and answers with JSON or nothing.
func admin[T any](do func(T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
		decoder.DisallowUnknownFields()
		var body T
		err := decoder.Decode(&body)
		var answer any
		if err == nil {
			answer, err = do(body)
		}
		switch {
		case err != nil:
			writeJSON(w, http.StatusBadRequest, refused(http.StatusBadRequest, "%v", err).body())
		case answer == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			writeJSON(w, http.StatusOK, answer)
		}
	}
}

// duration is a time as text, such as "1m30s".
type duration time.Duration

// MarshalJSON writes the time as text.
func (d duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON reads the time from text.
func (d *duration) UnmarshalJSON(content []byte) error {
	parsed, err := time.ParseDuration(string(bytes.Trim(content, `"`)))
	*d = duration(parsed)
	return err
}

// faultBody is a fault as people write it.
type faultBody struct {
	Fault
	Delay    duration `json:"delay,omitempty"`
	HideFor  duration `json:"hideFor,omitempty"`
	Latency  duration `json:"latency,omitempty"`
	Happened int      `json:"happened,omitempty"`
}

// fault checks what was written.
func (b faultBody) fault() (Fault, error) {
	fault := b.Fault
	fault.Delay, fault.HideFor, fault.Latency = time.Duration(b.Delay), time.Duration(b.HideFor), time.Duration(b.Latency)
	if fault.Status != 0 && (fault.Status < 400 || fault.Status > 599) {
		return fault, fmt.Errorf("status %d is none of an error", fault.Status)
	}
	if fault.Probability < 0 || fault.Probability > 1 {
		return fault, fmt.Errorf("probability %v is not between 0 and 1", fault.Probability)
	}
	return fault, nil
}

func (c *Cloud) shownFaults() []faultBody {
	faults := c.Faults()
	shown := make([]faultBody, 0, len(faults))
	for _, state := range faults {
		shown = append(shown, faultBody{state.Fault, duration(state.Delay), duration(state.HideFor), duration(state.Latency), state.Happened})
	}
	return shown
}

// timingBody is how long some calls take, as people write it.
type timingBody struct {
	Pattern
	Latency      *duration `json:"latency"`
	Provisioning *duration `json:"provisioning"`
}

func (c *Cloud) setTiming(body timingBody) (any, error) {
	if body.Latency == nil && body.Provisioning == nil {
		return nil, fmt.Errorf("latency or provisioning is required")
	}
	if body.Latency != nil {
		c.SetLatency(body.Pattern, time.Duration(*body.Latency))
	}
	if body.Provisioning != nil {
		c.SetProvisioningTime(body.Pattern, time.Duration(*body.Provisioning))
	}
	return nil, nil
}
