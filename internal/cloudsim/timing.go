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
	"context"
	"time"
)

// timing is how long some calls take.
type timing struct {
	Pattern
	latency, provisioning *time.Duration
}

// SetLatency sets how long the answers to some calls take. Of several patterns that match, the last one set counts.
func (c *Cloud) SetLatency(pattern Pattern, d time.Duration) {
	c.enter()
	defer c.leave()
	c.timings = append(c.timings, timing{Pattern: pattern, latency: &d})
}

// SetProvisioningTime sets how long the requests that some calls make run. Of several patterns that match, the last one
// set counts. It holds for requests that are accepted from now on.
func (c *Cloud) SetProvisioningTime(pattern Pattern, d time.Duration) {
	c.enter()
	defer c.leave()
	c.timings = append(c.timings, timing{Pattern: pattern, provisioning: &d})
}

// latencyOf is how long the answer to a call takes. The mutex is held.
func (c *Cloud) latencyOf(method, path string) time.Duration {
	for i := len(c.timings) - 1; i >= 0; i-- {
		if t := c.timings[i]; t.latency != nil && t.matches(method, path) {
			return *t.latency
		}
	}
	return 0
}

// provisioningTimeOf is how long the request of a call runs. The mutex is held.
func (c *Cloud) provisioningTimeOf(method, path string) time.Duration {
	for i := len(c.timings) - 1; i >= 0; i-- {
		if t := c.timings[i]; t.provisioning != nil && t.matches(method, path) {
			return *t.provisioning
		}
	}
	return c.provisioningTime
}

// pause waits a while, and tells whether the caller is still there then.
func (c *Cloud) pause(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := c.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C():
		return true
	case <-ctx.Done():
		return false
	case <-c.closing:
		return false
	}
}
