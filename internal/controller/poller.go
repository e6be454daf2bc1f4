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
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// poller spaces the looks at cloud requests: often at first, then ever less.
type poller struct {
	clock clock.PassiveClock
	// delay is the time until the next look at a request of the given age.
	delay func(age time.Duration) time.Duration

	mutex sync.Mutex
	seen  map[string]time.Time
}

func newPoller(c clock.PassiveClock, delay func(time.Duration) time.Duration) *poller {
	return &poller{clock: c, delay: delay, seen: map[string]time.Time{}}
}

// next returns when to look at the request again.
func (p *poller) next(path string) time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	first, known := p.seen[path]
	if !known {
		first = p.clock.Now()
		p.seen[path] = first
	}
	return p.delay(p.clock.Since(first))
}

// forget drops a request that has ended.
func (p *poller) forget(path string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.seen, path)
}
