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
	if err := s.failure(operation, response, err); err != nil {
		return Server{}, err
	}
	server, err := serverFrom(found)
	if err != nil {
		return Server{}, unreadable(operation, err)
	}
	return server, nil
}

// CreateServer makes a server with its boot volume and NICs in one request, and returns its ID. When the answer does not
// say which server it is, or which request makes it, the error is an uncertain one.
func (s *Session) CreateServer(ctx context.Context, datacenterID string, settings ServerSettings) (string, Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	body := serverBody(settings)
	operation := fmt.Sprintf("create server %q", settings.Name)
	created, response, err := s.client.ServersApi.DatacentersServersPost(ctx, datacenterID).Server(body).Depth(0).Execute()
	request, err := s.accepted(operation, http.MethodPost, response, err, string(settings.Volume.UserData), userData(settings.Volume))
	if err != nil {
		return "", Request{}, err
	}
	if deref(created.Id) == "" {
		return "", Request{}, unreadable(operation, errors.New("a server without ID"))
	}
	return *created.Id, request, nil
}

// userData is the user data of a volume as it is sent.
func userData(volume VolumeSettings) string {
	return base64.StdEncoding.EncodeToString(volume.UserData)
}

// serverBody is the body of the request that makes a server.
func serverBody(settings ServerSettings) ionoscloud.Server {
	nics := make([]ionoscloud.Nic, 0, len(settings.NICs))
	for _, nic := range settings.NICs {
		nics = append(nics, ionoscloud.Nic{Properties: nicProperties(nic)})
	}
	volume := settings.Volume
	volumeProperties := &ionoscloud.VolumeProperties{
		Name:             ptr.To(volume.Name),
		Type:             unlessEmpty(volume.DiskType),
		Size:             ptr.To(float32(volume.SizeGB)),
		AvailabilityZone: unlessEmpty(volume.AvailabilityZone),
		Image:            ptr.To(volume.ImageID),
		UserData:         unlessEmpty(userData(volume)),
	}
	properties := &ionoscloud.ServerProperties{
		Name:             ptr.To(settings.Name),
		Cores:            ptr.To(settings.Cores),
		Ram:              ptr.To(settings.MemoryMB),
		Type:             unlessEmpty(settings.Type),
		AvailabilityZone: unlessEmpty(settings.AvailabilityZone),
	}
	if settings.Type != serverTypeVCPU {
		properties.CpuFamily = unlessEmpty(settings.CPUFamily)
	}
	return ionoscloud.Server{
		Properties: properties,
		Entities: &ionoscloud.ServerEntities{
			Volumes: &ionoscloud.AttachedVolumes{Items: &[]ionoscloud.Volume{{Properties: volumeProperties}}},
			Nics:    &ionoscloud.Nics{Items: &nics},
		},
	}
}

// unlessEmpty is what a property is set to that is not sent when it is empty.
func unlessEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// StartServer starts a server.
func (s *Session) StartServer(ctx context.Context, datacenterID, serverID string) (Request, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	response, err := s.client.ServersApi.DatacentersServersStartPost(ctx, datacenterID, serverID).Execute()
	return s.accepted("start server "+serverID, http.MethodPost, response, err)
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
	return s.accepted("delete server "+serverID, http.MethodDelete, response, err)
}
