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

// v1alpha2ClusterCases are clusters and their templates. Names say what is special about the object.
func v1alpha2ClusterCases() []admissionCase {
	const (
		cluster         = "IonosCloudCluster"
		clusterTemplate = "IonosCloudClusterTemplate"
	)
	return []admissionCase{
		{name: "smallest", kind: cluster, stored: `credentialsRef: {name: credentials}`},
		{name: "no spec", kind: cluster, create: `spec: null`, want: `spec: Required value: spec must be set`},
		{name: "spec cannot be removed", kind: cluster, update: `spec: null`, want: `spec: Required value: spec must be set`},
		{name: "no credentials", kind: cluster, create: `spec: {credentialsRef: null}`, want: `spec.credentialsRef: Required value`},
		{name: "credentials with an empty name", kind: cluster, create: `spec: {credentialsRef: {name: ""}}`, want: `spec.credentialsRef.name: Invalid value: "": spec.credentialsRef.name in body should be at least 1 chars long`},
		{name: "unknown field", kind: cluster, create: `spec: {network: []}`, want: `IonosCloudCluster in version "v1alpha2" cannot be handled as a IonosCloudCluster: strict decoding error: unknown field "spec.network"`},
		{name: "location can be set later", kind: cluster, update: `spec: {location: de/fra}`},
		{name: "location cannot be changed", kind: cluster, create: `spec: {location: de/fra}`, update: `spec: {location: de/txl}`, want: `spec.location: Invalid value: spec.location is immutable once set`},
		{name: "location cannot be removed", kind: cluster, create: `spec: {location: de/fra}`, update: `spec: {location: null}`, want: `spec.location: Invalid value: spec.location is immutable once set`},
		{name: "endpoint", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: api.example.com, port: 6443}}`},
		{name: "endpoint with port 65536", kind: cluster, create: `spec: {controlPlaneEndpoint: {host: api.example.com, port: 65536}}`, want: `spec.controlPlaneEndpoint.port: Invalid value: 65536: spec.controlPlaneEndpoint.port in body should be less than or equal to 65535`},
		{name: "load balancer with location", kind: cluster, create: `spec: {location: de/fra, loadBalancerProviderRef: {name: lb}}`},
		{name: "load balancer without location", kind: cluster, create: `spec: {loadBalancerProviderRef: {name: lb}}`, want: `spec: Invalid value: location is required when loadBalancerProviderRef is set`},

		// Networks.
		{
			name: "public and private network", kind: cluster,
			create: `
spec:
  location: de/txl
  networks:
  - name: nodes
    type: Public
    ipv6CIDRBlock: AUTO
    ipv4PoolRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: IonosCloudIPPool, name: public}
  - name: storage
    type: Private
    ipv4Subnet: 10.20.0.0/22
    ipv6CIDRBlock: 2001:db8:0:7::/64
    ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: storage}
    ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: storage6}
    crossConnectID: 8d5b2c1e-17aa-4b0e-9c2d-6f0d7f2f9b21
    routes: [{destination: 10.99.0.0/16, gateway: 10.20.0.1}, {destination: "2001:db8:1::/48", gateway: "2001:db8:0:7::1"}]`,
			stored: `
location: de/txl
credentialsRef: {name: credentials}
networks:
- name: nodes
  type: Public
  ipv6CIDRBlock: AUTO
  ipv4PoolRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: IonosCloudIPPool, name: public}
