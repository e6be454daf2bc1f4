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

package cloud_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
)

func TestImages(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	w := newWorld(t, cloud.ContractsOptions{Clock: clock})
	labels := func(version string) map[string]string { return map[string]string{"os": "ubuntu", "k8s": version} }
	older := w.AddImage(location, "ubuntu-v1.35.0", labels("v1.35.0"))
	w.AddImage("de/fra", "ubuntu-elsewhere", labels("v1.36.3"))
	w.AddImage(location, "no labels", nil)
	for name, test := range map[string]struct {
		labels map[string]string
		want   []string
	}{
		"both":        {map[string]string{"os": "ubuntu"}, []string{older, w.imageID}},
		"one":         {labels("v1.36.3"), []string{w.imageID}},
		"none":        {labels("v1.0.0"), nil},
		"no such key": {map[string]string{"arch": ""}, nil},
		"any":         {nil, []string{older, w.imageID}},
	} {
		var got []string
		for _, image := range must(w.session.Images(t.Context(), location, test.labels))(t) {
			got = append(got, image.ID)
			image.Labels["os"] = "changed by who asked"
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: images (-want +got):\n%s", name, diff)
		}
	}
	if calls := w.calls(); calls["GET /images"] != 1 || calls["GET /labels"] != 1 {
		t.Errorf("sent %v", calls)
	}
	w.AddImage(location, "ubuntu-new", labels("v1.36.3"))
	clock.Step(2 * time.Minute)
	if got := must(w.session.Images(t.Context(), location, labels("v1.36.3")))(t); len(got) != 2 {
		t.Errorf("the new image is not among %+v", got)
	}
}

func TestImage(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	want := cloud.Image{ID: w.imageID, Name: "ubuntu-v1.36.3", Location: location}
	got := must(w.session.Image(t.Context(), w.imageID))(t)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(cloud.Image{}, "Created")); diff != "" || got.Created.IsZero() {
		t.Errorf("image %v (-want +got):\n%s", got.Created, diff)
	}
	if _, err := w.session.Image(t.Context(), "7c8a2d3e-0000-4000-8000-000000000000"); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("no such image: %v", err)
	}
}
