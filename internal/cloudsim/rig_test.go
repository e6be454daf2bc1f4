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

package cloudsim_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	ionoscloud "github.com/ionos-cloud/sdk-go/v6"
	"k8s.io/utils/ptr"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

const (
	token     = "good-token"
	location  = "de/txl"
	publicLAN = 1
	// privateLAN has no IPv6.
	privateLAN = 2
)

// rig is a cloud with a data center, a public LAN with IPv6, a private LAN, an image and an IP block, and the SDK.
type rig struct {
	*cloudsim.Server
	sdk       *ionoscloud.APIClient
	dc, image string
	block     string
	// ips are the addresses of the block.
	ips []string
}

func newRig(t *testing.T, options ...cloudsim.Option) *rig {
	t.Helper()
	server, err := cloudsim.Start(append([]cloudsim.Option{cloudsim.WithTokens(token)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &rig{Server: server, ips: []string{"203.0.113.20", "203.0.113.21", "203.0.113.22", "203.0.113.23"}}
	r.sdk = client(server.URL, token)
	r.dc = r.AddDatacenter("fleet", location)
	r.AddLAN(r.dc, cloudsim.LANSeed{ID: publicLAN, Name: "public", Public: true, IPv6: "AUTO"})
	r.AddLAN(r.dc, cloudsim.LANSeed{ID: privateLAN, Name: "private"})
	r.image = r.AddImage(location, "ubuntu", map[string]string{"os": "ubuntu"})
	r.block = r.AddIPBlock(location, r.ips...)
	return r
}

// client is the SDK without its retries.
func client(url, token string) *ionoscloud.APIClient {
	config := ionoscloud.NewConfiguration("", "", token, url)
	config.MaxRetries = 1
	return ionoscloud.NewAPIClient(config)
}

// server is the composite body of a server with one volume and the given NICs.
func (r *rig) server(name string, nics ...ionoscloud.NicProperties) ionoscloud.Server {
	body := ionoscloud.Server{
		Properties: &ionoscloud.ServerProperties{Name: &name, Cores: ptr.To[int32](2), Ram: ptr.To[int32](4096), Type: ptr.To("VCPU")},
		Entities: &ionoscloud.ServerEntities{
			Volumes: &ionoscloud.AttachedVolumes{Items: &[]ionoscloud.Volume{{Properties: &ionoscloud.VolumeProperties{
				Name: ptr.To("vol-" + name), Size: ptr.To[float32](20), Type: ptr.To("SSD"), Image: &r.image, UserData: ptr.To("aGVsbG8="),
			}}}},
			Nics: &ionoscloud.Nics{Items: &[]ionoscloud.Nic{}},
		},
	}
	for i := range nics {
		*body.Entities.Nics.Items = append(*body.Entities.Nics.Items, ionoscloud.Nic{Properties: &nics[i]})
	}
	return body
}

// create creates a server, waits for it, and returns it with its children's properties.
func (r *rig) create(t *testing.T, name string, nics ...ionoscloud.NicProperties) ionoscloud.Server {
	t.Helper()
	created, response, err := r.sdk.ServersApi.DatacentersServersPost(t.Context(), r.dc).Server(r.server(name, nics...)).Execute()
	r.done(t, response, err)
	return r.get(t, *created.Id)
}

func (r *rig) get(t *testing.T, id string) ionoscloud.Server {
	t.Helper()
	server, _, err := r.sdk.ServersApi.DatacentersServersFindById(t.Context(), r.dc, id).Depth(2).Execute()
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func nicsOf(server ionoscloud.Server) []ionoscloud.Nic { return *server.Entities.Nics.Items }

// nic are the properties of a NIC with addresses.
func nic(lan int32, ips ...string) ionoscloud.NicProperties {
	properties := ionoscloud.NicProperties{Lan: &lan, Name: ptr.To("nic"), Dhcp: ptr.To(true)}
	if len(ips) > 0 {
		properties.Ips = &ips
	}
	return properties
}

// patchNIC changes a NIC.
func (r *rig) patchNIC(t *testing.T, n ionoscloud.Nic, server ionoscloud.Server, change ionoscloud.NicProperties) error {
	t.Helper()
	_, response, err := r.sdk.NetworkInterfacesApi.DatacentersServersNicsPatch(t.Context(), r.dc, *server.Id, *n.Id).Nic(change).Execute()
	if err != nil {
		return err
	}
	r.done(t, response, nil)
	return nil
}

// patchFailover replaces the failover groups of the public LAN.
func (r *rig) patchFailover(t *testing.T, lan string, groups ...ionoscloud.IPFailover) error {
	t.Helper()
	if groups == nil {
		groups = []ionoscloud.IPFailover{}
	}
	_, response, err := r.sdk.LANsApi.DatacentersLansPatch(t.Context(), r.dc, lan).Lan(ionoscloud.LanProperties{IpFailover: &groups}).Execute()
	if err != nil {
		return err
	}
	r.done(t, response, nil)
	return nil
}

// ended returns the status and message of the request that a call made, which must have ended.
func (r *rig) ended(t *testing.T, response *ionoscloud.APIResponse, err error) (status, message string) {
	t.Helper()
	if err != nil {
		t.Fatalf("call: %v", err)
	}
	requestLocation := response.Header.Get("Location")
	if response.StatusCode != http.StatusAccepted || !strings.HasPrefix(requestLocation, r.URL+"/cloudapi/v6/requests/") || !strings.HasSuffix(requestLocation, "/status") {
		t.Fatalf("got status %d and location %q, want 202 and that of a request", response.StatusCode, requestLocation)
	}
	answer, _, err := r.sdk.RequestsApi.RequestsStatusGet(t.Context(), path.Base(path.Dir(requestLocation))).Execute()
	if err != nil {
		t.Fatal(err)
	}
	return *answer.Metadata.Status, *answer.Metadata.Message
}

// done fails the test unless the request of a call is done.
func (r *rig) done(t *testing.T, response *ionoscloud.APIResponse, err error) {
	t.Helper()
	if status, message := r.ended(t, response, err); status != "DONE" {
		t.Fatalf("request is %s (%s), want DONE", status, message)
	}
}

// failed fails the test unless the request of a call has failed with a message that contains the text.
func (r *rig) failed(t *testing.T, response *ionoscloud.APIResponse, err error, text string) {
	t.Helper()
	if status, message := r.ended(t, response, err); status != "FAILED" || !strings.Contains(message, text) {
		t.Fatalf("request is %s (%s), want FAILED (…%s…)", status, message, text)
	}
}

// wantRefusal fails the test unless the API refused a call with a status, a code and a message that contains the text.
func wantRefusal(t *testing.T, err error, status int, code, text string) {
	t.Helper()
	var refusal ionoscloud.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		t.Fatalf("got error %v, want %d of the API", err, status)
	}
	var body struct {
		HTTPStatus int `json:"httpStatus"`
		Messages   []struct {
			ErrorCode string `json:"errorCode"`
			Message   string `json:"message"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(refusal.Body(), &body); err != nil {
		t.Fatalf("read %q: %v", refusal.Body(), err)
	}
	if len(body.Messages) != 1 || body.HTTPStatus != status || refusal.StatusCode() != status {
		t.Fatalf("got %d with %q, want %d with one message", refusal.StatusCode(), refusal.Body(), status)
	}
	if got := body.Messages[0]; code != "" && got.ErrorCode != code || !strings.Contains(got.Message, text) {
		t.Fatalf("got code %q and message %q, want %q and …%s…", got.ErrorCode, got.Message, code, text)
	}
}

// answer is the head of an answer.
type answer struct {
	StatusCode int
	Header     http.Header
}

// raw calls the API, or the admin endpoints, without the SDK.
func (r *rig) raw(t *testing.T, method, url, body string) (answer, map[string]any) {
	t.Helper()
	if !strings.HasPrefix(url, "/_sim") {
		url = "/cloudapi/v6" + url
	}
	request, err := http.NewRequestWithContext(t.Context(), method, r.URL+url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var decoded map[string]any
	if len(content) > 0 {
		if err := json.Unmarshal(content, &decoded); err != nil {
			t.Fatalf("read %q: %v", content, err)
		}
	}
	return answer{response.StatusCode, response.Header}, decoded
}

// slow makes each request run for an hour, so that a test sees what is under way.
func slow() cloudsim.Option { return cloudsim.WithProvisioningTime(time.Hour) }
