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
	"net/netip"
	"slices"
)

// checkFailover tells whether the failover groups of a LAN may be replaced by these.
func (c *Cloud) checkFailover(dc *datacenter, l *lan, groups *[]failoverGroup) *apiError {
	if groups == nil {
		return nil
	}
	if !l.public && len(*groups) > 0 && !c.privateFailover {
		return invalid(codeConstraint, "ipFailover", "failover groups need a public LAN")
	}
	nics := dc.nicsIn(l.number)
	for i, group := range *groups {
		if slices.ContainsFunc((*groups)[:i], func(other failoverGroup) bool { return other.IP == group.IP }) {
			return invalid(codeConstraint, "ipFailover", "%s has two groups", group.IP)
		}
		if address, err := netip.ParseAddr(group.IP); err != nil || l.public && !c.isReserved(dc.location, address) {
			return invalid(codeConstraint, "ipFailover", "%q is not reserved in location %s", group.IP, dc.location)
		}
		if !slices.ContainsFunc(nics, func(n *nic) bool { return n.id == group.NICUUID && slices.Contains(addressTexts(n.ips), group.IP) }) {
			return invalid(codeConstraint, "ipFailover", "NIC %s does not have %s", group.NICUUID, group.IP)
		}
	}
	for _, old := range l.failover {
		if slices.ContainsFunc(*groups, func(group failoverGroup) bool { return group.IP == old.IP }) {
			continue
		}
		if slices.ContainsFunc(nics, func(n *nic) bool { return n.id != old.NICUUID && slices.Contains(addressTexts(n.ips), old.IP) }) {
			return invalid(codeFailover, "ipFailover", "The failover group of %s cannot be deleted, because slave NICs still have the address", old.IP)
		}
	}
	return nil
}

// hasGroup tells whether a LAN has a failover group for an address.
func (l *lan) hasGroup(address netip.Addr) bool {
	return slices.ContainsFunc(l.failover, func(group failoverGroup) bool { return group.IP == address.String() })
}

// checkKeepsGroups tells whether a NIC may be in its LAN with these addresses only: the master of a failover group keeps
// the group's address.
func (c *Cloud) checkKeepsGroups(dc *datacenter, n *nic, addresses []netip.Addr) *apiError {
	l := dc.lans[n.lan]
	if l == nil {
		return nil
	}
	for _, group := range l.failover {
		if group.NICUUID == n.id && !slices.Contains(addressTexts(addresses), group.IP) {
			return invalid(codeFailover, "ips", "NIC %s is the master of the failover group of %s", n.id, group.IP)
		}
	}
	return nil
}

// checkLeaves tells whether a NIC may go: the master of a failover group may not.
func (c *Cloud) checkLeaves(dc *datacenter, n *nic) *apiError {
	if c.deleteMasters {
		return nil
	}
	return c.checkKeepsGroups(dc, n, nil)
}

// dropGroups removes the failover groups of which a NIC is the master.
func (d *datacenter) dropGroups(n *nic) {
	for _, l := range d.lans {
		l.failover = slices.DeleteFunc(l.failover, func(group failoverGroup) bool { return group.NICUUID == n.id })
	}
}
