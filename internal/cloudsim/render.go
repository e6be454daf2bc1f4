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
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"maps"
	"net/netip"
	"slices"
	"time"
)

// Whose the contract is.
const (
	userName = "simulator@example.org"
	userID   = "5c1a0000-0000-4000-8000-000000000001"
)

// object is JSON.
type object = map[string]any

// resource is how a resource is shown.
type resource struct {
	meta       *meta
	id         string
	kind       string
	href       string
	properties object
	// children are the collections inside, by name.
	children map[string]func() []resource
}

// reference shows that a resource exists, and where.
func (r resource) reference() object { return object{"id": r.id, "type": r.kind, "href": r.href} }

// show shows a resource: at depth 0 its own properties, then with each step of depth the children's references, their
// properties, and so on.
func (r resource) show(depth int) object {
	shown := r.reference()
	shown["properties"] = r.properties
	if r.meta != nil {
		shown["metadata"] = r.meta.show()
	}
	if depth < 1 || len(r.children) == 0 {
		return shown
	}
	entities := object{}
	for _, name := range slices.Sorted(maps.Keys(r.children)) {
		entities[name] = collection(r.id+"/"+name, r.href+"/"+name, r.children[name](), depth-1)
	}
	shown["entities"] = entities
	return shown
}

// show shows what all resources have.
func (m *meta) show() object {
	return object{
		"etag": m.etag(), "createdDate": dateText(m.created), "createdBy": userName, "createdByUserId": userID, "lastModifiedDate": dateText(m.modified),
		"lastModifiedBy": userName, "lastModifiedByUserId": userID, "state": m.state(),
	}
}

// etag changes with each change of a resource.
func (m *meta) etag() string {
	hash := fnv.New128a()
	_, _ = fmt.Fprintf(hash, "%s %d %d", m.id, m.changes, m.pending) // A hash takes everything.
	return hex.EncodeToString(hash.Sum(nil))
}

// dateText is how the API writes a time: in UTC, with a Z.
func dateText(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// collection shows all of a list. At depth 0 the items are references.
func collection(id, href string, items []resource, depth int) object {
	shown := make([]object, 0, len(items))
	for _, item := range items {
		if depth == 0 {
			shown = append(shown, item.reference())
			continue
		}
		shown = append(shown, item.show(depth-1))
	}
	return object{"id": id, "type": "collection", "href": href, "items": shown}
}

func addressTexts(addresses []netip.Addr) []string {
	texts := make([]string, 0, len(addresses))
	for _, address := range addresses {
		texts = append(texts, address.String())
	}
	return texts
}

// prefixOrNil is how a block is shown: null while there is none.
func prefixOrNil(prefix netip.Prefix) any {
	if !prefix.IsValid() {
		return nil
	}
	return prefix.String()
}

func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
