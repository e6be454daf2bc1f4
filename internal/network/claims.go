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

package network

import (
	"fmt"
	"net/netip"
	"slices"
)

// claimDemand is the address of one family that a network of an owner wants.
type claimDemand struct {
	// network is the attachment, or whatever else of the owner the claim is for.
	network string
	family  Family
	// pool is the wanted pool. The zero value wants none, and is about a claim that is held all the same.
	pool PoolRef
	// formerNames are the names besides the regular one that the claim may have, the likelier one first.
	formerNames []string
	// recordedClaim is the claim that gave its address to a NIC of the network, as far as recorded.
	recordedClaim string
	// served is whether a NIC of the network has an address that was recorded.
	served bool
}

// claimBook settles the demands of an owner with the claims that exist. It knows neither machines nor NICs.
type claimBook struct {
	owner  Owner
	claims map[string]Claim
	// inUse are the addresses that the owner's NICs have.
	inUse map[netip.Addr]bool
	// recordedFor is the network that a claim gave an address to, by the name of the claim.
	recordedFor map[string]string
	// kept are the claims that must not be released: they serve a demand, or one that could not be made out.
	kept map[string]bool

	plans    []ClaimPlan
	problems []Problem
	waits    []Wait
}

func newClaimBook(owner Owner, claims []Claim) *claimBook {
	book := &claimBook{
		owner:       owner,
		claims:      make(map[string]Claim, len(claims)),
		inUse:       map[netip.Addr]bool{},
		recordedFor: map[string]string{},
		kept:        map[string]bool{},
	}
	for _, claim := range claims {
		book.claims[claim.Name] = claim
	}
	return book
}

// settle finds the address for a demand, and notes the claim that it takes, what is wrong and what is waited for. It
// returns whether a claimed address serves the family, now or later.
func (b *claimBook) settle(demand claimDemand) (Address, bool) {
	claim, found := b.find(demand)
	if demand.pool.IsZero() {
		if !found || !b.uses(claim) {
			return Address{}, false
		}
		b.keepFormerPool(demand, claim)
		return b.take(demand, claim), true
	}
	if !found {
		return b.demandNew(demand), true
	}
	if !b.uses(claim) && (claim.Deleting || claim.Pool != demand.pool) {
		b.await(demand, ReasonWaitingForRelease, claim.Name, "the claim is released, because "+whyReleased(demand, claim)+"; another one follows")
		return pending(demand, claim.Name), true
	}
	if claim.Pool != demand.pool {
		b.keepFormerPool(demand, claim)
	}
	return b.take(demand, claim), true
}

// take uses a claim that the owner holds.
func (b *claimBook) take(demand claimDemand, claim Claim) Address {
	b.kept[claim.Name] = true
	b.plans = append(b.plans, ClaimPlan{Name: claim.Name, Attachment: demand.network, Family: demand.family, Pool: claim.Pool, Exists: true})
	address := Address{Source: SourcePool, Pool: claim.Pool, ClaimName: claim.Name}
	if claim.Deleting {
		b.warn(demand, claim.Pool, ReasonClaimDeleted,
			fmt.Sprintf("claim %s is being deleted, but its address %s is in use and stays reserved until the server is gone", claim.Name, claim.Address),
			"replace the machine to give the address up")
	}
	switch {
	case claim.Conflict != "":
		b.fail(demand, claim.Pool, ReasonAddressConflict,
			fmt.Sprintf("the address of claim %s cannot be used: %s", claim.Name, claim.Conflict),
			fmt.Sprintf("repair the claim, or delete claim %s so that another is made", claim.Name))
	case !claim.Address.IsValid() && claim.Failure != "":
		b.await(demand, ReasonPoolFailed, claim.Name, "the pool gives no address: "+claim.Failure)
	case !claim.Address.IsValid():
		b.await(demand, ReasonWaitingForAddress, claim.Name, "the claim has no address yet")
	default:
		address.Addr, address.Bits, address.Gateway = claim.Address, claim.Bits, claim.Gateway
	}
	return address
}