- name: storage
  type: Private
  ipv4Subnet: 10.20.0.0/22
  ipv6CIDRBlock: 2001:db8:0:7::/64
  ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: storage}
  ipv6PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: storage6}
  crossConnectID: 8d5b2c1e-17aa-4b0e-9c2d-6f0d7f2f9b21
  routes: [{destination: 10.99.0.0/16, gateway: 10.20.0.1}, {destination: "2001:db8:1::/48", gateway: "2001:db8:0:7::1"}]`,
		},
		{name: "two networks of one name", kind: cluster, create: `spec: {networks: [{name: a, type: Public}, {name: a, type: Private}]}`, want: `spec.networks[1]: Duplicate value: {"name":"a"}`},
		{name: "network without a name", kind: cluster, create: `spec: {networks: [{type: Public}]}`, want: `spec.networks[0].name: Required value`},
		{name: "network name with a capital", kind: cluster, create: `spec: {networks: [{name: Nodes, type: Public}]}`, want: `spec.networks[0].name: Invalid value: "Nodes": spec.networks[0].name in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'`},
		{name: "network name with a dot", kind: cluster, create: `spec: {networks: [{name: a.b, type: Public}]}`, want: `spec.networks[0].name: Invalid value: "a.b": spec.networks[0].name in body should match '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'`},
		{name: "network name of 40 characters", kind: cluster, create: `spec: {networks: [{name: a234567890b234567890c234567890d234567890, type: Public}]}`},
		{name: "network name of 41 characters", kind: cluster, create: `spec: {networks: [{name: a234567890b234567890c234567890d234567890e, type: Public}]}`, want: `spec.networks[0].name: Too long: may not be more than 40 bytes`},
		{name: "network without a type", kind: cluster, create: `spec: {networks: [{name: a}]}`, want: `spec.networks[0].type: Required value`},
		{name: "network of an unknown type", kind: cluster, create: `spec: {networks: [{name: a, type: public}]}`, want: `spec.networks[0].type: Unsupported value: "public": supported values: "Public", "Private"`},
		{
			name: "16 networks", kind: cluster,
			create: `spec: {networks: ` + list(16, `{name: n%d, type: Private}`) + `}`,
		},
		{
			name: "17 networks", kind: cluster,
			create: `spec: {networks: ` + list(17, `{name: n%d, type: Private}`) + `}`, want: `spec.networks: Too many: 17: must have at most 16 items`,
		},
		{
			name: "type of a network cannot be changed", kind: cluster, create: `spec: {networks: [{name: a, type: Public}, {name: b, type: Public}]}`,
			update: `spec: {networks: [{name: a, type: Public}, {name: b, type: Private}]}`, want: `spec.networks: Invalid value: the type of a network is immutable: remove the network and add another under a new name`,
		},
		{
			name: "networks can be added and removed", kind: cluster, create: `spec: {networks: [{name: a, type: Public}, {name: b, type: Public}]}`,
			update: `spec: {networks: [{name: c, type: Private}, {name: a, type: Public}]}`,
		},
		{
			name: "pool of a network can be changed", kind: cluster,
			create: `spec: {networks: [{name: a, type: Public, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: a}}]}`,
			update: `spec: {networks: [{name: a, type: Public, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: b}}]}`,
		},
		{name: "pool without a group", kind: cluster, create: `spec: {networks: [{name: a, type: Public, ipv4PoolRef: {kind: InClusterIPPool, name: a}}]}`, want: `spec.networks[0].ipv4PoolRef.apiGroup: Required value`},
		{name: "subnet of a public network", kind: cluster, create: `spec: {networks: [{name: a, type: Public, ipv4Subnet: 10.20.0.0/22}]}`, want: `spec.networks[0]: Invalid value: ipv4Subnet is for Private networks only`},
		{name: "subnet that is no CIDR", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.20.0.0/33}]}`, want: `spec.networks[0].ipv4Subnet: Invalid value: "10.20.0.0/33": ipv4Subnet must be an IPv4 CIDR without host bits, such as 10.20.0.0/22`},
		{name: "subnet with host bits", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.20.0.1/22}]}`, want: `spec.networks[0].ipv4Subnet: Invalid value: "10.20.0.1/22": ipv4Subnet must be an IPv4 CIDR without host bits, such as 10.20.0.0/22`},
		{name: "subnet of IPv6", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: "2001:db8::/64"}]}`, want: `spec.networks[0].ipv4Subnet: Invalid value: "2001:db8::/64": ipv4Subnet must be an IPv4 CIDR without host bits, such as 10.20.0.0/22`},
		{name: "network without IPv6", kind: cluster, create: `spec: {networks: [{name: a, type: Public, ipv6CIDRBlock: None}]}`},
		{name: "IPv6 block that is too large", kind: cluster, create: `spec: {networks: [{name: a, type: Public, ipv6CIDRBlock: "2001:db8::/56"}]}`, want: `spec.networks[0].ipv6CIDRBlock: Invalid value: "2001:db8::/56": ipv6CIDRBlock must be AUTO, None or an IPv6 /64 without host bits`},
		{name: "IPv6 block with host bits", kind: cluster, create: `spec: {networks: [{name: a, type: Public, ipv6CIDRBlock: "2001:db8::1/64"}]}`, want: `spec.networks[0].ipv6CIDRBlock: Invalid value: "2001:db8::1/64": ipv6CIDRBlock must be AUTO, None or an IPv6 /64 without host bits`},
		{name: "IPv6 block of IPv4", kind: cluster, create: `spec: {networks: [{name: a, type: Public, ipv6CIDRBlock: "10.0.0.0/8"}]}`, want: `spec.networks[0].ipv6CIDRBlock: Invalid value: "10.0.0.0/8": ipv6CIDRBlock must be AUTO, None or an IPv6 /64 without host bits`},
		{name: "IPv6 block with a word", kind: cluster, create: `spec: {networks: [{name: a, type: Public, ipv6CIDRBlock: auto}]}`, want: `spec.networks[0].ipv6CIDRBlock: Invalid value: "auto": ipv6CIDRBlock must be AUTO, None or an IPv6 /64 without host bits`},
		{name: "cross connect of a public network", kind: cluster, create: `spec: {networks: [{name: a, type: Public, crossConnectID: 8d5b2c1e-17aa-4b0e-9c2d-6f0d7f2f9b21}]}`, want: `spec.networks[0]: Invalid value: crossConnectID is for Private networks only`},
		{name: "cross connect that is no UUID", kind: cluster, create: `spec: {networks: [{name: a, type: Private, crossConnectID: x}]}`, want: `spec.networks[0].crossConnectID: Invalid value: "x": spec.networks[0].crossConnectID in body should be at least 36 chars long, spec.networks[0].crossConnectID: Invalid value: "x": spec.networks[0].crossConnectID in body must be of type uuid: "x"`},

		// Routes.
		{name: "route across families", kind: cluster, create: `spec: {networks: [{name: a, type: Private, routes: [{destination: 10.0.0.0/8, gateway: "2001:db8::1"}]}]}`, want: `spec.networks[0].routes[0]: Invalid value: destination and gateway must be of one address family`},
		{name: "route to an address", kind: cluster, create: `spec: {networks: [{name: a, type: Private, routes: [{destination: 10.0.0.1, gateway: 10.1.0.1}]}]}`, want: `spec.networks[0].routes[0].destination: Invalid value: "10.0.0.1": destination must be a CIDR without host bits`},
		{name: "route with host bits", kind: cluster, create: `spec: {networks: [{name: a, type: Private, routes: [{destination: 10.0.0.1/8, gateway: 10.1.0.1}]}]}`, want: `spec.networks[0].routes[0].destination: Invalid value: "10.0.0.1/8": destination must be a CIDR without host bits`},
		{name: "route through a name", kind: cluster, create: `spec: {networks: [{name: a, type: Private, routes: [{destination: 10.0.0.0/8, gateway: router}]}]}`, want: `spec.networks[0].routes[0].gateway: Invalid value: "router": gateway must be an IP address`},
		{name: "two routes to one destination", kind: cluster, create: `spec: {networks: [{name: a, type: Private, routes: [{destination: 10.0.0.0/8, gateway: 10.1.0.1}, {destination: 10.0.0.0/8, gateway: 10.1.0.2}]}]}`, want: `spec.networks[0].routes[1]: Duplicate value: {"destination":"10.0.0.0/8"}`},

		// NAT gateways.
		{
			name: "NAT gateway", kind: cluster,
			create: `
