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

package webhook_test

import (
	"os"
	"testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/testenv"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/webhook"
)

var env *testenv.Environment

func TestMain(m *testing.M) {
	os.Exit(testenv.Run(m, func(e *testenv.Environment) { env = e }, testenv.WithWebhooks()))
}

// serve runs the webhooks for a test in a namespace of its own.
func serve(t *testing.T) (namespace string) {
	t.Helper()
	mgr := env.NewManager(t)
	if err := webhook.SetupWithManager(mgr); err != nil {
		t.Fatal(err)
	}
	mgr.Run(t)
	return env.Namespace(t)
}
