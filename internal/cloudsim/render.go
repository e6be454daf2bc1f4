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
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
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
	children  map[string]func() []resource
	childHref string
}

// reference shows that a resource exists, and where.
func (r resource) reference() object { return object{"id": r.id, "type": r.kind, "href": r.href} }

// show shows a resource: at depth 0 its own properties, then with each step of depth the children's references, their
// properties, and so on.
func (r resource) show(depth int) object {
	shown := r.reference()
	shown["properties"] = r.properties
	if r.meta != nil {
		stamp := r.meta.created.UTC().Format(time.RFC3339)
		shown["metadata"] = object{
			"createdDate": stamp, "lastModifiedDate": stamp, "state": r.meta.state(), "createdBy": "simulator", "etag": r.id,
		}
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

// list answers with a page of a list.
func (c *call) list(id string, items []resource, defaultLimit int) (*response, *apiError) {
	items = c.filter(items)
	offset, limit := max(c.intQuery("offset", 0), 0), c.intQuery("limit", defaultLimit)
	total := len(items)
	items = items[min(offset, total):]
	if limit > 0 && len(items) > limit {
		items = items[:limit]
	}
	href := c.base() + trimURL(c.url())
	shown := collection(id, href, items, c.depth())
	shown["offset"], shown["limit"] = offset, limit
	links := object{"self": href}
	if offset > 0 {
		links["prev"] = href + "?offset=" + strconv.Itoa(max(offset-limit, 0))
	}
	if offset+len(items) < total {
		links["next"] = href + "?offset=" + strconv.Itoa(offset+limit)
	}
	shown["_links"] = links
	return ok(shown)
}

// filter keeps the items whose properties match the filters of the query.
func (c *call) filter(items []resource) []resource {
	for name, values := range c.request.URL.Query() {
		property, isFilter := strings.CutPrefix(name, "filter.")
		if !isFilter {
			continue
		}
		items = slices.DeleteFunc(slices.Clone(items), func(item resource) bool {
			return !slices.ContainsFunc(values, func(value string) bool {
				text, isText := item.properties[property].(string)
				return isText && strings.Contains(text, value)
			})
		})
	}
	return items
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
