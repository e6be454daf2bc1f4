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

import "slices"

// Boot is a server that begins to run.
type Boot struct {
	DatacenterID string
	// Server is the server as it is when it boots.
	Server ServerState
	// UserData is what its boot volume tells the guest, decoded; empty if nothing.
	UserData []byte
}

// OnServerBoot calls a function whenever a server boots, for one boot after the other and in their order. The function may
// use the cloud, and may take its time; it must not close the cloud.
func (c *Cloud) OnServerBoot(hook func(Boot)) {
	c.enter()
	defer c.leave()
	c.hooks = append(c.hooks, hook)
}

// boot sets a server running.
func (c *Cloud) boot(s *server) {
	s.vmState = vmRunning
	if len(c.hooks) == 0 {
		return
	}
	boot := Boot{DatacenterID: s.datacenter.id, Server: s.snapshot()}
	if v := s.datacenter.volumes[s.bootVolume]; v != nil {
		boot.UserData = slices.Clone(v.userData)
	}
	c.boots = append(c.boots, boot)
}

// tellHooks tells the hooks of boots until none is left.
func (c *Cloud) tellHooks() {
	for {
		c.mutex.Lock()
		if len(c.boots) == 0 || c.closed {
			c.telling = false
			c.announce()
			c.mutex.Unlock()
			return
		}
		next, hooks := c.boots[0], slices.Clone(c.hooks)
		c.boots = c.boots[1:]
		c.mutex.Unlock()
		for _, hook := range hooks {
			hook(next)
		}
	}
}
