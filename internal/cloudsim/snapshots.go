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
	"maps"
	"slices"

	"github.com/google/uuid"
)

// AddSnapshot adds a snapshot of a volume, and returns its ID.
func (c *Cloud) AddSnapshot(location, name string, sizeGB float64) string {
	c.enter()
	defer c.leave()
	s := &snapshot{meta: c.newMeta(uuid.NewString()), name: name, location: location, size: sizeGB}
	c.snapshots[s.id] = s
	return s.id
}

func (c *call) snapshotResource(s *snapshot) resource {
	return resource{
		meta: &s.meta, id: s.id, kind: "snapshot", href: c.base() + "/snapshots/" + s.id,
		properties: object{"name": s.name, "location": s.location, "size": s.size, "licenceType": "LINUX"},
	}
}

func (c *Cloud) sortedSnapshots() []*snapshot {
	all := slices.Collect(maps.Values(c.snapshots))
	slices.SortFunc(all, func(a, b *snapshot) int { return compareText(a.id, b.id) })
	return all
}

func listSnapshots(c *call) (*response, *apiError) {
	snapshots := c.cloud.sortedSnapshots()
	items := make([]resource, 0, len(snapshots))
	for _, s := range snapshots {
		items = append(items, c.snapshotResource(s))
	}
	return c.list("snapshots", items, pageLimit)
}

// withSnapshot finds the snapshot of a call.
func withSnapshot(handle func(*call, *snapshot) (*response, *apiError)) handler {
	return func(c *call) (*response, *apiError) {
		found := c.cloud.snapshots[c.request.PathValue("snapshot")]
		if found == nil {
			return nil, notFound()
		}
		return handle(c, found)
	}
}

func getSnapshot(c *call, s *snapshot) (*response, *apiError) { return c.show(c.snapshotResource(s)) }
