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

package v1alpha2

import clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"

// Conditions of an IonosCloudCluster and an IonosCloudMachine.
const (
	// ReadyCondition sums up the other conditions.
	ReadyCondition = clusterv1.ReadyCondition
	// PausedCondition is True while the provider leaves the object alone.
	PausedCondition = clusterv1.PausedCondition
	// DeletingCondition is True while the provider takes down what it made for the object.
	DeletingCondition = clusterv1.DeletingCondition
	// CredentialsAvailableCondition is True when the cloud accepts the credentials of the cluster.
	CredentialsAvailableCondition = "CredentialsAvailable"
)

// Conditions of an IonosCloudCluster.
const (
	// NetworksReadyCondition is True when each network that a machine uses has its LAN.
	NetworksReadyCondition = "NetworksReady"
	// ControlPlaneEndpointReadyCondition is True when spec.controlPlaneEndpoint is set.
	ControlPlaneEndpointReadyCondition = "ControlPlaneEndpointReady"
)

// Conditions of an IonosCloudMachine.
const (
	// NetworksPlannedCondition is True when every attachment can be carried out as it is written.
	NetworksPlannedCondition = "NetworksPlanned"
	// AddressesReadyCondition is True when every address that comes from a pool is there.
	AddressesReadyCondition = "AddressesReady"
	// ServerProvisionedCondition is True when the server runs.
	ServerProvisionedCondition = "ServerProvisioned"
	// NetworksAttachedCondition is True when the server has a NIC for each attachment, with its addresses.
	NetworksAttachedCondition = "NetworksAttached"
	// FailoverReadyCondition is True when the failover addresses that are asked for are there. It is absent where none are.
	FailoverReadyCondition = "FailoverReady"
)

// Reasons that several conditions share.
const (
	// CredentialsAvailableReason: nothing to do.
	CredentialsAvailableReason = "CredentialsAvailable"
	// CredentialsSecretNotFoundReason: create the secret that spec.credentialsRef names.
	CredentialsSecretNotFoundReason = "CredentialsSecretNotFound"
	// CredentialsInvalidReason: put a token into the key "token" of the secret, and correct "apiURL" and "caBundle".
	CredentialsInvalidReason = "CredentialsInvalid"
	// CredentialsRejectedReason: the cloud answered 401 or 403. Renew the token in the secret, or widen its privileges.
	CredentialsRejectedReason = "CredentialsRejected"

	// WaitingForOwnerReason: the Cluster API controllers have not set the owner reference yet. Check that the
	// Cluster or Machine refers to this object.
	WaitingForOwnerReason = "WaitingForOwner"
	// WaitingForRequestReason: a cloud request is under way. Nothing to do unless it lasts.
	WaitingForRequestReason = "WaitingForRequest"
	// CloudRequestFailedReason: the cloud accepted a request and failed to carry it out. The message has the cloud's
	// words; it is tried again.
	CloudRequestFailedReason = "CloudRequestFailed"
	// CloudErrorReason: the cloud refused a call or could not be reached. The message has the cloud's words; it is tried again.
	CloudErrorReason = "CloudError"
	// QuotaExceededReason: a limit of the contract is reached. Free resources, or have the limit raised.
	QuotaExceededReason = "QuotaExceeded"
	// RateLimitedReason: the cloud asked for fewer calls. The provider waits and goes on by itself.
	RateLimitedReason = "RateLimited"
	// NotSupportedReason: the spec asks for something that this version of the provider does not do yet.
	// Remove what the message names from the spec.
	NotSupportedReason = "NotSupported"
	// InternalErrorReason: the provider could not read or write an object of the management cluster; it is tried again.
	InternalErrorReason = "InternalError"
	// DeletingReason: the object is being deleted; the message says what is waited for.
	DeletingReason = "Deleting"
	// NotDeletingReason: nothing to do.
	NotDeletingReason = "NotDeleting"
)

