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
	"net/http"
	"slices"
	"strings"
)

// labelled is something that can have labels: data centers, servers, volumes, images, IP blocks and snapshots. LANs and
// NICs cannot.
type labelled struct {
	kind, id, href string
	labels         map[string]string
}

// everythingLabelled is all that can have labels.
func (c *call) everythingLabelled() []labelled {
	var all []labelled
	add := func(r resource) { all = append(all, labelled{r.kind, r.id, r.href, r.meta.labels}) }
	for _, dc := range c.cloud.sortedDatacenters() {
		add(c.datacenterResource(dc))
		for _, s := range dc.sortedServers() {
			add(c.serverResource(s))
		}
		for _, v := range dc.sortedVolumes() {
			add(c.volumeResource(dc, v))
		}
	}
	for _, i := range c.cloud.sortedImages() {
		add(c.imageResource(i))
	}
	for _, b := range c.cloud.sortedIPBlocks() {
		add(c.ipBlockResource(b))
	}
	for _, s := range c.cloud.sortedSnapshots() {
		add(c.snapshotResource(s))
	}
	return all
}

// labelOf shows a label in the list of all labels.
func (c *call) labelOf(of labelled, key string) resource {
	urn := "urn:label:" + of.kind + ":" + of.id + ":" + key
	return resource{
		id: urn, kind: "label", href: c.base() + "/labels/" + urn,
		properties: object{"key": key, "value": of.labels[key], "resourceId": of.id, "resourceType": of.kind, "resourceHref": of.href},
	}
}

func listLabels(c *call) (*response, *apiError) {
	var items []resource
	for _, of := range c.everythingLabelled() {
		for _, key := range slices.Sorted(maps.Keys(of.labels)) {
			items = append(items, c.labelOf(of, key))
		}
	}
	return c.list("labels", items, withoutLimit)
}

func getLabel(c *call) (*response, *apiError) {
	for _, of := range c.everythingLabelled() {
		for key := range of.labels {
			if label := c.labelOf(of, key); label.id == c.request.PathValue("urn") {
				return c.show(label)
			}
		}
	}
	return nil, notFound()
}

// withMeta finds what a call is about, of whatever kind.
type withMeta func(handle func(*call, *meta) (*response, *apiError)) handler

// labelRoutes are the paths for the labels of a kind of resource.
func labelRoutes(path string, find withMeta) map[string]handler {
	return map[string]handler{
		"GET " + path + "/labels":          find(listOwnLabels),
		"POST " + path + "/labels":         find(addLabel),
		"GET " + path + "/labels/{key}":    find(getOwnLabel),
		"PUT " + path + "/labels/{key}":    find(changeLabel),
		"DELETE " + path + "/labels/{key}": find(deleteLabel),
	}
}

// ownLabel shows a label of a resource.
func (c *call) ownLabel(m *meta, key string) resource {
	path, _, _ := strings.Cut(c.path(), "/labels")
	return resource{id: key, kind: "label", href: c.base() + path + "/labels/" + key, properties: object{"key": key, "value": m.labels[key]}}
}

func listOwnLabels(c *call, m *meta) (*response, *apiError) {
	items := make([]resource, 0, len(m.labels))
	for _, key := range slices.Sorted(maps.Keys(m.labels)) {
		items = append(items, c.ownLabel(m, key))
	}
	return c.list(strings.TrimPrefix(c.path(), "/"), items, pageLimit)
}

func getOwnLabel(c *call, m *meta) (*response, *apiError) {
	key := c.request.PathValue("key")
	if _, exists := m.labels[key]; !exists {
		return nil, notFound()
	}
	return c.show(c.ownLabel(m, key))
}

type labelBody struct {
	Properties struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	} `json:"properties"`
}

// addLabel labels a resource. Labels are not queued.
func addLabel(c *call, m *meta) (*response, *apiError) {
	var body labelBody
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	key := body.Properties.Key
	if key == "" {
		return nil, invalid(codeConstraint, "key", "key is required")
	}
	if _, exists := m.labels[key]; exists {
		return nil, invalid(codeConstraint, "key", "there is a label %q already", key)
	}
	m.labels[key] = body.Properties.Value
	c.cloud.record(c.request.Method, c.url(), string(c.body))
	return &response{status: http.StatusCreated, body: c.ownLabel(m, key).show(0)}, nil
}

func changeLabel(c *call, m *meta) (*response, *apiError) {
	var body labelBody
	if failure := c.decode(&body); failure != nil {
		return nil, failure
	}
	key := c.request.PathValue("key")
	if _, exists := m.labels[key]; !exists {
		return nil, notFound()
	}
	m.labels[key] = body.Properties.Value
	c.cloud.record(c.request.Method, c.url(), string(c.body))
	return ok(c.ownLabel(m, key).show(0))
}

func deleteLabel(c *call, m *meta) (*response, *apiError) {
	key := c.request.PathValue("key")
	if _, exists := m.labels[key]; !exists {
		return nil, notFound()
	}
	delete(m.labels, key)
	c.cloud.record(c.request.Method, c.url(), "")
	return &response{status: http.StatusOK}, nil
}
