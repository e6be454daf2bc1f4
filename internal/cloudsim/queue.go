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
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// touch is something that a request changes.
type touch struct {
	meta *meta
	target
}

// enqueue accepts a request that changes the touched resources, and answers with the body.
func (c *call) enqueue(dc *datacenter, touched []touch, execute func() *apiError, undo func(), body func() any) (*response, *apiError) {
	cloud := c.cloud
	r := &request{
		id: uuid.NewString(), method: c.request.Method, url: c.url(), body: string(c.body), created: cloud.clock.Now().UTC(),
		status: requestQueued, message: "Request has been queued", execute: execute, datacenter: dc, delay: cloud.provisioningTime,
	}
	if c.fault != nil {
		r.fail = c.fault.FailRequest
		if c.fault.Delay > 0 {
			r.delay = c.fault.Delay
		}
	}
	for _, t := range touched {
		t.meta.pending++
		r.targets = append(r.targets, t.target)
	}
	if dc != nil {
		dc.pending++
	}
	r.settle = func(failed bool) {
		for _, t := range touched {
			t.meta.pending--
			if !failed {
				t.meta.unborn = false
			}
		}
		if dc != nil {
			dc.pending--
			dc.version++
		}
		if failed && undo != nil {
			undo()
		}
	}
	cloud.requests = append(cloud.requests, r)
	q := cloud.queueOf(dc)
	q.waiting = append(q.waiting, r)
	cloud.advance(q)
	answer := &response{status: http.StatusAccepted, location: c.base() + "/requests/" + r.id + "/status"}
	if body != nil {
		answer.body = body()
	}
	return answer, nil
}

func (c *Cloud) queueOf(dc *datacenter) *queue {
	if dc == nil {
		return &c.contractQueue
	}
	return &dc.queue
}

// advance starts the next request of a queue, unless one runs. The mutex is held.
func (c *Cloud) advance(q *queue) {
	if q.running || len(q.waiting) == 0 {
		return
	}
	q.running = true
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	c.after(0, func() {
		next.status = requestRunning
		c.after(next.delay, func() {
			c.execute(next)
			q.running = false
			c.advance(q)
		})
	})
}

// execute gives a request its effect, or fails it.
func (c *Cloud) execute(r *request) {
	var failure *apiError
	if r.fail != "" {
		failure = &apiError{message: r.fail}
	} else {
		failure = r.execute()
	}
	if failure != nil {
		r.status, r.message = requestFailed, failure.message
		r.settle(true)
		return
	}
	r.status, r.message = requestDone, "Request has been successfully executed"
	r.settle(false)
	c.history = append(c.history, Event{Method: r.method, Path: trimURL(r.url), Body: r.body})
}

// Wait waits until no request is queued or running.
func (c *Cloud) Wait(ctx context.Context) error {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for {
		if c.idle() {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait until the cloud is idle: %w", ctx.Err())
		case <-ticker.C:
		}
	}
}

func (c *Cloud) idle() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, r := range c.requests {
		if r.status == requestQueued || r.status == requestRunning {
			return false
		}
	}
	return true
}
