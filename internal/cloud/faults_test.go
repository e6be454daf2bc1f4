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
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/network"
)

const longTime = time.Hour

// operation is a call of the cloud.
type operation struct {
	// route is how the simulator names the call.
	method, path string
	// object has to be in every error.
	object string
	call   func(context.Context, *world) error
}

func (o operation) isWrite() bool { return o.method != http.MethodGet }

// operations is every method of a session that calls the cloud.
func operations() map[string]operation {
	const dc, server = "/datacenters/{}", "/datacenters/{}/servers/{}"
	return map[string]operation{
		"CheckCredentials": {http.MethodGet, "/datacenters", "credentials", func(ctx context.Context, w *world) error { return w.session.CheckCredentials(ctx) }},
		"Datacenter": {http.MethodGet, dc, "data center", func(ctx context.Context, w *world) error {
			_, err := w.session.Datacenter(ctx, w.datacenterID)
			return err
		}},
		"Inventory servers": {http.MethodGet, dc + "/servers", "data center", func(ctx context.Context, w *world) error {
			_, err := w.session.Inventory(ctx, w.datacenterID)
			return err
		}},
		"Inventory LANs": {http.MethodGet, dc + "/lans", "data center", func(ctx context.Context, w *world) error {
			_, err := w.session.Inventory(ctx, w.datacenterID)
			return err
		}},
		"FreshInventory": {http.MethodGet, dc + "/servers", "data center", func(ctx context.Context, w *world) error {
			_, err := w.session.FreshInventory(ctx, w.datacenterID)
			return err
		}},
		"Server": {http.MethodGet, server, "server", func(ctx context.Context, w *world) error {
			_, err := w.session.Server(ctx, w.datacenterID, w.serverID)
			return err
		}},
		"CreateServer": {http.MethodPost, dc + "/servers", `server "new"`, func(ctx context.Context, w *world) error {
			_, _, err := w.session.CreateServer(ctx, w.datacenterID, w.serverSettings())
			return err
		}},
		"StartServer": {http.MethodPost, server + "/start", "server", func(ctx context.Context, w *world) error {
			_, err := w.session.StartServer(ctx, w.datacenterID, w.serverID)
			return err
		}},
		"DeleteServer": {http.MethodDelete, server, "server", func(ctx context.Context, w *world) error {
			_, err := w.session.DeleteServer(ctx, w.datacenterID, w.serverID, true)
			return err
		}},
		"FindVolumes": {http.MethodGet, dc + "/volumes", "data center", func(ctx context.Context, w *world) error {
			_, err := w.session.FindVolumes(ctx, w.datacenterID, "vol-old")
			return err
		}},
		"DeleteVolume": {http.MethodDelete, dc + "/volumes/{}", "volume", func(ctx context.Context, w *world) error {
			_, err := w.session.DeleteVolume(ctx, w.datacenterID, w.volumeID)
			return err
		}},
		"AttachNIC": {http.MethodPost, server + "/nics", `NIC "n"`, func(ctx context.Context, w *world) error {
			_, _, err := w.session.AttachNIC(ctx, w.datacenterID, w.serverID, network.NICSettings{Name: "n", LAN: w.private})
			return err
		}},
		"ChangeNIC": {http.MethodPatch, server + "/nics/{}", "NIC", func(ctx context.Context, w *world) error {
			no := false
			_, err := w.session.ChangeNIC(ctx, w.datacenterID, w.serverID, network.NICChange{NICID: w.nicID, DHCP: &no})
			return err
		}},
		"DetachNIC": {http.MethodDelete, server + "/nics/{}", "NIC", func(ctx context.Context, w *world) error {
			_, err := w.session.DetachNIC(ctx, w.datacenterID, w.serverID, w.nicID)
			return err
		}},
		"CreateLAN": {http.MethodPost, dc + "/lans", `LAN "l"`, func(ctx context.Context, w *world) error {
			_, _, err := w.session.CreateLAN(ctx, w.datacenterID, cloud.LANSettings{Name: "l"})
			return err
		}},
		"DeleteLAN": {http.MethodDelete, dc + "/lans/{}", "LAN 3", func(ctx context.Context, w *world) error {
			_, err := w.session.DeleteLAN(ctx, w.datacenterID, w.emptyLAN)
			return err
		}},
		"LANInUse": {http.MethodGet, dc + "/lans/{}/nics", "LAN 1", func(ctx context.Context, w *world) error {
			_, err := w.session.LANInUse(ctx, w.datacenterID, w.publicLAN)
			return err
		}},
		"RequestStatus": {http.MethodGet, "/requests/{}/status", "request", func(ctx context.Context, w *world) error {
			_, err := w.session.RequestStatus(ctx, w.request)
			return err
		}},
		"FindRequests": {http.MethodGet, "/requests", "requests", func(ctx context.Context, w *world) error {
			_, err := w.session.FindRequests(ctx, w.datacenterID, cloud.RequestCreateServer, longTime)
			return err
		}},
		"Images": {http.MethodGet, "/images", "images", func(ctx context.Context, w *world) error {
			_, err := w.session.Images(ctx, location, nil)
			return err
		}},
		"Images labels": {http.MethodGet, "/labels", "labels", func(ctx context.Context, w *world) error {
			_, err := w.session.Images(ctx, location, nil)
			return err
		}},
		"Image": {http.MethodGet, "/images/{}", "image", func(ctx context.Context, w *world) error {
			_, err := w.session.Image(ctx, w.imageID)
			return err
		}},
	}
}

