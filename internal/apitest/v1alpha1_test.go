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

import (
	"testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/testenv"
)

// smallest are objects with nothing but what is required, the same in both versions.
var smallest = map[string]string{
	"IonosCloudCluster":         `spec: {credentialsRef: {name: credentials}}`,
	"IonosCloudClusterTemplate": `spec: {template: {spec: {credentialsRef: {name: credentials}}}}`,
	"IonosCloudMachine": `
spec:
  datacenterID: 2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11
  disk: {image: {id: 7a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55}}`,
	"IonosCloudMachineTemplate": `
spec:
  template:
    spec:
      datacenterID: 2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11
      disk: {image: {id: 7a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55}}`,
}

// TestV1alpha1Schema shows what production accepts and rejects, on a server that knows nothing but v1alpha1.
func TestV1alpha1Schema(t *testing.T) {
	only := testenv.Start(t, testenv.WithCRDs(testenv.OnlyVersion("v1alpha1")))
	runAdmission(t, only, "v1alpha1", smallest, v1alpha1Cases())
}

func v1alpha1Cases() []admissionCase {
	const (
		cluster         = "IonosCloudCluster"
		clusterTemplate = "IonosCloudClusterTemplate"
		machine         = "IonosCloudMachine"
		machineTemplate = "IonosCloudMachineTemplate"
	)
	return []admissionCase{
		// IonosCloudCluster
		{
			name: "smallest", kind: cluster,
			stored: `credentialsRef: {name: credentials}`,
		},
		{
			name: "all fields", kind: cluster,
			create: `spec: {location: de/txl, controlPlaneEndpoint: {host: 203.0.113.10, port: 6443}, loadBalancerProviderRef: {}}`,
			stored: `
location: de/txl
controlPlaneEndpoint: {host: 203.0.113.10, port: 6443}
credentialsRef: {name: credentials}
loadBalancerProviderRef: {name: ""}`,
		},
		{name: "no credentials", kind: cluster, create: `spec: {credentialsRef: null}`, want: `spec.credentialsRef: Required value`},
		{name: "credentials without a name", kind: cluster, create: `spec: {credentialsRef: {name: null}}`, want: `spec.credentialsRef: Invalid value: credentialsRef.name must be provided`},
		{name: "credentials with an empty name", kind: cluster, create: `spec: {credentialsRef: {name: ""}}`, want: `spec.credentialsRef: Invalid value: credentialsRef.name must be provided`},
		{name: "load balancer without location", kind: cluster, create: `spec: {loadBalancerProviderRef: {name: lb}}`, want: `spec: Invalid value: location is required when loadBalancerProviderRef is set`},
		{name: "load balancer with location", kind: cluster, create: `spec: {loadBalancerProviderRef: {name: lb}, location: de/fra}`},
		{name: "empty location", kind: cluster, create: `spec: {location: ""}`, want: `spec.location: Invalid value: "": spec.location in body should be at least 1 chars long`},
		{name: "location can be set later", kind: cluster, update: `spec: {location: de/fra}`},
		{name: "location cannot be changed", kind: cluster, create: `spec: {location: de/fra}`, update: `spec: {location: de/txl}`, want: `spec.location: Invalid value: "de/txl": location is immutable`},
		{name: "endpoint not known yet", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: "", port: 0}}`},
		{name: "endpoint without a port", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: 203.0.113.10}}`, want: `spec.controlPlaneEndpoint.port: Required value`},
		{name: "endpoint with port 0", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: 203.0.113.10, port: 0}}`, want: `spec.controlPlaneEndpoint: Invalid value: port must be within 1-65535`},
		{name: "endpoint with port 65535", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: 203.0.113.10, port: 65535}}`},
		{name: "endpoint with port 65536", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: 203.0.113.10, port: 65536}}`, want: `spec.controlPlaneEndpoint: Invalid value: port must be within 1-65535`},
		{name: "endpoint with a port alone", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: "", port: 6443}}`},
		{name: "endpoint can be changed", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: a.example, port: 6443}}`, update: `spec: {controlPlaneEndpoint: {host: b.example}}`},
		{name: "unknown field", kind: cluster, create: `spec: {networks: []}`, want: `IonosCloudCluster in version "v1alpha1" cannot be handled as a IonosCloudCluster: strict decoding error: unknown field "spec.networks"`},

		// IonosCloudClusterTemplate
		{name: "smallest", kind: clusterTemplate, stored: `template: {spec: {credentialsRef: {name: credentials}}}`},
		{name: "load balancer without location", kind: clusterTemplate, create: `spec: {template: {spec: {loadBalancerProviderRef: {name: lb}}}}`, want: `spec.template.spec: Invalid value: location is required when loadBalancerProviderRef is set`},
		{name: "no template", kind: clusterTemplate, create: `spec: {template: null}`, want: `spec.template: Required value`},
		{name: "metadata", kind: clusterTemplate, create: `spec: {template: {metadata: {labels: {a: b}}}}`, want: `IonosCloudClusterTemplate in version "v1alpha1" cannot be handled as a IonosCloudClusterTemplate: strict decoding error: unknown field "spec.template.metadata"`},
		{
			name: "location cannot be changed", kind: clusterTemplate, create: `spec: {template: {spec: {location: de/fra}}}`,
			update: `spec: {template: {spec: {location: de/txl}}}`, want: `spec.template.spec.location: Invalid value: "de/txl": location is immutable`,
		},

		// IonosCloudMachine
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
			name: "all fields", kind: machine,
			create: `
