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
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"
)

const (
	// maxDevices is how many NICs and volumes a server can have together.
	maxDevices  = 24
	vmRunning   = "RUNNING"
	vmShutOff   = "SHUTOFF"
	typeVCPU    = "VCPU"
	typeDefault = "ENTERPRISE"
)

func (c *call) serverResource(s *server) resource {
	href := c.base() + "/datacenters/" + s.datacenter.id + "/servers/" + s.id
	properties := object{
		"name": s.name, "hostname": textOrNil(s.hostname), "cores": s.cores, "ram": s.ram, "availabilityZone": s.availabilityZone,
		"vmState": textOrNil(s.vmState), "type": s.kind, "cpuFamily": textOrNil(s.cpuFamily), "bootVolume": nil,
	}
	if s.bootVolume != "" && !s.unborn {
		properties["bootVolume"] = object{"id": s.bootVolume, "type": "volume", "href": c.base() + "/datacenters/" + s.datacenter.id + "/volumes/" + s.bootVolume}
	}
	return resource{
		meta: &s.meta, id: s.id, kind: "server", href: href, properties: properties,
		children: map[string]func() []resource{
			"nics":    func() []resource { return c.serverNICs(s) },
			"volumes": func() []resource { return c.serverVolumes(s) },
			"cdroms":  func() []resource { return nil },
		},
	}
}

func (c *call) serverNICs(s *server) []resource {
	var items []resource
	for _, n := range s.nics {
		if !c.hidden(&n.meta) {
			items = append(items, c.nicResource(n))
		}
	}
	return items
}

func (c *call) serverVolumes(s *server) []resource {
	var items []resource
	for _, id := range s.volumes {
		if v := s.datacenter.volumes[id]; v != nil && !c.hidden(&v.meta) {
			items = append(items, c.volumeResource(s.datacenter, v))
		}
	}
	return items
}

func listServers(c *call, dc *datacenter) (*response, *apiError) {
	var items []resource
	for _, s := range dc.sortedServers() {
		if !c.hidden(&s.meta) {
			items = append(items, c.serverResource(s))
		}
	}
	return c.list(dc.id+"/servers", items, 1000)
}

func (d *datacenter) sortedServers() []*server {
	servers := make([]*server, 0, len(d.servers))
	for _, s := range d.servers {
		servers = append(servers, s)
	}
	slices.SortFunc(servers, func(a, b *server) int {
		if order := compareText(a.name, b.name); order != 0 {
			return order
		}
		return compareText(a.id, b.id)
	})
	return servers
}

func getServer(c *call, s *server) (*response, *apiError) {
	return ok(c.serverResource(s).show(c.depth()))
}

// serverBody is what is written about a server. Fields that were not sent are nil.
type serverBody struct {
	Name             *string         `json:"name"`
	Hostname         *string         `json:"hostname"`
	Cores            *int            `json:"cores"`
	RAM              *int            `json:"ram"`
	AvailabilityZone *string         `json:"availabilityZone"`
	CPUFamily        *string         `json:"cpuFamily"`
	Type             *string         `json:"type"`
	VMState          json.RawMessage `json:"vmState"`
}

// serverTree is the body of a request that makes a server with all that belongs to it.
type serverTree struct {
	Properties serverBody `json:"properties"`
	Entities   struct {
		Volumes struct {
			Items []struct {
				ID         string     `json:"id"`
				Properties volumeBody `json:"properties"`
			} `json:"items"`
		} `json:"volumes"`
		NICs struct {
			Items []struct {
				Properties nicBody `json:"properties"`
			} `json:"items"`
		} `json:"nics"`
	} `json:"entities"`
}

