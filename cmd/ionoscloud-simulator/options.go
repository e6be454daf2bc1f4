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

package main

import (
	"time"

	"github.com/spf13/pflag"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// options are the flags of the simulator.
type options struct {
	listen, seed     string
	tokens           []string
	provisioningTime time.Duration
	quotas           map[string]int
	randomSeed       uint64
	admin            bool
	switches         []*behaviour
}

// behaviour is a flag for something that is not known of the real cloud.
type behaviour struct {
	isSet  bool
	option cloudsim.Option
}

// newOptions defines the flags.
func newOptions(flags *pflag.FlagSet) *options {
	o := &options{}
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8080", "Address to listen on. There is no TLS, so it should be one of loopback.")
	flags.StringSliceVar(&o.tokens, "token", nil, "Token to accept; may be repeated. Without it, every token is accepted.")
	flags.DurationVar(&o.provisioningTime, "provisioning-time", time.Second, "How long each request runs.")
	flags.StringVar(&o.seed, "seed", "", "File, in JSON or YAML, with what the cloud has at the beginning. The IDs are written to the standard output.")
	flags.StringToIntVar(&o.quotas, "quota", nil, "Limit of the contract, such as coresPerContract=64; may be repeated.")
	flags.Uint64Var(&o.randomSeed, "random-seed", 1, "What faults with a probability are drawn from.")
	flags.BoolVar(&o.admin, "admin", true, "Serve the endpoints under /_sim/, which need no token.")
	for _, s := range []struct {
		name, usage string
		option      cloudsim.Option
	}{
		{"hidden-until-done", "Hide new resources until the request that makes them is done, instead of showing them as BUSY.", cloudsim.WithHiddenUntilDone()},
		{"newest-requests-first", "List the newest request first, instead of the oldest.", cloudsim.WithNewestRequestsFirst()},
		{"higher-limits", "Let a list have more items than the API's default if the caller asks for them.", cloudsim.WithHigherLimits()},
		{"delete-lans-in-use", "Delete a LAN with the NICs in it, instead of refusing it.", cloudsim.WithLANDeletionInUse()},
		{"delete-masters", "Delete the master of a failover group together with the group, instead of refusing it.", cloudsim.WithMasterDeletion()},
		{"private-failover", "Let private LANs have failover groups.", cloudsim.WithPrivateFailover()},
		{"duplicate-private-ips", "Let NICs in a private LAN have the same address.", cloudsim.WithDuplicatePrivateIPs()},
		{"implicit-public-lans", "Make LANs public that come to be by the number that a NIC names, instead of private.", cloudsim.WithImplicitPublicLANs()},
		{"public-lan-default", "Make LANs public that do not say what they are, instead of private.", cloudsim.WithPublicLANDefault()},
		{"address-without-dhcp", "Assign a public address to NICs with dhcp: false that name none.", cloudsim.WithAddressWithoutDHCP()},
	} {
		b := &behaviour{option: s.option}
		o.switches = append(o.switches, b)
		flags.BoolVar(&b.isSet, s.name, false, s.usage)
	}
	return o
}

// settings are what the flags mean for the cloud.
func (o *options) settings() []cloudsim.Option {
	settings := []cloudsim.Option{cloudsim.WithProvisioningTime(o.provisioningTime), cloudsim.WithRandomSeed(o.randomSeed)}
	if o.admin {
		settings = append(settings, cloudsim.WithAdmin())
	}
	if len(o.tokens) > 0 {
		settings = append(settings, cloudsim.WithTokens(o.tokens...))
	}
	for _, b := range o.switches {
		if b.isSet {
			settings = append(settings, b.option)
		}
	}
	return settings
}
