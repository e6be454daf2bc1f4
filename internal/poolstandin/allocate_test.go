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

package poolstandin

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// all returns what a pool hands out, one after another, but not more than limit addresses.
func all(s subnet, limit int) []string {
	used := map[netip.Addr]bool{}
	var got []string
	for len(got) < limit {
		addr, ok := s.nextFree(used)
		if !ok {
			break
		}
		used[addr] = true
		got = append(got, addr.String())
	}
	return got
}

func TestNextFree(t *testing.T) {
	tests := []struct {
		name string
		spec PoolSpec
		want []string // The first eight at most.
	}{
		{
			name: "range without the gateway",
			spec: PoolSpec{Addresses: []string{"192.0.2.9-192.0.2.12"}, Prefix: 24, Gateway: "192.0.2.10"},
			want: []string{"192.0.2.9", "192.0.2.11", "192.0.2.12"},
		},
		{
			name: "single addresses, in the order of the spec",
			spec: PoolSpec{Addresses: []string{"192.0.2.30", "192.0.2.20"}, Prefix: 24},
			want: []string{"192.0.2.30", "192.0.2.20"},
		},
		{
			name: "entries that overlap",
			spec: PoolSpec{Addresses: []string{"192.0.2.20-192.0.2.21", "192.0.2.20"}, Prefix: 24},
			want: []string{"192.0.2.20", "192.0.2.21"},
		},
		{
			name: "CIDR without network and broadcast address",
			spec: PoolSpec{Addresses: []string{"198.51.100.8/29"}, Prefix: 29},
			want: []string{"198.51.100.9", "198.51.100.10", "198.51.100.11", "198.51.100.12", "198.51.100.13", "198.51.100.14"},
		},
		{
			name: "part of a subnet, whose ends are ordinary addresses",
			spec: PoolSpec{Addresses: []string{"198.51.100.8/30"}, Prefix: 24},
			want: []string{"198.51.100.8", "198.51.100.9", "198.51.100.10", "198.51.100.11"},
		},
		{
			name: "both addresses of a /31",
			spec: PoolSpec{Addresses: []string{"198.51.100.8/31"}, Prefix: 31},
			want: []string{"198.51.100.8", "198.51.100.9"},
		},
		{
			name: "the last IPv4 address of all",
			spec: PoolSpec{Addresses: []string{"255.255.255.255"}, Prefix: 32},
			want: []string{"255.255.255.255"},
		},
		{
			name: "IPv6 range",
			spec: PoolSpec{Addresses: []string{"2001:db8::ffff-2001:db8::1:1"}, Prefix: 64},
			want: []string{"2001:db8::ffff", "2001:db8::1:0", "2001:db8::1:1"},
		},
		{
			name: "IPv6 /64, too large to list",
			spec: PoolSpec{Addresses: []string{"2001:db8::/64"}, Prefix: 64, Gateway: "2001:db8::1"},
			want: []string{
				"2001:db8::2", "2001:db8::3", "2001:db8::4", "2001:db8::5",
				"2001:db8::6", "2001:db8::7", "2001:db8::8", "2001:db8::9",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := parse(tt.spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := all(s, 8); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct {
		spec PoolSpec
		want string
	}{
		{PoolSpec{Addresses: []string{"192.0.2.1", "x"}, Prefix: 24}, "spec.addresses[1]"},
		{PoolSpec{Addresses: []string{"192.0.2.1-x"}, Prefix: 24}, "end of the range"},
		{PoolSpec{Addresses: []string{"192.0.2.9-192.0.2.8"}, Prefix: 24}, "must not lie before"},
		{PoolSpec{Addresses: []string{"192.0.2.9-2001:db8::1"}, Prefix: 24}, "must not lie before"},
		{PoolSpec{Addresses: []string{"192.0.2.9"}, Prefix: 64}, "no prefix length"},
		{PoolSpec{Addresses: []string{"192.0.2.9"}, Prefix: 24, Gateway: "x"}, "spec.gateway"},
	}
	for _, tt := range tests {
		if _, err := parse(tt.spec); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v, want an error with %q", tt.spec, err, tt.want)
		}
	}
}
