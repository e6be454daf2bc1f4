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

package testenv

import (
	"os"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	ctrl "sigs.k8s.io/controller-runtime"
)

// setGlobalLoggers gives controller-runtime its process-wide logger, which it complains without. Managers log to their
// tests; what is left are errors outside of any manager.
var setGlobalLoggers = sync.OnceFunc(func() {
	ctrl.SetLogger(funcr.New(func(prefix, args string) {
		_, _ = os.Stderr.WriteString(prefix + " " + args + "\n")
	}, funcr.Options{}))
})

// testLogger logs to a test for as long as the test runs. Goroutines that end after their test may go on logging.
func testLogger(tb testing.TB) logr.Logger {
	tb.Helper()
	var (
		mu    sync.Mutex
		ended bool
	)
	tb.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		ended = true
	})
	return funcr.New(func(prefix, args string) {
		mu.Lock()
		defer mu.Unlock()
		if !ended {
			tb.Log(prefix, args)
		}
	}, funcr.Options{Verbosity: 4})
}
