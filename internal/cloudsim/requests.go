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
	"strings"
	"time"
)

// filterTimeLayout is how a time is given in a filter, in UTC.
const filterTimeLayout = "2006-01-02 15:04:05"

// statusOf is how far a request came.
func (c *call) statusOf(r *request) object {
	targets := make([]object, 0, len(r.targets))
	for _, t := range r.targets {
		targets = append(targets, object{"target": object{"id": t.id, "type": t.kind, "href": t.href}, "status": r.status})
	}
	return object{
		"id": r.id + "/status", "type": "request-status", "href": c.base() + "/requests/" + r.id + "/status",
		"metadata": object{"status": r.status, "message": r.message, "etag": r.etag(), "targets": targets},
	}
}

// etag changes with the status of a request.
func (r *request) etag() string {
	m := meta{id: r.id + r.status}
	return m.etag()
}

// showRequest shows a request: at depth 0 its own properties, deeper its status too.
func (c *call) showRequest(r *request, depth int) object {
	href := c.base() + "/requests/" + r.id
	status := object{"id": r.id + "/status", "type": "request-status", "href": href + "/status"}
	if depth > 0 {
		status = c.statusOf(r)
	}
	return object{
		"id": r.id, "type": "request", "href": href,
		"metadata":   object{"createdDate": dateText(r.created), "createdBy": userName, "etag": r.etag(), "requestStatus": status},
		"properties": object{"method": r.method, "url": r.url, "body": r.body, "headers": r.headers},
	}
}

func listRequests(c *call) (*response, *apiError) {
	var found []*request
	for _, r := range c.cloud.requests {
		matches, failure := c.requestMatches(r)
		if failure != nil {
			return nil, failure
		}
		if matches {
			found = append(found, r)
		}
	}
	if c.cloud.newestRequestsFirst {
		slices.Reverse(found)
	}
	items := make([]resource, 0, len(found))
	for _, r := range found {
		items = append(items, resource{id: r.id, kind: "request", href: c.base() + "/requests/" + r.id})
	}
	answer, failure := c.page("requests", items, pageLimit)
	if failure != nil || c.depth() == 0 {
		return answer, failure
	}
	shown := answer.body.(object)["items"].([]object)
	for i, r := range found[min(max(c.intQuery("offset"), 0), len(found)):] {
		if i < len(shown) {
			shown[i] = c.showRequest(r, c.depth()-1)
		}
	}
	return answer, nil
}

// requestMatches tells whether a request is what the filters of the query look for. URL, body and headers are searched for
// a part, the rest is compared.
func (c *call) requestMatches(r *request) (bool, *apiError) {
	var headers strings.Builder
	for name, value := range r.headers {
		headers.WriteString(name + ": " + value + "\n")
	}
	for name, values := range c.request.URL.Query() {
		property, isFilter := strings.CutPrefix(name, "filter.")
		if !isFilter || len(values) == 0 || values[0] == "" {
			continue
		}
		wanted := values[0]
		matches := true
		switch property {
		case "url":
			matches = strings.Contains(r.url, wanted)
		case "body":
			matches = strings.Contains(r.body, wanted)
		case "headers":
			matches = strings.Contains(headers.String(), wanted)
		case "method":
			matches = strings.EqualFold(r.method, wanted)
		case "status", "requestStatus":
			matches = strings.EqualFold(r.status, wanted)
		case "createdBy":
			matches = userName == wanted
		case "etag":
			matches = r.etag() == wanted
		case "createdDate":
			matches = strings.HasPrefix(r.created.Format(filterTimeLayout), wanted)
		case "createdAfter", "createdBefore":
			at, err := time.Parse(filterTimeLayout, wanted)
			if err != nil {
				return false, invalid(codeConstraint, property, "%q is not of the form %s", wanted, filterTimeLayout)
			}
			matches = property == "createdAfter" && r.created.After(at) || property == "createdBefore" && r.created.Before(at)
		}
		if !matches {
			return false, nil
		}
	}
	return true, nil
}

// withRequest finds the request of a call.
func withRequest(handle func(*call, *request) (*response, *apiError)) handler {
	return func(c *call) (*response, *apiError) {
		for _, r := range c.cloud.requests {
			if r.id == c.request.PathValue("request") {
				return handle(c, r)
			}
		}
		return nil, notFound()
	}
}

func getRequest(c *call, r *request) (*response, *apiError) {
	answer := &response{status: http.StatusOK, body: c.showRequest(r, c.depth())}
	if !c.request.URL.Query().Has("depth") {
		answer.etag = r.etag()
	}
	return answer, nil
}

func getRequestStatus(c *call, r *request) (*response, *apiError) {
	return &response{status: http.StatusOK, body: c.statusOf(r), etag: r.etag()}, nil
}
