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

// createdAfterLayout is how a time is given in a filter, in UTC.
const createdAfterLayout = "2006-01-02 15:04:05"

func (c *call) statusOf(r *request) object {
	targets := make([]object, 0, len(r.targets))
	for _, t := range r.targets {
		targets = append(targets, object{"target": object{"id": t.id, "type": t.kind, "href": t.href}, "status": r.status})
	}
	href := c.base() + "/requests/" + r.id + "/status"
	return object{
		"id": r.id + "/status", "type": "request-status", "href": href,
		"metadata": object{"status": r.status, "message": r.message, "etag": r.id, "targets": targets},
	}
}

func (c *call) requestShown(r *request, depth int) object {
	href := c.base() + "/requests/" + r.id
	shown := object{"id": r.id, "type": "request", "href": href}
	if depth < 1 {
		return shown
	}
	metadata := object{"createdDate": r.created.UTC().Format(time.RFC3339), "createdBy": "simulator", "etag": r.id}
	if depth > 1 {
		metadata["requestStatus"] = c.statusOf(r)
	} else {
		metadata["requestStatus"] = object{"id": r.id + "/status", "type": "request-status", "href": href + "/status"}
	}
	shown["metadata"] = metadata
	shown["properties"] = object{"method": r.method, "url": r.url, "body": r.body, "headers": object{}}
	return shown
}

func listRequests(c *call) (*response, *apiError) {
	query := c.request.URL.Query()
	matches := func(r *request) bool {
		for name, value := range map[string]string{"status": r.status, "method": r.method, "url": r.url, "body": r.body} {
			if wanted := query.Get("filter." + name); wanted != "" && !strings.Contains(value, wanted) {
				return false
			}
		}
		if text := query.Get("filter.createdAfter"); text != "" {
			after, err := time.Parse(createdAfterLayout, text)
			if err != nil || !r.created.After(after) {
				return false
			}
		}
		return true
	}
	var found []*request
	for _, r := range c.cloud.requests {
		if matches(r) {
			found = append(found, r)
		}
	}
	slices.Reverse(found)
	offset, limit := max(c.intQuery("offset", 0), 0), max(c.intQuery("limit", 1000), 1)
	items := []object{}
	for i := offset; i < len(found) && i < offset+limit; i++ {
		items = append(items, c.requestShown(found[i], c.depth()))
	}
	return ok(object{"id": "requests", "type": "collection", "href": c.base() + "/requests", "items": items, "offset": offset, "limit": limit})
}

// requestNamed finds the request of a call.
func (c *call) requestNamed() *request {
	for _, r := range c.cloud.requests {
		if r.id == c.request.PathValue("request") {
			return r
		}
	}
	return nil
}

func getRequest(c *call) (*response, *apiError) {
	r := c.requestNamed()
	if r == nil {
		return nil, notFound()
	}
	return ok(c.requestShown(r, max(c.depth(), 1)+1))
}

func getRequestStatus(c *call) (*response, *apiError) {
	r := c.requestNamed()
	if r == nil {
		return nil, &apiError{http.StatusNotFound, "309", "Resource does not exist"}
	}
	return ok(c.statusOf(r))
}