// Reasons of an IonosCloudCluster.
const (
	// NetworksReadyReason: nothing to do.
	NetworksReadyReason = "NetworksReady"
	// NetworkConflictReason: a LAN of the network's name exists and is not what the spec says, or several have it.
	// Rename or delete the LAN that the message names, or correct the spec.
	NetworkConflictReason = "NetworkConflict"
	// ControlPlaneEndpointReadyReason: nothing to do.
	ControlPlaneEndpointReadyReason = "ControlPlaneEndpointReady"
	// WaitingForControlPlaneEndpointReason: set spec.controlPlaneEndpoint.host and port.
	WaitingForControlPlaneEndpointReason = "WaitingForControlPlaneEndpoint"
	// WaitingForMachinesReason: the cluster is deleted after its machines; they still exist.
	WaitingForMachinesReason = "WaitingForMachines"
	// WaitingForNICsReason: a LAN is deleted after its last NIC is gone; some still exist.
	WaitingForNICsReason = "WaitingForNICs"
)

// Reasons of an IonosCloudMachine.
const (
	// NetworksPlannedReason: nothing to do.
	NetworksPlannedReason = "NetworksPlanned"
	// NetworkProblemReason: an attachment cannot be carried out as it is written; the message names network, family and remedy.
	NetworkProblemReason = "NetworkProblem"
	// WaitingForClusterInfrastructureReason: the IonosCloudCluster is not provisioned yet; look at its conditions.
	WaitingForClusterInfrastructureReason = "WaitingForClusterInfrastructure"
	// WaitingForNetworkReason: a cluster network has no LAN in the machine's data center yet; look at the conditions
	// of the IonosCloudCluster.
	WaitingForNetworkReason = "WaitingForNetwork"
	// WaitingForBootstrapDataReason: the bootstrap provider has not made the bootstrap data yet.
	WaitingForBootstrapDataReason = "WaitingForBootstrapData"
	// BootstrapDataInvalidReason: the bootstrap data cannot be used; the message says why.
	BootstrapDataInvalidReason = "BootstrapDataInvalid"
	// AddressesReadyReason: nothing to do.
	AddressesReadyReason = "AddressesReady"
	// WaitingForAddressReason: a claim has no address yet. Look at the claim and the pool that the message names.
	WaitingForAddressReason = "WaitingForAddress"
	// AddressConflictReason: a claim or an address cannot be used; the message says which and why.
	AddressConflictReason = "AddressConflict"
	// ImageNotFoundReason: no image matches. Correct spec.disk.image, or upload and label an image in the location.
	ImageNotFoundReason = "ImageNotFound"
	// ImageAmbiguousReason: several images match. Narrow the selector, or use resolutionPolicy Newest.
	ImageAmbiguousReason = "ImageAmbiguous"
	// DatacenterNotFoundReason: correct spec.datacenterID, or check that the credentials belong to the data center's contract.
	DatacenterNotFoundReason = "DatacenterNotFound"
	// ServerProvisionedReason: nothing to do.
	ServerProvisionedReason = "ServerProvisioned"
	// ServerCreatingReason: the server is being created.
	ServerCreatingReason = "ServerCreating"
	// ServerConflictReason: several servers could be this machine's. Delete or rename those that are not.
	ServerConflictReason = "ServerConflict"
	// ServerNotRunningReason: the server is stopped. Start it, or delete the machine.
	ServerNotRunningReason = "ServerNotRunning"
	// ServerNotFoundReason: the server of the provider ID is gone. Delete the machine, so that another takes its place.
	ServerNotFoundReason = "ServerNotFound"
	// NetworksAttachedReason: nothing to do.
	NetworksAttachedReason = "NetworksAttached"
	// AttachingReason: a NIC is being attached, changed or detached.
	AttachingReason = "Attaching"
	// NICMissingReason: a NIC was removed behind the provider's back. Replace the machine, or remove the attachment
	// and add it under a new name.
	NICMissingReason = "NICMissing"
	// FailoverReadyReason: nothing to do.
	FailoverReadyReason = "FailoverReady"
	// WaitingForClaimsReason: the claims of a deleted machine still exist. Look at the claims that the message names, and at
	// the IPAM provider of their pools.
	WaitingForClaimsReason = "WaitingForClaims"
	// ProvisioningReason: the first step that is not done says what is waited for.
	ProvisioningReason = "Provisioning"
)

// Conditions of the Cluster API v1beta1 contract, for clients that read v1alpha1.
const (
	// LegacyClusterReadyCondition mirrors Ready of an IonosCloudCluster.
	LegacyClusterReadyCondition clusterv1.ConditionType = "ClusterReady"
	// LegacyMachineProvisionedCondition mirrors Ready of an IonosCloudMachine.
	LegacyMachineProvisionedCondition clusterv1.ConditionType = "MachineProvisioned"
)
