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
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

const (
	// defaultRetryAfter is how long to wait when the cloud wants fewer calls and does not say for how long.
	defaultRetryAfter = 5 * time.Second
	// maxRetryAfter bounds what the cloud can ask for, so that a wrong clock or value cannot stop everything.
	maxRetryAfter = 10 * time.Minute
	// basePath is where the API begins.
	basePath = "/cloudapi/v6"
)

// door is what every call of a contract goes through. It closes for the whole contract when the cloud wants fewer calls:
// then calls fail at once, and nobody sleeps.
type door struct {
	next    http.RoundTripper
	clock   clock.PassiveClock
	observe func(operation string, status int, duration time.Duration)
	// unauthorized is told when the cloud rejects the credentials.
	unauthorized func()

	mutex       sync.Mutex
	closedUntil time.Time
}

// RoundTrip sends a request, unless the door is closed.
func (d *door) RoundTrip(request *http.Request) (*http.Response, error) {
	if left := d.closedFor(); left > 0 {
		return nil, &RateLimitedError{RetryAfter: left}
	}
	began := d.clock.Now()
	response, err := d.next.RoundTrip(request)
	status := 0
	if err == nil {
		status = response.StatusCode
	}
	if d.observe != nil {
		d.observe(operationOf(request), status, d.clock.Since(began))
	}
	switch status {
	case http.StatusUnauthorized:
		d.unauthorized()
	case http.StatusServiceUnavailable:
		// The call may have had its effect, so the answer has to be seen; the next ones wait.
		if header := response.Header.Get("Retry-After"); header != "" {
			d.close(d.retryAfter(header))
		}
	case http.StatusTooManyRequests:
		wait := d.retryAfter(response.Header.Get("Retry-After"))
		d.close(wait)
		_ = response.Body.Close()
		return nil, &RateLimitedError{RetryAfter: wait}
	}
	return response, err
}

// operationOf names what a call does: its method and path, with {} for every ID.
func operationOf(request *http.Request) string {
	_, path, found := strings.Cut(request.URL.Path, basePath)
	if !found {
		path = request.URL.Path
	}
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if strings.ContainsAny(segment, "0123456789") {
			segments[i] = "{}"
		}
	}
	return request.Method + " " + strings.Join(segments, "/")
}

func (d *door) closedFor() time.Duration {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.closedUntil.Sub(d.clock.Now())
}

func (d *door) close(wait time.Duration) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if until := d.clock.Now().Add(wait); until.After(d.closedUntil) {
		d.closedUntil = until
	}
}

// retryAfter reads the header of that name: seconds, or a date.
func (d *door) retryAfter(header string) time.Duration {
	wait := defaultRetryAfter
	if seconds, err := strconv.Atoi(header); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(header); err == nil {
		wait = date.Sub(d.clock.Now())
	}
	return min(max(wait, time.Second), maxRetryAfter)
}
