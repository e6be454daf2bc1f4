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
	"net/http"
	"slices"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
)

// FindVolumes returns the volumes of a data center that have the name, sorted by ID. Names are not unique.
func (s *Session) FindVolumes(ctx context.Context, datacenterID, name string) ([]Volume, error) {
	operation := "list the volumes of data center " + datacenterID
	items, err := pages(s, operation, func(offset int32) (page[ionoscloud.Volume], *ionoscloud.APIResponse, error) {
		ctx, cancel := s.call(ctx)
		defer cancel()
		list, response, err := s.client.VolumesApi.DatacentersVolumesGet(ctx, datacenterID).Depth(itemDepth).Filter("name", name).
			Offset(offset).Limit(pageSize).Execute()
		return page[ionoscloud.Volume]{list.Items, list.Limit, list.Links}, response, err
	})
	if err != nil {
		return nil, err
	}
	var volumes []Volume
	for _, item := range items {
		if deref(item.Id) == "" || item.Properties == nil {
			return nil, unreadable(operation, errors.New("a volume without ID or properties"))
		}
		// The filter matches parts of a name too.
		if deref(item.Properties.Name) != name {
			continue
		}
		volume := Volume{ID: *item.Id, Name: name, BootServerID: deref(item.Properties.BootServer)}
		if item.Metadata != nil {
			volume.State = State(deref(item.Metadata.State))
		}
		volumes = append(volumes, volume)
	}
	slices.SortFunc(volumes, func(a, b Volume) int { return cmp.Compare(a.ID, b.ID) })
	return slices.Compact(volumes), nil
}

// DeleteVolume removes a volume, from its server too.
func (s *Session) DeleteVolume(ctx context.Context, datacenterID, volumeID string) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	response, err := s.client.VolumesApi.DatacentersVolumesDelete(ctx, datacenterID, volumeID).Execute()
	return s.accepted("delete volume "+volumeID, http.MethodDelete, response, err)
}