func (b serverBody) check(create bool) *apiError {
	kind := deref(b.Type)
	switch {
	case len(b.VMState) > 0:
		return invalid(codeReadOnly, "vmState", "Attribute is read-only")
	case kind != "" && !slices.Contains([]string{typeDefault, typeVCPU, "CUBE", "GPU"}, kind):
		return invalid(codeEnum, "type", "%q is none of ENTERPRISE, VCPU, CUBE, GPU", kind)
	case b.AvailabilityZone != nil && !slices.Contains([]string{"AUTO", "ZONE_1", "ZONE_2"}, *b.AvailabilityZone):
		return invalid(codeEnum, "availabilityZone", "%q is none of AUTO, ZONE_1, ZONE_2", *b.AvailabilityZone)
	case kind == typeVCPU && b.CPUFamily != nil:
		return invalid(codeConstraint, "cpuFamily", "cpuFamily is not allowed for type VCPU")
	case create && (deref(b.Cores) < 1 || deref(b.RAM) < 256), b.Cores != nil && *b.Cores < 1:
		return invalid(codeConstraint, "cores", "cores and ram are required")
	case deref(b.RAM)%256 != 0:
		return invalid(codeConstraint, "ram", "RAM size of %d MB is not a multiple of 256", deref(b.RAM))
	case len(deref(b.Hostname)) > 63:
		return invalid(codeConstraint, "hostname", "at most 63 characters are allowed")
	}
	return nil
}

func createServer(c *call, dc *datacenter) (*response, *apiError) {
	var body serverTree
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	cloud := c.cloud
	check := func(s *server) *apiError { return cloud.checkServerTree(dc, s, body) }
	if failure := check(nil); failure != nil {
		return nil, failure
	}
	properties := body.Properties
	s := &server{
		meta: meta{id: uuid.NewString(), created: cloud.clock.Now(), unborn: true}, datacenter: dc,
		name: deref(properties.Name), hostname: deref(properties.Hostname), cores: deref(properties.Cores), ram: deref(properties.RAM),
		availabilityZone: orText(deref(properties.AvailabilityZone), "AUTO"), cpuFamily: deref(properties.CPUFamily), kind: orText(deref(properties.Type), typeDefault),
		labels: map[string]string{},
	}
	dc.servers[s.id] = s
	touched := []touch{{&s.meta, target{"server", s.id, c.serverResource(s).href}}}
	for _, item := range body.Entities.Volumes.Items {
		v := cloud.newVolume(dc, item.Properties)
		v.server = s.id
		s.volumes = append(s.volumes, v.id)
		touched = append(touched, touch{&v.meta, target{"volume", v.id, c.volumeResource(dc, v).href}})
	}
	var wanted []nicBody
	for _, item := range body.Entities.NICs.Items {
		n := cloud.newNIC(s, item.Properties)
		wanted = append(wanted, item.Properties)
		touched = append(touched, touch{&n.meta, target{"nic", n.id, c.nicResource(n).href}})
	}
	execute := func() *apiError {
		if failure := check(s); failure != nil {
			return failure
		}
		for i, n := range s.nics {
			if failure := cloud.plug(dc, n, wanted[i]); failure != nil {
				return failure
			}
		}
		s.vmState = vmRunning
		if len(s.volumes) > 0 {
			s.bootVolume = s.volumes[0]
		}
		return nil
	}
	undo := func() {
		for _, id := range s.volumes {
			delete(dc.volumes, id)
		}
		delete(dc.servers, s.id)
	}
	return c.enqueue(dc, touched, execute, undo, func() any { return c.serverResource(s).show(c.depth()) })
}

// checkServerTree tells whether a server can be made. s is nil before it is.
func (c *Cloud) checkServerTree(dc *datacenter, s *server, body serverTree) *apiError {
	if failure := body.Properties.check(true); failure != nil {
		return failure
	}
	if failure := c.checkCores(s, deref(body.Properties.Cores)); failure != nil {
		return failure
	}
	if len(body.Entities.NICs.Items)+len(body.Entities.Volumes.Items) > maxDevices {
		return invalid(codeConstraint, "entities", "a server can have at most %d NICs and volumes", maxDevices)
	}
	for _, item := range body.Entities.Volumes.Items {
		if failure := c.checkVolume(dc, item.Properties); failure != nil {
			return failure
		}
	}
	// The NICs of a server that is made are checked with each other too.
	probe := &server{datacenter: dc}
	for i, item := range body.Entities.NICs.Items {
		var n *nic
		if s != nil {
			n = s.nics[i]
		}
		if failure := c.checkNIC(dc, n, item.Properties, true); failure != nil {
			return failure
		}
		for _, other := range probe.nics {
			for _, address := range item.Properties.addresses() {
				if slices.Contains(other.ips, address) && (other.lan == *item.Properties.LAN || !address.IsPrivate()) {
					return invalid(codeConstraint, "ips", "%s is given to two NICs", address)
				}
			}
			if block := item.Properties.block(); block.IsValid() && block == other.ipv6Block {
				return invalid(codeConstraint, "ipv6CidrBlock", "%s is given to two NICs", block)
			}
		}
		probe.nics = append(probe.nics, &nic{lan: *item.Properties.LAN, ips: item.Properties.addresses(), ipv6Block: item.Properties.block()})
	}
	return nil
}

