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
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// How many items a page has unless the caller says otherwise, and at most.
const (
	pageLimit    = 1000
	smallLimit   = 100
	withoutLimit = 0
)

// maxDepth is the greatest depth.
const maxDepth = 5

// intQuery reads a number from the query; it is zero if there is none.
func (c *call) intQuery(name string) int {
	if number, err := strconv.Atoi(c.request.URL.Query().Get(name)); err == nil {
		return number
	}
	return 0
}

// depth is how far children are shown.
func (c *call) depth() int { return min(max(c.intQuery("depth"), 0), maxDepth) }

// list answers with a page of a list: filtered, sorted and cut as the query says. The limit is that of a page.
func (c *call) list(id string, items []resource, limit int) (*response, *apiError) {
	return c.page(id, c.order(c.filter(items)), limit)
}

// page answers with a page of items.
func (c *call) page(id string, items []resource, limit int) (*response, *apiError) {
	total := len(items)
	offset := max(c.intQuery("offset"), 0)
	wanted := max(c.intQuery("maxResults"), c.intQuery("limit"))
	switch {
	case wanted <= 0:
		wanted = limit
	case limit > 0 && !c.cloud.higherLimits:
		wanted = min(wanted, limit)
	}
	items = items[min(offset, total):]
	if wanted > 0 && len(items) > wanted {
		items = items[:wanted]
	}
	href := c.base() + strings.TrimRight(c.path(), "/")
	shown := collection(id, href, items, c.depth())
	shown["offset"], shown["limit"] = offset, wanted
	links := object{"self": c.pageURL(href, offset, wanted)}
	if offset > 0 {
		links["prev"] = c.pageURL(href, max(offset-wanted, 0), wanted)
	}
	if offset+len(items) < total {
		links["next"] = c.pageURL(href, offset+wanted, wanted)
	}
	shown["_links"] = links
	return ok(shown)
}

// pageURL is the URL of another page of the same list.
func (c *call) pageURL(href string, offset, limit int) string {
	query := url.Values{}
	for name, values := range c.request.URL.Query() {
		query[name] = values
	}
	query.Set("offset", strconv.Itoa(offset))
	query.Set("limit", strconv.Itoa(limit))
	return href + "?" + query.Encode()
}

// filter keeps the items whose properties contain what the filters of the query say.
func (c *call) filter(items []resource) []resource {
	for name, values := range c.request.URL.Query() {
		property, isFilter := strings.CutPrefix(name, "filter.")
		if !isFilter {
			continue
		}
		items = slices.DeleteFunc(slices.Clone(items), func(item resource) bool {
			return !slices.ContainsFunc(values, func(value string) bool {
				return strings.Contains(strings.ToLower(item.propertyText(property)), strings.ToLower(value))
			})
		})
	}
	return items
}

// order sorts the items by the property that the query names.
func (c *call) order(items []resource) []resource {
	property := c.request.URL.Query().Get("orderBy")
	if property == "" {
		return items
	}
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b resource) int { return cmp.Compare(a.propertyText(property), b.propertyText(property)) })
	return items
}

// propertyText is a property, or a date or state of the metadata, as text.
func (r resource) propertyText(name string) string {
	if value, exists := r.properties[name]; exists {
		if value == nil {
			return ""
		}
		return fmt.Sprint(value)
	}
	if r.meta != nil {
		if value, exists := r.meta.show()[name]; exists {
			return fmt.Sprint(value)
		}
	}
	return ""
}
