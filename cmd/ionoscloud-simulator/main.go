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

// Command ionoscloud-simulator serves a simulated IONOS Cloud.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// stopTimeout is how long calls under way may take when the simulator is stopped.
const stopTimeout = 5 * time.Second

// options are the flags of the simulator.
type options struct {
	listen, seed     string
	tokens           []string
	provisioningTime time.Duration
	hidden           bool
}

func main() {
	var o options
	pflag.StringVar(&o.listen, "listen", "127.0.0.1:8080", "Address to listen on.")
	pflag.StringSliceVar(&o.tokens, "token", nil, "Token to accept; may be repeated. Without it, every token is accepted.")
	pflag.DurationVar(&o.provisioningTime, "provisioning-time", time.Second, "How long each request runs.")
	pflag.BoolVar(&o.hidden, "hidden-until-done", false, "Hide new resources until the request that makes them is done.")
	pflag.StringVar(&o.seed, "seed", "", "File, in JSON or YAML, with what the cloud has at the beginning.")
	pflag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "ionoscloud-simulator:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called.
	}
}

// run serves the cloud until the context ends.
func run(ctx context.Context, o options) error {
	settings := []cloudsim.Option{cloudsim.WithAdmin(), cloudsim.WithProvisioningTime(o.provisioningTime)}
	if len(o.tokens) > 0 {
		settings = append(settings, cloudsim.WithTokens(o.tokens...))
	}
	if o.hidden {
		settings = append(settings, cloudsim.WithHiddenUntilDone())
	}
	cloud := cloudsim.New(settings...)
	defer cloud.Close()
	if err := plant(cloud, o.seed); err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", o.listen, err)
	}
	fmt.Fprintf(os.Stderr, "serving the IONOS Cloud API at http://%s/cloudapi/v6, and its state at http://%s/_sim/state\n", listener.Addr(), listener.Addr())
	server := &http.Server{Handler: cloud, ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// plant reads the seed file, and prints the IDs of what it became.
func plant(cloud *cloudsim.Cloud, path string) error {
	if path == "" {
		return nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the seed: %w", err)
	}
	var seed cloudsim.Seed
	if err := yaml.UnmarshalStrict(content, &seed); err != nil {
		return fmt.Errorf("read the seed %s: %w", path, err)
	}
	planted, err := cloud.Plant(seed)
	if err != nil {
		return fmt.Errorf("plant the seed %s: %w", path, err)
	}
	return json.NewEncoder(os.Stdout).Encode(planted)
}
