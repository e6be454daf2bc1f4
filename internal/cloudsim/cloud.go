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

// Package cloudsim is the IONOS Cloud API as an HTTP server: its paths, bodies, request queue, depths, filters, states and
// rules, with latency and faults on demand. It knows nothing of the SDK and of the provider, which are tried against it.
package cloudsim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// basePath is where the API begins.
const basePath = "/cloudapi/v6"

// Clock is what the simulator needs of a clock.
type Clock interface {
	clock.PassiveClock
	AfterFunc(d time.Duration, f func()) clock.Timer
	NewTimer(d time.Duration) clock.Timer
}

// Cloud is a simulated cloud: one contract with its data centers. It is an http.Handler.
type Cloud struct {
	settings
	mux *http.ServeMux
	// closing is closed when the cloud is.
	closing chan struct{}
	// background has the goroutines that are under way.
	background sync.WaitGroup

	mutex sync.Mutex
	state
}

// state is what the mutex guards.
type state struct {
	// tokens are those that are accepted, unless everyToken is.
	tokens      map[string]bool
	everyToken  bool
	quotas      map[string]int
	datacenters map[string]*datacenter
	ipBlocks    map[string]*ipBlock
	images      map[string]*image
	snapshots   map[string]*snapshot
	// requests are all there ever were, in order; running are those that are being executed.
	requests, running []*request
	timings           []timing
	faults            []*activeFault
	random            *rand.Rand
	counters          map[string]int
	history           []Event
	// nextDatacenter and nextPublic number the data centers and the addresses that the cloud assigns.
	nextDatacenter, nextPublic int
	closed                     bool
	alarm                      *alarm
	// changed is closed, and replaced, when something that Wait looks at has changed.
	changed chan struct{}
	// boots are those that the hooks have not been told; telling is set while they are.
	boots   []Boot
	telling bool
	hooks   []func(Boot)
}

// New makes an empty cloud.
func New(options ...Option) *Cloud {
	c := &Cloud{
		settings: settings{clock: clock.RealClock{}},
		closing:  make(chan struct{}),
		state: state{
			everyToken:  true,
			quotas:      map[string]int{},
			datacenters: map[string]*datacenter{},
			ipBlocks:    map[string]*ipBlock{},
			images:      map[string]*image{},
			snapshots:   map[string]*snapshot{},
			random:      rand.New(rand.NewPCG(1, 1)), //nolint:gosec // Faults are to be the same in each run.
			counters:    map[string]int{},
			changed:     make(chan struct{}),
		},
	}
	for _, option := range options {
		option(c)
	}
	c.mux = c.routes()
	return c
}

// enter takes the mutex, and executes the requests whose time has come. So what the caller sees depends on the clock
// only, not on when a timer fires.
func (c *Cloud) enter() {
	c.mutex.Lock()
	c.settle()
}

// leave gives the mutex back, and has the hooks told what they do not know.
func (c *Cloud) leave() {
	c.schedule()
	if len(c.boots) > 0 && !c.telling && !c.closed {
		c.telling = true
		c.background.Go(c.tellHooks)
	}
	c.mutex.Unlock()
}

// announce wakes those who wait for a change. The mutex is held.
func (c *Cloud) announce() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// Close stops what is under way, and waits for it; a hook must not call it. Requests that have not ended never do.
func (c *Cloud) Close() {
	c.mutex.Lock()
	if !c.closed {
		c.closed = true
		close(c.closing)
	}
	c.disarm()
	c.mutex.Unlock()
	c.background.Wait()
}

// Wait waits until no request is queued or running, and the hooks have been told of all boots.
func (c *Cloud) Wait(ctx context.Context) error {
	for {
		c.enter()
		idle, changed := c.idle(), c.changed
		c.leave()
		if idle {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait until the cloud is idle: %w", ctx.Err())
		case <-changed:
		}
	}
}

func (c *Cloud) idle() bool { return len(c.running) == 0 && len(c.boots) == 0 && !c.telling }

// SetTokens sets the tokens that are accepted from now on. None means that every token is.
func (c *Cloud) SetTokens(tokens ...string) {
	c.enter()
	defer c.leave()
	c.everyToken = len(tokens) == 0
	c.tokens = map[string]bool{}
	for _, token := range tokens {
		c.tokens[token] = true
	}
}

// AddToken accepts one more token from now on. After the first, tokens that were not added are refused.
func (c *Cloud) AddToken(token string) {
	c.enter()
	defer c.leave()
	if c.everyToken {
		c.everyToken, c.tokens = false, map[string]bool{}
	}
	c.tokens[token] = true
}

// RevokeToken refuses a token from now on. When it was the last one, all are refused.
func (c *Cloud) RevokeToken(token string) {
	c.enter()
	defer c.leave()
	c.everyToken = false
	delete(c.tokens, token)
}

// SetQuota sets a limit of the contract, such as "coresPerContract" or "reservableIps", as /contracts names it.
func (c *Cloud) SetQuota(name string, value int) {
	c.enter()
	defer c.leave()
	c.quotas[name] = value
}
