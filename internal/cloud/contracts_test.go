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
	"bytes"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
)

func TestSessionBadCredentials(t *testing.T) {
	for name, test := range map[string]struct {
		credentials cloud.Credentials
		want        string
	}{
		"no token":              {cloud.Credentials{}, "the token is empty"},
		"blank token":           {cloud.Credentials{Token: " \n"}, "the token is empty"},
		"token of two lines":    {cloud.Credentials{Token: token + "\n" + token}, "white space or other characters"},
		"token beyond ASCII":    {cloud.Credentials{Token: token + "é"}, "white space or other characters"},
		"URL without scheme":    {cloud.Credentials{Token: token, APIURL: "api.example.com"}, "apiURL must be a URL"},
		"URL without host":      {cloud.Credentials{Token: token, APIURL: "https://"}, "apiURL must be a URL"},
		"URL that is none":      {cloud.Credentials{Token: token, APIURL: "http://[::1"}, "apiURL must be a URL"},
		"URL of another scheme": {cloud.Credentials{Token: token, APIURL: "ftp://api.example.com"}, "apiURL must be a URL"},
		"URL with a password":   {cloud.Credentials{Token: token, APIURL: "https://me:" + token + "@api.example.com"}, "apiURL must have no user"},
		"URL with a query":      {cloud.Credentials{Token: token, APIURL: "https://api.example.com?token=" + token}, "apiURL must have no user, query"},
		"CA bundle":             {cloud.Credentials{Token: token, CABundle: []byte(token)}, "caBundle has no PEM certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := cloud.NewContracts(cloud.ContractsOptions{}).Session(test.credentials)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			checkSecrets(t, err)
		})
	}
}

func TestSessionIsShared(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	contracts := cloud.NewContracts(cloud.ContractsOptions{Clock: clock})
	session := func(credentials cloud.Credentials) *cloud.Session { return must(contracts.Session(credentials))(t) }
	first := session(cloud.Credentials{Token: token, APIURL: "https://api.example.com"})
	if session(cloud.Credentials{Token: token + "\n", APIURL: " https://api.example.com"}) != first {
		t.Error("white space makes another session")
	}
	for _, other := range []cloud.Credentials{{Token: token}, {Token: token + "x", APIURL: "https://api.example.com"}} {
		if session(other) == first {
			t.Errorf("%+v has the same session", other)
		}
	}
	if must(cloud.NewContracts(cloud.ContractsOptions{}).Session(cloud.Credentials{Token: token, APIURL: "https://api.example.com"}))(t) == first {
		t.Error("two contracts share a session")
	}
	// A session in use stays, one that nobody asks for goes when another comes.
	clock.Step(45 * time.Minute)
	session(cloud.Credentials{Token: token, APIURL: "https://api.example.com"})
	unused := session(cloud.Credentials{Token: "unused"})
	clock.Step(45 * time.Minute)
	session(cloud.Credentials{Token: "other"})
	if session(cloud.Credentials{Token: token, APIURL: "https://api.example.com"}) != first {
		t.Error("a session in use is gone")
	}
	clock.Step(45 * time.Minute)
	session(cloud.Credentials{Token: "another"})
	if session(cloud.Credentials{Token: "unused"}) == unused {
		t.Error("a token is kept for ever")
	}
}

// recorder is a server that notes what it is sent.
type recorder struct {
	mutex    sync.Mutex
	requests []*http.Request
	answer   http.HandlerFunc
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mutex.Lock()
	r.requests = append(r.requests, request)
	r.mutex.Unlock()
	r.answer(w, request)
}

func (r *recorder) sent() []*http.Request {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.requests)
}

