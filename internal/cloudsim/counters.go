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
	"maps"
	"strings"
)

// unknownRoute is how calls of paths that do not exist are counted.
const unknownRoute = "unknown"

// Counters are the numbers of calls by method and route, such as "POST /datacenters/{dc}/servers". Calls that were refused
// count too.
func (c *Cloud) Counters() map[string]int {
	c.enter()
	defer c.leave()
	return maps.Clone(c.counters)
}

// ResetCounters sets all counters to zero.
func (c *Cloud) ResetCounters() {
	c.enter()
	defer c.leave()
	clear(c.counters)
}

// Reads is the number of calls that were reads.
func (c *Cloud) Reads() int {
	reads, _ := c.readsAndWrites()
	return reads
}

// Writes is the number of calls that were no reads.
func (c *Cloud) Writes() int {
	_, writes := c.readsAndWrites()
	return writes
}

func (c *Cloud) readsAndWrites() (reads, writes int) {
	for route, count := range c.Counters() {
		switch {
		case strings.HasPrefix(route, "GET "):
			reads += count
		case route != unknownRoute:
			writes += count
		}
	}
	return reads, writes
}

// Event is a change that was executed.
type Event struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   string `json:"body,omitempty"`
}

// record remembers a change that was executed.
func (c *Cloud) record(method, url, body string) {
	c.history = append(c.history, Event{Method: method, Path: trimURL(url), Body: body})
}

// History are the changes that were executed, in order.
func (c *Cloud) History() []Event {
	c.enter()
	defer c.leave()
	return append([]Event{}, c.history...)
}
