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

package controller

import (
	"context"
	"errors"
	"fmt"
	"time"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
)

// failedRequestRetry is how long a failed request is left alone before its step is tried again.
const failedRequestRetry = 30 * time.Second

// requestCloud follows requests.
type requestCloud interface {
	RequestStatus(ctx context.Context, request cloud.Request) (cloud.RequestStatus, error)
	FindRequests(ctx context.Context, datacenterID string, kind cloud.RequestKind, since time.Duration) ([]cloud.QueuedRequest, error)
	Invalidate(datacenterID string)
}

// followRequest looks at a request. It is done when the request was executed, or when the cloud has forgotten it; ended
// tells that the request need not be followed any longer, which a failed one need not either.
func followRequest(ctx context.Context, requests requestCloud, poller *poller, recorded *infrav1.ProvisioningRequest) (result outcome, ended bool) {
	request := cloud.Request{Method: recorded.Method, Path: recorded.RequestPath}
	status, err := requests.RequestStatus(ctx, request)
	if errors.Is(err, cloud.ErrNotFound) {
		poller.forget(request.Path)
		return done(), true
	}
	if err != nil {
		return cloudFailed(err), false
	}
	recorded.State = infrav1.RequestState(status.State)
	switch recorded.State {
	case infrav1.RequestStateDone:
		poller.forget(request.Path)
		return done(), true
	case infrav1.RequestStateFailed:
		poller.forget(request.Path)
		return problem(infrav1.CloudRequestFailedReason, fmt.Sprintf("The cloud failed to carry out a %s request (%s): %s", request.Method, request.Path, status.Message), failedRequestRetry), true
	case infrav1.RequestStateQueued, infrav1.RequestStateRunning:
	}
	return wait(infrav1.WaitingForRequestReason, fmt.Sprintf("Waits for the %s request %s", request.Method, request.Path), poller.next(request.Path)), false
}
