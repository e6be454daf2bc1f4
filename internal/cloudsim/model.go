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
	"net/netip"
	"time"
)

// Resource states.
const (
	stateAvailable = "AVAILABLE"
	stateBusy      = "BUSY"
)

// meta is what all resources have.
type meta struct {
	id                string
	created, modified time.Time
	// changes counts the changes, for the etag.
	changes int
	// pending counts the requests that have not ended and change the resource.
	pending int
	// unborn is set until the request that makes the resource is done, gone once it is removed.
	unborn, gone bool
	// hiddenUntil is until when a resource does not show though it is there.
	hiddenUntil time.Time
	// labels are nil for what cannot be labelled.
	labels map[string]string
	// queue has the requests for a resource that is in no data center.
	queue queue
}

func (c *Cloud) newMeta(id string) meta {
	now := c.clock.Now()
	return meta{id: id, created: now, modified: now, labels: map[string]string{}}
}

func (m *meta) touched(at time.Time) {
	m.modified = at
	m.changes++
}

func (m *meta) state() string {
	if m.pending > 0 {
		return stateBusy
	}
	return stateAvailable
}

type datacenter struct {
	meta
	number         int
	name, location string
	version        int
	description    string
	ipv6           netip.Prefix
	lans           map[int]*lan
	servers        map[string]*server
	volumes        map[string]*volume
	nextLAN        int
}

type failoverGroup struct {
	IP      string `json:"ip"`
	NICUUID string `json:"nicUuid"`
}

type lan struct {
	meta
	number     int
	name       string
	public     bool
	ipv4, ipv6 netip.Prefix
	failover   []failoverGroup
	pcc        string
}

type server struct {
	meta
	datacenter                                  *datacenter
	name, hostname, availabilityZone, cpuFamily string
	kind                                        string
	cores, ram                                  int
	vmState                                     string
	bootVolume                                  string
	nics                                        []*nic
	volumes                                     []string
	templateUUID                                string
	nicMultiQueue                               *bool
}

type nic struct {
	meta
	server          *server
	name, mac, vnet string
	lan             int
	dhcp            bool
	dhcpv6          *bool
	// explicit are the addresses that were asked for; ips are those it has.
	explicit     bool
	ips          []netip.Addr
	ipv6Block    netip.Prefix
	ipv6         []netip.Addr
	firewall     bool
	firewallType string
	deviceNumber int
}

type volume struct {
	meta
	name, kind, availabilityZone, image, licence string
	bus, bootOrder                               string
	size                                         float64
	userData                                     []byte
	server                                       string
	hotPlug                                      hotPlug
	deviceNumber                                 int
}

type ipBlock struct {
	meta
	name, location string
	size           int
	ips            []netip.Addr
}

type image struct {
	meta
	ImageSeed
}

type snapshot struct {
	meta
	name, location string
	size           float64
}

// target is a resource that a request touches.
type target struct {
	kind, id, href string
}

// request is an entry of the request queue.
type request struct {
	id, method, url, body string
	headers               map[string]string
	created, endsAt       time.Time
	status, message       string
	targets               []target
	// execute has the effect; its error makes the request fail.
	execute func() *apiError
	// settle undoes the marks that the request put on resources, with whether it failed.
	settle func(failed bool, at time.Time)
	// fail is the message of a failure that was asked for.
	fail  string
	delay time.Duration
	queue *queue
}

// queue has the requests that are executed one after the other.
type queue struct {
	waiting []*request
	running bool
}

// Request states.
const (
	requestQueued  = "QUEUED"
	requestRunning = "RUNNING"
	requestDone    = "DONE"
	requestFailed  = "FAILED"
)
