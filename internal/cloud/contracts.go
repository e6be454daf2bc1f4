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

package cloud

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/clock"
)

const (
	defaultRequestTimeout = time.Minute
	defaultInventoryTTL   = 30 * time.Second
	// datacenterTTL is how long a data center, whose location never changes, is remembered.
	datacenterTTL = 10 * time.Minute
	imageTTL      = time.Minute
	// credentialsTTL is how long credentials that the cloud took count as good.
	credentialsTTL = 5 * time.Minute
	// sessionTTL is how long a session that nobody asks for is kept, so that tokens that were replaced are forgotten.
	sessionTTL = time.Hour

	dialTimeout = 15 * time.Second

	firstPoll = time.Second
	lastPoll  = 30 * time.Second
)

// ContractsOptions tune the access to the cloud. The zero value is good for production.
type ContractsOptions struct {
	// Clock tells the time; nil means the real one.
	Clock clock.PassiveClock
	// RequestTimeout is how long a call may take; zero means a minute.
	RequestTimeout time.Duration
	// InventoryTTL is how long an inventory is shared before it is read again; zero means half a minute.
	InventoryTTL time.Duration
	// PollScale is a factor on PollDelay; zero means one.
	PollScale float64
	// UserAgent is sent with every call.
	UserAgent string
	// Observe is told of every call that is sent, as "GET /datacenters/{}/servers", with status 0 for one that was not
	// answered. It is called by many goroutines at once.
	Observe func(operation string, status int, duration time.Duration)
	// WrapTransport wraps what sends the calls of a session; nil leaves it as it is.
	WrapTransport func(http.RoundTripper) http.RoundTripper
}

// Contracts keeps what is shared by all who use the same credentials: backoff, inventories, data centers and images.
// A manager has one.
type Contracts struct {
	options ContractsOptions

	mutex    sync.Mutex
	sessions map[[sha256.Size]byte]*keptSession
}

// keptSession is a session, and when it was last asked for.
type keptSession struct {
	*Session
	used time.Time
}

// NewContracts makes an empty Contracts.
func NewContracts(options ContractsOptions) *Contracts {
	if options.Clock == nil {
		options.Clock = clock.RealClock{}
	}
	if options.RequestTimeout == 0 {
		options.RequestTimeout = defaultRequestTimeout
	}
	if options.InventoryTTL == 0 {
		options.InventoryTTL = defaultInventoryTTL
	}
	if options.PollScale == 0 {
		options.PollScale = 1
	}
	return &Contracts{options: options, sessions: map[[sha256.Size]byte]*keptSession{}}
}

// PollDelay is the time until the next look at a request of the given age: an eighth of the age, at least a second and
// at most half a minute.
func (c *Contracts) PollDelay(age time.Duration) time.Duration {
	return time.Duration(float64(min(max(age/8, firstPoll), lastPoll)) * c.options.PollScale)
}

// Session is the access to the cloud with one set of credentials.
type Session struct {
	client  *ionoscloud.APIClient
	timeout time.Duration
	clock   clock.PassiveClock

	inventories *sharedReads[string, *Inventory]
	datacenters *sharedReads[string, Datacenter]
	images      *sharedReads[string, []Image]
	checks      *sharedReads[struct{}, struct{}]
	searches    *sharedReads[requestSearch, []QueuedRequest]
}

// Session returns the session for the credentials, always the same for the same ones. Nothing is sent to the cloud. White
// space around the token and the URL does not matter.
func (c *Contracts) Session(credentials Credentials) (*Session, error) {
	credentials.Token = strings.TrimSpace(credentials.Token)
	credentials.APIURL = strings.TrimSpace(credentials.APIURL)
	hash := sha256.New()
	for _, part := range [][]byte{[]byte(credentials.Token), []byte(credentials.APIURL), credentials.CABundle} {
		sum := sha256.Sum256(part)
		_, _ = hash.Write(sum[:]) // A hash never fails to be written to.
	}
	key := [sha256.Size]byte(hash.Sum(nil))

	c.mutex.Lock()
	defer c.mutex.Unlock()
	now := c.options.Clock.Now()
	if kept, exists := c.sessions[key]; exists {
		kept.used = now
		return kept.Session, nil
	}
	session, err := c.newSession(credentials)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(c.sessions, func(_ [sha256.Size]byte, kept *keptSession) bool { return now.Sub(kept.used) > sessionTTL })
	c.sessions[key] = &keptSession{Session: session, used: now}
	return session, nil
}

