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
	"net/http"
)

// routes are the paths of the API.
func (c *Cloud) routes() *http.ServeMux {
	mux := http.NewServeMux()
	const (
		dc  = "/datacenters/{dc}"
		srv = dc + "/servers/{server}"
	)
	for pattern, handle := range map[string]handler{
		"GET /datacenters":                      listDatacenters,
		"POST /datacenters":                     createDatacenter,
		"GET " + dc:                             withDatacenter(getDatacenter),
		"DELETE " + dc:                          withDatacenter(deleteDatacenter),
		"GET /locations":                        listLocations,
		"GET /locations/{region}/{location...}": getLocation,
		"GET /contracts":                        getContracts,

		"GET " + dc + "/lans":            withDatacenter(listLANs),
		"POST " + dc + "/lans":           withDatacenter(createLAN),
		"GET " + dc + "/lans/{lan}":      withLAN(getLAN),
		"PATCH " + dc + "/lans/{lan}":    withLAN(patchLAN),
		"DELETE " + dc + "/lans/{lan}":   withLAN(deleteLAN),
		"GET " + dc + "/lans/{lan}/nics": withLAN(listLANNICs),

		"GET " + dc + "/servers":              withDatacenter(listServers),
		"POST " + dc + "/servers":             withDatacenter(createServer),
		"GET " + srv:                          withServer(getServer),
		"PATCH " + srv:                        withServer(patchServer),
		"DELETE " + srv:                       withServer(deleteServer),
		"POST " + srv + "/start":              withServer(startServer),
		"POST " + srv + "/stop":               withServer(stopServer),
		"POST " + srv + "/reboot":             withServer(startServer),
		"GET " + srv + "/nics":                withServer(listNICs),
		"POST " + srv + "/nics":               withServer(attachNIC),
		"GET " + srv + "/nics/{nic}":          withNIC(getNIC),
		"PATCH " + srv + "/nics/{nic}":        withNIC(patchNIC),
		"DELETE " + srv + "/nics/{nic}":       withNIC(detachNIC),
		"GET " + srv + "/volumes":             withServer(listServerVolumes),
		"POST " + srv + "/volumes":            withServer(attachVolume),
		"DELETE " + srv + "/volumes/{volume}": withServer(detachVolume),

		"GET " + dc + "/volumes":             withDatacenter(listVolumes),
		"POST " + dc + "/volumes":            withDatacenter(createVolume),
		"GET " + dc + "/volumes/{volume}":    withVolume(getVolume),
		"DELETE " + dc + "/volumes/{volume}": withVolume(deleteVolume),

		"GET /ipblocks":            listIPBlocks,
		"POST /ipblocks":           createIPBlock,
		"GET /ipblocks/{block}":    withIPBlock(getIPBlock),
		"PATCH /ipblocks/{block}":  withIPBlock(patchIPBlock),
		"DELETE /ipblocks/{block}": withIPBlock(deleteIPBlock),

		"GET /images":         listImages,
		"GET /images/{image}": getImage,
		"GET /labels":         listLabels,

		"GET " + dc + "/labels":                   withDatacenter(labelsOf(func(c *call, d *datacenter) *map[string]string { return &d.labels })),
		"POST " + dc + "/labels":                  withDatacenter(addLabel(func(c *call, d *datacenter) *map[string]string { return &d.labels })),
		"GET " + srv + "/labels":                  withServer(labelsOf(func(c *call, s *server) *map[string]string { return &s.labels })),
		"POST " + srv + "/labels":                 withServer(addLabel(func(c *call, s *server) *map[string]string { return &s.labels })),
		"GET " + dc + "/volumes/{volume}/labels":  withVolume(labelsOf(func(c *call, v *volume) *map[string]string { return &v.labels })),
		"POST " + dc + "/volumes/{volume}/labels": withVolume(addLabel(func(c *call, v *volume) *map[string]string { return &v.labels })),
		"GET /ipblocks/{block}/labels":            withIPBlock(labelsOf(func(c *call, b *ipBlock) *map[string]string { return &b.labels })),
		"POST /ipblocks/{block}/labels":           withIPBlock(addLabel(func(c *call, b *ipBlock) *map[string]string { return &b.labels })),

		"GET /requests":                  listRequests,
		"GET /requests/{request}":        getRequest,
		"GET /requests/{request}/status": getRequestStatus,
	} {
		method, path, _ := cutPattern(pattern)
		full := method + " " + basePath + path
		mux.HandleFunc(full, c.serve(full, handle))
	}
	if c.admin {
		c.adminRoutes(mux)
	}
	unknown := func(*call) (*response, *apiError) { return nil, notFound() }
	mux.HandleFunc("/", c.serve("unknown", unknown))
	return mux
}

func cutPattern(pattern string) (method, path string, found bool) {
	for i := range pattern {
		if pattern[i] == ' ' {
			return pattern[:i], pattern[i+1:], true
		}
	}
	return "", pattern, false
}

// withDatacenter finds the data center of a call.
func withDatacenter(handle func(*call, *datacenter) (*response, *apiError)) handler {
	return func(c *call) (*response, *apiError) {
		dc := c.cloud.datacenters[c.request.PathValue("dc")]
		if dc == nil {
			return nil, notFound()
		}
		return handle(c, dc)
	}
}

// withLAN finds the LAN of a call.
func withLAN(handle func(*call, *datacenter, *lan) (*response, *apiError)) handler {
	return withDatacenter(func(c *call, dc *datacenter) (*response, *apiError) {
		found := dc.lans[atoi(c.request.PathValue("lan"))]
		if found == nil || c.hidden(&found.meta) {
			return nil, notFound()
		}
		return handle(c, dc, found)
	})
}

// withServer finds the server of a call.
func withServer(handle func(*call, *server) (*response, *apiError)) handler {
	return withDatacenter(func(c *call, dc *datacenter) (*response, *apiError) {
		found := dc.servers[c.request.PathValue("server")]
		if found == nil || c.hidden(&found.meta) {
			return nil, notFound()
		}
		return handle(c, found)
	})
}

// withNIC finds the NIC of a call.
func withNIC(handle func(*call, *nic) (*response, *apiError)) handler {
	return withServer(func(c *call, s *server) (*response, *apiError) {
		for _, n := range s.nics {
			if n.id == c.request.PathValue("nic") && !c.hidden(&n.meta) {
				return handle(c, n)
			}
		}
		return nil, notFound()
	})
}

// withVolume finds the volume of a call.
func withVolume(handle func(*call, *volume) (*response, *apiError)) handler {
	return withDatacenter(func(c *call, dc *datacenter) (*response, *apiError) {
		found := dc.volumes[c.request.PathValue("volume")]
		if found == nil || c.hidden(&found.meta) {
			return nil, notFound()
		}
		return handle(c, found)
	})
}

// withIPBlock finds the IP block of a call.
func withIPBlock(handle func(*call, *ipBlock) (*response, *apiError)) handler {
	return func(c *call) (*response, *apiError) {
		found := c.cloud.ipBlocks[c.request.PathValue("block")]
		if found == nil || c.hidden(&found.meta) {
			return nil, notFound()
		}
		return handle(c, found)
	}
}

// hidden tells whether a resource does not show yet.
func (c *call) hidden(m *meta) bool { return m.unborn && c.cloud.hiddenUntilDone }
