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
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
)

func TestIsQuota(t *testing.T) {
	for message, want := range map[string]bool{
		"[(root).properties.cores] The contract's quota is exceeded": true,
		"Resource limit exceeded for cores":                          true,
		"The requested size exceeds the limit of your contract":      true,
		"Contract limit reached":                                     true,
		"[(root).properties.ram] not a multiple of 256":              false,
		"at most 24 NICs and volumes":                                false,
	} {
		if got := cloud.IsQuota(fmt.Errorf("make it: %w", &cloud.APIError{Status: 422, Messages: []string{"first", message}})); got != want {
			t.Errorf("%q: %v", message, got)
		}
		if cloud.IsQuota(&cloud.APIError{Status: 500, Messages: []string{message}}) {
			t.Errorf("%q: 500", message)
		}
	}
	if cloud.IsQuota(errors.New("quota")) || cloud.IsQuota(nil) {
		t.Error("any error is about a quota")
	}
}

// What has no answer of the cloud says the same each time, and names neither ports nor addresses that differ (G7).
func TestUnreachable(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{
		"http://" + closed:           "check the credentials: no usable answer of the cloud: connect: connection refused",
		"http://cloud.invalid":       "check the credentials: no usable answer of the cloud: look up cloud.invalid: ",
		"https://" + closed + "/api": "check the credentials: no usable answer of the cloud: connect: connection refused",
	} {
		session := must(cloud.NewContracts(cloud.ContractsOptions{}).Session(cloud.Credentials{Token: token, APIURL: url}))(t)
		err := session.CheckCredentials(t.Context())
		if !cloud.IsTemporary(err) || !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%s: %v", url, err)
		}
		if again := session.CheckCredentials(t.Context()); fmt.Sprint(again) != fmt.Sprint(err) {
			t.Errorf("%v differs from %v", again, err)
		}
		checkSecrets(t, err)
	}
}