// checkCores tells whether the contract has so many cores left.
func (c *Cloud) checkCores(but *server, cores int) *apiError {
	limit, limited := c.quotas["coresPerContract"]
	if !limited {
		return nil
	}
	used := 0
	for _, dc := range c.datacenters {
		for _, s := range dc.servers {
			if s != but {
				used += s.cores
			}
		}
	}
	if used+cores > limit {
		return invalid(codeConstraint, "cores", "The contract's quota is exceeded: %d cores requested, %d of %d left", cores, max(limit-used, 0), limit)
	}
	return nil
}

func patchServer(c *call, s *server) (*response, *apiError) {
	var properties serverBody
	if failure := c.decode(&properties); failure != nil {
		return nil, failure
	}
	if failure := properties.check(false); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		setIf(&s.name, properties.Name)
		setIf(&s.cores, properties.Cores)
		setIf(&s.ram, properties.RAM)
		return nil
	}
	return c.enqueue(s.datacenter, []touch{c.touchServer(s)}, execute, nil, func() any { return c.serverResource(s).show(c.depth()) })
}

func (c *call) touchServer(s *server) touch {
	return touch{&s.meta, target{"server", s.id, c.serverResource(s).href}}
}

func startServer(c *call, s *server) (*response, *apiError) {
	execute := func() *apiError {
		s.vmState = vmRunning
		for _, n := range s.nics {
			if l := s.datacenter.lans[n.lan]; l != nil {
				c.cloud.assign(s.datacenter, l, n)
			}
		}
		return nil
	}
	return c.enqueue(s.datacenter, []touch{c.touchServer(s)}, execute, nil, nil)
}

func stopServer(c *call, s *server) (*response, *apiError) {
	return c.enqueue(s.datacenter, []touch{c.touchServer(s)}, func() *apiError { s.stop(); return nil }, nil, nil)
}

// stop turns a server off. Public addresses that the cloud assigned are lost.
func (s *server) stop() {
	s.vmState = vmShutOff
	for _, n := range s.nics {
		if l := s.datacenter.lans[n.lan]; l != nil && l.public && !n.explicit {
			n.ips = nil
		}
	}
}

func deleteServer(c *call, s *server) (*response, *apiError) {
	dc := s.datacenter
	withVolumes := strings.EqualFold(c.request.URL.Query().Get("deleteVolumes"), "true")
	check := func() *apiError {
		for _, n := range s.nics {
			if failure := c.cloud.checkDetach(dc, n); failure != nil {
				return failure
			}
		}
		return nil
	}
	if failure := check(); failure != nil {
		return nil, failure
	}
	execute := func() *apiError {
		if failure := check(); failure != nil {
			return failure
		}
		c.cloud.removeServer(s, withVolumes)
		return nil
	}
	return c.enqueue(dc, []touch{c.touchServer(s)}, execute, nil, nil)
}

// removeServer removes a server with its NICs. Volumes stay unless asked for.
func (c *Cloud) removeServer(s *server, withVolumes bool) {
	for _, id := range s.volumes {
		if withVolumes {
			delete(s.datacenter.volumes, id)
		} else if v := s.datacenter.volumes[id]; v != nil {
			v.server = ""
		}
	}
	for _, l := range s.datacenter.lans {
		l.failover = slices.DeleteFunc(l.failover, func(g failoverGroup) bool {
			return slices.ContainsFunc(s.nics, func(n *nic) bool { return n.id == g.NICUUID })
		})
	}
	delete(s.datacenter.servers, s.id)
}

func setIf[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

func orText(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// decodeUserData decodes the user data of a volume.
func decodeUserData(text string) ([]byte, *apiError) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, &apiError{http.StatusUnprocessableEntity, codeConstraint, "[(root).properties.userData] must be base64"}
	}
	return data, nil
}
