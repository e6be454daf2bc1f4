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
	"regexp"
	"strconv"
	"strings"
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
}

// handler handles a call.
type handler func(*call) (*response, *apiError)

// ok is the answer to a read.
func ok(body any) (*response, *apiError) { return &response{status: http.StatusOK, body: body}, nil }

// base is the URL of the API as the caller sees it.
func (c *call) base() string { return "http://" + c.request.Host + basePath }

// url is the URL that was called.
func (c *call) url() string { return "http://" + c.request.Host + c.request.URL.RequestURI() }

// trimURL cuts a URL down to its path without the API's prefix.
func trimURL(url string) string {
	_, path, _ := strings.Cut(url, basePath)
	path, _, _ = strings.Cut(path, "?")
	return path
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

// intQuery reads a number from the query.
func (c *call) intQuery(name string, otherwise int) int {
	if number, err := strconv.Atoi(c.request.URL.Query().Get(name)); err == nil {
		return number
	}
	return otherwise
}

// depth is how far children are shown.
func (c *call) depth() int { return min(max(c.intQuery("depth", 0), 0), 5) }

// placeholder matches the path parameters of a route.
var placeholder = regexp.MustCompile(`\{[a-zA-Z]+\}`)

// routeName is how counters and faults name a route: with {} for each parameter.
func routeName(pattern string) string {
	method, path, hasMethod := strings.Cut(pattern, " ")
	if !hasMethod {
		return pattern
	}
	return method + " " + placeholder.ReplaceAllString(strings.TrimPrefix(path, basePath), "{}")
}

// ServeHTTP answers a call.
func (c *Cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.mux.ServeHTTP(w, r) }

// serve makes a handler an http.Handler: credentials, counters, faults, and JSON.
func (c *Cloud) serve(pattern string, handle handler) http.HandlerFunc {
	route := routeName(pattern)
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
		if err != nil {
			return
		}
		c.mutex.Lock()
		c.counters[route]++
		fault := c.takeFault(route)
		current := &call{cloud: c, request: r, body: body, fault: fault}
		var answer *response
		var failure *apiError
		switch {
		case !c.authorized(r):
			failure = &apiError{http.StatusUnauthorized, "315", "Unauthorized"}
		case fault != nil && fault.before():
		default:
			answer, failure = handle(current)
		}
		c.mutex.Unlock()
		if fault != nil && fault.disturb(w, answer) {
			return
		}
		write(w, answer, failure)
	}
}

// authorized tells whether the caller has a token that is accepted. The mutex is held.
func (c *Cloud) authorized(r *http.Request) bool {
	token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return isBearer && token != "" && (len(c.tokens) == 0 || c.tokens[token])
}

// write writes an answer.
func write(w http.ResponseWriter, answer *response, failure *apiError) {
	if failure != nil {
		writeJSON(w, failure.status, failure.body())
		return
	}
	if answer.location != "" {
		w.Header().Set("Location", answer.location)
	}
	if answer.body == nil {
		w.WriteHeader(answer.status)
		return
	}
	writeJSON(w, answer.status, answer.body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	var buffer bytes.Buffer
	if err := json.NewEncoder(&buffer).Encode(body); err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(buffer.Bytes()) // The caller may be gone.
}
