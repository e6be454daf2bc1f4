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

package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
)

// Keys of the credentials secret.
const (
	secretKeyToken    = "token"
	secretKeyAPIURL   = "apiURL"
	secretKeyCABundle = "caBundle"
)

// credentialsFinalizer keeps the credentials secret until the cluster is gone. Each cluster that uses the secret has its own.
func credentialsFinalizer(cluster *infrav1.IonosCloudCluster) string {
	return infrav1.ClusterFinalizer + "/" + string(cluster.UID)
}

// credentialsSecret reads the credentials secret of a cluster.
func credentialsSecret(ctx context.Context, reader client.Reader, cluster *infrav1.IonosCloudCluster) (*corev1.Secret, error) {
	secret := &corev1.Secret{}
	key := types.NamespacedName{Namespace: cluster.Namespace, Name: cluster.Spec.CredentialsRef.Name}
	if err := reader.Get(ctx, key, secret); err != nil {
		return nil, fmt.Errorf("get credentials secret %s: %w", key, err)
	}
	return secret, nil
}

// credentialsFrom takes the credentials out of their secret.
func credentialsFrom(secret *corev1.Secret) (cloud.Credentials, error) {
	token := string(secret.Data[secretKeyToken])
	if token == "" {
		return cloud.Credentials{}, fmt.Errorf("key %q of secret %s/%s is missing or empty", secretKeyToken, secret.Namespace, secret.Name)
	}
	return cloud.Credentials{
		Token:    token,
		APIURL:   string(secret.Data[secretKeyAPIURL]),
		CABundle: secret.Data[secretKeyCABundle],
	}, nil
}

// enterCloud reads the credentials of a cluster, and returns the session that they open, and the secret that they are in.
func enterCloud(ctx context.Context, reader client.Reader, contracts *cloud.Contracts, ionosCluster *infrav1.IonosCloudCluster) (*cloud.Session, *corev1.Secret, outcome) {
	secret, err := credentialsSecret(ctx, reader, ionosCluster)
	if apierrors.IsNotFound(err) {
		return nil, nil, problem(infrav1.CredentialsSecretNotFoundReason, fmt.Sprintf("Secret %q does not exist: create it with the key %q", ionosCluster.Spec.CredentialsRef.Name, secretKeyToken), 0)
	}
	if err != nil {
		return nil, nil, failed(err)
	}
	credentials, err := credentialsFrom(secret)
	if err != nil {
		return nil, nil, problem(infrav1.CredentialsInvalidReason, err.Error(), 0)
	}
	session, err := contracts.Session(credentials)
	if err != nil {
		return nil, nil, problem(infrav1.CredentialsInvalidReason, fmt.Sprintf("Secret %q: %v", secret.Name, err), 0)
	}
	return session, secret, done()
}