func (c *Contracts) newSession(credentials Credentials) (*Session, error) {
	if err := checkToken(credentials.Token); err != nil {
		return nil, err
	}
	base, err := baseURL(credentials.APIURL)
	if err != nil {
		return nil, err
	}
	transport, err := newTransport(credentials.CABundle)
	if err != nil {
		return nil, err
	}
	if c.options.WrapTransport != nil {
		transport = c.options.WrapTransport(transport)
	}
	config := ionoscloud.NewConfiguration("", "", credentials.Token, base)
	// The reconcile loop tries again, and knows whether that is safe.
	config.MaxRetries = 1
	// The environment could have the SDK log what it sends.
	config.LogLevel = ionoscloud.Off
	if c.options.UserAgent != "" {
		config.UserAgent = c.options.UserAgent
	}
	config.HTTPClient = &http.Client{
		// A redirected write would be sent twice, and the token to somebody else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	session := &Session{client: ionoscloud.NewAPIClient(config), timeout: c.options.RequestTimeout, clock: c.options.Clock}
	session.inventories = newSharedReads(c.options.Clock, c.options.InventoryTTL, session.readInventory)
	session.datacenters = newSharedReads(c.options.Clock, datacenterTTL, session.readDatacenter)
	session.images = newSharedReads(c.options.Clock, imageTTL, session.readImages)
	session.checks = newSharedReads(c.options.Clock, credentialsTTL, session.readContract)
	session.searches = newSharedReads(c.options.Clock, 0, session.searchRequests)
	// NewAPIClient replaces the transport if the environment says so; the door must not be walked around.
	config.HTTPClient.Transport = &door{
		next: transport, clock: c.options.Clock, observe: c.options.Observe,
		unauthorized: func() { session.checks.forget(struct{}{}) },
	}
	return session, nil
}

// newTransport makes what sends the calls of one session. Nothing of it is shared with other sessions.
func newTransport(caBundle []byte) (http.RoundTripper, error) {
	tlsConfig := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(caBundle) > 0 {
		pool, err := x509.SystemCertPool()
		if err != nil {
			return nil, fmt.Errorf("read the system's certificates: %w", err)
		}
		if !pool.AppendCertsFromPEM(caBundle) {
			return nil, errors.New("caBundle has no PEM certificate")
		}
		tlsConfig.RootCAs = pool
	}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSClientConfig:     tlsConfig,
		TLSHandshakeTimeout: dialTimeout,
		ForceAttemptHTTP2:   true,
	}, nil
}

// checkToken tells what is wrong with a token without showing any of it.
func checkToken(token string) error {
	if token == "" {
		return errors.New("the token is empty")
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the token has white space or other characters in it that no token has")
	}
	return nil
}

// baseURL checks the URL of the API. Empty means the public one.
func baseURL(text string) (string, error) {
	if text == "" {
		return ionoscloud.DefaultIonosServerUrl, nil
	}
	// The text is not repeated in errors: people put credentials into URLs.
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.Scheme != "https" && parsed.Scheme != "http" {
		return "", errors.New("apiURL must be a URL that starts with https:// or http://")
	}
	if parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "" {
		return "", errors.New("apiURL must have no user, query or fragment")
	}
	return strings.TrimRight(text, "/"), nil
}

// call bounds the time of a call.
func (s *Session) call(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.timeout)
}

// CheckCredentials has the cloud check the credentials, unless it took them a short while ago.
func (s *Session) CheckCredentials(ctx context.Context) error {
	_, err := s.checks.get(ctx, struct{}{})
	return err
}

func (s *Session) readContract(ctx context.Context, _ struct{}) (struct{}, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	_, response, err := s.client.DataCentersApi.DatacentersGet(ctx).Depth(0).Limit(1).Execute()
	return struct{}{}, s.failure("check the credentials", response, err)
}
