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
	"errors"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
)

// pageSize is the number of items that a list is asked for at a time.
const pageSize = 1000

// page is a part of a list, as the SDK shows it.
type page[T any] struct {
	items *[]T
	limit *float32
	links *ionoscloud.PaginationLinks
}

// isLast tells whether nothing comes after the page. Not every list has links, and a list may give less at a time than
// it was asked for.
func (p page[T]) isLast() bool {
	if len(*p.items) == 0 {
		return true
	}
	if p.links != nil && deref(p.links.Next) != "" {
		return false
	}
	limit := pageSize
	if given := int(deref(p.limit)); given > 0 {
		limit = min(limit, given)
	}
	return len(*p.items) < limit
}

// pages reads a list to its end. An item that moves to the next page meanwhile is in the result twice.
func pages[T any](s *Session, operation string, read func(offset int32) (page[T], *ionoscloud.APIResponse, error)) ([]T, error) {
	var all []T
	for {
		next, response, err := read(int32(len(all)))
		if err := s.failure(operation, response, err); err != nil {
			return nil, err
		}
		if next.items == nil {
			return nil, unreadable(operation, errNoItems)
		}
		all = append(all, *next.items...)
		if next.isLast() {
			return all, nil
		}
	}
}

// errNoItems is the error of a list that does not even say that it is empty. An answer without body reads like that, and
// must not count as a list of nothing: what is missing is made again, and what used it is released.
var errNoItems = errors.New("a list without items")
