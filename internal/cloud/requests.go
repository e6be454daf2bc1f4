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
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
)

// requestListDepth shows the status and the targets of the requests in a list.
const requestListDepth = 2

// createdAfterLayout is how the request list takes a time, which it means in UTC.
const createdAfterLayout = "2006-01-02 15:04:05"

// RequestKind is a kind of request that FindRequests looks for.
type RequestKind string

const (
	// RequestCreateServer makes a server.
	RequestCreateServer RequestKind = "servers"
	// RequestCreateLAN makes a LAN.
	RequestCreateLAN RequestKind = "lans"
	// RequestCreateVolume makes a volume by itself.
	RequestCreateVolume RequestKind = "volumes"
)

// RequestAttachNIC is the kind of request that gives a server a NIC.
func RequestAttachNIC(serverID string) RequestKind {
	return RequestKind("servers/" + serverID + "/nics")
}

// requestSearch is what a search of the request queue looks for.
type requestSearch struct {
	datacenterID string
	kind         RequestKind
	since        time.Duration
}

// accepted makes a request of the answer to a write. Where the answer does not say how the request is followed, the
// effect has to be looked for.
func (s *Session) accepted(operation, method string, response *ionoscloud.APIResponse, err error, secrets ...string) (Request, error) {
	if err := s.failure(operation, response, err, secrets...); err != nil {
		return Request{}, err
	}
	location := response.Header.Get("Location")
	if _, valid := requestID(location); !valid {
		return Request{}, &UnreachableError{Operation: operation, Cause: errors.New("it does not say where its request is followed")}
	}
	return Request{Method: method, Path: location}, nil
}

// requestID takes the ID of a request out of the path of its status.
func requestID(path string) (string, bool) {
	if parsed, err := url.Parse(path); err == nil {
		path = parsed.Path
	}
	path = strings.TrimSuffix(strings.TrimRight(path, "/"), "/status")
	i := strings.LastIndex(path, "/")
	id := path[i+1:]
	return id, id != "" && strings.HasSuffix(path[:i+1], "requests/")
}

// RequestStatus returns how far a request came, or ErrNotFound when the cloud does not know it any more.
func (s *Session) RequestStatus(ctx context.Context, request Request) (RequestStatus, error) {
	id, valid := requestID(request.Path)
	operation := "read the status of request " + id
	if !valid {
		return RequestStatus{}, &APIError{Operation: operation, Status: http.StatusNotFound, Messages: []string{fmt.Sprintf("%q is no path of a request", request.Path)}}
	}
	ctx, cancel := s.call(ctx)
	defer cancel()
	status, response, err := s.client.RequestsApi.RequestsStatusGet(ctx, id).Execute()
	if err := s.failure(operation, response, err); err != nil {
		return RequestStatus{}, err
	}
	if status.Metadata == nil || deref(status.Metadata.Status) == "" {
		return RequestStatus{}, unreadable(operation, errors.New("a request without status"))
	}
	return RequestStatus{State: *status.Metadata.Status, Message: deref(status.Metadata.Message)}, nil
}

// FindRequests returns the requests of a kind that were sent in a data center not longer ago than since, the newest
// first. They are read after the call, and shared with those who ask at the same time: what they point to must not be changed.
func (s *Session) FindRequests(ctx context.Context, datacenterID string, kind RequestKind, since time.Duration) ([]QueuedRequest, error) {
	found, err := s.searches.fresh(ctx, requestSearch{datacenterID, kind, since})
	return slices.Clone(found), err
}

func (s *Session) searchRequests(ctx context.Context, search requestSearch) ([]QueuedRequest, error) {
	path := "datacenters/" + search.datacenterID + "/" + string(search.kind)
	operation := "search the requests for POST " + path
	after := s.clock.Now().Add(-search.since).UTC().Format(createdAfterLayout)
	items, err := pages(s, operation, func(offset int32) (page[ionoscloud.Request], *ionoscloud.APIResponse, error) {
		ctx, cancel := s.call(ctx)
		defer cancel()
		list, response, err := s.client.RequestsApi.RequestsGet(ctx).Depth(requestListDepth).FilterMethod(http.MethodPost).FilterUrl(path).
			FilterCreatedAfter(after).Offset(offset).Limit(pageSize).Execute()
		return page[ionoscloud.Request]{list.Items, list.Limit, list.Links}, response, err
	})
	if err != nil {
		return nil, err
	}
	var found []QueuedRequest
	for _, item := range items {
		// The filter matches parts of a URL, as of a request for a NIC of a server.
		if item.Properties == nil || !strings.HasSuffix("/"+calledPath(deref(item.Properties.Url)), "/"+path) {
			continue
		}
		request, err := queuedRequestFrom(item)
		if err != nil {
			return nil, unreadable(operation, err)
		}
		found = append(found, request)
	}
	slices.SortFunc(found, func(a, b QueuedRequest) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Path, b.Path)) })
	return slices.CompactFunc(found, func(a, b QueuedRequest) bool { return a.Path == b.Path }), nil
}

// calledPath is the path of a URL that was called, without query and without the API's prefix.
func calledPath(text string) string {
	path, _, _ := strings.Cut(text, "?")
	if parsed, err := url.Parse(text); err == nil {
		path = parsed.Path
	}
	if _, inside, found := strings.Cut(path, basePath+"/"); found {
		path = inside
	}
	return strings.Trim(path, "/")
}

// createBody is what is read of the body of a request that creates something.
type createBody struct {
	Properties struct {
		Name string `json:"name"`
	} `json:"properties"`
	Entities struct {
		NICs struct {
			Items []struct {
				Properties struct {
					Name string `json:"name"`
				} `json:"properties"`
			} `json:"items"`
		} `json:"nics"`
	} `json:"entities"`
}

// queuedRequestFrom makes a value of a request. One that cannot be followed is an error: to pass over it would be to
// create again what it creates.
func queuedRequestFrom(item ionoscloud.Request) (QueuedRequest, error) {
	if item.Properties == nil || item.Metadata == nil || item.Metadata.RequestStatus == nil ||
		item.Metadata.RequestStatus.Metadata == nil || deref(item.Metadata.RequestStatus.Metadata.Status) == "" {
		return QueuedRequest{}, fmt.Errorf("request %s without status", deref(item.Id))
	}
	status := item.Metadata.RequestStatus
	request := QueuedRequest{
		Request:       Request{Method: deref(item.Properties.Method), Path: deref(status.Href)},
		RequestStatus: RequestStatus{State: *status.Metadata.Status, Message: deref(status.Metadata.Message)},
		URL:           calledPath(deref(item.Properties.Url)),
		TargetIDs:     map[string][]string{},
	}
	if _, valid := requestID(request.Path); !valid {
		request.Path = basePath + "/requests/" + deref(item.Id) + "/status"
	}
	if item.Metadata.CreatedDate != nil {
		request.Created = item.Metadata.CreatedDate.Time
	}
	// A body that is no JSON has no names; then the targets have to do.
	var body createBody
	if err := json.Unmarshal([]byte(deref(item.Properties.Body)), &body); err == nil {
		request.Name = body.Properties.Name
		for _, nic := range body.Entities.NICs.Items {
			request.NICNames = append(request.NICNames, nic.Properties.Name)
		}
	}
	for _, target := range deref(status.Metadata.Targets) {
		if target.Target != nil {
			kind := string(deref(target.Target.Type))
			request.TargetIDs[kind] = append(request.TargetIDs[kind], deref(target.Target.Id))
		}
	}
	return request, nil
}
