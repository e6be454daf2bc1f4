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

package apitest

// v1alpha2MachineCases are machines and their templates. Names say what is special about the object.
func v1alpha2MachineCases() []admissionCase {
	const (
		machine         = "IonosCloudMachine"
		machineTemplate = "IonosCloudMachineTemplate"
	)
	return []admissionCase{
		{
			name: "smallest", kind: machine,
			stored: `
datacenterID: 2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11
numCores: 1
memoryMB: 3072
availabilityZone: AUTO
type: ENTERPRISE
disk: {diskType: HDD, sizeGB: 20, availabilityZone: AUTO, image: {id: 7a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55}}`,
		},
		{
			name: "three NICs", kind: machine,
			create: `
spec:
  type: VCPU
  disk: {image: {id: null, selector: {matchLabels: {os: linux}}}}
  networks:
  - {name: public, failoverIPs: [AUTO, 198.51.100.7], dhcpv6: false}
  - {name: storage, clusterNetwork: storage, routes: [{destination: 10.99.0.0/16, gateway: 10.20.0.1}]}
  - {name: backup, networkID: 9, dhcp: false, vnet: v, ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalInClusterIPPool, name: backup}}`,
			stored: `
datacenterID: 2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11
numCores: 1
memoryMB: 3072
availabilityZone: AUTO
type: VCPU
disk:
  diskType: HDD
  sizeGB: 20
  availabilityZone: AUTO
  image: {selector: {matchLabels: {os: linux}, resolutionPolicy: Exact, useMachineVersion: true}}
networks:
- {name: public, dhcp: true, failoverIPs: [AUTO, 198.51.100.7], dhcpv6: false}
- {name: storage, dhcp: true, clusterNetwork: storage, routes: [{destination: 10.99.0.0/16, gateway: 10.20.0.1}]}
- {name: backup, networkID: 9, dhcp: false, vnet: v, ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalInClusterIPPool, name: backup}}`,
		},
		{name: "no spec", kind: machine, create: `spec: null`, want: `spec: Required value: spec must be set`},
		{name: "spec cannot be removed", kind: machine, update: `spec: null`, want: `spec: Required value: spec must be set`},
		{name: "fields of v1alpha1", kind: machine, create: `spec: {networkID: "4", additionalNetworks: [{networkID: 7}]}`, want: `IonosCloudMachine in version "v1alpha2" cannot be handled as a IonosCloudMachine: strict decoding error: unknown field "spec.additionalNetworks", unknown field "spec.networkID"`},
		{name: "no data center", kind: machine, create: `spec: {datacenterID: null}`, want: `spec.datacenterID: Required value`},
		{name: "data center that is no UUID", kind: machine, create: `spec: {datacenterID: here}`, want: `spec.datacenterID: Invalid value: "here": spec.datacenterID in body must be of type uuid: "here"`},
		{name: "data center cannot be changed", kind: machine, update: `spec: {datacenterID: 8d5b2c1e-17aa-4b0e-9c2d-6f0d7f2f9b21}`, want: `spec.datacenterID: Invalid value: spec.datacenterID is immutable`},
		{name: "type cannot be changed", kind: machine, update: `spec: {type: VCPU}`, want: `spec.type: Invalid value: spec.type is immutable`},
		{name: "VCPU with a CPU family", kind: machine, create: `spec: {type: VCPU, cpuFamily: INTEL_SKYLAKE}`, want: `spec.cpuFamily: Invalid value: cpuFamily must not be set when type is VCPU`},
		{name: "CPU family", kind: machine, create: `spec: {cpuFamily: INTEL_SKYLAKE}`},
		{name: "3000 MB", kind: machine, create: `spec: {memoryMB: 3000}`, want: `spec.memoryMB: Invalid value: 3000: spec.memoryMB in body should be a multiple of 1024`},
		{name: "zone 3", kind: machine, create: `spec: {availabilityZone: ZONE_3}`, want: `spec.availabilityZone: Unsupported value: "ZONE_3": supported values: "AUTO", "ZONE_1", "ZONE_2"`},
		{name: "9 GB", kind: machine, create: `spec: {disk: {sizeGB: 9}}`, want: `spec.disk.sizeGB: Invalid value: 9: spec.disk.sizeGB in body should be greater than or equal to 10`},
		{name: "no image", kind: machine, create: `spec: {disk: {image: null}}`, want: `spec.disk.image: Required value`},
		{name: "neither id nor selector", kind: machine, create: `spec: {disk: {image: {id: null}}}`, want: `spec.disk.image: Invalid value: exactly one of id and selector must be set`},
		{name: "both id and selector", kind: machine, create: `spec: {disk: {image: {selector: {matchLabels: {a: b}}}}}`, want: `spec.disk.image: Invalid value: exactly one of id and selector must be set`},
		{name: "selector without labels", kind: machine, create: `spec: {disk: {image: {id: null, selector: {matchLabels: {}}}}}`, want: `spec.disk.image.selector.matchLabels: Invalid value: 0: spec.disk.image.selector.matchLabels in body should have at least 1 properties`},
		{name: "server is recorded", kind: machine, update: `spec: {providerID: "ionos://5a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55"}`},
		{name: "size can be changed", kind: machine, update: `spec: {numCores: 8, memoryMB: 8192}`},

		// Attachments.
		{name: "two attachments of one name", kind: machine, create: `spec: {networks: [{name: a, networkID: 7}, {name: a, networkID: 8}]}`, want: `spec.networks[1]: Duplicate value: {"name":"a"}`},
		{name: "two attachments to one LAN", kind: machine, create: `spec: {networks: [{name: a, networkID: 7}, {name: b, networkID: 7}]}`},
		{name: "cluster network and LAN", kind: machine, create: `spec: {networks: [{name: a, networkID: 7, clusterNetwork: nodes}]}`, want: `spec.networks[0]: Invalid value: clusterNetwork and networkID exclude each other`},
		{name: "LAN 0", kind: machine, create: `spec: {networks: [{name: a, networkID: 0}]}`, want: `spec.networks[0].networkID: Invalid value: 0: spec.networks[0].networkID in body should be greater than or equal to 1`},
		{name: "LAN -1", kind: machine, create: `spec: {networks: [{name: a, networkID: -1}]}`, want: `spec.networks[0].networkID: Invalid value: -1: spec.networks[0].networkID in body should be greater than or equal to 1`},
		{name: "LAN in quotes", kind: machine, create: `spec: {networks: [{name: a, networkID: "7"}]}`, want: `spec.networks[0].networkID: Invalid value: "string": spec.networks[0].networkID in body must be of type integer: "string"`},
		{name: "LAN beyond int32", kind: machine, create: `spec: {networks: [{name: a, networkID: 2147483648}]}`, want: `<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.networks[0].networkID`},
		{name: "attachment without a name", kind: machine, create: `spec: {networks: [{networkID: 7}]}`, want: `spec.networks[0].name: Required value`},
		{name: "attachment with an empty name", kind: machine, create: `spec: {networks: [{name: ""}]}`, want: `spec.networks[0].name: Invalid value: "": spec.networks[0].name in body should be at least 1 chars long`},
		{name: "attachment name with an underscore", kind: machine, create: `spec: {networks: [{name: lan_7}]}`, want: `spec.networks[0].name: Invalid value: "lan_7": spec.networks[0].name in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'`},
		{name: "attachment name that ends with a dash", kind: machine, create: `spec: {networks: [{name: lan-}]}`, want: `spec.networks[0].name: Invalid value: "lan-": spec.networks[0].name in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'`},
		{name: "attachment name of 40 characters", kind: machine, create: `spec: {networks: [{name: a234567890b234567890c234567890d234567890}]}`},
		{name: "attachment name of 41 characters", kind: machine, create: `spec: {networks: [{name: a234567890b234567890c234567890d234567890e}]}`, want: `spec.networks[0].name: Too long: may not be more than 40 bytes`},
		{name: "cluster network with an impossible name", kind: machine, create: `spec: {networks: [{name: a, clusterNetwork: Nodes}]}`, want: `spec.networks[0].clusterNetwork: Invalid value: "Nodes": spec.networks[0].clusterNetwork in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'`},
		{name: "23 attachments", kind: machine, create: `spec: {networks: ` + list(23, `{name: n%d}`) + `}`},
		{name: "24 attachments", kind: machine, create: `spec: {networks: ` + list(24, `{name: n%d}`) + `}`, want: `spec.networks: Too many: 24: must have at most 23 items`},
		{name: "pool without a kind", kind: machine, create: `spec: {networks: [{name: a, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, name: a}}]}`, want: `spec.networks[0].ipv4PoolRef.kind: Required value`},
		{name: "pool of any kind", kind: machine, create: `spec: {networks: [{name: a, ipv4PoolRef: {apiGroup: ipam.example.com, kind: RackPool, name: a}}]}`},
		{name: "pool with an impossible name", kind: machine, create: `spec: {networks: [{name: a, ipv6PoolRef: {apiGroup: ipam.example.com, kind: RackPool, name: A_B}}]}`, want: `spec.networks[0].ipv6PoolRef.name: Invalid value: "A_B": spec.networks[0].ipv6PoolRef.name in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'`},
		{name: "failover with a word", kind: machine, create: `spec: {networks: [{name: a, failoverIPs: [auto]}]}`, want: `spec.networks[0].failoverIPs[0]: Invalid value: "auto": failoverIPs must be AUTO or IPv4 addresses`},
		{name: "failover with IPv6", kind: machine, create: `spec: {networks: [{name: a, failoverIPs: ["2001:db8::1"]}]}`, want: `spec.networks[0].failoverIPs[0]: Invalid value: "2001:db8::1": failoverIPs must be AUTO or IPv4 addresses`},
		{name: "failover twice", kind: machine, create: `spec: {networks: [{name: a, failoverIPs: [AUTO, AUTO]}]}`, want: `spec.networks[0].failoverIPs[1]: Duplicate value: "AUTO"`},
		{name: "route across families", kind: machine, create: `spec: {networks: [{name: a, routes: [{destination: "2001:db8::/32", gateway: 10.0.0.1}]}]}`, want: `spec.networks[0].routes[0]: Invalid value: destination and gateway must be of one address family`},
		{name: "default routes", kind: machine, create: `spec: {networks: [{name: a, routes: [{destination: 0.0.0.0/0, gateway: 10.0.0.1}, {destination: "::/0", gateway: "fe80::1"}]}]}`},
		{name: "route without a gateway", kind: machine, create: `spec: {networks: [{name: a, routes: [{destination: 10.0.0.0/8}]}]}`, want: `spec.networks[0].routes[0].gateway: Required value`},

		// Changes of attachments.
		{name: "attachment can be added", kind: machine, create: `spec: {networks: [{name: a}]}`, update: `spec: {networks: [{name: a}, {name: b, networkID: 7}]}`},
		{name: "attachment can be removed", kind: machine, create: `spec: {networks: [{name: a}, {name: b, networkID: 7}]}`, update: `spec: {networks: [{name: a}]}`},
		{name: "first attachment can be added", kind: machine, update: `spec: {networks: [{name: a}]}`},
		{name: "all attachments can be removed", kind: machine, create: `spec: {networks: [{name: a}]}`, update: `spec: {networks: null}`},
		{
			name: "LAN of an attachment cannot be changed", kind: machine,
			create: `spec: {networks: [{name: a}, {name: b, networkID: 7}]}`,
			update: `spec: {networks: [{name: a}, {name: b, networkID: 8}]}`, want: `spec.networks: Invalid value: an attachment is immutable: remove it and add another under a new name`,
		},
		{
			name: "pool of an attachment cannot be changed", kind: machine,
			create: `spec: {networks: [{name: a, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: a}}]}`,
			update: `spec: {networks: [{name: a, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: b}}]}`, want: `spec.networks: Invalid value: an attachment is immutable: remove it and add another under a new name`,
		},
		{
			name: "pool of an attachment cannot be added", kind: machine, create: `spec: {networks: [{name: a}]}`,
			update: `spec: {networks: [{name: a, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: b}}]}`, want: `spec.networks: Invalid value: an attachment is immutable: remove it and add another under a new name`,
		},
		{name: "DHCP of an attachment cannot be changed", kind: machine, create: `spec: {networks: [{name: a}]}`, update: `spec: {networks: [{name: a, dhcp: false}]}`, want: `spec.networks: Invalid value: an attachment is immutable: remove it and add another under a new name`},
		{name: "routes of an attachment cannot be changed", kind: machine, create: `spec: {networks: [{name: a}]}`, update: `spec: {networks: [{name: a, routes: [{destination: 10.0.0.0/8, gateway: 10.0.0.1}]}]}`, want: `spec.networks: Invalid value: an attachment is immutable: remove it and add another under a new name`},
		{
			name: "attachment can be replaced under a new name", kind: machine,
			create: `spec: {networks: [{name: a}, {name: b, networkID: 7}]}`, update: `spec: {networks: [{name: a}, {name: b2, networkID: 8}]}`,
		},

		// IonosCloudMachineTemplate
		{
			name: "smallest", kind: machineTemplate,
			stored: `
template:
  spec:
    datacenterID: 2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11
    numCores: 1
    memoryMB: 3072
    availabilityZone: AUTO
    type: ENTERPRISE
    disk: {diskType: HDD, sizeGB: 20, availabilityZone: AUTO, image: {id: 7a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55}}`,
		},
		{name: "metadata", kind: machineTemplate, create: `spec: {template: {metadata: {labels: {a: b}, annotations: {c: d}}}}`},
		{name: "no spec", kind: machineTemplate, create: `spec: null`, want: `spec: Required value: spec must be set`},
		{name: "no spec in the template", kind: machineTemplate, create: `spec: {template: {spec: null}}`, want: `spec.template.spec: Required value`},
		{name: "VCPU with a CPU family", kind: machineTemplate, create: `spec: {template: {spec: {type: VCPU, cpuFamily: INTEL_SKYLAKE}}}`, want: `spec.template.spec.cpuFamily: Invalid value: cpuFamily must not be set when type is VCPU`},
		{name: "two attachments of one name", kind: machineTemplate, create: `spec: {template: {spec: {networks: [{name: a}, {name: a}]}}}`, want: `spec.template.spec.networks[1]: Duplicate value: {"name":"a"}`},
		{name: "cluster network and LAN", kind: machineTemplate, create: `spec: {template: {spec: {networks: [{name: a, networkID: 7, clusterNetwork: nodes}]}}}`, want: `spec.template.spec.networks[0]: Invalid value: clusterNetwork and networkID exclude each other`},
	}
}
