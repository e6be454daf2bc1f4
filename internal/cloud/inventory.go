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
	"cmp"
	"context"
	"errors"
	"slices"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
)

const (
	// serverListDepth shows the properties of NICs inside a list of servers; serverDepth does in one server.
	serverListDepth = 3
	serverDepth     = 2
	// itemDepth shows the properties of the items of a list.
	itemDepth = 1
)

// Datacenter returns a data center, or ErrNotFound.
func (s *Session) Datacenter(ctx context.Context, id string) (Datacenter, error) {
	return s.datacenters.get(ctx, id)
}

func (s *Session) readDatacenter(ctx context.Context, id string) (Datacenter, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	operation := "get data center " + id
	found, response, err := s.client.DataCentersApi.DatacentersFindById(ctx, id).Depth(0).Execute()
	if err := s.failure(operation, response, err); err != nil {
		return Datacenter{}, err
	}
	if found.Properties == nil || deref(found.Properties.Location) == "" {
		return Datacenter{}, unreadable(operation, errors.New("a data center without location"))
	}
	block, err := prefixFrom(found.Properties.Ipv6CidrBlock)
	if err != nil {
		return Datacenter{}, unreadable(operation, err)
	}
	return Datacenter{ID: id, Name: deref(found.Properties.Name), Location: *found.Properties.Location, IPv6Block: block}, nil
}

// Inventory returns what exists in a data center, from lists that are shared and may be a little old. It must not be
// changed, because others look at it too.
func (s *Session) Inventory(ctx context.Context, datacenterID string) (*Inventory, error) {
	return s.inventories.get(ctx, datacenterID)
}

// FreshInventory returns what exists in a data center, from lists that were read after the call. They are shared with
// those who ask at the same time, and must not be changed.
func (s *Session) FreshInventory(ctx context.Context, datacenterID string) (*Inventory, error) {
	return s.inventories.fresh(ctx, datacenterID)
}

// Invalidate makes the next Inventory of a data center read again.
func (s *Session) Invalidate(datacenterID string) { s.inventories.forget(datacenterID) }

func (s *Session) readInventory(ctx context.Context, datacenterID string) (*Inventory, error) {
	inventory := &Inventory{Taken: s.clock.Now()}
	servers, err := s.listServers(ctx, datacenterID)
	if err != nil {
		return nil, err
	}
	inventory.Servers = servers
	if inventory.LANs, err = s.listLANs(ctx, datacenterID); err != nil {
		return nil, err
	}
	return inventory, nil
}

func (s *Session) listServers(ctx context.Context, datacenterID string) ([]Server, error) {
	operation := "list the servers of data center " + datacenterID
	items, err := pages(s, operation, func(offset int32) (page[ionoscloud.Server], *ionoscloud.APIResponse, error) {
		ctx, cancel := s.call(ctx)
		defer cancel()
		list, response, err := s.client.ServersApi.DatacentersServersGet(ctx, datacenterID).Depth(serverListDepth).Offset(offset).Limit(pageSize).Execute()
		return page[ionoscloud.Server]{list.Items, list.Limit, list.Links}, response, err
	})
	if err != nil {
		return nil, err
	}
	servers := make([]Server, 0, len(items))
	for _, item := range items {
		server, err := serverFrom(item)
		if err != nil {
			return nil, unreadable(operation, err)
		}
		servers = append(servers, server)
	}
	slices.SortFunc(servers, func(a, b Server) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return slices.CompactFunc(servers, func(a, b Server) bool { return a.ID == b.ID }), nil
}

func (s *Session) listLANs(ctx context.Context, datacenterID string) ([]LAN, error) {
	operation := "list the LANs of data center " + datacenterID
	items, err := pages(s, operation, func(offset int32) (page[ionoscloud.Lan], *ionoscloud.APIResponse, error) {
		ctx, cancel := s.call(ctx)
		defer cancel()
		list, response, err := s.client.LANsApi.DatacentersLansGet(ctx, datacenterID).Depth(itemDepth).Offset(offset).Limit(pageSize).Execute()
		return page[ionoscloud.Lan]{list.Items, list.Limit, list.Links}, response, err
	})
	if err != nil {
		return nil, err
	}
	lans := make([]LAN, 0, len(items))
	for _, item := range items {
		lan, err := lanFrom(item)
		if err != nil {
			return nil, unreadable(operation, err)
		}
		lans = append(lans, lan)
	}
	slices.SortFunc(lans, func(a, b LAN) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(lans, func(a, b LAN) bool { return a.ID == b.ID }), nil
}
