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
	"net/netip"
	"strings"
)

// environmentPath is where the guest finds its addresses, for a shell or systemd to read. It is part of the API.
const environmentPath = "/etc/ionoscloud/network.env"

// environment renders the file at environmentPath. Every variable is always set, so that a script may forbid unset
// ones; what is not known is empty. Values consist of letters, digits and ".,:/-" only, so none needs quotes.
func environment(guest Guest) string {
	var b strings.Builder
	b.WriteString("# Addresses of this machine, as the infrastructure assigned them before the first boot.\n")
	variable := func(name, value string) { fmt.Fprintf(&b, "%s=%s\n", name, value) }

	variable("NODE_IPV4", first(guest.NodeIPs, netip.Addr.Is4))
	variable("NODE_IPV6", first(guest.NodeIPs, netip.Addr.Is6))
	variable("NODE_IPS", join(guest.NodeIPs))
	names := make([]string, 0, len(guest.Attachments))
	for _, attachment := range guest.Attachments {
		names = append(names, attachment.Name)
	}
	variable("ATTACHMENTS", strings.Join(names, ","))
	for _, attachment := range guest.Attachments {
		addresses := make([]netip.Addr, 0, len(attachment.Addresses))
		for _, prefix := range attachment.Addresses {
			addresses = append(addresses, prefix.Addr())
		}
		// No suffix contains an underscore and no label does, so two attachments never share a variable.
		prefix := "ATTACHMENT_" + strings.ToUpper(strings.ReplaceAll(attachment.Name, "-", "_")) + "_"
		variable(prefix+"IPV4", first(addresses, netip.Addr.Is4))
		variable(prefix+"IPV6", first(addresses, netip.Addr.Is6))
		variable(prefix+"ADDRESSES", join(attachment.Addresses))
		variable(prefix+"MAC", attachment.hardwareAddress())
		variable(prefix+"DHCP", fmt.Sprint(attachment.DHCP))
	}
	return b.String()
}

func first(addresses []netip.Addr, family func(netip.Addr) bool) string {
	for _, addr := range addresses {
		if family(addr) {
			return addr.String()
		}
	}
	return ""
}

func join[T fmt.Stringer](values []T) string {
	texts := make([]string, 0, len(values))
	for _, value := range values {
		texts = append(texts, value.String())
	}
	return strings.Join(texts, ",")
}
