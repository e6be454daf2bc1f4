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
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
)

const (
	diskDefault = "HDD"
	diskDAS     = "DAS"
	busDefault  = "VIRTIO"
)

// diskKinds are the types of volumes.
var diskKinds = [...]string{diskDefault, "SSD", "SSD Standard", "SSD Premium", diskDAS}

// passwordPattern is what the password of a public image looks like.
var passwordPattern = regexp.MustCompile(`^[a-zA-Z0-9]{8,50}$`)

// volumeBody is what is written about a volume. Fields that were not sent are nil.
type volumeBody struct {
	Name                *string         `json:"name"`
	Type                *string         `json:"type"`
	Size                *float64        `json:"size"`
	AvailabilityZone    *string         `json:"availabilityZone"`
	Image               *string         `json:"image"`
	ImageAlias          *string         `json:"imageAlias"`
	ImagePassword       *string         `json:"imagePassword"`
	SSHKeys             []string        `json:"sshKeys"`
	LicenceType         *string         `json:"licenceType"`
	UserData            *string         `json:"userData"`
	Bus                 *string         `json:"bus"`
	BootOrder           *string         `json:"bootOrder"`
	CPUHotPlug          *bool           `json:"cpuHotPlug"`
	RAMHotPlug          *bool           `json:"ramHotPlug"`
	NICHotPlug          *bool           `json:"nicHotPlug"`
	NICHotUnplug        *bool           `json:"nicHotUnplug"`
	DiscVirtioHotPlug   *bool           `json:"discVirtioHotPlug"`
	DiscVirtioHotUnplug *bool           `json:"discVirtioHotUnplug"`
	DeviceNumber        json.RawMessage `json:"deviceNumber"`
	PCISlot             json.RawMessage `json:"pciSlot"`
	BootServer          json.RawMessage `json:"bootServer"`
}

// checkValues tells whether what is asked for makes sense by itself.
func (b volumeBody) checkValues() *apiError {
	for _, field := range []struct {
		name  string
		value json.RawMessage
	}{{"deviceNumber", b.DeviceNumber}, {"pciSlot", b.PCISlot}, {"bootServer", b.BootServer}} {
		if len(field.value) > 0 {
			return invalid(codeReadOnly, field.name, "Attribute is read-only")
		}
	}
	for _, field := range []struct {
		name    string
		value   *string
		allowed []string
	}{
		{"type", b.Type, diskKinds[:]},
		{"availabilityZone", b.AvailabilityZone, []string{zoneAuto, "ZONE_1", "ZONE_2", "ZONE_3"}},
		{"bus", b.Bus, []string{busDefault, "IDE"}},
		{"bootOrder", b.BootOrder, []string{zoneAuto, "PRIMARY", "NONE"}},
		{"licenceType", b.LicenceType, []string{"UNKNOWN", "WINDOWS", "WINDOWS2016", "WINDOWS2019", "WINDOWS2022", "WINDOWS2025", "RHEL", "LINUX", "OTHER"}},
	} {
		if field.value != nil && !slices.Contains(field.allowed, *field.value) {
			return invalid(codeEnum, field.name, "%q is none of %q", *field.value, field.allowed)
		}
	}
	if _, err := base64.StdEncoding.DecodeString(deref(b.UserData)); err != nil {
		return invalid(codeConstraint, "userData", "must be base64")
	}
	return nil
}

// imageOf is the image that a volume is made of; nil if none.
func (c *Cloud) imageOf(dc *datacenter, body volumeBody) (*image, *apiError) {
	if body.Image == nil && body.ImageAlias == nil {
		return nil, nil
	}
	if body.Image == nil {
		for _, i := range c.sortedImages() {
			if i.Location == dc.location && slices.Contains(i.Aliases, *body.ImageAlias) {
				return i, nil
			}
		}
		return nil, invalid(codeConstraint, "imageAlias", "no image in location %s has the alias %q", dc.location, *body.ImageAlias)
	}
	found := c.images[*body.Image]
	switch {
	case found == nil:
		return nil, invalid(codeConstraint, "image", "image %q does not exist", *body.Image)
	case found.Location != dc.location:
		return nil, invalid(codeConstraint, "image", "image %q is in location %s, and the data center is in %s", *body.Image, found.Location, dc.location)
	}
	return found, nil
}

// checkNewVolume tells whether a volume can be made.
func (c *Cloud) checkNewVolume(dc *datacenter, body volumeBody) *apiError {
	if failure := body.checkValues(); failure != nil {
		return failure
	}
	from, failure := c.imageOf(dc, body)
	if failure != nil {
		return failure
	}
	isDAS := deref(body.Type) == diskDAS
	switch {
	case isDAS && body.Size != nil:
		return invalid(codeConstraint, "size", "the template decides about the size of a DAS volume")
	case !isDAS && deref(body.Size) < 1:
		return invalid(codeConstraint, "size", "size is required")
	case from == nil && body.LicenceType == nil:
		return invalid(codeConstraint, "licenceType", "licenceType is required without an image")
	case from == nil && body.ImagePassword != nil:
		return invalid(codeConstraint, "imagePassword", "a password needs an image")
	case from == nil && body.UserData != nil:
		return invalid(codeConstraint, "userData", "userData needs an image")
	case from == nil:
		return nil
	case body.ImagePassword != nil && !passwordPattern.MatchString(*body.ImagePassword):
		return invalid(codeConstraint, "imagePassword", "must have 8 to 50 of the characters a-z, A-Z, 0-9")
	case from.Public && body.ImagePassword == nil && len(body.SSHKeys) == 0:
		return invalid(codeConstraint, "imagePassword", "a public image needs a password or SSH keys")
	case body.UserData != nil && from.CloudInit != cloudInitV1:
		return invalid(codeConstraint, "userData", "image %q takes no user data", from.id)
	case !isDAS && *body.Size < from.Size:
		return invalid(codeConstraint, "size", "the image needs at least %g GB", from.Size)
	}
	return nil
}
