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
	"errors"
	"time"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
)

const (
	// rejectedRetry is how often rejected credentials are tried again; a changed secret is tried at once.
	rejectedRetry = 5 * time.Minute
	// quotaRetry is how often a create is tried again that a limit of the contract stood against.
	quotaRetry = 2 * time.Minute
	// refusedRetry is how often a call is tried again that the cloud found invalid.
	refusedRetry = time.Minute
)

// cloudFailed tells how a step ends whose call of the cloud failed. The message has the cloud's own words.
func cloudFailed(err error) outcome {
	var limited *cloud.RateLimitedError
	switch {
	case errors.As(err, &limited):
		return wait(infrav1.RateLimitedReason, "The cloud asked for fewer calls; going on soon", limited.RetryAfter)
	case errors.Is(err, cloud.ErrUnauthorized), errors.Is(err, cloud.ErrForbidden):
		return problem(infrav1.CredentialsRejectedReason, err.Error(), rejectedRetry)
	case cloud.IsQuota(err):
		return problem(infrav1.QuotaExceededReason, err.Error(), quotaRetry)
	case cloud.IsInvalid(err):
		return problem(infrav1.CloudErrorReason, err.Error(), refusedRetry)
	default:
		return outcome{reason: infrav1.CloudErrorReason, message: err.Error(), problem: true, unknown: true, err: err}
	}
}
