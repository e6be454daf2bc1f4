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

package v1alpha1_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/ptr"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
)

// checkReadsBack compares the spec and status that a v1alpha1 client wrote with what it reads afterwards: exactly the same, whatever
// it edited. hub is the v1alpha2 object that the client changed.
func checkReadsBack(tb testing.TB, m mutation, hub, wrote, reads object) {
	tb.Helper()
	wrote, reads = readsByDesign(m, hub, wrote, reads)
	for _, name := range []string{"Spec", "Status"} {
		want := reflect.ValueOf(wrote).Elem().FieldByName(name)
		if !want.IsValid() {
			continue
		}
		got := reflect.ValueOf(reads).Elem().FieldByName(name)
		if !reflect.DeepEqual(want.Interface(), got.Interface()) {
			tb.Errorf("%s %s: a v1alpha1 client reads something else than it wrote (-wrote +reads):\n%s\nwrote: %s\nreads: %s",
				m.what, m.path, cmp.Diff(want.Interface(), got.Interface()), encode(tb, wrote), encode(tb, reads))
		}
	}
}

// readsByDesign makes equal what reads differently on purpose, and nothing else.
func readsByDesign(m mutation, hub, wrote, reads object) (object, object) {
	attachments, recorded := networksOf(hub)
	wrote, _ = wrote.DeepCopyObject().(object)
	reads, _ = reads.DeepCopyObject().(object)
	wroteSpec, readsSpec := machineSpecOf(wrote), machineSpecOf(reads)
	if wroteSpec == nil {
		return wrote, reads
	}
	// The next failover address shows in the place of the one that was taken away.
	if wroteSpec.FailoverIP == nil && len(attachments) > 0 && len(attachments[0].FailoverIPs) > 1 {
		wroteSpec.FailoverIP = ptr.To(attachments[0].FailoverIPs[1])
	}
	// The spec shows the LAN of a cluster network as the status knows it, and the status was edited.
	isOnClusterNetwork := func(attachment infrav1.Attachment) bool { return attachment.NetworkID == 0 }
	if strings.HasPrefix(m.path, "status") && slices.ContainsFunc(attachments, isOnClusterNetwork) {
		readsSpec.NetworkID, readsSpec.AdditionalNetworks = wroteSpec.NetworkID, wroteSpec.AdditionalNetworks
	}
	// All numbers that no LAN has are one in v1alpha2, infrav1.InvalidNetworkID. An object with another one, which no API server stores,
	// does not notice that one is put in the place of the other.
	if slices.ContainsFunc(attachments, func(attachment infrav1.Attachment) bool { return attachment.NetworkID < infrav1.InvalidNetworkID }) ||
		slices.ContainsFunc(recorded, func(entry infrav1.AttachmentStatus) bool { return entry.NetworkID < infrav1.InvalidNetworkID }) {
		readsSpec.NetworkID = wroteSpec.NetworkID
		for i := range min(len(wroteSpec.AdditionalNetworks), len(readsSpec.AdditionalNetworks)) {
			if wroteSpec.AdditionalNetworks[i].NetworkID < 1 {
				readsSpec.AdditionalNetworks[i].NetworkID = wroteSpec.AdditionalNetworks[i].NetworkID
			}
		}
	}
	return wrote, reads
}

// networksOf are the attachments that a v1alpha2 object says and knows.
func networksOf(hub object) ([]infrav1.Attachment, []infrav1.AttachmentStatus) {
	switch hub := hub.(type) {
	case *infrav1.IonosCloudMachine:
		return hub.Spec.Networks, hub.Status.Networks
	case *infrav1.IonosCloudMachineTemplate:
		return hub.Spec.Template.Spec.Networks, nil
	default:
		return nil, nil
	}
}

// machineSpecOf is the machine spec in a v1alpha1 object, nil if it has none.
func machineSpecOf(spoke object) *infrav1alpha1.IonosCloudMachineSpec {
	switch spoke := spoke.(type) {
	case *infrav1alpha1.IonosCloudMachine:
		return &spoke.Spec
	case *infrav1alpha1.IonosCloudMachineTemplate:
		return &spoke.Spec.Template.Spec
	default:
		return nil
	}
}

// checkSaysWhatTheHubSays compares what v1alpha1 shows of a v1alpha2 object with what it would show of it without any memory. The words
// may differ, such as 007 and 7, but not what they mean.
func checkSaysWhatTheHubSays(tb testing.TB, c converter, k kind, hub object) {
	tb.Helper()
	meaning := func(in object) map[string]string { return leaves(c.up(tb, k, forgetful(in))) }
	plain := c.down(tb, k, forgetful(hub))
	if diff := cmp.Diff(meaning(plain), meaning(c.down(tb, k, hub))); diff != "" {
		tb.Errorf("v1alpha1 says something else than the v1alpha2 object (-wanted +shown):\n%s\nv1alpha2: %s", diff, encode(tb, hub))
	}
}