spec:
  networks:
  - name: nodes
    type: Private
    ipv4Subnet: 10.40.0.0/20
    natGateway:
      gatewayIP: 10.40.0.1
      publicIPs: [203.0.113.5, 203.0.113.6]
      rules: [{name: web, protocol: TCP, targetPortRange: {start: 80, end: 443}}, {name: all, sourceSubnet: 10.40.1.0/24, publicIP: 203.0.113.6}]`,
		},
		{name: "NAT gateway with a claimed address", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, ipv4PoolRef: {apiGroup: ipam.cluster.x-k8s.io, kind: InClusterIPPool, name: a}, natGateway: {}}]}`},
		{name: "NAT gateway of a public network", kind: cluster, create: `spec: {networks: [{name: a, type: Public, natGateway: {gatewayIP: 10.40.0.1}}]}`, want: `[spec.networks[0]: Invalid value: natGateway is for Private networks only, spec.networks[0]: Invalid value: natGateway needs the ipv4Subnet whose traffic it translates]`},
		{name: "NAT gateway without a subnet", kind: cluster, create: `spec: {networks: [{name: a, type: Private, natGateway: {gatewayIP: 10.40.0.1}}]}`, want: `spec.networks[0]: Invalid value: natGateway needs the ipv4Subnet whose traffic it translates`},
		{name: "NAT gateway outside the subnet", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {gatewayIP: 10.41.0.1}}]}`, want: `spec.networks[0]: Invalid value: natGateway.gatewayIP must lie in ipv4Subnet`},
		{name: "NAT gateway without any address", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {}}]}`, want: `spec.networks[0]: Invalid value: natGateway needs a gatewayIP, or an ipv4PoolRef of the network to claim it from`},
		{name: "NAT gateway with an IPv6 address", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {gatewayIP: "2001:db8::1"}}]}`, want: `[spec.networks[0]: Invalid value: natGateway.gatewayIP must lie in ipv4Subnet, spec.networks[0].natGateway.gatewayIP: Invalid value: "2001:db8::1": gatewayIP must be an IPv4 address]`},
		{name: "NAT gateway with addresses and a pool", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {gatewayIP: 10.40.0.1, publicIPs: [203.0.113.5], publicIPPoolRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: IonosCloudIPPool, name: a}}}]}`, want: `spec.networks[0].natGateway: Invalid value: publicIPs and publicIPPoolRef exclude each other`},
		{name: "NAT gateway with a public address twice", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {gatewayIP: 10.40.0.1, publicIPs: [203.0.113.5, 203.0.113.5]}}]}`, want: `spec.networks[0].natGateway.publicIPs[1]: Duplicate value: "203.0.113.5"`},
		{name: "NAT rule with ports of every protocol", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {gatewayIP: 10.40.0.1, rules: [{name: r, targetPortRange: {start: 1, end: 2}}]}}]}`, want: `spec.networks[0].natGateway.rules[0]: Invalid value: targetPortRange needs protocol TCP or UDP`},
		{name: "NAT rule with reversed ports", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {gatewayIP: 10.40.0.1, rules: [{name: r, protocol: TCP, targetPortRange: {start: 3, end: 2}}]}}]}`, want: `spec.networks[0].natGateway.rules[0].targetPortRange: Invalid value: start must not be greater than end`},
		{name: "two NAT rules of one name", kind: cluster, create: `spec: {networks: [{name: a, type: Private, ipv4Subnet: 10.40.0.0/20, natGateway: {gatewayIP: 10.40.0.1, rules: [{name: r}, {name: r}]}}]}`, want: `spec.networks[0].natGateway.rules[1]: Duplicate value: {"name":"r"}`},

		// The source of the endpoint.
		{name: "endpoint by hand", kind: cluster, create: `spec: {controlPlaneEndpointSource: {type: Manual}}`},
		{name: "endpoint from a block", kind: cluster, create: `spec: {location: de/fra, controlPlaneEndpointSource: {type: IPBlock, port: 443}}`},
		{name: "endpoint from a pool", kind: cluster, create: `spec: {location: de/fra, controlPlaneEndpointSource: {type: IPPool, poolRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: IonosCloudIPPool, name: a}}}`},
		{
			name: "endpoint from a load balancer", kind: cluster,
			create: `