spec:
  providerID: ionos://5a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55
  numCores: 4
  memoryMB: 8192
  availabilityZone: ZONE_2
  cpuFamily: INTEL_SKYLAKE
  type: ENTERPRISE
  disk: {name: boot, diskType: SSD Premium, sizeGB: 40, availabilityZone: ZONE_3, image: {id: null, selector: {matchLabels: {os: linux}}}}
  networkID: "4"
  failoverIP: AUTO
  ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: public}
  ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalInClusterIPPool, name: public6}
  additionalNetworks:
  - {networkID: 7, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalInClusterIPPool, name: storage}, vnet: v}
  - {networkID: 9, dhcp: false}
  - {networkID: 7}`,
			stored: `
datacenterID: 2f1c7a0e-6f1b-4a57-9a35-0f4f6f1f2a11
providerID: ionos://5a0f9a3e-33c1-4a8c-8f63-6a3f1a8d7c55
numCores: 4
memoryMB: 8192
availabilityZone: ZONE_2
cpuFamily: INTEL_SKYLAKE
type: ENTERPRISE
disk:
  name: boot
  diskType: SSD Premium
  sizeGB: 40
  availabilityZone: ZONE_3
  image: {selector: {matchLabels: {os: linux}, resolutionPolicy: Exact, useMachineVersion: true}}
