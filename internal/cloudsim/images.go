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
	"strings"
)

func (c *call) imageResource(i *image) resource {
	return resource{
		meta: &i.meta, id: i.id, kind: "image", href: c.base() + "/images/" + i.id,
		properties: object{"name": i.name, "location": i.location, "size": 10, "licenceType": "LINUX", "imageType": "HDD", "public": false, "cloudInit": "V1", "imageAliases": []string{}},
	}
}

func (c *Cloud) sortedImages() []*image {
	all := slices.Collect(maps.Values(c.images))
	slices.SortFunc(all, func(a, b *image) int { return compareText(a.id, b.id) })
	return all
}

func listImages(c *call) (*response, *apiError) {
	var items []resource
	for _, i := range c.cloud.sortedImages() {
		items = append(items, c.imageResource(i))
	}
	return c.list("images", items, 1000000)
}

func getImage(c *call) (*response, *apiError) {
	found := c.cloud.images[c.request.PathValue("image")]
	if found == nil {
		return nil, notFound()
	}
	return ok(c.imageResource(found).show(c.depth()))
}

// listLabels lists the labels of everything that can have some.
func listLabels(c *call) (*response, *apiError) {
	var items []resource
	add := func(kind, id, href string, labels map[string]string) {
		for _, key := range slices.Sorted(maps.Keys(labels)) {
			items = append(items, resource{
				id: "urn:label:" + kind + ":" + id + ":" + key, kind: "label", href: c.base() + "/labels/urn:label:" + kind + ":" + id + ":" + key,
				properties: object{"key": key, "value": labels[key], "resourceId": id, "resourceType": kind, "resourceHref": href},
			})
		}
	}
	for _, i := range c.cloud.sortedImages() {
		add("image", i.id, c.imageResource(i).href, i.labels)
	}
	for _, b := range c.cloud.sortedIPBlocks() {
		add("ipblock", b.id, c.ipBlockResource(b).href, b.labels)
	}
	for _, dc := range c.cloud.sortedDatacenters() {
		add("datacenter", dc.id, c.datacenterResource(dc).href, dc.labels)
		for _, s := range dc.sortedServers() {
			add("server", s.id, c.serverResource(s).href, s.labels)
		}
		for _, v := range dc.sortedVolumes() {
			add("volume", v.id, c.volumeResource(dc, v).href, v.labels)
		}
	}
	return c.list("labels", items, 1000000)
}

func labelResource(href, key, value string) resource {
	return resource{id: key, kind: "label", href: href + "/" + key, properties: object{"key": key, "value": value}}
}

// labelsOf lists the labels of a resource.
func labelsOf[T any](labels func(*call, T) *map[string]string) func(*call, T) (*response, *apiError) {
	return func(c *call, of T) (*response, *apiError) {
		href := c.base() + trimURL(c.url())
		var items []resource
		for _, key := range slices.Sorted(maps.Keys(*labels(c, of))) {
			items = append(items, labelResource(href, key, (*labels(c, of))[key]))
		}
		return c.list(strings.TrimPrefix(trimURL(c.url()), "/"), items, 1000)
	}
}

// addLabel labels a resource. Labels are not queued.
func addLabel[T any](labels func(*call, T) *map[string]string) func(*call, T) (*response, *apiError) {
	return func(c *call, of T) (*response, *apiError) {
		var body struct {
			Properties struct {
				Key   string `json:"key"`
				Value string `json:"value"`
			} `json:"properties"`
		}
		if failure := c.decode(&body); failure != nil {
			return nil, failure
		}
		if body.Properties.Key == "" {
			return nil, invalid(codeConstraint, "key", "key is required")
		}
		(*labels(c, of))[body.Properties.Key] = body.Properties.Value
		return &response{status: 201, body: labelResource(c.base()+trimURL(c.url()), body.Properties.Key, body.Properties.Value).show(0)}, nil
	}
}
