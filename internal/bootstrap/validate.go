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

package bootstrap

import (
	"fmt"
	"net"
	"net/netip"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// maxHostname is the longest hostname that Linux takes.
const maxHostname = 64

// validate refuses whatever could mean something else to a shell, and what the guest could not apply.
func (g Guest) validate() error {
	if problems := validation.IsDNS1123Subdomain(g.Hostname); len(problems) > 0 {
		return fmt.Errorf("hostname %q is invalid: %s", g.Hostname, strings.Join(problems, "; "))
	}
	if len(g.Hostname) > maxHostname {
		return fmt.Errorf("hostname %q has %d bytes, Linux takes at most %d", g.Hostname, len(g.Hostname), maxHostname)
	}
	for _, addr := range g.NodeIPs {
		if err := validateAddress(addr); err != nil {
			return fmt.Errorf("node address %w", err)
		}
	}
	seen := make(map[string]bool, len(g.Attachments))
	for _, attachment := range g.Attachments {
		if seen[attachment.Name] {
			return fmt.Errorf("attachment %q is named twice", attachment.Name)
		}
		seen[attachment.Name] = true
		if err := attachment.validate(); err != nil {
			return fmt.Errorf("attachment %q: %w", attachment.Name, err)
		}
	}
	return nil
}

func (a Attachment) validate() error {
	if problems := validation.IsDNS1123Label(a.Name); len(problems) > 0 {
		return fmt.Errorf("name is invalid: %s", strings.Join(problems, "; "))
	}
	if a.MAC != "" {
		if mac, err := net.ParseMAC(a.MAC); err != nil || len(mac) != 6 {
			return fmt.Errorf("MAC address %q is invalid", a.MAC)
		}
	}
	for _, prefix := range a.Addresses {
		if !prefix.IsValid() {
			return fmt.Errorf("address %v is invalid", prefix)
		}
		if err := validateAddress(prefix.Addr()); err != nil {
			return fmt.Errorf("address %w", err)
		}
	}
	for _, route := range a.Routes {
		if !route.Destination.IsValid() || route.Destination != route.Destination.Masked() {
			return fmt.Errorf("route destination %v is not the address of a network", route.Destination)
		}
		if err := validateAddress(route.Destination.Addr()); err != nil {
			return fmt.Errorf("route destination %w", err)
		}
		if err := validateAddress(route.Gateway); err != nil {
			return fmt.Errorf("route to %v: gateway %w", route.Destination, err)
		}
		if route.Gateway.Is4() != route.Destination.Addr().Is4() {
			return fmt.Errorf("route to %v: gateway %v is of the other family", route.Destination, route.Gateway)
		}
	}
	return nil
}

// validateAddress refuses zones, which may hold any character, and IPv4 in the guise of IPv6.
func validateAddress(addr netip.Addr) error {
	switch {
	case !addr.IsValid():
		return fmt.Errorf("%v is invalid", addr)
	case addr.Zone() != "":
		return fmt.Errorf("%v has a zone", addr.WithZone(""))
	case addr.Is4In6():
		return fmt.Errorf("%v is an IPv4 address written as IPv6", addr)
	}
	return nil
}

// hardwareAddress is the attachment's MAC address in the form in which Linux shows it; empty if it is not known.
func (a Attachment) hardwareAddress() string {
	mac, err := net.ParseMAC(a.MAC)
	if err != nil {
		return ""
	}
	return mac.String()
}
