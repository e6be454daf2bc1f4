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
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// onlyInV1alpha2 marks a field that v1alpha1 does not show.
const onlyInV1alpha2 = "-"

// mapping says, for every field of the v1alpha2 kinds, which fields of v1alpha1 show it. It is checked against the types, so that a
// field that is added and not thought of here fails a test, and against what the conversion does.
func mapping() map[string]map[string][]string {
	machineSpec := map[string][]string{
		"providerID":                            {"providerID"},
		"datacenterID":                          {"datacenterID"},
		"numCores":                              {"numCores"},
		"availabilityZone":                      {"availabilityZone"},
		"memoryMB":                              {"memoryMB"},
		"cpuFamily":                             {"cpuFamily"},
		"disk.name":                             {"disk.name"},
		"disk.diskType":                         {"disk.diskType"},
		"disk.sizeGB":                           {"disk.sizeGB"},
		"disk.availabilityZone":                 {"disk.availabilityZone"},
		"disk.image.id":                         {"disk.image.id"},
		"disk.image.selector.matchLabels{}":     {"disk.image.selector.matchLabels{}"},
		"disk.image.selector.resolutionPolicy":  {"disk.image.selector.resolutionPolicy"},
		"disk.image.selector.useMachineVersion": {"disk.image.selector.useMachineVersion"},
		"networks[].name":                       {onlyInV1alpha2},
		"networks[].clusterNetwork":             {onlyInV1alpha2}, // Its LAN shows as a networkID, from the status.
		"networks[].networkID":                  {"networkID", "additionalNetworks[].networkID"},
		"networks[].dhcp":                       {"additionalNetworks[].dhcp"},
		"networks[].dhcpv6":                     {onlyInV1alpha2},
		"networks[].ipv4PoolRef.apiGroup":       {"ipv4PoolRef.apiGroup", "additionalNetworks[].ipv4PoolRef.apiGroup"},
		"networks[].ipv4PoolRef.kind":           {"ipv4PoolRef.kind", "additionalNetworks[].ipv4PoolRef.kind"},
		"networks[].ipv4PoolRef.name":           {"ipv4PoolRef.name", "additionalNetworks[].ipv4PoolRef.name"},
		"networks[].ipv6PoolRef.apiGroup":       {"ipv6PoolRef.apiGroup", "additionalNetworks[].ipv6PoolRef.apiGroup"},
		"networks[].ipv6PoolRef.kind":           {"ipv6PoolRef.kind", "additionalNetworks[].ipv6PoolRef.kind"},
		"networks[].ipv6PoolRef.name":           {"ipv6PoolRef.name", "additionalNetworks[].ipv6PoolRef.name"},
		"networks[].failoverIPs[]":              {"failoverIP"},
		"networks[].routes[].destination":       {onlyInV1alpha2},
		"networks[].routes[].gateway":           {onlyInV1alpha2},
		"networks[].vnet":                       {"additionalNetworks[].vnet"},
		"type":                                  {"type"},
	}
	machineStatus := map[string][]string{
		"initialization.provisioned": {"ready"},
		"networks[].name":            {"machineNetworkInfo.nicInfo[].primary"},
		"networks[].networkID":       {"machineNetworkInfo.nicInfo[].networkID"},
		"networks[].nicID":           {onlyInV1alpha2},
		"networks[].macAddress":      {onlyInV1alpha2},
		"networks[].ipv4Addresses[]": {"machineNetworkInfo.nicInfo[].ipv4Addresses[]"},
		"networks[].ipv6Addresses[]": {"machineNetworkInfo.nicInfo[].ipv6Addresses[]"},
		"networks[].ipv4ClaimName":   {onlyInV1alpha2},
		"networks[].ipv6ClaimName":   {onlyInV1alpha2},
		"addresses[].type":           {onlyInV1alpha2},
		"addresses[].address":        {onlyInV1alpha2},
		"location":                   {"location"},
		"failureDomain":              {onlyInV1alpha2},
		"currentRequest.method":      {"currentRequest.method"},
		"currentRequest.requestPath": {"currentRequest.requestPath"},
		"currentRequest.state":       {"currentRequest.state"},
	}
	clusterSpec := map[string][]string{
		"controlPlaneEndpoint.host":                                     {"controlPlaneEndpoint.host"},
		"controlPlaneEndpoint.port":                                     {"controlPlaneEndpoint.port"},
		"controlPlaneEndpointSource.type":                               {onlyInV1alpha2},
		"controlPlaneEndpointSource.port":                               {onlyInV1alpha2},
		"controlPlaneEndpointSource.networkLoadBalancer.clusterNetwork": {onlyInV1alpha2},
		"location":                                            {"location"},
		"credentialsRef.name":                                 {"credentialsRef.name"},
		"loadBalancerProviderRef.name":                        {"loadBalancerProviderRef.name"},
		"networks[].name":                                     {onlyInV1alpha2},
		"networks[].type":                                     {onlyInV1alpha2},
		"networks[].ipv4Subnet":                               {onlyInV1alpha2},
		"networks[].ipv6CIDRBlock":                            {onlyInV1alpha2},
		"networks[].crossConnectID":                           {onlyInV1alpha2},
		"networks[].natGateway.publicIPs[]":                   {onlyInV1alpha2},
		"networks[].natGateway.gatewayIP":                     {onlyInV1alpha2},
		"networks[].natGateway.rules[].name":                  {onlyInV1alpha2},
		"networks[].natGateway.rules[].protocol":              {onlyInV1alpha2},
		"networks[].natGateway.rules[].sourceSubnet":          {onlyInV1alpha2},
		"networks[].natGateway.rules[].publicIP":              {onlyInV1alpha2},
		"networks[].natGateway.rules[].targetSubnet":          {onlyInV1alpha2},
		"networks[].natGateway.rules[].targetPortRange.start": {onlyInV1alpha2},
		"networks[].natGateway.rules[].targetPortRange.end":   {onlyInV1alpha2},
		"networks[].routes[].destination":                     {onlyInV1alpha2},
		"networks[].routes[].gateway":                         {onlyInV1alpha2},
	}
	for _, pool := range []string{
		"controlPlaneEndpointSource.poolRef", "controlPlaneEndpointSource.networkLoadBalancer.poolRef",
		"networks[].ipv4PoolRef", "networks[].ipv6PoolRef", "networks[].natGateway.publicIPPoolRef",
	} {
		for _, field := range []string{".name", ".kind", ".apiGroup"} {
			clusterSpec[pool+field] = []string{onlyInV1alpha2}
		}
	}
	clusterStatus := map[string][]string{
		"initialization.provisioned":            {"ready"},
		"networks[].name":                       {onlyInV1alpha2},
		"networks[].datacenterID":               {onlyInV1alpha2},
		"networks[].networkID":                  {onlyInV1alpha2},
		"networks[].ipv6CIDRBlock":              {onlyInV1alpha2},
		"networks[].natGateway.id":              {onlyInV1alpha2},
		"networks[].natGateway.publicIPs[]":     {onlyInV1alpha2},
		"networks[].natGateway.gatewayIPs[]":    {onlyInV1alpha2},
		"controlPlaneEndpointIPBlockID":         {"controlPlaneEndpointIPBlockID"},
		"currentClusterRequest.method":          {"currentClusterRequest.method"},
		"currentClusterRequest.requestPath":     {"currentClusterRequest.requestPath"},
		"currentClusterRequest.state":           {"currentClusterRequest.state"},
		"currentRequests[].datacenterID":        {"currentRequest{}"}, // The key of the map.
		"currentRequests[].request.method":      {"currentRequest{}.method"},
		"currentRequests[].request.requestPath": {"currentRequest{}.requestPath"},
		"currentRequests[].request.state":       {"currentRequest{}.state"},
	}
	for _, status := range []map[string][]string{machineStatus, clusterStatus} {
		for _, field := range []string{"type", "status", "observedGeneration", "lastTransitionTime", "reason", "message"} {
			status["conditions[]."+field] = []string{onlyInV1alpha2}
		}
		for _, field := range []string{"type", "status", "severity", "lastTransitionTime", "reason", "message"} {
			status["deprecated.v1beta1.conditions[]."+field] = []string{"conditions[]." + field}
		}
	}
	template := map[string][]string{
		"spec.template.metadata.labels{}":      {"spec.template.metadata.labels{}"},
		"spec.template.metadata.annotations{}": {"spec.template.metadata.annotations{}"},
	}
	return map[string]map[string][]string{
		"IonosCloudMachine": merged(under("spec.", machineSpec), under("status.", machineStatus)),
		"IonosCloudMachineTemplate": merged(under("spec.template.spec.", machineSpec), template, map[string][]string{
			"status.capacity{}":               {onlyInV1alpha2},
			"status.nodeInfo.architecture":    {onlyInV1alpha2},
			"status.nodeInfo.operatingSystem": {onlyInV1alpha2},
		}),
		"IonosCloudCluster": merged(under("spec.", clusterSpec), under("status.", clusterStatus)),
		"IonosCloudClusterTemplate": merged(under("spec.template.spec.", clusterSpec), map[string][]string{
			"spec.template.metadata.labels{}":      {onlyInV1alpha2},
			"spec.template.metadata.annotations{}": {onlyInV1alpha2},
		}),
	}
}

