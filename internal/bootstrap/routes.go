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

// The shell that surrounds the routes. Interface names are not known before the machine boots, so the interface is found
// by MAC address, else by an address of the attachment; else the kernel finds it, by the subnet of the gateway. The
// addresses may come late, by DHCP, so everything is tried once a second, thirty times in all.
const (
	routesHead = `#!/bin/sh
# Static routes of this machine, as its infrastructure asked for them. Safe to run again.

# device MAC ADDRESSES prints the interface with that MAC address, else the one with one of the addresses.
device() {
	if [ -n "$1" ]; then
		ip -o link show | while read -r _ name link; do
			case "$link " in *"link/ether $1 "*) name="${name%:}"; echo "${name%%@*}"; break ;; esac
		done
		return
	fi
	for address in $2; do
		set -- "$1" "$2" $(ip -o addr show to "$address")
		if [ -n "$4" ]; then echo "$4"; return; fi
	done
}

# route FAMILY MAC ADDRESSES DESTINATION GATEWAY
route() {
	dev="$(device "$2" "$3")"
	if [ -z "$dev" ] && [ -n "$2" ]; then problem="no interface has MAC address $2"; return 1; fi
	answer="$(ip "-$1" route replace "$4" via "$5" ${dev:+dev "$dev"} 2>&1)" && return
	problem="route to $4 via $5: $answer"
	return 1
}

routes() {
	result=0
`
	routesTail = `	return $result
}

tries=30
until routes; do
	tries=$((tries - 1))
	if [ "$tries" -eq 0 ]; then echo "static routes: $problem" >&2; exit 1; fi
	sleep 1
done
`
)

// routesScript renders a shell script that sets the static routes; empty if there are none.
func routesScript(guest Guest) string {
	var b strings.Builder
	for _, attachment := range guest.Attachments {
		for _, route := range attachment.Routes {
			family, addresses := 6, make([]string, 0, len(attachment.Addresses))
			if route.Destination.Addr().Is4() {
				family = 4
			}
			for _, address := range attachment.Addresses {
				addresses = append(addresses, netip.PrefixFrom(address.Addr(), address.Addr().BitLen()).String())
			}
			fmt.Fprintf(&b, "\troute %d '%s' '%s' %v %v || result=1\n",
				family, attachment.hardwareAddress(), strings.Join(addresses, " "), route.Destination, route.Gateway)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return routesHead + b.String() + routesTail
}
