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
	"encoding/json"
	"regexp"
	"slices"
)

const (
	// ramStep is what the memory of a server is a multiple of, in MB.
	ramStep = 256
	// templateCores and templateRAM are what a server gets that is made by a template.
	templateCores, templateRAM = 2, 4096
)

// hostnamePattern is what a host name looks like.
var hostnamePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// serverBody is what is written about a server. Fields that were not sent are nil.
type serverBody struct {
	Name             *string         `json:"name"`
	Hostname         *string         `json:"hostname"`
	Cores            *int            `json:"cores"`
	RAM              *int            `json:"ram"`
	AvailabilityZone *string         `json:"availabilityZone"`
	CPUFamily        *string         `json:"cpuFamily"`
	Type             *string         `json:"type"`
	TemplateUUID     *string         `json:"templateUuid"`
	NICMultiQueue    *bool           `json:"nicMultiQueue"`
	BootVolume       *reference      `json:"bootVolume"`
	VMState          json.RawMessage `json:"vmState"`
	EnabledFeatures  json.RawMessage `json:"enabledFeatures"`
}

// reference names another resource.
type reference struct {
	ID string `json:"id"`
}

// serverTree is the body of a request that makes a server with all that belongs to it.
type serverTree struct {
	Properties serverBody `json:"properties"`
	Entities   struct {
		Volumes struct {
			Items []struct {
				ID         string     `json:"id"`
				Properties volumeBody `json:"properties"`
			} `json:"items"`
		} `json:"volumes"`
		NICs struct {
			Items []struct {
				Properties nicBody `json:"properties"`
			} `json:"items"`
		} `json:"nics"`
	} `json:"entities"`
}

// checkValues tells whether what is asked for makes sense by itself, for a server of a kind.
func (b serverBody) checkValues(kind string) *apiError {
	isTemplated := kind == typeCube || kind == typeGPU
	switch {
	case len(b.VMState) > 0:
		return invalid(codeReadOnly, "vmState", "Attribute is read-only")
	case len(b.EnabledFeatures) > 0:
		return invalid(codeReadOnly, "enabledFeatures", "Attribute is read-only")
	case !slices.Contains([]string{typeDefault, typeVCPU, typeCube, typeGPU}, kind):
		return invalid(codeEnum, "type", "%q is none of ENTERPRISE, VCPU, CUBE, GPU", kind)
	case b.AvailabilityZone != nil && !slices.Contains([]string{zoneAuto, "ZONE_1", "ZONE_2"}, *b.AvailabilityZone):
		return invalid(codeEnum, "availabilityZone", "%q is none of AUTO, ZONE_1, ZONE_2", *b.AvailabilityZone)
	case isTemplated && orText(deref(b.AvailabilityZone), zoneAuto) != zoneAuto:
		return invalid(codeConstraint, "availabilityZone", "type %s needs AUTO", kind)
	case kind != typeDefault && b.CPUFamily != nil:
		return invalid(codeConstraint, "cpuFamily", "cpuFamily is not allowed for type %s", kind)
	case isTemplated && (b.Cores != nil || b.RAM != nil):
		return invalid(codeConstraint, "cores", "cores and ram are not allowed for type %s", kind)
	case b.Cores != nil && *b.Cores < 1:
		return invalid(codeConstraint, "cores", "at least one core is needed")
	case b.RAM != nil && (*b.RAM < ramStep || *b.RAM%ramStep != 0):
		return invalid(codeConstraint, "ram", "RAM size of %d MB is not a multiple of %d", *b.RAM, ramStep)
	case b.Hostname != nil && *b.Hostname != "" && !hostnamePattern.MatchString(*b.Hostname):
		return invalid(codeConstraint, "hostname", "%q is no host name", *b.Hostname)
	case kind == typeCube && b.NICMultiQueue != nil:
		return invalid(codeConstraint, "nicMultiQueue", "nicMultiQueue is not allowed for type %s", kind)
	}
	return nil
}

