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
	"io"
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

const (
	// stopTimeout is how long calls under way may take when the simulator is stopped.
	stopTimeout = 5 * time.Second
	apiPath     = "/cloudapi/v6"
)

func main() {
	o := newOptions(pflag.CommandLine)
	pflag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "ionoscloud-simulator:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called.
	}
}

// run serves the cloud until the context ends. The IDs of what was planted go to planted, what people read to messages.
func run(ctx context.Context, o *options, planted, messages io.Writer) error {
	cloud := cloudsim.New(o.settings()...)
	defer cloud.Close()
	for name, value := range o.quotas {
		cloud.SetQuota(name, value)
	}
	if err := plant(cloud, o.seed, planted); err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", o.listen, err)
	}
	said := fmt.Sprintf("serving the IONOS Cloud API at http://%s%s\n", listener.Addr(), apiPath)
	if o.admin {
		said += fmt.Sprintf("its state is at http://%s/_sim/state\n", listener.Addr())
	}
	if _, err := io.WriteString(messages, said); err != nil {
		return errors.Join(fmt.Errorf("say where it listens: %w", err), listener.Close())
	}
	server := &http.Server{Handler: cloud, ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	// Answers that are held back would keep the server.
	cloud.Close()
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

// plant reads the seed file, and writes the IDs of what it became.
func plant(cloud *cloudsim.Cloud, path string, written io.Writer) error {
	if path == "" {
		return nil
	}
	content, err := os.ReadFile(path) //nolint:gosec // The person who starts the simulator names the file.
	if err != nil {
		return fmt.Errorf("read the seed: %w", err)
	}
	var seed cloudsim.Seed
	if err := yaml.UnmarshalStrict(content, &seed); err != nil {
		return fmt.Errorf("read the seed %s: %w", path, err)
	}
	ids, err := cloud.Plant(seed)
	if err != nil {
		return fmt.Errorf("plant the seed %s: %w", path, err)
	}
	return json.NewEncoder(written).Encode(ids)
}
