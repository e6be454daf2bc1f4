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

import "strings"

// Limits of the contract, as /contracts names them. One that is not set is none.
const (
	quotaCoresPerServer   = "coresPerServer"
	quotaCoresPerContract = "coresPerContract"
	quotaRAMPerServer     = "ramPerServer"
	quotaRAMPerContract   = "ramPerContract"
	quotaHDDPerVolume     = "hddLimitPerVolume"
	quotaHDDPerContract   = "hddLimitPerContract"
	quotaSSDPerVolume     = "ssdLimitPerVolume"
	quotaSSDPerContract   = "ssdLimitPerContract"
	quotaIPs              = "reservableIps"
)

const mbPerGB = 1024

// checkQuota tells whether the contract has as much left as is wanted.
func (c *Cloud) checkQuota(name, field string, used, wanted int) *apiError {
	limit, limited := c.quotas[name]
	if !limited || used+wanted <= limit {
		return nil
	}
	return invalid(codeConstraint, field, "The contract's quota is exceeded: %d requested, %d of %d left (%s)", wanted, max(limit-used, 0), limit, name)
}

// usedBy are the cores, and the memory in MB, of all servers but one.
func (c *Cloud) usedBy(but *server) (cores, ram int) {
	for _, dc := range c.datacenters {
		for _, s := range dc.servers {
			if s != but {
				cores += s.cores
				ram += s.ram
			}
		}
	}
	return cores, ram
}

// checkCompute tells whether a server may have so many cores, and so much memory in MB.
func (c *Cloud) checkCompute(but *server, cores, ram int) *apiError {
	usedCores, usedRAM := c.usedBy(but)
	for _, failure := range []*apiError{
		c.checkQuota(quotaCoresPerServer, "cores", 0, cores), c.checkQuota(quotaCoresPerContract, "cores", usedCores, cores),
		c.checkQuota(quotaRAMPerServer, "ram", 0, ram), c.checkQuota(quotaRAMPerContract, "ram", usedRAM, ram),
	} {
		if failure != nil {
			return failure
		}
	}
	return nil
}

// storage is the size in MB of all volumes but one, of disks of the same kind.
func (c *Cloud) storage(but *volume, isSSD bool) int {
	used := 0
	for _, dc := range c.datacenters {
		for _, v := range dc.volumes {
			if v != but && strings.HasPrefix(v.kind, "SSD") == isSSD {
				used += int(v.size * mbPerGB)
			}
		}
	}
	return used
}

// checkStorage tells whether volumes of so many MB may be made. but is nil, or does not count.
func (c *Cloud) checkStorage(but *volume, kind string, size int) *apiError {
	isSSD := strings.HasPrefix(kind, "SSD")
	perVolume, perContract := quotaHDDPerVolume, quotaHDDPerContract
	if isSSD {
		perVolume, perContract = quotaSSDPerVolume, quotaSSDPerContract
	}
	if failure := c.checkQuota(perVolume, "size", 0, size); failure != nil {
		return failure
	}
	return c.checkQuota(perContract, "size", c.storage(but, isSSD), size)
}

// reservedIPs is how many addresses are reserved, but for one block.
func (c *Cloud) reservedIPs(but *ipBlock) int {
	reserved := 0
	for _, b := range c.ipBlocks {
		if b != but {
			reserved += b.size
		}
	}
	return reserved
}

func getContracts(c *call) (*response, *apiError) {
	cloud := c.cloud
	cores, ram := cloud.usedBy(nil)
	inUse := 0
	for _, b := range cloud.ipBlocks {
		inUse += len(c.consumers(b))
	}
	limits := object{
		"coresProvisioned": cores, "ramProvisioned": ram, "hddVolumeProvisioned": cloud.storage(nil, false), "ssdVolumeProvisioned": cloud.storage(nil, true),
		"reservedIpsOnContract": cloud.reservedIPs(nil), "reservedIpsInUse": inUse,
	}
	for name, value := range cloud.quotas {
		limits[name] = value
	}
	contract := object{"type": "contract"}
	if c.depth() > 0 {
		contract["properties"] = object{
			"contractNumber": 31000000, "owner": userName, "status": "BILLABLE", "regDomain": "example.org", "resourceLimits": limits,
		}
	}
	return ok(object{"id": "contracts", "type": "collection", "href": c.base() + "/contracts", "items": []object{contract}})
}