func merged(all ...map[string][]string) map[string][]string {
	result := map[string][]string{}
	for _, fields := range all {
		maps.Copy(result, fields)
	}
	return result
}

// under puts fields below a path, in both versions.
func under(path string, fields map[string][]string) map[string][]string {
	result := map[string][]string{}
	for hub, spokes := range fields {
		for _, spoke := range spokes {
			if spoke != onlyInV1alpha2 {
				spoke = path + spoke
			}
			result[path+hub] = append(result[path+hub], spoke)
		}
	}
	return result
}

// fieldsOf are the paths of all values that a type can hold.
func fieldsOf(t reflect.Type, path string) []string {
	if t == reflect.TypeFor[metav1.Time]() || t == reflect.TypeFor[resource.Quantity]() {
		return []string{path}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return fieldsOf(t.Elem(), path)
	case reflect.Slice:
		return fieldsOf(t.Elem(), path+"[]")
	case reflect.Map:
		return append([]string{path + "{}"}, fieldsOf(t.Elem(), path+"{}")...)
	case reflect.Struct:
		var all []string
		for i := range t.NumField() {
			if field := t.Field(i); field.Type != reflect.TypeFor[metav1.TypeMeta]() && field.Type != reflect.TypeFor[metav1.ObjectMeta]() {
				all = append(all, fieldsOf(field.Type, fieldPath(path, field))...)
			}
		}
		return all
	default:
		return []string{path}
	}
}

