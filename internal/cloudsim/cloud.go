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
	"errors"
	"fmt"
	"net"
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
}

// Cloud is a simulated cloud: one contract with its data centers. It is an http.Handler.
type Cloud struct {
	clock            Clock
	provisioningTime time.Duration
	hiddenUntilDone  bool
	allowLANDeletion bool
	duplicatePrivate bool
	privateFailover  bool
	admin            bool
	mux              *http.ServeMux

	mutex sync.Mutex
	state
}

// state is what the mutex guards.
type state struct {
	tokens      map[string]bool
	quotas      map[string]int
	datacenters map[string]*datacenter
	ipBlocks    map[string]*ipBlock
	images      map[string]*image
	requests    []*request
	// contractQueue has the requests outside of any data center.
	contractQueue queue
	faults        []*activeFault
	counters      map[string]int
	history       []Event
	// nextDatacenter and nextPublic number the data centers and the addresses that the cloud assigns.
	nextDatacenter, nextPublic int
	closed                     bool
	timers                     map[clock.Timer]bool
}

// Option changes how a Cloud behaves. The defaults are on the safe side where the real cloud's behaviour is not known.
type Option func(*Cloud)

// WithTokens sets the tokens that are accepted. Without it, every token is.
func WithTokens(tokens ...string) Option { return func(c *Cloud) { c.SetTokens(tokens...) } }

// WithClock sets the clock; the default is the real one.
func WithClock(other Clock) Option { return func(c *Cloud) { c.clock = other } }

// WithProvisioningTime sets how long a request runs. The default is no time, which is asynchronous all the same.
func WithProvisioningTime(d time.Duration) Option { return func(c *Cloud) { c.provisioningTime = d } }

// WithHiddenUntilDone hides new resources until the request that makes them is done. By default they show as BUSY.
func WithHiddenUntilDone() Option { return func(c *Cloud) { c.hiddenUntilDone = true } }

// WithLANDeletionInUse lets a LAN be deleted though it has NICs. By default that is refused.
func WithLANDeletionInUse() Option { return func(c *Cloud) { c.allowLANDeletion = true } }

// WithDuplicatePrivateIPs lets two NICs in a private LAN have one address. By default that is refused.
func WithDuplicatePrivateIPs() Option { return func(c *Cloud) { c.duplicatePrivate = true } }

// WithPrivateFailover lets a private LAN have failover groups. By default that is refused.
func WithPrivateFailover() Option { return func(c *Cloud) { c.privateFailover = true } }

// WithAdmin serves the endpoints under /_sim/.
func WithAdmin() Option { return func(c *Cloud) { c.admin = true } }

// New makes an empty cloud.
func New(options ...Option) *Cloud {
	c := &Cloud{
		clock: clock.RealClock{},
		state: state{
			quotas:      map[string]int{},
			datacenters: map[string]*datacenter{},
			ipBlocks:    map[string]*ipBlock{},
			images:      map[string]*image{},
			counters:    map[string]int{},
			timers:      map[clock.Timer]bool{},
		},
	}
	for _, option := range options {
		option(c)
	}
	c.mux = c.routes()
	return c
}

// Close stops what is under way. Requests that have not ended never do.
func (c *Cloud) Close() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.closed = true
	for timer := range c.timers {
		timer.Stop()
	}
	clear(c.timers)
}

// after runs a function a while later with the mutex held; it is held now too.
func (c *Cloud) after(d time.Duration, run func()) {
	var timer clock.Timer
	registered := make(chan struct{})
	timer = c.clock.AfterFunc(d, func() {
		<-registered
		c.mutex.Lock()
		defer c.mutex.Unlock()
		delete(c.timers, timer)
		if !c.closed {
			run()
		}
	})
	c.timers[timer] = true
	close(registered)
}

// SetTokens sets the tokens that are accepted from now on. None means that every token is.
func (c *Cloud) SetTokens(tokens ...string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.tokens = map[string]bool{}
	for _, token := range tokens {
		c.tokens[token] = true
	}
}

// SetQuota sets a limit of the contract, such as "coresPerContract" or "reservableIps".
func (c *Cloud) SetQuota(name string, value int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.quotas[name] = value
}

// Server is a Cloud that listens on loopback.
type Server struct {
	*Cloud
	// URL is the base URL, without the path of the API.
	URL string

	server *http.Server
	ended  chan error
}

// Start makes a cloud that listens on a free port of loopback.
func Start(options ...Option) (*Server, error) {
	var config net.ListenConfig
	listener, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0") //nolint:forbidigo // It is closed by Close.
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	s := &Server{Cloud: New(options...), URL: "http://" + listener.Addr().String(), ended: make(chan error, 1)}
	s.server = &http.Server{Handler: s.Cloud, ReadHeaderTimeout: time.Minute}
	go func() { s.ended <- s.server.Serve(listener) }()
	return s, nil
}

// Close stops listening, and what is under way.
func (s *Server) Close() error {
	s.Cloud.Close()
	err := s.server.Close()
	if served := <-s.ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