// properties are what a caller can ask about an error.
type properties struct {
	notFound, unauthorized, forbidden, invalid, quota, uncertain, temporary bool
	retryAfter                                                              time.Duration
}

func propertiesOf(err error) properties {
	var limited *cloud.RateLimitedError
	p := properties{
		notFound: errors.Is(err, cloud.ErrNotFound), unauthorized: errors.Is(err, cloud.ErrUnauthorized), forbidden: errors.Is(err, cloud.ErrForbidden),
		invalid: cloud.IsInvalid(err), quota: cloud.IsQuota(err), uncertain: cloud.IsUncertain(err), temporary: cloud.IsTemporary(err),
	}
	if errors.As(err, &limited) {
		p.retryAfter = limited.RetryAfter
	}
	return p
}

// Whatever goes wrong with whatever call: the error says what it is about in the cloud's own words (C15), can be told
// apart, shows no secret, and the call is sent once (G5).
func TestFaults(t *testing.T) {
	const quota = "[(root).properties.cores] The contract's quota is exceeded"
	faults := map[string]struct {
		fault cloudsim.Fault
		// message has to be in the error.
		message string
		want    properties
		// withBody and writes narrow the calls down that the fault can happen to.
		withBody, writes bool
	}{
		"401":              {fault: cloudsim.Fault{Status: 401, Message: "bad credentials"}, message: "bad credentials", want: properties{unauthorized: true}},
		"403":              {fault: cloudsim.Fault{Status: 403, Message: "Access Denied: Lan 1 is delete-protected by DBAAS"}, message: "delete-protected by DBAAS", want: properties{forbidden: true}},
		"404":              {fault: cloudsim.Fault{Status: 404, Message: "Resource does not exist"}, message: "Resource does not exist", want: properties{notFound: true}},
		"422":              {fault: cloudsim.Fault{Status: 422, Message: "[(root).properties.name] is odd"}, message: "is odd", want: properties{invalid: true}},
		"422 quota":        {fault: cloudsim.Fault{Status: 422, Message: quota}, message: quota, want: properties{invalid: true, quota: true}},
		"422 echo":         {fault: cloudsim.Fault{Status: 422, Message: "odd: " + token}, message: "odd: ", want: properties{invalid: true}},
		"429":              {fault: cloudsim.Fault{Status: 429, RetryAfter: "7"}, message: "fewer calls", want: properties{temporary: true, retryAfter: 7 * time.Second}},
		"500":              {fault: cloudsim.Fault{Status: 500, Message: "Oops"}, message: "Oops", want: properties{uncertain: true, temporary: true}},
		"503":              {fault: cloudsim.Fault{Status: 503}, message: "503", want: properties{uncertain: true, temporary: true}},
		"503 after effect": {fault: cloudsim.Fault{Status: 503, After: true}, message: "503", want: properties{uncertain: true, temporary: true}},
		"dropped":          {fault: cloudsim.Fault{DropConnection: true}, message: "the connection broke", want: properties{uncertain: true, temporary: true}},
		"dropped after":    {fault: cloudsim.Fault{DropConnection: true, After: true}, message: "the connection broke", want: properties{uncertain: true, temporary: true}},
		"no location":      {fault: cloudsim.Fault{NoLocation: true}, message: "where its request is followed", want: properties{uncertain: true, temporary: true}, writes: true},
		"truncated":        {fault: cloudsim.Fault{Truncate: true}, message: "no usable answer", want: properties{uncertain: true, temporary: true}, withBody: true},
	}
	for operationName, operation := range operations() {
		for faultName, test := range faults {
			isAction := operation.method == http.MethodDelete || strings.HasSuffix(operation.path, "/start")
			if test.writes && !operation.isWrite() || test.withBody && isAction {
				continue
			}
			t.Run(operationName+"/"+faultName, func(t *testing.T) {
				w := newWorld(t, cloud.ContractsOptions{})
				w.inject(operation.method, operation.path, test.fault)
				err := operation.call(t.Context(), w)
				if err == nil {
					t.Fatal("no error")
				}
				if got := propertiesOf(err); !closeTo(got, test.want) {
					t.Errorf("the error %q is %+v, want %+v", err, got, test.want)
				}
				checkSecrets(t, err)
				for _, part := range []string{operation.object, test.message} {
					if !strings.Contains(err.Error(), part) {
						t.Errorf("%q is not in the error %q", part, err)
					}
				}
				if strings.Contains(err.Error(), "127.0.0.1") || strings.ContainsAny(err.Error(), "\n") {
					t.Errorf("the error %q is no stable line", err)
				}
				if sent := w.calls()[operation.method+" "+operation.path]; sent != 1 {
					t.Errorf("the call was sent %d times", sent)
				}
			})
		}
	}
}