// demandNew asks for a claim that does not exist.
func (b *claimBook) demandNew(demand claimDemand) Address {
	name := ClaimName(b.owner, demand.network, demand.family)
	if len(name) > maxClaimNameLength {
		b.fail(demand, demand.pool, ReasonNameTooLong,
			fmt.Sprintf("the name of the claim would have %d characters, and %d fit", len(name), maxClaimNameLength),
			"shorten the name of the machine or of the attachment")
		return pending(demand, "")
	}
	if other, exists := b.claims[name]; exists {
		holder := "nobody"
		if other.OtherOwner != "" {
			holder = other.OtherOwner
		}
		b.fail(demand, demand.pool, ReasonClaimConflict,
			fmt.Sprintf("claim %s exists and belongs to %s", name, holder),
			"delete that claim if nobody needs it")
		return pending(demand, name)
	}
	if demand.recordedClaim != "" && demand.served {
		// Another claim would come with another address, and that would be put upon a server that runs.
		b.warn(demand, demand.pool, ReasonClaimLost,
			fmt.Sprintf("claim %s is gone or taken away, so that its address is in use without being reserved", demand.recordedClaim),
			"replace the machine")
		return pending(demand, demand.recordedClaim)
	}
	b.plans = append(b.plans, ClaimPlan{Name: name, Attachment: demand.network, Family: demand.family, Pool: demand.pool})
	b.await(demand, ReasonWaitingForAddress, name, "the claim has no address yet")
	return pending(demand, name)
}

// find returns the claim that the owner holds for a demand: by its regular name, else by a former one.
func (b *claimBook) find(demand claimDemand) (Claim, bool) {
	if claim, exists := b.claims[ClaimName(b.owner, demand.network, demand.family)]; exists && claim.Owned {
		return claim, true
	}
	for _, name := range demand.formerNames {
		claim, exists := b.claims[name]
		if !exists || !claim.Owned || b.kept[name] || isClaimName(b.owner, name) {
			continue
		}
		if claim.Attachment != "" && claim.Attachment != demand.network || claim.Family != "" && claim.Family != demand.family {
			continue
		}
		if network, recorded := b.recordedFor[name]; recorded && network != demand.network {
			continue
		}
		return claim, true
	}
	return Claim{}, false
}

// keep keeps every claim that may be a network's, because it cannot be made out what the network needs.
func (b *claimBook) keep(network string, family Family, formerNames []string) {
	b.kept[ClaimName(b.owner, network, family)] = true
	for _, name := range formerNames {
		b.kept[name] = true
	}
	for name, claim := range b.claims {
		if claim.Attachment == network && claim.Family == family {
			b.kept[name] = true
		}
	}
}

// unwanted are the claims that the owner holds for no demand, sorted.
func (b *claimBook) unwanted() []string {
	var names []string
	for name, claim := range b.claims {
		if claim.Owned && !b.kept[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// uses tells whether a NIC of the owner has the address of a claim.
func (b *claimBook) uses(claim Claim) bool {
	return claim.Address.IsValid() && b.inUse[claim.Address]
}

func (b *claimBook) keepFormerPool(demand claimDemand, claim Claim) {
	b.warn(demand, claim.Pool, ReasonPoolMismatch,
		fmt.Sprintf("the address %s in use is from pool %s, and the spec asks for %s; it stays", claim.Address, claim.Pool, demand.pool),
		"replace the machine to let the spec take effect")
}

func (b *claimBook) fail(demand claimDemand, pool PoolRef, reason Reason, message, remedy string) {
	b.problems = append(b.problems, Problem{Reason: reason, Network: demand.network, Family: demand.family, Pool: pool, Message: message, Remedy: remedy})
}

func (b *claimBook) warn(demand claimDemand, pool PoolRef, reason Reason, message, remedy string) {
	b.problems = append(b.problems, Problem{Reason: reason, Network: demand.network, Family: demand.family, Pool: pool, Message: message, Remedy: remedy, Warning: true})
}

func (b *claimBook) await(demand claimDemand, reason Reason, claim, message string) {
	b.waits = append(b.waits, Wait{Reason: reason, Network: demand.network, Family: demand.family, Pool: demand.pool, Claim: claim, Message: message})
}

// pending is an address that a pool is to give.
func pending(demand claimDemand, claim string) Address {
	return Address{Source: SourcePool, Pool: demand.pool, ClaimName: claim}
}

func whyReleased(demand claimDemand, claim Claim) string {
	if claim.Deleting {
		return "its deletion was asked for"
	}
	return fmt.Sprintf("it is on %s and the spec asks for %s", claim.Pool, demand.pool)
}
