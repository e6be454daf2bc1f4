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
)

// accepted makes a request of the answer to a write.
func accepted(operation, method string, response *ionoscloud.APIResponse, err error) (Request, error) {
	if err := failure(operation, response, err); err != nil {
		return Request{}, err
	}
	return requestOf(operation, method, response)
}

// requestOf reads where the status of an accepted request is found. Without that, the effect has to be looked for.
func requestOf(operation, method string, response *ionoscloud.APIResponse) (Request, error) {
	location := response.Header.Get("Location")
	if location == "" {
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
	operation := "read the status of request " + request.Path
	id, valid := requestID(request.Path)
	if !valid {
		return RequestStatus{}, &APIError{Operation: operation, Status: http.StatusNotFound, Messages: []string{"this is no path of a request"}}
	}
	ctx, cancel := s.call(ctx)
	defer cancel()
	status, response, err := s.client.RequestsApi.RequestsStatusGet(ctx, id).Execute()
	if err := failure(operation, response, err); err != nil {
		return RequestStatus{}, err
	}
	if status.Metadata == nil || deref(status.Metadata.Status) == "" {
		return RequestStatus{}, unreadable(operation, errors.New("a request without status"))
	}
	return RequestStatus{State: *status.Metadata.Status, Message: deref(status.Metadata.Message)}, nil
}

// FindRequests returns the requests of a kind that were sent in a data center not longer ago than since, the newest first.
func (s *Session) FindRequests(ctx context.Context, datacenterID string, kind RequestKind, since time.Duration) ([]QueuedRequest, error) {
	path := "datacenters/" + datacenterID + "/" + string(kind)
	operation := "search the requests for POST " + path
	after := s.clock.Now().Add(-since).UTC().Format(createdAfterLayout)
	items, err := pages(operation, func(offset int32) ([]ionoscloud.Request, *ionoscloud.APIResponse, error) {
		ctx, cancel := s.call(ctx)
		defer cancel()
		list, response, err := s.client.RequestsApi.RequestsGet(ctx).Depth(requestListDepth).FilterMethod(http.MethodPost).FilterUrl(path).
			FilterCreatedAfter(after).Offset(offset).Limit(pageSize).Execute()
		return deref(list.Items), response, err
	})
	if err != nil {
		return nil, err
	}
	var found []QueuedRequest
	for _, item := range items {
		// The filter matches parts of a URL, as of a request for a NIC of a server.
		if request, readable := queuedRequestFrom(item); readable && strings.HasSuffix(request.URL, path) {
			found = append(found, request)
		}
	}
	slices.SortFunc(found, func(a, b QueuedRequest) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Path, b.Path)) })
	return found, nil
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

// queuedRequestFrom makes a value of a request, if it has what it takes to follow it.
func queuedRequestFrom(item ionoscloud.Request) (QueuedRequest, bool) {
	if item.Metadata == nil || item.Metadata.RequestStatus == nil || item.Metadata.RequestStatus.Metadata == nil || item.Properties == nil {
		return QueuedRequest{}, false
	}
	status := item.Metadata.RequestStatus
	request := QueuedRequest{
		Request:       Request{Method: deref(item.Properties.Method), Path: deref(status.Href)},
		RequestStatus: RequestStatus{State: deref(status.Metadata.Status), Message: deref(status.Metadata.Message)},
		TargetIDs:     map[string][]string{},
	}
	if request.Path == "" {
		request.Path = "/requests/" + deref(item.Id) + "/status"
	}
	request.URL, _, _ = strings.Cut(deref(item.Properties.Url), "?")
	request.URL = strings.TrimRight(request.URL, "/")
	if item.Metadata.CreatedDate != nil {
		request.Created = item.Metadata.CreatedDate.Time
	}
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
	return request, true
}