networkID: "4"
failoverIP: AUTO
ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: public}
ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalInClusterIPPool, name: public6}
additionalNetworks:
- {networkID: 7, dhcp: true, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: GlobalInClusterIPPool, name: storage}, vnet: v}
- {networkID: 9, dhcp: false}
- {networkID: 7, dhcp: true}`,
		},
		{name: "no data center", kind: machine, create: `spec: {datacenterID: null}`, want: `spec.datacenterID: Required value`},
		{name: "data center that is no UUID", kind: machine, create: `spec: {datacenterID: here}`, want: `spec.datacenterID: Invalid value: "here": spec.datacenterID in body must be of type uuid: "here"`},
		{name: "data center cannot be changed", kind: machine, update: `spec: {datacenterID: 8d5b2c1e-17aa-4b0e-9c2d-6f0d7f2f9b21}`, want: `spec.datacenterID: Invalid value: "8d5b2c1e-17aa-4b0e-9c2d-6f0d7f2f9b21": datacenterID is immutable`},
		{name: "0 cores", kind: machine, create: `spec: {numCores: 0}`, want: `spec.numCores: Invalid value: 0: spec.numCores in body should be greater than or equal to 1`},
		{name: "cores can be changed", kind: machine, update: `spec: {numCores: 8}`},
		{name: "1024 MB", kind: machine, create: `spec: {memoryMB: 1024}`, want: `spec.memoryMB: Invalid value: 1024: spec.memoryMB in body should be greater than or equal to 2048`},
		{name: "3000 MB", kind: machine, create: `spec: {memoryMB: 3000}`, want: `spec.memoryMB: Invalid value: 3000: spec.memoryMB in body should be a multiple of 1024`},
		{name: "zone 3", kind: machine, create: `spec: {availabilityZone: ZONE_3}`, want: `spec.availabilityZone: Unsupported value: "ZONE_3": supported values: "AUTO", "ZONE_1", "ZONE_2"`},
		{name: "unknown type", kind: machine, create: `spec: {type: CUBE}`, want: `spec.type: Unsupported value: "CUBE": supported values: "ENTERPRISE", "VCPU"`},
		{name: "type cannot be changed", kind: machine, update: `spec: {type: VCPU}`, want: `spec.type: Invalid value: "VCPU": type is immutable`},
		{name: "VCPU", kind: machine, create: `spec: {type: VCPU}`},
		{name: "VCPU with a CPU family", kind: machine, create: `spec: {type: VCPU, cpuFamily: INTEL_SKYLAKE}`, want: `spec.cpuFamily: Invalid value: cpuFamily must not be specified when using VCPU`},
		{name: "VCPU gets a CPU family", kind: machine, create: `spec: {type: VCPU}`, update: `spec: {cpuFamily: INTEL_SKYLAKE}`, want: `spec.cpuFamily: Invalid value: cpuFamily must not be specified when using VCPU`},
		{name: "no disk", kind: machine, create: `spec: {disk: null}`, want: `spec.disk: Required value`},
		{name: "no image", kind: machine, create: `spec: {disk: {image: null}}`, want: `spec.disk.image: Required value`},
		{name: "neither id nor selector", kind: machine, create: `spec: {disk: {image: {id: null}}}`, want: `spec.disk.image: Invalid value: exactly one of the fields in [id selector] must be set`},
		{name: "both id and selector", kind: machine, create: `spec: {disk: {image: {selector: {matchLabels: {a: b}}}}}`, want: `spec.disk.image: Invalid value: exactly one of the fields in [id selector] must be set`},
		{name: "selector without labels", kind: machine, create: `spec: {disk: {image: {id: null, selector: {matchLabels: {}}}}}`, want: `spec.disk.image.selector.matchLabels: Invalid value: 0: spec.disk.image.selector.matchLabels in body should have at least 1 properties`},
		{name: "unknown resolution policy", kind: machine, create: `spec: {disk: {image: {id: null, selector: {matchLabels: {a: b}, resolutionPolicy: Oldest}}}}`, want: `spec.disk.image.selector.resolutionPolicy: Unsupported value: "Oldest": supported values: "Exact", "Newest"`},
		{name: "9 GB", kind: machine, create: `spec: {disk: {sizeGB: 9}}`, want: `spec.disk.sizeGB: Invalid value: 9: spec.disk.sizeGB in body should be greater than or equal to 10`},
		{name: "unknown kind of disk", kind: machine, create: `spec: {disk: {diskType: Tape}}`, want: `spec.disk.diskType: Unsupported value: "Tape": supported values: "HDD", "SSD Standard", "SSD Premium"`},
		{name: "disk in zone 4", kind: machine, create: `spec: {disk: {availabilityZone: ZONE_4}}`, want: `spec.disk.availabilityZone: Unsupported value: "ZONE_4": supported values: "AUTO", "ZONE_1", "ZONE_2", "ZONE_3"`},
		{name: "network that is no number", kind: machine, create: `spec: {networkID: abc}`},
		{name: "empty network", kind: machine, create: `spec: {networkID: ""}`, want: `spec.networkID: Invalid value: "": spec.networkID in body should be at least 1 chars long`},
		{name: "network can be set later", kind: machine, update: `spec: {networkID: "4"}`},
		{name: "network cannot be changed", kind: machine, create: `spec: {networkID: "4"}`, update: `spec: {networkID: "5"}`, want: `spec.networkID: Invalid value: "5": networkID is immutable`},
		{name: "network cannot be removed", kind: machine, create: `spec: {networkID: "4"}`, update: `spec: {networkID: null}`, want: `spec: Invalid value: networkID cannot be removed once set`},
		{name: "failover address", kind: machine, create: `spec: {failoverIP: 203.0.113.7}`},
		{name: "failover with a name", kind: machine, create: `spec: {failoverIP: auto}`, want: `spec.failoverIP: Invalid value: "auto": failoverIP must be AUTO or an IPv4 address`},
		{name: "failover with IPv6", kind: machine, create: `spec: {failoverIP: "2001:db8::1"}`, want: `spec.failoverIP: Invalid value: "2001:db8::1": failoverIP must be AUTO or an IPv4 address`},
		{name: "failover cannot be changed", kind: machine, create: `spec: {failoverIP: AUTO}`, update: `spec: {failoverIP: 203.0.113.7}`, want: `spec.failoverIP: Invalid value: "203.0.113.7": failoverIP is immutable`},
		{name: "failover can be removed", kind: machine, create: `spec: {failoverIP: AUTO}`, update: `spec: {failoverIP: null}`},
		{name: "pool of another group", kind: machine, create: `spec: {ipv4PoolRef: {apiGroup: example.com, kind: InClusterIPPool, name: a}}`, want: `spec.ipv4PoolRef: Invalid value: ipv4PoolRef allows only IPAM apiGroup ipam.cluster.x-k8s.io`},
		{name: "pool without a group", kind: machine, create: `spec: {ipv4PoolRef: {kind: InClusterIPPool, name: a}}`, want: `spec.ipv4PoolRef: Invalid value: "object": no such key: apiGroup evaluating rule: ipv4PoolRef allows only IPAM apiGroup ipam.cluster.x-k8s.io`},
		{name: "pool of another kind", kind: machine, create: `spec: {ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}}`, want: `spec.ipv4PoolRef: Invalid value: ipv4PoolRef allows either InClusterIPPool or GlobalInClusterIPPool`},
		{name: "pool with an empty name", kind: machine, create: `spec: {ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: ""}}`, want: `spec.ipv4PoolRef: Invalid value: ipv4PoolRef.name is required`},
		{name: "pool without a name", kind: machine, create: `spec: {ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool}}`, want: `spec.ipv4PoolRef.name: Required value`},
		{name: "IPv6 pool of another group", kind: machine, create: `spec: {ipv6PoolRef: {apiGroup: example.com, kind: InClusterIPPool, name: a}}`, want: `spec.ipv6PoolRef: Invalid value: ipv6PoolRef allows only IPAM apiGroup ipam.cluster.x-k8s.io`},
		{name: "IPv6 pool of another kind", kind: machine, create: `spec: {ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}}`, want: `spec.ipv6PoolRef: Invalid value: ipv6PoolRef allows either InClusterIPPool or GlobalInClusterIPPool`},
		{name: "IPv6 pool with an empty name", kind: machine, create: `spec: {ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: ""}}`, want: `spec.ipv6PoolRef: Invalid value: ipv6PoolRef.name is required`},
		{name: "pool can be changed", kind: machine, create: `spec: {ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: a}}`, update: `spec: {ipv4PoolRef: {name: b}}`},
		{name: "additional network 0", kind: machine, create: `spec: {additionalNetworks: [{networkID: 0}]}`, want: `spec.additionalNetworks[0].networkID: Invalid value: 0: spec.additionalNetworks[0].networkID in body should be greater than or equal to 1`},
		{name: "additional network without an ID", kind: machine, create: `spec: {additionalNetworks: [{dhcp: true}]}`, want: `spec.additionalNetworks[0].networkID: Required value`},
		{name: "additional network with a pool of another group", kind: machine, create: `spec: {additionalNetworks: [{networkID: 7, ipv4PoolRef: {apiGroup: example.com, kind: InClusterIPPool, name: a}}]}`, want: `spec.additionalNetworks[0].ipv4PoolRef: Invalid value: ipv4PoolRef allows only IPAM apiGroup ipam.cluster.x-k8s.io`},
		{name: "additional network with an IPv6 pool of another kind", kind: machine, create: `spec: {additionalNetworks: [{networkID: 7, ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}}]}`, want: `spec.additionalNetworks[0].ipv6PoolRef: Invalid value: ipv6PoolRef allows either InClusterIPPool or GlobalInClusterIPPool`},
		{name: "no additional networks", kind: machine, create: `spec: {additionalNetworks: []}`},
		{name: "additional networks can be changed", kind: machine, create: `spec: {additionalNetworks: [{networkID: 7}, {networkID: 8}]}`, update: `spec: {additionalNetworks: [{networkID: 8, dhcp: false}]}`},
		{name: "unknown field", kind: machine, create: `spec: {networks: []}`, want: `IonosCloudMachine in version "v1alpha1" cannot be handled as a IonosCloudMachine: strict decoding error: unknown field "spec.networks"`},

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
		{name: "VCPU with a CPU family", kind: machineTemplate, create: `spec: {template: {spec: {type: VCPU, cpuFamily: INTEL_SKYLAKE}}}`},
		{name: "metadata", kind: machineTemplate, create: `spec: {template: {metadata: {labels: {a: b}, annotations: {c: d}}}}`},
		{name: "no spec in the template", kind: machineTemplate, create: `spec: {template: {spec: null}}`, want: `spec.template.spec: Required value`},
		{name: "both id and selector", kind: machineTemplate, create: `spec: {template: {spec: {disk: {image: {selector: {matchLabels: {a: b}}}}}}}`, want: `spec.template.spec.disk.image: Invalid value: exactly one of the fields in [id selector] must be set`},
		{name: "network cannot be removed", kind: machineTemplate, create: `spec: {template: {spec: {networkID: "4"}}}`, update: `spec: {template: {spec: {networkID: null}}}`, want: `spec.template.spec: Invalid value: networkID cannot be removed once set`},
		{name: "pool of another kind", kind: machineTemplate, create: `spec: {template: {spec: {ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: Pool, name: a}}}}`, want: `spec.template.spec.ipv4PoolRef: Invalid value: ipv4PoolRef allows either InClusterIPPool or GlobalInClusterIPPool`},
	}
}
