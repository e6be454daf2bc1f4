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

package cloud

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
)

// labelledImage is the resource type that image labels have.
const labelledImage = "image"

// Image returns an image without its labels, or ErrNotFound.
func (s *Session) Image(ctx context.Context, id string) (Image, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	operation := "get image " + id
	found, response, err := s.client.ImagesApi.ImagesFindById(ctx, id).Depth(0).Execute()
	if err := s.failure(operation, response, err); err != nil {
		return Image{}, err
	}
	if found.Properties == nil || deref(found.Id) == "" {
		return Image{}, unreadable(operation, errors.New("an image without ID or properties"))
	}
	return imageFrom(found), nil
}

// Images returns the images of a location that have labels, all the given ones among them, sorted by name and ID.
func (s *Session) Images(ctx context.Context, location string, matchLabels map[string]string) ([]Image, error) {
	all, err := s.images.get(ctx, location)
	if err != nil {
		return nil, err
	}
	var found []Image
	for _, image := range all {
		if matches(image.Labels, matchLabels) {
			image.Labels = maps.Clone(image.Labels)
			found = append(found, image)
		}
	}
	return found, nil
}

func matches(labels, wanted map[string]string) bool {
	for key, value := range wanted {
		if got, has := labels[key]; !has || got != value {
			return false
		}
	}
	return true
}

// readImages reads the images of a location that have a label.
func (s *Session) readImages(ctx context.Context, location string) ([]Image, error) {
	labels, err := s.imageLabels(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.call(ctx)
	defer cancel()
	list, response, err := s.client.ImagesApi.ImagesGet(ctx).Depth(itemDepth).Execute()
	operation := "list images"
	if err := s.failure(operation, response, err); err != nil {
		return nil, err
	}
	if list.Items == nil {
		return nil, unreadable(operation, errNoItems)
	}
	var images []Image
	for _, item := range *list.Items {
		image := imageFrom(item)
		if image.Labels = labels[image.ID]; image.Location == location && image.Labels != nil {
			images = append(images, image)
		}
	}
	slices.SortFunc(images, func(a, b Image) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return images, nil
}

// imageFrom makes a value of an image, without labels.
func imageFrom(in ionoscloud.Image) Image {
	out := Image{ID: deref(in.Id)}
	if in.Properties != nil {
		out.Name, out.Location = deref(in.Properties.Name), deref(in.Properties.Location)
	}
	if in.Metadata != nil && in.Metadata.CreatedDate != nil {
		out.Created = in.Metadata.CreatedDate.Time
	}
	return out
}

// imageLabels reads the labels of all images, by image ID.
func (s *Session) imageLabels(ctx context.Context) (map[string]map[string]string, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	list, response, err := s.client.LabelsApi.LabelsGet(ctx).Depth(itemDepth).Execute()
	operation := "list labels"
	if err := s.failure(operation, response, err); err != nil {
		return nil, err
	}
	if list.Items == nil {
		return nil, unreadable(operation, errNoItems)
	}
	labels := map[string]map[string]string{}
	for _, item := range *list.Items {
		properties := item.Properties
		if properties == nil || deref(properties.ResourceType) != labelledImage {
			continue
		}
		id := deref(properties.ResourceId)
		if labels[id] == nil {
			labels[id] = map[string]string{}
		}
		labels[id][deref(properties.Key)] = deref(properties.Value)
	}
	return labels, nil
}
