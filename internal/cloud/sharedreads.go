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

package cloud

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// sharedReads shares the results of reads: among those who ask at the same time, and for a while after. A read that
// failed is not kept, and with a ttl of zero none is.
type sharedReads[K comparable, V any] struct {
	clock clock.PassiveClock
	ttl   time.Duration
	read  func(context.Context, K) (V, error)

	mutex   sync.Mutex
	entries map[K]*sharedRead[V]
}

// sharedRead is a read: to be started, under way, or ended.
type sharedRead[V any] struct {
	// ended is closed when value and err are set.
	ended chan struct{}
	value V
	err   error

	// The mutex of sharedReads guards the rest. began is zero until the read starts.
	began time.Time
	// next is the read that starts when this one ends.
	next *sharedRead[V]
}

func newSharedReads[K comparable, V any](c clock.PassiveClock, ttl time.Duration, read func(context.Context, K) (V, error)) *sharedReads[K, V] {
	return &sharedReads[K, V]{clock: c, ttl: ttl, read: read, entries: map[K]*sharedRead[V]{}}
}

// get returns a result that is not too old, reading it if need be.
func (s *sharedReads[K, V]) get(ctx context.Context, key K) (V, error) {
	s.mutex.Lock()
	entry, exists := s.entries[key]
	if !exists || s.clock.Since(entry.began) > s.ttl {
		entry = &sharedRead[V]{ended: make(chan struct{})}
		s.start(ctx, key, entry)
	}
	s.mutex.Unlock()
	return s.await(ctx, entry)
}

// fresh returns a result whose read started after the call. All who call while a read is under way share the next one.
func (s *sharedReads[K, V]) fresh(ctx context.Context, key K) (V, error) {
	s.mutex.Lock()
	current, exists := s.entries[key]
	entry := &sharedRead[V]{ended: make(chan struct{})}
	switch {
	case exists && current.next != nil && current.next.began.IsZero():
		entry = current.next
	case exists && !current.hasEnded():
		current.next = entry
		go func() {
			<-current.ended
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.start(ctx, key, entry)
		}()
	default:
		s.start(ctx, key, entry)
	}
	s.mutex.Unlock()
	return s.await(ctx, entry)
}

// forget makes the next get read again.
func (s *sharedReads[K, V]) forget(key K) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.entries, key)
}

// start starts a read; the mutex is held. The read goes on when the one who asked for it goes away, because others may wait.
func (s *sharedReads[K, V]) start(ctx context.Context, key K, entry *sharedRead[V]) {
	entry.began = s.clock.Now()
	s.entries[key] = entry
	go func() {
		entry.value, entry.err = s.read(context.WithoutCancel(ctx), key)
		if entry.err != nil || s.ttl == 0 {
			s.mutex.Lock()
			if s.entries[key] == entry && entry.next == nil {
				delete(s.entries, key)
			}
			s.mutex.Unlock()
		}
		close(entry.ended)
	}()
}

// hasEnded tells whether the result is there.
func (r *sharedRead[V]) hasEnded() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

func (s *sharedReads[K, V]) await(ctx context.Context, entry *sharedRead[V]) (V, error) {
	select {
	case <-entry.ended:
		return entry.value, entry.err
	case <-ctx.Done():
		var none V
		return none, fmt.Errorf("wait for what the cloud shows: %w", ctx.Err())
	}
}
