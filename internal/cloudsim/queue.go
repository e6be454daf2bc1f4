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
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"k8s.io/utils/clock"
)

// forever is how long a request runs that is stuck.
const forever = 100 * 365 * 24 * time.Hour

// touch is something that a request changes.
type touch struct {
	meta *meta
	target
}

// enqueue accepts a request that changes the touched resources, and answers with the body. The requests of a data center
// are executed one after the other; what is in no data center has a queue of its own.
func (c *call) enqueue(dc *datacenter, touched []touch, execute func() *apiError, undo func(), body func() resource) (*response, *apiError) {
	cloud := c.cloud
	r := &request{
		id: uuid.NewString(), method: c.request.Method, url: c.url(), body: string(c.body), headers: c.headers(), created: cloud.clock.Now().UTC(),
		status: requestQueued, message: "Request has been queued", delay: cloud.provisioningTimeOf(c.request.Method, c.path()),
	}
	var hideFor time.Duration
	if c.fault != nil {
		r.fail, hideFor = c.fault.FailRequest, c.fault.HideFor
		if c.fault.Delay > 0 {
			r.delay = c.fault.Delay
		}
		if c.fault.Stuck {
			r.delay = forever
		}
	}
	for _, t := range touched {
		t.meta.pending++
		r.targets = append(r.targets, t.target)
	}
	if dc != nil {
		dc.pending++
	}
	r.execute = func() *apiError {
		// Something that was there when the request was accepted may have gone meanwhile.
		if dc != nil && dc.gone || slices.ContainsFunc(touched, func(t touch) bool { return t.meta.gone }) {
			return notFound()
		}
		return execute()
	}
	r.settle = func(failed bool, at time.Time) {
		for _, t := range touched {
			t.meta.pending--
			if failed {
				continue
			}
			if t.meta.unborn && hideFor > 0 {
				t.meta.hiddenUntil = at.Add(hideFor)
			}
			t.meta.unborn = false
			t.meta.touched(at)
		}
		if dc != nil {
			dc.pending--
			dc.version++
			dc.touched(at)
		}
		if failed && undo != nil {
			undo()
		}
	}
	cloud.requests = append(cloud.requests, r)
	q := &touched[0].meta.queue
	if dc != nil {
		q = &dc.queue
	}
	q.waiting = append(q.waiting, r)
	r.queue = q
	cloud.advance(q, cloud.clock.Now())
	cloud.announce()
	answer := &response{status: http.StatusAccepted, location: c.base() + "/requests/" + r.id + "/status"}
	if body != nil {
		answer.body = body().show(c.depth())
	}
	return answer, nil
}

// advance starts the next request of a queue, unless one runs. The mutex is held.
func (c *Cloud) advance(q *queue, at time.Time) {
	if q.running || len(q.waiting) == 0 {
		return
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.running = true
	next.status, next.message, next.endsAt = requestRunning, "Request is being executed", at.Add(next.delay)
	c.running = append(c.running, next)
}

// settle executes the running requests whose time has come, in the order of their ends. The mutex is held.
func (c *Cloud) settle() {
	now := c.clock.Now()
	for !c.closed {
		next := c.nextToEnd()
		if next == nil || next.endsAt.After(now) {
			return
		}
		c.end(next, next.endsAt)
	}
}

// nextToEnd is the running request that ends first; nil if none runs.
func (c *Cloud) nextToEnd() *request {
	var next *request
	for _, r := range c.running {
		if next == nil || r.endsAt.Before(next.endsAt) {
			next = r
		}
	}
	return next
}

// end gives a request its effect, or fails it, and starts the one behind it.
func (c *Cloud) end(r *request, at time.Time) {
	var failure *apiError
	if r.fail != "" {
		failure = &apiError{message: r.fail}
	} else {
		failure = r.execute()
	}
	if failure != nil {
		r.status, r.message = requestFailed, failure.message
	} else {
		r.status, r.message = requestDone, "Request has been successfully executed"
		c.record(r.method, r.url, r.body)
	}
	r.settle(failure != nil, at)
	c.running = slices.DeleteFunc(c.running, func(other *request) bool { return other == r })
	r.queue.running = false
	c.advance(r.queue, at)
	c.announce()
}

// schedule has somebody look when the next request ends, so that it does though nobody asks. The mutex is held.
func (c *Cloud) schedule() {
	next := c.nextToEnd()
	if next == nil || c.closed || c.alarm != nil && !next.endsAt.Before(c.alarm.at) {
		return
	}
	c.disarm()
	set := &alarm{at: next.endsAt}
	c.alarm = set
	ring := func() {
		defer c.background.Done()
		c.enter()
		if c.alarm == set {
			c.alarm = nil
		}
		c.leave()
	}
	c.background.Add(1)
	if left := set.at.Sub(c.clock.Now()); left > 0 {
		// A clock in tests calls back with its own lock held, and must not wait for the mutex.
		set.timer = c.clock.AfterFunc(left, func() { go ring() })
		return
	}
	go ring()
}

// alarm is when somebody looks again.
type alarm struct {
	at time.Time
	// timer is nil when it has rung already.
	timer clock.Timer
}

// disarm takes the alarm back. The mutex is held.
func (c *Cloud) disarm() {
	if c.alarm != nil && c.alarm.timer != nil && c.alarm.timer.Stop() {
		c.background.Done()
	}
	c.alarm = nil
}

// Finish ends all requests now, one after the other, whatever time they have left; the stuck ones too.
func (c *Cloud) Finish() {
	c.enter()
	defer c.leave()
	for !c.closed {
		next := c.nextToEnd()
		if next == nil {
			return
		}
		c.end(next, c.clock.Now())
	}
}
