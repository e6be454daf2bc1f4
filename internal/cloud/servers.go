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
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"
)

// serverTypeVCPU is the server type that takes no CPU family.
const serverTypeVCPU = "VCPU"

// Server returns a server with its NICs, or ErrNotFound.
func (s *Session) Server(ctx context.Context, datacenterID, serverID string) (Server, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	operation := "get server " + serverID
	found, response, err := s.client.ServersApi.DatacentersServersFindById(ctx, datacenterID, serverID).Depth(serverDepth).Execute()
	if err := failure(operation, response, err); err != nil {
		return Server{}, err
	}
	server, err := serverFrom(found)
	if err != nil {
		return Server{}, unreadable(operation, err)
	}
	return server, nil
}

// CreateServer makes a server with its boot volume and NICs in one request, and returns its ID.
func (s *Session) CreateServer(ctx context.Context, datacenterID string, settings ServerSettings) (string, Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	created, response, err := s.client.ServersApi.DatacentersServersPost(ctx, datacenterID).Server(serverBody(settings)).Depth(0).Execute()
	operation := fmt.Sprintf("create server %q", settings.Name)
	if err := failure(operation, response, err); err != nil {
		return "", Request{}, err
	}
	request, err := requestOf(operation, http.MethodPost, response)
	if err != nil {
		return "", Request{}, err
	}
	if deref(created.Id) == "" {
		return "", Request{}, &UnreachableError{Operation: operation, Cause: errors.New("it has no server ID")}
	}
	return *created.Id, request, nil
}

// serverBody is the body of the request that makes a server.
func serverBody(settings ServerSettings) ionoscloud.Server {
	nics := make([]ionoscloud.Nic, 0, len(settings.NICs))
	for _, nic := range settings.NICs {
		nics = append(nics, ionoscloud.Nic{Properties: nicProperties(nic)})
	}
	volume := settings.Volume
	volumeProperties := &ionoscloud.VolumeProperties{
		Name:  ptr.To(volume.Name),
		Type:  ptr.To(volume.DiskType),
		Size:  ptr.To(float32(volume.SizeGB)),
		Image: ptr.To(volume.ImageID),
	}
	if volume.AvailabilityZone != "" {
		volumeProperties.AvailabilityZone = ptr.To(volume.AvailabilityZone)
	}
	if len(volume.UserData) > 0 {
		volumeProperties.UserData = ptr.To(base64.StdEncoding.EncodeToString(volume.UserData))
	}
	properties := &ionoscloud.ServerProperties{
		Name:  ptr.To(settings.Name),
		Cores: ptr.To(settings.Cores),
		Ram:   ptr.To(settings.MemoryMB),
		Type:  ptr.To(settings.Type),
	}
	if settings.AvailabilityZone != "" {
		properties.AvailabilityZone = ptr.To(settings.AvailabilityZone)
	}
	if settings.CPUFamily != "" && settings.Type != serverTypeVCPU {
		properties.CpuFamily = ptr.To(settings.CPUFamily)
	}
	return ionoscloud.Server{
		Properties: properties,
		Entities: &ionoscloud.ServerEntities{
			Volumes: &ionoscloud.AttachedVolumes{Items: &[]ionoscloud.Volume{{Properties: volumeProperties}}},
			Nics:    &ionoscloud.Nics{Items: &nics},
		},
	}
}

// StartServer starts a server.
func (s *Session) StartServer(ctx context.Context, datacenterID, serverID string) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	response, err := s.client.ServersApi.DatacentersServersStartPost(ctx, datacenterID, serverID).Execute()
	return accepted("start server "+serverID, http.MethodPost, response, err)
}

// DeleteServer removes a server with its NICs, and with all of its volumes if asked to.
func (s *Session) DeleteServer(ctx context.Context, datacenterID, serverID string, withVolumes bool) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	call := s.client.ServersApi.DatacentersServersDelete(ctx, datacenterID, serverID)
	if withVolumes {
		call = call.DeleteVolumes(true)
	}
	response, err := call.Execute()
	return accepted("delete server "+serverID, http.MethodDelete, response, err)
}

// DeleteVolume removes a volume, from its server too.
func (s *Session) DeleteVolume(ctx context.Context, datacenterID, volumeID string) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	defer s.Invalidate(datacenterID)
	response, err := s.client.VolumesApi.DatacentersVolumesDelete(ctx, datacenterID, volumeID).Execute()
	return accepted("delete volume "+volumeID, http.MethodDelete, response, err)
}