spec:
  location: de/fra
  networks: [{name: nodes, type: Private}]
  controlPlaneEndpointSource: {type: NetworkLoadBalancer, networkLoadBalancer: {clusterNetwork: nodes}}`,
		},
		{name: "endpoint source without a type", kind: cluster, create: `spec: {controlPlaneEndpointSource: {port: 443}}`, want: `spec.controlPlaneEndpointSource.type: Required value`},
		{name: "endpoint source of an unknown type", kind: cluster, create: `spec: {controlPlaneEndpointSource: {type: DNS}}`, want: `spec.controlPlaneEndpointSource.type: Unsupported value: "DNS": supported values: "Manual", "IPPool", "IPBlock", "NetworkLoadBalancer"`},
		{name: "endpoint source with port 0", kind: cluster, create: `spec: {controlPlaneEndpointSource: {type: Manual, port: 0}}`, want: `spec.controlPlaneEndpointSource.port: Invalid value: 0: spec.controlPlaneEndpointSource.port in body should be greater than or equal to 1`},
		{name: "endpoint from a pool that is not named", kind: cluster, create: `spec: {location: de/fra, controlPlaneEndpointSource: {type: IPPool}}`, want: `spec.controlPlaneEndpointSource: Invalid value: poolRef is required with type IPPool, and forbidden otherwise`},
		{name: "endpoint from a block with a pool", kind: cluster, create: `spec: {location: de/fra, controlPlaneEndpointSource: {type: IPBlock, poolRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: IonosCloudIPPool, name: a}}}`, want: `spec.controlPlaneEndpointSource: Invalid value: poolRef is required with type IPPool, and forbidden otherwise`},
		{name: "endpoint from a load balancer that is not described", kind: cluster, create: `spec: {location: de/fra, controlPlaneEndpointSource: {type: NetworkLoadBalancer}}`, want: `spec.controlPlaneEndpointSource: Invalid value: networkLoadBalancer is required with type NetworkLoadBalancer, and forbidden otherwise`},
		{name: "endpoint from a load balancer on an unknown network", kind: cluster, create: `spec: {location: de/fra, controlPlaneEndpointSource: {type: NetworkLoadBalancer, networkLoadBalancer: {clusterNetwork: nodes}}}`, want: `spec: Invalid value: controlPlaneEndpointSource.networkLoadBalancer.clusterNetwork must name a Private entry of networks`},
		{name: "endpoint from a load balancer on a public network", kind: cluster, create: `spec: {location: de/fra, networks: [{name: nodes, type: Public}], controlPlaneEndpointSource: {type: NetworkLoadBalancer, networkLoadBalancer: {clusterNetwork: nodes}}}`, want: `spec: Invalid value: controlPlaneEndpointSource.networkLoadBalancer.clusterNetwork must name a Private entry of networks`},
		{name: "endpoint from a block without location", kind: cluster, create: `spec: {controlPlaneEndpointSource: {type: IPBlock}}`, want: `spec: Invalid value: location is required when the control plane endpoint has a source other than Manual`},
		{name: "endpoint from two sources", kind: cluster, create: `spec: {location: de/fra, loadBalancerProviderRef: {name: lb}, controlPlaneEndpointSource: {type: IPBlock}}`, want: `spec: Invalid value: loadBalancerProviderRef and controlPlaneEndpointSource exclude each other: use controlPlaneEndpointSource with type IPBlock alone`},

		// IonosCloudClusterTemplate
		{name: "smallest", kind: clusterTemplate, stored: `template: {spec: {credentialsRef: {name: credentials}}}`},
		{name: "metadata", kind: clusterTemplate, create: `spec: {template: {metadata: {labels: {a: b}}}}`},
		{name: "no spec", kind: clusterTemplate, create: `spec: null`, want: `spec: Required value: spec must be set`},
		{name: "no template", kind: clusterTemplate, create: `spec: {template: null}`, want: `spec.template: Required value`},
		{name: "two networks of one name", kind: clusterTemplate, create: `spec: {template: {spec: {networks: [{name: a, type: Public}, {name: a, type: Private}]}}}`, want: `spec.template.spec.networks[1]: Duplicate value: {"name":"a"}`},
		{name: "endpoint from a pool that is not named", kind: clusterTemplate, create: `spec: {template: {spec: {location: de/fra, controlPlaneEndpointSource: {type: IPPool}}}}`, want: `spec.template.spec.controlPlaneEndpointSource: Invalid value: poolRef is required with type IPPool, and forbidden otherwise`},
	}
}
