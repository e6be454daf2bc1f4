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

// Package cloud is the only door to the IONOS Cloud SDK. It speaks values of its own and of package network, follows
// requests, shares reads and backoff for a whole contract, and keeps the SDK's pointers to itself.
package cloud

import (
	"net/netip"
	"time"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// Credentials are what the cloud is entered with. They are never logged.
type Credentials struct {
	Token string
	// APIURL is the base URL of the Cloud API; empty means the public one.
	APIURL string
	// CABundle are PEM certificates to trust besides the system's.
	CABundle []byte
}

// Datacenter is a virtual data center.
type Datacenter struct {
	ID, Name, Location string
	// IPv6Block is the /56 of the data center, if it has one.
	IPv6Block netip.Prefix
}

// State is the provisioning state of a resource.
type State string

const (
	// StateAvailable means that no change is pending.
	StateAvailable State = "AVAILABLE"
	// StateBusy means that a change is pending.
	StateBusy State = "BUSY"
)

// Server is a server with its NICs.
type Server struct {
	ID, Name string
	State    State
	// VMState is the state of the virtual machine, for example RUNNING or SHUTOFF.
	VMState string
	// BootVolumeID is empty while the cloud has not set it.
	BootVolumeID string
	VolumeIDs    []string
	// NICs are sorted by ID.
	NICs []network.NIC
}

// Inventory is what exists in a data center: one list of servers and one of LANs.
type Inventory struct {
	// Taken is when the lists were read.
	Taken time.Time
	// Servers are sorted by name, then ID.
	Servers []Server
	// LANs are sorted by ID.
	LANs []LAN
}

// LAN is a LAN with its provisioning state.
type LAN struct {
	network.LAN
	State State
}

// ServerSettings are what a server is made from, in one request with its boot volume and NICs.
type ServerSettings struct {
	Name             string
	Cores, MemoryMB  int32
	AvailabilityZone string
	// CPUFamily is empty to let the cloud choose.
	CPUFamily string
	Type      string
	Volume    VolumeSettings
	NICs      []network.NICSettings
}

// VolumeSettings are what a boot volume is made from.
type VolumeSettings struct {
	Name, DiskType, AvailabilityZone, ImageID string
	SizeGB                                    int64
	// UserData is what the guest is told at boot; it is encoded on the way out.
	UserData []byte
}

// Volume is a volume.
type Volume struct {
	ID, Name string
	State    State
	// BootServerID is the server that boots from the volume, if one does. A volume without may be attached all the same.
	BootServerID string
}

// LANSettings are what a LAN is made from.
type LANSettings struct {
	Name   string
	Public bool
	// IPv6Block is "AUTO", a /64, or empty for a LAN without IPv6.
	IPv6Block string
	// CrossConnectID is empty for a LAN that is joined with no other.
	CrossConnectID string
}

// Image is an image of a location.
type Image struct {
	ID, Name, Location string
	Created            time.Time
	Labels             map[string]string
}

// Request is a request that the cloud accepted.
type Request struct {
	Method string
	// Path is where the status of the request is read.
	Path string
}

// RequestStatus is how far a request came.
type RequestStatus struct {
	// State is QUEUED, RUNNING, DONE or FAILED.
	State string
	// Message is the cloud's own, for a FAILED request.
	Message string
}

// QueuedRequest is a request found in the cloud's request queue.
type QueuedRequest struct {
	Request
	RequestStatus
	// URL is the path that was called, without query and without the API's prefix, as "datacenters/<id>/servers".
	URL     string
	Created time.Time
	// Name is properties.name of the body, and NICNames those of the NICs in it.
	Name     string
	NICNames []string
	// TargetIDs are the IDs of the resources that the request touches, by resource type ("server", "nic", "volume", "lan").
	TargetIDs map[string][]string
}
