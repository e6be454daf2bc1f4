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

package cloudsim

import (
	"math/rand/v2"
	"time"
)

// settings are what options set. They do not change later.
type settings struct {
	clock               Clock
	provisioningTime    time.Duration
	hiddenUntilDone     bool
	allowLANDeletion    bool
	duplicatePrivate    bool
	privateFailover     bool
	implicitPublic      bool
	publicByDefault     bool
	addressWithoutDHCP  bool
	deleteMasters       bool
	admin               bool
	newestRequestsFirst bool
	higherLimits        bool
}

// Option changes how a Cloud behaves. The defaults are on the safe side where the real cloud's behaviour is not known.
type Option func(*Cloud)

// WithTokens sets the tokens that are accepted. Without it, every token is.
func WithTokens(tokens ...string) Option { return func(c *Cloud) { c.SetTokens(tokens...) } }

// WithClock sets the clock; the default is the real one.
func WithClock(other Clock) Option { return func(c *Cloud) { c.clock = other } }

// WithProvisioningTime sets how long a request runs. The default is no time, which is asynchronous all the same.
func WithProvisioningTime(d time.Duration) Option { return func(c *Cloud) { c.provisioningTime = d } }

// WithRandomSeed sets what the faults that happen with a probability are drawn from.
func WithRandomSeed(seed uint64) Option {
	return func(c *Cloud) {
		c.random = rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // Faults are to be the same in each run.
	}
}

// WithHiddenUntilDone hides new resources until the request that makes them is done. By default they show as BUSY.
func WithHiddenUntilDone() Option { return func(c *Cloud) { c.hiddenUntilDone = true } }

// WithLANDeletionInUse lets a LAN be deleted though it has NICs. By default that is refused.
func WithLANDeletionInUse() Option { return func(c *Cloud) { c.allowLANDeletion = true } }

// WithDuplicatePrivateIPs lets two NICs in a private LAN have one address. By default that is refused.
func WithDuplicatePrivateIPs() Option { return func(c *Cloud) { c.duplicatePrivate = true } }

// WithPrivateFailover lets a private LAN have failover groups. By default that is refused.
func WithPrivateFailover() Option { return func(c *Cloud) { c.privateFailover = true } }

// WithImplicitPublicLANs makes a LAN public that a NIC makes by naming its number. By default it is private.
func WithImplicitPublicLANs() Option { return func(c *Cloud) { c.implicitPublic = true } }

// WithPublicLANDefault makes a LAN public when its creation does not say. By default it is private.
func WithPublicLANDefault() Option { return func(c *Cloud) { c.publicByDefault = true } }

// WithAddressWithoutDHCP gives a NIC in a public LAN an address though it has dhcp: false and names none. By default it
// gets none.
func WithAddressWithoutDHCP() Option { return func(c *Cloud) { c.addressWithoutDHCP = true } }

// WithMasterDeletion lets a NIC or server be deleted though it is the master of a failover group, which goes with it. By
// default that is refused.
func WithMasterDeletion() Option { return func(c *Cloud) { c.deleteMasters = true } }

// WithNewestRequestsFirst lists the newest request first. By default the oldest is.
func WithNewestRequestsFirst() Option { return func(c *Cloud) { c.newestRequestsFirst = true } }

// WithHigherLimits lets a caller ask for more items on a page than the API's default. By default it gets no more.
func WithHigherLimits() Option { return func(c *Cloud) { c.higherLimits = true } }

// WithAdmin serves the endpoints under /_sim/.
func WithAdmin() Option { return func(c *Cloud) { c.admin = true } }
