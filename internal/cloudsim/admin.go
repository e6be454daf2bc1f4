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
	"net/http"
)

// adminRoutes are the endpoints for people and scripts. They are not part of the API, and need no token.
func (c *Cloud) adminRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /_sim/state", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, c.Snapshot()) })
	mux.HandleFunc("GET /_sim/counters", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, c.Counters()) })
	mux.HandleFunc("DELETE /_sim/counters", func(w http.ResponseWriter, _ *http.Request) {
		c.ResetCounters()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /_sim/history", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, c.History()) })
	mux.HandleFunc("POST /_sim/faults", func(w http.ResponseWriter, r *http.Request) {
		var fault Fault
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&fault); err != nil {
			writeJSON(w, http.StatusBadRequest, refused(http.StatusBadRequest, "%v", err).body())
			return
		}
		c.Inject(fault)
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("DELETE /_sim/faults", func(w http.ResponseWriter, _ *http.Request) {
		c.mutex.Lock()
		c.faults = nil
		c.mutex.Unlock()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /_sim/seed", func(w http.ResponseWriter, r *http.Request) {
		var seed Seed
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&seed); err != nil {
			writeJSON(w, http.StatusBadRequest, refused(http.StatusBadRequest, "%v", err).body())
			return
		}
		made, err := c.Plant(seed)
		if err != nil {
			writeJSON(w, http.StatusBadRequest, refused(http.StatusBadRequest, "%v", err).body())
			return
		}
		writeJSON(w, http.StatusOK, made)
	})
}

// Seed is what a cloud has at the beginning.
type Seed struct {
	Datacenters []DatacenterSeed `json:"datacenters"`
	Images      []ImageSeed      `json:"images"`
	IPBlocks    []IPBlockSeed    `json:"ipBlocks"`
}

// DatacenterSeed is a data center with its LANs.
type DatacenterSeed struct {
	Name     string    `json:"name"`
	Location string    `json:"location"`
	LANs     []LANSeed `json:"lans"`
}

// ImageSeed is an image.
type ImageSeed struct {
	Name     string            `json:"name"`
	Location string            `json:"location"`
	Labels   map[string]string `json:"labels"`
}

// IPBlockSeed is a block of the addresses from First to Last.
type IPBlockSeed struct {
	Location string `json:"location"`
	First    string `json:"first"`
	Last     string `json:"last"`
}

// Planted are the IDs of what a Seed became, in its order.
type Planted struct {
	Datacenters []string `json:"datacenters"`
	Images      []string `json:"images"`
	IPBlocks    []string `json:"ipBlocks"`
}

// Plant adds what a seed describes.
func (c *Cloud) Plant(seed Seed) (Planted, error) {
	var planted Planted
	for _, block := range seed.IPBlocks {
		ips, err := seedIPs(block.First, block.Last)
		if err != nil {
			return planted, err
		}
		planted.IPBlocks = append(planted.IPBlocks, c.AddIPBlock(block.Location, ips...))
	}
	for _, dc := range seed.Datacenters {
		id := c.AddDatacenter(dc.Name, dc.Location)
		for _, l := range dc.LANs {
			c.AddLAN(id, l)
		}
		planted.Datacenters = append(planted.Datacenters, id)
	}
	for _, i := range seed.Images {
		planted.Images = append(planted.Images, c.AddImage(i.Location, i.Name, i.Labels))
	}
	return planted, nil
}
