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

package v1alpha2

// RequestState is the state of a cloud request.
// +kubebuilder:validation:Enum=QUEUED;RUNNING;DONE;FAILED
type RequestState string

const (
	// RequestStateQueued means that the request waits in the queue of its data center.
	RequestStateQueued RequestState = "QUEUED"
	// RequestStateRunning means that the request is being executed.
	RequestStateRunning RequestState = "RUNNING"
	// RequestStateDone means that the request was executed.
	RequestStateDone RequestState = "DONE"
	// RequestStateFailed means that the request failed and had no effect.
	RequestStateFailed RequestState = "FAILED"
)

// ProvisioningRequest is a cloud request that was sent and is followed until it ends.
type ProvisioningRequest struct {
	// method is the HTTP method of the request.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=16
	Method string `json:"method,omitempty"`

	// requestPath is where the status of the request is read.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=2048
	RequestPath string `json:"requestPath,omitempty"`

	// state is the state in which the request was last seen.
	// +optional
	State RequestState `json:"state,omitempty"`
}

// DatacenterRequest is the cloud request under way in a data center.
type DatacenterRequest struct {
	// datacenterID is the data center.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	DatacenterID string `json:"datacenterID,omitempty"`

	// request is the request under way.
	// +required
	Request ProvisioningRequest `json:"request,omitempty,omitzero"`
}