// answering is a server that always answers the same, with JSON.
func answering(t *testing.T, status int, header http.Header, body string) (*recorder, *cloud.Session) {
	t.Helper()
	r := &recorder{answer: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for key := range header {
			w.Header().Set(key, header.Get(key))
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	return r, must(cloud.NewContracts(cloud.ContractsOptions{UserAgent: "tester/1"}).Session(cloud.Credentials{Token: token, APIURL: server.URL + "/"}))(t)
}

func TestHeaders(t *testing.T) {
	r, session := answering(t, http.StatusOK, nil, `{"items":[]}`)
	if err := session.CheckCredentials(t.Context()); err != nil {
		t.Fatal(err)
	}
	request := r.sent()[0]
	if request.URL.Path != "/cloudapi/v6/datacenters" || request.Header.Get("Authorization") != "Bearer "+token || request.Header.Get("User-Agent") != "tester/1" {
		t.Errorf("%s with %v", request.URL, request.Header)
	}
}

// A redirect is not followed: a write would be sent twice, and the token to somebody else.
func TestRedirect(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		other, _ := answering(t, http.StatusOK, nil, `{"items":[]}`)
		server := httptest.NewServer(other)
		t.Cleanup(server.Close)
		r, session := answering(t, status, http.Header{"Location": {server.URL}}, `{}`)
		_, _, err := session.CreateLAN(t.Context(), "dc", cloud.LANSettings{Name: "l"})
		if err == nil || len(r.sent()) != 1 || len(other.sent()) != 0 {
			t.Errorf("%d: %v, %d and %d calls", status, err, len(r.sent()), len(other.sent()))
		}
	}
}

func TestCABundle(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"items":[]}`)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	contracts := cloud.NewContracts(cloud.ContractsOptions{})
	if err := must(contracts.Session(cloud.Credentials{Token: token, APIURL: server.URL, CABundle: bundle}))(t).CheckCredentials(t.Context()); err != nil {
		t.Errorf("with the bundle: %v", err)
	}
	err := must(contracts.Session(cloud.Credentials{Token: token, APIURL: server.URL}))(t).CheckCredentials(t.Context())
	if !cloud.IsTemporary(err) || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("without: %v", err)
	}
}

// The SDK reads the environment: that must neither log what is sent, nor replace what the calls go through.
func TestEnvironment(t *testing.T) {
	output, err := os.Create(t.TempDir() + "/output")
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr := os.Stdout, os.Stderr
	t.Cleanup(func() { os.Stdout, os.Stderr = stdout, stderr })
	os.Stdout, os.Stderr = output, output
	t.Setenv("IONOS_LOG_LEVEL", "trace")
	t.Setenv("IONOS_PINNED_CERT", "00")
	t.Setenv("IONOS_TOKEN", "another")
	t.Setenv("IONOS_API_URL", "http://127.0.0.1:1")
	var observed []string
	w := newWorld(t, cloud.ContractsOptions{Observe: func(operation string, status int, _ time.Duration) {
		observed = append(observed, operation+" "+http.StatusText(status))
	}})
	observed = nil
	if _, _, err := w.session.CreateServer(t.Context(), w.datacenterID, w.serverSettings()); err != nil {
		t.Error(err)
	}
	if !slices.Equal(observed, []string{"POST /datacenters/{}/servers Accepted"}) {
		t.Errorf("observed %q", observed)
	}
	logged, err := os.ReadFile(output.Name())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(logged, []byte(token)) || bytes.Contains(logged, []byte("userData")) || bytes.Contains(logged, []byte("Dump")) {
		t.Errorf("logged: %s", logged)
	}
}

// roundTripper is a function that sends a request.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func TestWrapTransportAndObserve(t *testing.T) {
	broken := errors.New("broken")
	var statuses []int
	contracts := cloud.NewContracts(cloud.ContractsOptions{
		Observe: func(_ string, status int, _ time.Duration) { statuses = append(statuses, status) },
		WrapTransport: func(http.RoundTripper) http.RoundTripper {
			return roundTripper(func(*http.Request) (*http.Response, error) { return nil, broken })
		},
	})
	err := must(contracts.Session(cloud.Credentials{Token: token}))(t).CheckCredentials(t.Context())
	if !errors.Is(err, broken) || !cloud.IsUncertain(err) || !slices.Equal(statuses, []int{0}) {
		t.Errorf("got %v, observed %v", err, statuses)
	}
}

// Credentials that were taken are not checked each time, but as soon as the cloud rejects them.
func TestCheckCredentials(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	w := newWorld(t, cloud.ContractsOptions{Clock: clock})
	check := func(sent int) {
		t.Helper()
		if err := w.session.CheckCredentials(t.Context()); err != nil {
			t.Error(err)
		}
		if got := w.calls()["GET /datacenters"]; got != sent {
			t.Errorf("%d checks, want %d", got, sent)
		}
	}
	check(1)
	check(1)
	clock.Step(6 * time.Minute)
	check(2)

	w.SetTokens("another")
	if _, err := w.session.Server(t.Context(), w.datacenterID, w.serverID); !errors.Is(err, cloud.ErrUnauthorized) {
		t.Errorf("got %v", err)
	}
	for range 2 {
		if err := w.session.CheckCredentials(t.Context()); !errors.Is(err, cloud.ErrUnauthorized) {
			t.Errorf("got %v", err)
		}
	}
	w.SetTokens(token)
	check(5)
}

func TestPollDelay(t *testing.T) {
	contracts := cloud.NewContracts(cloud.ContractsOptions{})
	last := time.Duration(0)
	for age := time.Duration(0); age < time.Hour; age += time.Second {
		delay := contracts.PollDelay(age)
		if delay < last || delay < time.Second || delay > 30*time.Second {
			t.Fatalf("at %v: %v after %v", age, delay, last)
		}
		last = delay
	}
	if last != 30*time.Second {
		t.Errorf("it grows to %v", last)
	}
	if got := cloud.NewContracts(cloud.ContractsOptions{PollScale: 0.001}).PollDelay(0); got != time.Millisecond {
		t.Errorf("scaled: %v", got)
	}
}
