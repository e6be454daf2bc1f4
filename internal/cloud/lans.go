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
	"fmt"
	"net/http"
	"strconv"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

// CreateLAN makes a LAN, and returns its ID.
func (s *Session) CreateLAN(ctx context.Context, datacenterID string, settings LANSettings) (network.LANID, Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	properties := &ionoscloud.LanProperties{Name: ptr.To(settings.Name), Public: ptr.To(settings.Public)}
	if settings.IPv6Block != "" {
		properties.Ipv6CidrBlock = ptr.To(settings.IPv6Block)
	}
	if settings.CrossConnectID != "" {
		properties.Pcc = ptr.To(settings.CrossConnectID)
	}
	operation := fmt.Sprintf("create LAN %q in data center %s", settings.Name, datacenterID)
	created, response, err := s.client.LANsApi.DatacentersLansPost(ctx, datacenterID).Lan(ionoscloud.Lan{Properties: properties}).Depth(0).Execute()
	request, err := s.accepted(operation, http.MethodPost, response, err)
	if err != nil {
		return 0, Request{}, err
	}
	id, err := strconv.ParseInt(deref(created.Id), 10, 32)
	if err != nil {
		return 0, Request{}, unreadable(operation, fmt.Errorf("a LAN whose ID %q is no number", deref(created.Id)))
	}
	return network.LANID(id), request, nil
}

// DeleteLAN removes a LAN.
func (s *Session) DeleteLAN(ctx context.Context, datacenterID string, id network.LANID) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	response, err := s.client.LANsApi.DatacentersLansDelete(ctx, datacenterID, strconv.Itoa(int(id))).Execute()
	return s.accepted(fmt.Sprintf("delete LAN %d of data center %s", id, datacenterID), http.MethodDelete, response, err)
}

// LANInUse returns the number of NICs in a LAN right now. Past a page of them it is no longer exact.
func (s *Session) LANInUse(ctx context.Context, datacenterID string, id network.LANID) (int, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	nics, response, err := s.client.LANsApi.DatacentersLansNicsGet(ctx, datacenterID, strconv.Itoa(int(id))).Depth(0).Execute()
	operation := fmt.Sprintf("list the NICs in LAN %d of data center %s", id, datacenterID)
	if err := s.failure(operation, response, err); err != nil {
		return 0, err
	}
	if nics.Items == nil {
		return 0, unreadable(operation, errNoItems)
	}
	return len(*nics.Items), nil
}