// checkDevices tells whether a server may have so many NICs and volumes.
func checkDevices(count int) *apiError {
	if count > maxDevices {
		return invalid(codeConstraint, "entities", "a server can have at most %d NICs and volumes", maxDevices)
	}
	return nil
}

// checkServerTree tells whether a server can be made. s is nil before it is.
func (c *Cloud) checkServerTree(dc *datacenter, s *server, body serverTree) *apiError {
	kind := orText(deref(body.Properties.Type), typeDefault)
	if failure := body.Properties.checkValues(kind); failure != nil {
		return failure
	}
	cores, ram := deref(body.Properties.Cores), deref(body.Properties.RAM)
	isTemplated := kind == typeCube || kind == typeGPU
	switch {
	case isTemplated && body.Properties.TemplateUUID == nil:
		return invalid(codeConstraint, "templateUuid", "templateUuid is required for type %s", kind)
	case isTemplated:
		cores, ram = templateCores, templateRAM
	case body.Properties.TemplateUUID != nil:
		return invalid(codeConstraint, "templateUuid", "templateUuid is not allowed for type %s", kind)
	case cores == 0 || ram == 0:
		return invalid(codeConstraint, "cores", "cores and ram are required")
	}
	if failure := c.checkCompute(s, cores, ram); failure != nil {
		return failure
	}
	if failure := checkDevices(len(body.Entities.NICs.Items) + len(body.Entities.Volumes.Items)); failure != nil {
		return failure
	}
	if failure := c.checkVolumesTogether(dc, s, kind, body); failure != nil {
		return failure
	}
	return c.checkNICsTogether(dc, s, body)
}

// checkVolumesTogether tells whether the volumes of a new server can be made.
func (c *Cloud) checkVolumesTogether(dc *datacenter, s *server, kind string, body serverTree) *apiError {
	sizes := map[string]int{}
	for i, item := range body.Entities.Volumes.Items {
		if item.ID != "" {
			return invalid(codeConstraint, "id", "a volume that exists is attached after the server is made")
		}
		diskKind := orText(deref(item.Properties.Type), diskDefault)
		if (diskKind == diskDAS) != (kind == typeCube && i == 0) {
			return invalid(codeConstraint, "type", "DAS is for the first volume of a CUBE")
		}
		if failure := c.checkNewVolume(dc, item.Properties); failure != nil {
			return failure
		}
		sizes[diskKind] += int(deref(item.Properties.Size) * mbPerGB)
	}
	if s != nil {
		// The volumes are counted already.
		return nil
	}
	for _, diskKind := range diskKinds {
		if failure := c.checkStorage(nil, diskKind, sizes[diskKind]); failure != nil && sizes[diskKind] > 0 {
			return failure
		}
	}
	return nil
}

// checkNICsTogether tells whether the NICs of a new server can be made, and be together.
func (c *Cloud) checkNICsTogether(dc *datacenter, s *server, body serverTree) *apiError {
	var before []nicBody
	for i, item := range body.Entities.NICs.Items {
		var n *nic
		if s != nil && i < len(s.nics) {
			n = s.nics[i]
		}
		if failure := c.checkNewNIC(dc, n, item.Properties); failure != nil {
			return failure
		}
		for _, other := range before {
			for _, address := range item.Properties.addresses() {
				isSameNetwork := *other.LAN == *item.Properties.LAN && !c.duplicatePrivate || !address.IsPrivate()
				if isSameNetwork && slices.Contains(other.addresses(), address) {
					return invalid(codeConstraint, "ips", "%s is given to two NICs", address)
				}
			}
			if block := item.Properties.block(); block.IsValid() && block == other.block() {
				return invalid(codeConstraint, "ipv6CidrBlock", "%s is given to two NICs", block)
			}
		}
		before = append(before, item.Properties)
	}
	return nil
}
