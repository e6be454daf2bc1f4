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
	"strings"
)

// routes are the paths of the API.
func (c *Cloud) routes() *http.ServeMux {
	const (
		dc     = "/datacenters/{dc}"
		srv    = dc + "/servers/{server}"
		vol    = dc + "/volumes/{volume}"
		block  = "/ipblocks/{block}"
		shot   = "/snapshots/{snapshot}"
		imagep = "/images/{image}"
	)
	mux := http.NewServeMux()
	for _, routes := range []map[string]handler{
		contractRoutes(block, imagep, shot), datacenterRoutes(dc), serverRoutes(srv),
		labelRoutes(dc, func(handle func(*call, *meta) (*response, *apiError)) handler {
			return withDatacenter(func(c *call, d *datacenter) (*response, *apiError) { return handle(c, &d.meta) })
		}),
		labelRoutes(srv, func(handle func(*call, *meta) (*response, *apiError)) handler {
			return withServer(func(c *call, s *server) (*response, *apiError) { return handle(c, &s.meta) })
		}),
		labelRoutes(vol, func(handle func(*call, *meta) (*response, *apiError)) handler {
			return withVolume(func(c *call, v *volume) (*response, *apiError) { return handle(c, &v.meta) })
		}),
		labelRoutes(block, func(handle func(*call, *meta) (*response, *apiError)) handler {
			return withIPBlock(func(c *call, b *ipBlock) (*response, *apiError) { return handle(c, &b.meta) })
		}),
		labelRoutes(imagep, func(handle func(*call, *meta) (*response, *apiError)) handler {
			return withImage(func(c *call, i *image) (*response, *apiError) { return handle(c, &i.meta) })
		}),
		labelRoutes(shot, func(handle func(*call, *meta) (*response, *apiError)) handler {
			return withSnapshot(func(c *call, s *snapshot) (*response, *apiError) { return handle(c, &s.meta) })
		}),
	} {
		for route, handle := range routes {
			method, path, _ := strings.Cut(route, " ")
			mux.HandleFunc(method+" "+basePath+path, c.serve(route, handle))
		}
	}
	if c.admin {
		c.adminRoutes(mux)
	}
	unknown := func(*call) (*response, *apiError) { return nil, notFound() }
	mux.HandleFunc("/", c.serve(unknownRoute, unknown))
	return mux
}

// contractRoutes are the paths of what is in no data center.
func contractRoutes(block, image, snapshot string) map[string]handler {
	return map[string]handler{
		"GET /datacenters":                   listDatacenters,
		"POST /datacenters":                  createDatacenter,
		"GET /locations":                     listLocations,
		"GET /locations/{region}":            listRegion,
		"GET /locations/{region}/{location}": getLocation,
		// One region has locations below a location.
		"GET /locations/{region}/{location}/{part}": getLocation,
		"GET /contracts":                 getContracts,
		"GET /ipblocks":                  listIPBlocks,
		"POST /ipblocks":                 createIPBlock,
		"GET " + block:                   withIPBlock(getIPBlock),
		"PATCH " + block:                 withIPBlock(changeIPBlock),
		"PUT " + block:                   withIPBlock(changeIPBlock),
		"DELETE " + block:                withIPBlock(deleteIPBlock),
		"GET /images":                    listImages,
		"GET " + image:                   withImage(getImage),
		"GET /snapshots":                 listSnapshots,
		"GET " + snapshot:                withSnapshot(getSnapshot),
		"GET /labels":                    listLabels,
		"GET /labels/{urn}":              getLabel,
		"GET /requests":                  listRequests,
		"GET /requests/{request}":        withRequest(getRequest),
		"GET /requests/{request}/status": withRequest(getRequestStatus),
	}
}

// datacenterRoutes are the paths of a data center, its LANs and volumes.
func datacenterRoutes(dc string) map[string]handler {
	lans, volumes := dc+"/lans", dc+"/volumes"
	return map[string]handler{
		"GET " + dc:                         withDatacenter(getDatacenter),
		"PATCH " + dc:                       withDatacenter(changeDatacenter),
		"PUT " + dc:                         withDatacenter(changeDatacenter),
		"DELETE " + dc:                      withDatacenter(deleteDatacenter),
		"GET " + lans:                       withDatacenter(listLANs),
		"POST " + lans:                      withDatacenter(createLAN),
		"GET " + lans + "/{lan}":            withLAN(getLAN),
		"PATCH " + lans + "/{lan}":          withLAN(changeLAN),
		"PUT " + lans + "/{lan}":            withLAN(changeLAN),
		"DELETE " + lans + "/{lan}":         withLAN(deleteLAN),
		"GET " + lans + "/{lan}/nics":       withLAN(listLANNICs),
		"POST " + lans + "/{lan}/nics":      withLAN(moveNIC),
		"GET " + lans + "/{lan}/nics/{nic}": withLAN(getLANNIC),
		"GET " + volumes:                    withDatacenter(listVolumes),
		"POST " + volumes:                   withDatacenter(createVolume),
		"GET " + volumes + "/{volume}":      withVolume(getVolume),
		"PATCH " + volumes + "/{volume}":    withVolume(changeVolume),
		"PUT " + volumes + "/{volume}":      withVolume(changeVolume),
		"DELETE " + volumes + "/{volume}":   withVolume(deleteVolume),
		"GET " + dc + "/servers":            withDatacenter(listServers),
		"POST " + dc + "/servers":           withDatacenter(createServer),
	}
}

// serverRoutes are the paths of a server, with its NICs and volumes.
func serverRoutes(srv string) map[string]handler {
	nics, volumes := srv+"/nics", srv+"/volumes"
	return map[string]handler{
		"GET " + srv:                      withServer(getServer),
		"PATCH " + srv:                    withServer(changeServer),
		"PUT " + srv:                      withServer(changeServer),
		"DELETE " + srv:                   withServer(deleteServer),
		"POST " + srv + "/start":          withServer(startServer),
		"POST " + srv + "/stop":           withServer(stopServer),
		"POST " + srv + "/reboot":         withServer(rebootServer),
		"GET " + nics:                     withServer(listNICs),
		"POST " + nics:                    withServer(attachNIC),
		"GET " + nics + "/{nic}":          withNIC(getNIC),
		"PATCH " + nics + "/{nic}":        withNIC(changeNIC),
		"PUT " + nics + "/{nic}":          withNIC(changeNIC),
		"DELETE " + nics + "/{nic}":       withNIC(detachNIC),
		"GET " + volumes:                  withServer(listServerVolumes),
		"POST " + volumes:                 withServer(attachVolume),
		"GET " + volumes + "/{volume}":    withServer(getServerVolume),
		"DELETE " + volumes + "/{volume}": withServer(detachVolume),
	}
}

// withDatacenter finds the data center of a call.
func withDatacenter(handle func(*call, *datacenter) (*response, *apiError)) handler {
	return func(c *call) (*response, *apiError) {
		dc := c.cloud.datacenters[c.request.PathValue("dc")]
		if dc == nil || c.hidden(&dc.meta) {
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
func (c *call) hidden(m *meta) bool {
	return m.unborn && c.cloud.hiddenUntilDone || m.hiddenUntil.After(c.cloud.clock.Now())
}
