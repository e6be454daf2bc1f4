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

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

// parse makes options of arguments.
func parse(t *testing.T, arguments ...string) *options {
	t.Helper()
	flags := pflag.NewFlagSet("ionoscloud-simulator", pflag.ContinueOnError)
	o := newOptions(flags)
	if err := flags.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestRun(t *testing.T) {
	seed := filepath.Join(t.TempDir(), "seed.yaml")
	if err := os.WriteFile(seed, []byte("datacenters:\n- name: fleet\n  location: de/txl\nipBlocks:\n- location: de/txl\n  first: 203.0.113.20\n  last: 203.0.113.29\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := parse(t, "--listen=127.0.0.1:0", "--token=good", "--seed="+seed, "--quota=coresPerContract=3")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reader, messages := io.Pipe()
	var planted bytes.Buffer
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, o, &planted, messages) }()
	lines := bufio.NewScanner(reader)
	lines.Scan()
	_, address, _ := strings.Cut(lines.Text(), "http://")
	url := "http://" + address
	lines.Scan() // It says where the state is.

	get := func(token, path string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		content, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(content)
	}
	var ids cloudsim.Planted
	if err := json.Unmarshal(planted.Bytes(), &ids); err != nil || len(ids.Datacenters) != 1 {
		t.Fatalf("got %s and %v, want the ID of a data center", planted.String(), err)
	}
	if status, body := get("good", "/datacenters/"+ids.Datacenters[0]); status != http.StatusOK || !strings.Contains(body, `"fleet"`) {
		t.Errorf("got %d with %s", status, body)
	}
	if status, body := get("good", "/ipblocks/"+ids.IPBlocks[0]); status != http.StatusOK || !strings.Contains(body, `"203.0.113.29"`) {
		t.Errorf("got %d with %s", status, body)
	}
	if status, body := get("good", "/contracts?depth=1"); status != http.StatusOK || !strings.Contains(body, `"coresPerContract":3`) {
		t.Errorf("got %d with %s", status, body)
	}
	if status, _ := get("bad", "/datacenters"); status != http.StatusUnauthorized {
		t.Errorf("got %d for a token that was not given", status)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestRunSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	for name, test := range map[string]struct{ seed, want string }{
		"missing":      {"", "read the seed"},
		"no YAML":      {"{", "read the seed"},
		"unknown word": {"machines: []", "machines"},
		"no location":  {"images: [{name: a, location: nowhere}]", "nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if test.seed != "" {
				if err := os.WriteFile(path, []byte(test.seed), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := run(t.Context(), parse(t, "--seed="+path), io.Discard, io.Discard)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want …%s…", err, test.want)
			}
		})
	}
	if err := run(t.Context(), parse(t, "--listen=127.0.0.1:http-not"), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "listen on") {
		t.Errorf("got %v, want that it cannot listen", err)
	}
}

func TestAdminFlag(t *testing.T) {
	for _, test := range []struct {
		arguments []string
		want      int
	}{{nil, http.StatusOK}, {[]string{"--admin=false"}, http.StatusNotFound}} {
		server, err := cloudsim.Start(parse(t, test.arguments...).settings()...)
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/_sim/state", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer any")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil {
			t.Error(err)
		}
		if response.StatusCode != test.want {
			t.Errorf("%v: got %d, want %d", test.arguments, response.StatusCode, test.want)
		}
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}
}
