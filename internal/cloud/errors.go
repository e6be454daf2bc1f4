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
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
)

var (
	// ErrNotFound is returned for a resource that does not exist.
	ErrNotFound = errors.New("not found")
	// ErrUnauthorized is returned when the cloud does not know the credentials.
	ErrUnauthorized = errors.New("credentials rejected")
	// ErrForbidden is returned when the credentials lack a privilege, or a resource is protected.
	ErrForbidden = errors.New("forbidden")
)

// APIError is an answer of the cloud that is none of success.
type APIError struct {
	// Operation says what was tried, on which object.
	Operation string
	// Status is the HTTP status.
	Status int
	// Codes and Messages are the cloud's own.
	Codes, Messages []string
}

func (e *APIError) Error() string {
	text := strings.Join(e.Messages, "; ")
	if text == "" {
		text = http.StatusText(e.Status)
	}
	return fmt.Sprintf("%s: the cloud answered %d: %s", e.Operation, e.Status, text)
}

// Is makes the sentinels of this package match.
func (e *APIError) Is(target error) bool {
	switch e.Status {
	case http.StatusNotFound:
		return target == ErrNotFound
	case http.StatusUnauthorized:
		return target == ErrUnauthorized
	case http.StatusForbidden:
		return target == ErrForbidden
	}
	return false
}

// RateLimitedError is returned while the cloud wants fewer calls of the contract.
type RateLimitedError struct {
	// RetryAfter is how long to wait.
	RetryAfter time.Duration
}

func (e *RateLimitedError) Error() string { return "the cloud asked for fewer calls" }

// UnreachableError is returned when the cloud did not answer, or in a way that cannot be read.
type UnreachableError struct {
	Operation string
	Cause     error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("%s: no usable answer of the cloud: %s", e.Operation, stableText(e.Cause))
}

func (e *UnreachableError) Unwrap() error { return e.Cause }

// stableText leaves out of an error what differs from one time to the next, such as ports.
func stableText(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "it took too long"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
		return "the connection broke"
	}
	var lookup *net.DNSError
	if errors.As(err, &lookup) {
		return fmt.Sprintf("look up %s: %s", lookup.Name, lookup.Err)
	}
	var operation *net.OpError
	if errors.As(err, &operation) && operation.Err != nil {
		return operation.Err.Error()
	}
	var call *url.Error
	if errors.As(err, &call) {
		return call.Err.Error()
	}
	return err.Error()
}

// IsUncertain tells whether a write may have had its effect though its call failed: look for it by identity before it
// is tried again.
func IsUncertain(err error) bool {
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) {
		return true
	}
	var answer *APIError
	return errors.As(err, &answer) && answer.Status >= http.StatusInternalServerError
}

// IsTemporary tells whether the same call may well succeed later.
func IsTemporary(err error) bool {
	var limited *RateLimitedError
	return IsUncertain(err) || errors.As(err, &limited)
}

// IsInvalid tells whether the cloud refused what was asked as it is.
func IsInvalid(err error) bool {
	var answer *APIError
	return errors.As(err, &answer) && (answer.Status == http.StatusUnprocessableEntity || answer.Status == http.StatusBadRequest)
}

// quotaWords are what messages about limits of a contract have in them; there is no code for it.
var quotaWords = [...]string{"quota", "contract limit", "resource limit", "limit exceeded", "limit reached", "exceeds the limit", "exceeded your"}

// IsQuota tells whether a limit of the contract stands against what was asked.
func IsQuota(err error) bool {
	var answer *APIError
	if !errors.As(err, &answer) || answer.Status != http.StatusUnprocessableEntity {
		return false
	}
	text := strings.ToLower(strings.Join(answer.Messages, " "))
	for _, word := range quotaWords {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// failure makes an error of this package of what the SDK returned. It never has the body of a request in it, and where
// the cloud's own words repeat the token or another secret, that is taken out.
func (s *Session) failure(operation string, response *ionoscloud.APIResponse, err error, secrets ...string) error {
	if err == nil {
		return nil
	}
	var limited *RateLimitedError
	if errors.As(err, &limited) {
		return fmt.Errorf("%s: %w", operation, limited)
	}
	if response == nil || response.Response == nil || response.StatusCode < http.StatusMultipleChoices {
		return &UnreachableError{Operation: operation, Cause: err}
	}
	answer := &APIError{Operation: operation, Status: response.StatusCode}
	var generic ionoscloud.GenericOpenAPIError
	if errors.As(err, &generic) {
		if model, isError := generic.Model().(ionoscloud.Error); isError {
			secrets = append(secrets, s.client.GetConfig().Token)
			for _, message := range deref(model.Messages) {
				answer.Codes = append(answer.Codes, deref(message.ErrorCode))
				answer.Messages = append(answer.Messages, withoutSecrets(deref(message.Message), secrets))
			}
		}
	}
	if answer.Status == http.StatusNotFound && len(answer.Messages) == 0 {
		// A proxy, or a wrong URL. To take it for the cloud's word would be to believe that servers are gone.
		return &UnreachableError{Operation: operation, Cause: errors.New("status 404, and not from the Cloud API: check apiURL")}
	}
	return answer
}

func withoutSecrets(text string, secrets []string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "(left out)")
		}
	}
	return text
}

// unreadable is the error of an answer that makes no sense.
func unreadable(operation string, err error) error {
	return &UnreachableError{Operation: operation, Cause: fmt.Errorf("it shows %w", err)}
}