func sortedSet(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}

// TestEveryFieldIsMapped fails on a field of either version that the mapping does not name.
func TestEveryFieldIsMapped(t *testing.T) {
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			fields := mapping()[k.name]
			if diff := cmp.Diff(slices.Sorted(maps.Keys(fields)), sortedSet(fieldsOf(reflect.TypeOf(k.hub()).Elem(), ""))); diff != "" {
				t.Errorf("fields of v1alpha2 (-mapped +in the type):\n%s", diff)
			}
			var shown []string
			for _, spokes := range fields {
				shown = append(shown, spokes...)
			}
			shown = slices.DeleteFunc(sortedSet(shown), func(field string) bool { return field == onlyInV1alpha2 })
			if diff := cmp.Diff(shown, sortedSet(fieldsOf(reflect.TypeOf(k.spoke()).Elem(), ""))); diff != "" {
				t.Errorf("fields of v1alpha1 (-mapped +in the type):\n%s", diff)
			}
		})
	}
}

// TestMappingIsTrue changes each field of v1alpha2 and looks whether v1alpha1 shows something else, as the mapping says.
func TestMappingIsTrue(t *testing.T) {
	c := newConverter(t)
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			fields := mapping()[k.name]
			before := fullHub(t, k)
			shownBefore := leaves(forgetful(c.down(t, k, before)))
			changes := map[string]bool{}
			for i, m := range mutations(before) {
				// The name of a machine's attachment joins it to its status, where v1alpha1 sees the LAN and which NIC is the primary one.
				if m.what != "change" || k.name == "IonosCloudMachine" && typePath(m.path) == "spec.networks[].name" {
					continue
				}
				after := fullHub(t, k)
				mutations(after)[i].apply()
				shownAfter := leaves(forgetful(c.down(t, k, after)))
				changes[typePath(m.path)] = changes[typePath(m.path)] || !maps.Equal(shownBefore, shownAfter)
			}
			for path, shows := range changes {
				if wanted := !slices.Contains(fields[path], onlyInV1alpha2); shows != wanted {
					t.Errorf("%s: a change shows in v1alpha1: %t, and the mapping says %t", path, shows, wanted)
				}
			}
			for path := range fields {
				if _, tried := changes[path]; !tried && path != "status.capacity{}" && path != "spec.networks[].name" {
					t.Errorf("%s was not tried", path)
				}
			}
		})
	}
}
