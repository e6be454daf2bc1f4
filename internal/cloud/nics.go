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

package cloud

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// AttachNIC gives a server a NIC, and returns its ID.
func (s *Session) AttachNIC(ctx context.Context, datacenterID, serverID string, settings network.NICSettings) (string, Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	operation := fmt.Sprintf("attach NIC %q to server %s", settings.Name, serverID)
	created, response, err := s.client.NetworkInterfacesApi.DatacentersServersNicsPost(ctx, datacenterID, serverID).
		Nic(ionoscloud.Nic{Properties: nicProperties(settings)}).Depth(0).Execute()
	request, err := s.accepted(operation, http.MethodPost, response, err)
	if err != nil {
		return "", Request{}, err
	}
	if deref(created.Id) == "" {
		return "", Request{}, &UnreachableError{Operation: operation, Cause: errors.New("it has no NIC ID")}
	}
	return *created.Id, request, nil
}

// ChangeNIC changes a NIC. Only what the change names is sent.
func (s *Session) ChangeNIC(ctx context.Context, datacenterID, serverID string, change network.NICChange) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	properties := ionoscloud.NicProperties{Dhcp: change.DHCP, Dhcpv6: change.DHCPv6}
	if change.IPv4 != nil {
		properties.Ips = ptr.To(addressTexts(change.IPv4))
	}
	if change.IPv6 != nil {
		properties.Ipv6Ips = ptr.To(addressTexts(change.IPv6))
	}
	if change.IPv6Block.IsValid() || len(change.IPv6) > 0 {
		properties.Ipv6CidrBlock = ptr.To(nicBlock(change.IPv6Block, change.IPv6).String())
	}
	_, response, err := s.client.NetworkInterfacesApi.DatacentersServersNicsPatch(ctx, datacenterID, serverID, change.NICID).Nic(properties).Depth(0).Execute()
	return s.accepted(fmt.Sprintf("change NIC %s of server %s", change.NICID, serverID), http.MethodPatch, response, err)
}

// DetachNIC removes a NIC.
func (s *Session) DetachNIC(ctx context.Context, datacenterID, serverID, nicID string) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	response, err := s.client.NetworkInterfacesApi.DatacentersServersNicsDelete(ctx, datacenterID, serverID, nicID).Execute()
	return s.accepted(fmt.Sprintf("detach NIC %s from server %s", nicID, serverID), http.MethodDelete, response, err)
}
