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
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 64 << 20

// call is a call of the API. The cloud's mutex is held while it is handled.
type call struct {
	cloud   *Cloud
	request *http.Request
	body    []byte
	// fault is what was asked to go wrong with this call; nil if nothing.
	fault *Fault
}

// response is an answer of success.
type response struct {
	status   int
	body     any
	location string
	etag     string
}

// handler handles a call.
type handler func(*call) (*response, *apiError)

// ok is the answer to a read.
func ok(body any) (*response, *apiError) { return &response{status: http.StatusOK, body: body}, nil }

// show is the answer to a read of a resource.
func (c *call) show(r resource) (*response, *apiError) {
	answer := &response{status: http.StatusOK, body: r.show(c.depth())}
	if r.meta != nil && !c.request.URL.Query().Has("depth") {
		answer.etag = r.meta.etag()
	}
	return answer, nil
}

// origin is the scheme and host that the caller used.
func (c *call) origin() string {
	if c.request.TLS != nil {
		return "https://" + c.request.Host
	}
	return "http://" + c.request.Host
}

// base is the URL of the API as the caller sees it.
func (c *call) base() string { return c.origin() + basePath }

// url is the URL that was called.
func (c *call) url() string { return c.origin() + c.request.URL.RequestURI() }

// path is the path that was called, without the API's prefix.
func (c *call) path() string { return strings.TrimPrefix(c.request.URL.Path, basePath) }

// trimURL cuts a URL down to its path without the API's prefix.
func trimURL(url string) string {
	_, path, _ := strings.Cut(url, basePath)
	path, _, _ = strings.Cut(path, "?")
	return path
}

// headers are the headers of a call that its request remembers: no credentials.
func (c *call) headers() map[string]string {
	kept := map[string]string{}
	for _, name := range []string{"Accept", "Content-Type", "User-Agent", "X-Contract-Number"} {
		if value := c.request.Header.Get(name); value != "" {
			kept[name] = value
		}
	}
	return kept
}

// decode reads a JSON body.
func (c *call) decode(into any) *apiError {
	if kind, _, err := mime.ParseMediaType(c.request.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refused(http.StatusUnsupportedMediaType, "the body must be application/json")
	}
	if err := json.Unmarshal(c.body, into); err != nil {
		return refused(http.StatusBadRequest, "the body is no valid JSON: %v", err)
	}
	return nil
}

// decodeChange reads the body of a change: the bare properties with PATCH, the whole resource with PUT.
func (c *call) decodeChange(into any) *apiError {
	var wrapped struct {
		Properties json.RawMessage `json:"properties"`
	}
	if failure := c.decode(&wrapped); failure != nil {
		return failure
	}
	isPut := c.request.Method == http.MethodPut
	switch {
	case isPut && len(wrapped.Properties) == 0:
		return invalid(codeConstraint, "properties", "properties are required")
	case !isPut && len(wrapped.Properties) > 0:
		return &apiError{http.StatusUnprocessableEntity, codeConstraint, "[(root).properties] PATCH takes the properties without a wrapper"}
	case !isPut:
		return c.decode(into)
	}
	if err := json.Unmarshal(wrapped.Properties, into); err != nil {
		return refused(http.StatusBadRequest, "the properties are no valid JSON: %v", err)
	}
	return nil
}

// ServeHTTP answers a call.
func (c *Cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.URL.Path, "//") {
		// Otherwise the mux would redirect, and the API does not.
		failure := notFound()
		writeJSON(w, failure.status, failure.body())
		return
	}
	c.mux.ServeHTTP(w, r)
}

// serve makes a handler an http.Handler: credentials, counters, latency, faults, and JSON.
func (c *Cloud) serve(route string, handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			failure := refused(http.StatusRequestEntityTooLarge, "the body cannot be read")
			writeJSON(w, failure.status, failure.body())
			return
		}
		current := &call{cloud: c, request: r, body: body}
		latency, authorized := c.admit(current, route)
		if current.fault == nil {
			current.fault = &Fault{}
		}
		fault := current.fault
		if !fault.After {
			latency += fault.Latency
		}
		if !c.pause(r.Context(), latency) {
			panic(http.ErrAbortHandler)
		}
		if fault.breaks() && !fault.After {
			fault.answer(w)
			return
		}
		if !authorized {
			failure := &apiError{http.StatusUnauthorized, "315", "Unauthorized"}
			writeJSON(w, failure.status, failure.body())
			return
		}
		c.enter()
		answer, failure := handle(current)
		c.leave()
		if fault.After && !c.pause(r.Context(), fault.Latency) {
			panic(http.ErrAbortHandler)
		}
		switch {
		case fault.breaks():
			fault.answer(w)
		case failure != nil:
			writeJSON(w, failure.status, failure.body())
		case fault.Truncate:
			truncate(w, answer)
		default:
			if fault.NoLocation {
				answer.location = ""
			}
			write(w, answer)
		}
	}
}

// admit counts a call, and finds what is to happen to it: how long it takes, whether its token is accepted, its fault.
func (c *Cloud) admit(current *call, route string) (latency time.Duration, authorized bool) {
	c.enter()
	defer c.leave()
	c.counters[route]++
	authorized = c.authorized(current.request)
	if authorized {
		current.fault = c.takeFault(current.request.Method, current.path())
	}
	return c.latencyOf(current.request.Method, current.path()), authorized
}

// authorized tells whether the caller has a token that is accepted. The mutex is held.
func (c *Cloud) authorized(r *http.Request) bool {
	token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return isBearer && token != "" && (c.everyToken || c.tokens[token])
}

// write writes an answer of success.
func write(w http.ResponseWriter, answer *response) {
	if answer.location != "" {
		w.Header().Set("Location", answer.location)
	}
	if answer.etag != "" {
		w.Header().Set("ETag", answer.etag)
	}
	if answer.body == nil {
		w.WriteHeader(answer.status)
		return
	}
	writeJSON(w, answer.status, answer.body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(buffer.Bytes()) // The caller may be gone.
}
