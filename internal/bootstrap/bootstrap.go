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

// Package bootstrap adds what the infrastructure knows about a machine to the bootstrap data of its user: the hostname,
// the addresses of the node and of every NIC, and the static routes.
//
// Bytes in, bytes out: no client, no clock, no random. The user's content is never edited as text and never lost. It
// holds secrets, so no error repeats any of it.
package bootstrap

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// Format is the declared format of bootstrap data, as a bootstrap provider writes it under the key "format" of the
// bootstrap secret.
type Format string

const (
	// FormatCloudConfig is anything that cloud-init accepts as user data. The empty format means the same.
	FormatCloudConfig Format = "cloud-config"
	// FormatIgnition is the JSON configuration of Ignition.
	FormatIgnition Format = "ignition"
)

// ErrEmpty says that there is no bootstrap data.
var ErrEmpty = errors.New("bootstrap data is empty")

// Guest is what the guest is told.
type Guest struct {
	// Hostname is the name that the machine gets unless its user gives it another: a DNS name of at most 64 bytes.
	Hostname string
	// NodeIPs are the node's addresses, those of the primary attachment, IPv4 first. Empty when they are known only
	// at boot.
	NodeIPs []netip.Addr
	// Attachments are the machine's NICs in order, the primary one first.
	Attachments []Attachment
}

// Attachment is a NIC, as far as it is known before the machine boots.
type Attachment struct {
	// Name is the name of the attachment, a DNS label.
	Name string
	// Addresses are the NIC's addresses with the length of their subnet's prefix. Where that is not known, the
	// prefix is the address alone.
	Addresses []netip.Prefix
	// MAC is the hardware address; empty when the cloud has not assigned it yet.
	MAC string
	// DHCP is whether DHCP serves the NIC.
	DHCP bool
	// Routes are the static routes through the NIC. The gateway has the destination's family.
	Routes []network.Route
}

// Render returns the machine's bootstrap data: what the user wrote, and what the guest is told besides. The same input
// gives the same bytes. The result is not encoded for transport.
func Render(format Format, user []byte, guest Guest) ([]byte, error) {
	if len(bytes.TrimSpace(user)) == 0 {
		return nil, ErrEmpty
	}
	if err := guest.validate(); err != nil {
		return nil, err
	}
	switch format {
	case FormatCloudConfig, "":
		return renderCloudConfig(user, guest)
	case FormatIgnition:
		return renderIgnition(user, guest)
	default:
		return nil, fmt.Errorf("bootstrap format %q is unknown, use %q or %q", format, FormatCloudConfig, FormatIgnition)
	}
}