// closeTo allows for the time that has passed.
func closeTo(got, want properties) bool {
	if got.retryAfter <= want.retryAfter && got.retryAfter > want.retryAfter-2*time.Second {
		got.retryAfter = want.retryAfter
	}
	return got == want
}

// What every method does when nothing goes wrong; without this, the table above could pass for the wrong reason.
func TestNoFaults(t *testing.T) {
	for name, operation := range operations() {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, cloud.ContractsOptions{})
			if err := operation.call(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			if sent := w.calls()[operation.method+" "+operation.path]; sent != 1 {
				t.Errorf("the call was sent %d times", sent)
			}
		})
	}
}

// Everything that is gone is not found (C14).
func TestDatacenterGone(t *testing.T) {
	for name, operation := range operations() {
		if !strings.HasPrefix(operation.path, "/datacenters/{}") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, cloud.ContractsOptions{})
			w.DeleteDatacenter(w.datacenterID)
			if err := operation.call(t.Context(), w); !errors.Is(err, cloud.ErrNotFound) || cloud.IsUncertain(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A call has its own deadline, and an answer that comes later may have had its effect.
func TestDeadline(t *testing.T) {
	for _, name := range []string{"Server", "Inventory servers", "CreateServer"} {
		t.Run(name, func(t *testing.T) {
			operation := operations()[name]
			w := newWorld(t, cloud.ContractsOptions{})
			w.session = w.newSession(t, cloud.ContractsOptions{RequestTimeout: 50 * time.Millisecond})
			w.inject(operation.method, operation.path, cloudsim.Fault{Latency: 500 * time.Millisecond})
			err := operation.call(t.Context(), w)
			if !cloud.IsUncertain(err) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "took too long") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A create whose answer was lost is found in the queue and in the list (G5).
func TestLostCreateIsFound(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	w.inject(http.MethodPost, "/datacenters/{}/servers", cloudsim.Fault{DropConnection: true, After: true, Delay: 50 * time.Millisecond})
	if _, _, err := w.session.CreateServer(t.Context(), w.datacenterID, w.serverSettings()); !cloud.IsUncertain(err) {
		t.Fatalf("got %v", err)
	}
	found := must(w.session.FindRequests(t.Context(), w.datacenterID, cloud.RequestCreateServer, longTime))(t)
	if len(found) != 1 || found[0].Name != "new" {
		t.Fatalf("the queue has %+v", found)
	}
	w.settle(t)
	if status := must(w.session.RequestStatus(t.Context(), found[0].Request))(t); status.State != "DONE" {
		t.Errorf("the request is %v", status)
	}
	inventory := must(w.session.FreshInventory(t.Context(), w.datacenterID))(t)
	if len(inventory.Servers) != 2 || inventory.Servers[0].Name != "new" || inventory.Servers[0].ID != found[0].TargetIDs["server"][0] {
		t.Errorf("the list has %+v", inventory.Servers)
	}
}

// The cloud may repeat what it was sent.
func TestUserDataStaysSecret(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	w.inject(http.MethodPost, "/datacenters/{}/servers", cloudsim.Fault{
		Status:  http.StatusUnprocessableEntity,
		Message: "odd: " + userData + " as " + base64.StdEncoding.EncodeToString([]byte(userData)),
	})
	_, _, err := w.session.CreateServer(t.Context(), w.datacenterID, w.serverSettings())
	if !cloud.IsInvalid(err) || !strings.Contains(err.Error(), "odd: (left out) as (left out)") {
		t.Errorf("got %v", err)
	}
	checkSecrets(t, err)
}

// A request that fails later says why, in the cloud's words (C15).
func TestFailedRequest(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	w.inject(http.MethodPost, "/datacenters/{}/servers", cloudsim.Fault{FailRequest: "[VDC-5-0] unknown error"})
	id, request, err := w.session.CreateServer(t.Context(), w.datacenterID, w.serverSettings())
	if err != nil {
		t.Fatal(err)
	}
	w.settle(t)
	if got, want := must(w.session.RequestStatus(t.Context(), request))(t), (cloud.RequestStatus{State: "FAILED", Message: "[VDC-5-0] unknown error"}); got != want {
		t.Errorf("the request is %+v, want %+v", got, want)
	}
	if _, err := w.session.Server(t.Context(), w.datacenterID, id); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("the server: %v", err)
	}
}
