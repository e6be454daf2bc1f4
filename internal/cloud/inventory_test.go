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
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloud"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/cloudsim"
)

const (
	listServers = "GET /datacenters/{}/servers"
	listLANs    = "GET /datacenters/{}/lans"
)

func (w *world) checkLists(t *testing.T, want int) {
	t.Helper()
	if calls := w.calls(); calls[listServers] != want || calls[listLANs] != want {
		t.Errorf("%d lists of servers and %d of LANs, want %d", calls[listServers], calls[listLANs], want)
	}
}

func TestDatacenter(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	want := cloud.Datacenter{ID: w.datacenterID, Name: "dc", Location: location, IPv6Block: w.DatacenterIPv6(w.datacenterID)}
	for range 3 {
		if got := must(w.session.Datacenter(t.Context(), w.datacenterID))(t); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	if calls := w.calls()["GET /datacenters/{}"]; calls != 1 {
		t.Errorf("it was read %d times", calls)
	}
	if _, err := w.session.Datacenter(t.Context(), "7c8a2d3e-0000-4000-8000-000000000000"); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("no such data center: %v", err)
	}
}

// One list serves all who ask, for a while; another contract has its own (G6).
func TestInventoryIsShared(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	w := newWorld(t, cloud.ContractsOptions{Clock: clock, InventoryTTL: time.Minute})
	w.inject(http.MethodGet, "/datacenters/{}/servers", cloudsim.Fault{Latency: 20 * time.Millisecond})
	ask := func() {
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				inventory, err := w.session.Inventory(t.Context(), w.datacenterID)
				if err != nil || len(inventory.Servers) != 1 || len(inventory.LANs) != 3 {
					t.Errorf("got %+v, %v", inventory, err)
				}
			})
		}
		group.Wait()
	}
	ask()
	w.checkLists(t, 1)
	clock.Step(time.Minute)
	ask()
	w.checkLists(t, 1)
	clock.Step(time.Second)
	ask()
	w.checkLists(t, 2)
	must(w.newSession(t, cloud.ContractsOptions{}).Inventory(t.Context(), w.datacenterID))(t)
	w.checkLists(t, 3)
	if calls := w.calls(); len(calls) != 2 {
		t.Errorf("sent %v", calls)
	}
}

// Nobody who asks for a fresh inventory gets one whose reading began before.
func TestFreshInventory(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	must(w.session.Inventory(t.Context(), w.datacenterID))(t)
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			name := fmt.Sprintf("s%02d", i)
			w.AddServer(w.datacenterID, cloudsim.ServerSeed{Name: name})
			inventory, err := w.session.FreshInventory(t.Context(), w.datacenterID)
			if err != nil {
				t.Error(err)
				return
			}
			for _, server := range inventory.Servers {
				if server.Name == name {
					return
				}
			}
			t.Errorf("%s is not in the inventory", name)
		})
	}
	group.Wait()
	if got := must(w.session.Inventory(t.Context(), w.datacenterID))(t); len(got.Servers) != 21 {
		t.Errorf("the inventory that is kept has %d servers", len(got.Servers))
	}
	if calls := w.calls()[listServers]; calls < 2 || calls > 21 {
		t.Errorf("%d lists", calls)
	}
}

func TestInvalidate(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	want := 0
	ask := func(t *testing.T) {
		t.Helper()
		want++
		must(w.session.Inventory(t.Context(), w.datacenterID))(t)
		must(w.session.Inventory(t.Context(), w.datacenterID))(t)
		w.checkLists(t, want)
	}
	ask(t)
	w.session.Invalidate("another")
	must(w.session.Inventory(t.Context(), w.datacenterID))(t)
	w.checkLists(t, want)
	w.session.Invalidate(w.datacenterID)
	ask(t)
}

// Each write, also one that failed, makes the next inventory be read again. A server that is made or started is read by
// itself: the making of many would have the lists read again and again.
func TestWritesInvalidate(t *testing.T) {
	for name, operation := range operations() {
		if !operation.isWrite() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, cloud.ContractsOptions{})
			must(w.session.Inventory(t.Context(), w.datacenterID))(t)
			if err := operation.call(t.Context(), w); err != nil {
				t.Fatal(err)
			}
			second, third := 2, 3
			if name == "CreateServer" || name == "StartServer" {
				second, third = 1, 1
			}
			must(w.session.Inventory(t.Context(), w.datacenterID))(t)
			w.checkLists(t, second)
			w.inject(operation.method, operation.path, cloudsim.Fault{DropConnection: true})
			if err := operation.call(t.Context(), w); err == nil {
				t.Fatal("no error")
			}
			must(w.session.Inventory(t.Context(), w.datacenterID))(t)
			w.checkLists(t, third)
		})
	}
}

// A read that failed is not kept, and the one who asked first may go without taking the others along.
func TestInventoryFailureIsNotKept(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	w.inject(http.MethodGet, "/datacenters/{}/lans", cloudsim.Fault{Status: 500, Count: 1})
	if _, err := w.session.Inventory(t.Context(), w.datacenterID); !cloud.IsTemporary(err) {
		t.Errorf("got %v", err)
	}
	must(w.session.Inventory(t.Context(), w.datacenterID))(t)

	w.inject(http.MethodGet, "/datacenters/{}/servers", cloudsim.Fault{Latency: 100 * time.Millisecond, Count: 1})
	w.session.Invalidate(w.datacenterID)
	w.ResetCounters()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.session.Inventory(ctx, w.datacenterID); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	must(w.session.Inventory(t.Context(), w.datacenterID))(t)
	w.checkLists(t, 1)
}

func TestInventoryPages(t *testing.T) {
	w := newWorld(t, cloud.ContractsOptions{})
	for i := range 2100 {
		w.AddServer(w.datacenterID, cloudsim.ServerSeed{Name: fmt.Sprintf("s%04d", i)})
	}
	servers := must(w.session.Inventory(t.Context(), w.datacenterID))(t).Servers
	if len(servers) != 2101 || servers[0].Name != "old" || servers[2100].Name != "s2099" {
		t.Errorf("%d servers from %s to %s", len(servers), servers[0].Name, servers[len(servers)-1].Name)
	}
	if calls := w.calls()[listServers]; calls != 3 {
		t.Errorf("%d pages", calls)
	}
}

// A list may give less at a time than it is asked for, say so in either of two ways, and shift while it is read.
func TestShortPages(t *testing.T) {
	item := func(id string) string {
		return `{"id":"` + id + `","type":"server","properties":{"name":"` + id + `"}}`
	}
	for name, more := range map[string]string{"links": `"_links":{"next":"x"}`, "limit": `"limit":2`} {
		t.Run(name, func(t *testing.T) {
			r, session := answering(t, http.StatusOK, nil, "")
			r.answer = func(w http.ResponseWriter, request *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				body := `{"items":[]}`
				if strings.HasSuffix(request.URL.Path, "/servers") {
					body = map[string]string{
						"0": `{"items":[` + item("a") + `,` + item("b") + `],` + more + `}`,
						"2": `{"items":[` + item("b") + `,` + item("c") + `],` + more + `}`,
						"4": `{"items":[` + item("d") + `],"limit":2}`,
					}[request.URL.Query().Get("offset")]
				}
				_, _ = fmt.Fprint(w, body)
			}
			var names []string
			for _, server := range must(session.Inventory(t.Context(), "dc"))(t).Servers {
				names = append(names, server.Name)
			}
			if diff := cmp.Diff([]string{"a", "b", "c", "d"}, names); diff != "" {
				t.Errorf("servers (-want +got):\n%s", diff)
			}
		})
	}
}

// An answer of success that shows nothing must not pass for an empty data center, nor one that was not the cloud's for a
// resource that is gone: servers would be made twice, and addresses released that are in use (G4, G5).
func TestAnswersNotToBelieve(t *testing.T) {
	reads := map[string]func(context.Context, *cloud.Session) error{
		"Datacenter":     func(ctx context.Context, s *cloud.Session) error { _, err := s.Datacenter(ctx, "dc"); return err },
		"Inventory":      func(ctx context.Context, s *cloud.Session) error { _, err := s.Inventory(ctx, "dc"); return err },
		"FreshInventory": func(ctx context.Context, s *cloud.Session) error { _, err := s.FreshInventory(ctx, "dc"); return err },
		"Server":         func(ctx context.Context, s *cloud.Session) error { _, err := s.Server(ctx, "dc", "id"); return err },
		"FindVolumes":    func(ctx context.Context, s *cloud.Session) error { _, err := s.FindVolumes(ctx, "dc", "v"); return err },
		"LANInUse":       func(ctx context.Context, s *cloud.Session) error { _, err := s.LANInUse(ctx, "dc", 1); return err },
		"Images":         func(ctx context.Context, s *cloud.Session) error { _, err := s.Images(ctx, location, nil); return err },
		"Image":          func(ctx context.Context, s *cloud.Session) error { _, err := s.Image(ctx, "id"); return err },
		"FindRequests": func(ctx context.Context, s *cloud.Session) error {
			_, err := s.FindRequests(ctx, "dc", cloud.RequestCreateLAN, time.Hour)
			return err
		},
		"RequestStatus": func(ctx context.Context, s *cloud.Session) error {
			_, err := s.RequestStatus(ctx, cloud.Request{Path: "/requests/id/status"})
			return err
		},
		"CreateServer": func(ctx context.Context, s *cloud.Session) error {
			_, _, err := s.CreateServer(ctx, "dc", cloud.ServerSettings{})
			return err
		},
		"CreateLAN": func(ctx context.Context, s *cloud.Session) error {
			_, _, err := s.CreateLAN(ctx, "dc", cloud.LANSettings{})
			return err
		},
	}
	answers := map[string]struct {
		status int
		body   string
	}{
		"nothing":             {200, ""},
		"an empty object":     {200, "{}"},
		"null":                {200, "null"},
		"null items":          {200, `{"items":null}`},
		"another type":        {200, `{"items":"none","id":7}`},
		"an unknown type":     {200, `{"id":"x","type":"quantum-server","items":[{"id":"x","type":"quantum-server"}]}`},
		"a page":              {200, "<html>Welcome</html>"},
		"a page that is none": {404, "<html>Not here</html>"},
		"no path of the API":  {404, `{"message":"no Route matched with those values"}`},
		"no body":             {404, ""},
	}
	for readName, read := range reads {
		for answerName, answer := range answers {
			t.Run(readName+"/"+answerName, func(t *testing.T) {
				_, session := answering(t, answer.status, http.Header{"Location": {"/cloudapi/v6/requests/id/status"}}, answer.body)
				err := read(t.Context(), session)
				if !cloud.IsUncertain(err) || !cloud.IsTemporary(err) || errors.Is(err, cloud.ErrNotFound) {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

// What the cloud shows is believed as a whole or not at all, and what is not there yet does no harm.
func TestInventoryItems(t *testing.T) {
	for name, test := range map[string]struct {
		servers, lans string
		// problem is in the error; empty for none.
		problem string
	}{
		"all null": {
			servers: `{"id":"a","type":"server","metadata":null,"properties":{"name":null,"vmState":null,"bootVolume":null},"entities":{"volumes":null,"nics":{"items":[
				{"id":"n","type":"nic","metadata":null,"properties":{"name":null,"mac":null,"ips":null,"lan":1,"dhcp":null,"dhcpv6":null,"ipv6Ips":null,"ipv6CidrBlock":null}}]}}}`,
			lans: `{"id":"1","type":"lan","metadata":{"state":"BUSY","createdDate":null},"properties":{"name":null,"public":null,"ipv4CidrBlock":null,"ipv6CidrBlock":null,"ipFailover":null,"pcc":null}}`,
		},
		"being chosen":         {lans: `{"id":"1","type":"lan","properties":{"name":"l","ipv6CidrBlock":"AUTO"}}`},
		"server without ID":    {servers: `{"type":"server","properties":{}}`, problem: "a server without ID"},
		"reference":            {servers: `{"id":"a","type":"server"}`, problem: "a server without ID or properties"},
		"NIC as a reference":   {servers: `{"id":"a","type":"server","properties":{},"entities":{"nics":{"items":[{"id":"n","type":"nic"}]}}}`, problem: "server a: a NIC without ID or properties"},
		"address that is none": {servers: `{"id":"a","properties":{},"entities":{"nics":{"items":[{"id":"n","properties":{"ips":["10.0.0"]}}]}}}`, problem: "server a: NIC n: address"},
		"block that is none":   {servers: `{"id":"a","properties":{},"entities":{"nics":{"items":[{"id":"n","properties":{"ipv6CidrBlock":"x"}}]}}}`, problem: "server a: NIC n: address block"},
		"date that is none":    {servers: `{"id":"a","properties":{},"metadata":{"createdDate":"yesterday"}}`, problem: "list the servers"},
		"LAN without number":   {lans: `{"id":"one","type":"lan","properties":{}}`, problem: `a LAN whose ID "one" is no number`},
		"LAN as a reference":   {lans: `{"id":"1","type":"lan"}`, problem: "LAN 1 without properties"},
		"LAN's block":          {lans: `{"id":"1","type":"lan","properties":{"ipv4CidrBlock":"x"}}`, problem: "LAN 1: address block"},
		"LAN's IPv6 block":     {lans: `{"id":"1","type":"lan","properties":{"ipv6CidrBlock":"x"}}`, problem: "LAN 1: address block"},
	} {
		t.Run(name, func(t *testing.T) {
			r, session := answering(t, http.StatusOK, nil, "")
			r.answer = func(w http.ResponseWriter, request *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				items := test.servers
				if strings.HasSuffix(request.URL.Path, "/lans") {
					items = test.lans
				}
				_, _ = fmt.Fprintf(w, `{"items":[%s]}`, items)
			}
			inventory, err := session.Inventory(t.Context(), "dc")
			switch {
			case test.problem != "":
				if !cloud.IsTemporary(err) || !strings.Contains(err.Error(), test.problem) {
					t.Errorf("got %v", err)
				}
			case err != nil:
				t.Error(err)
			case test.servers != "" && (len(inventory.Servers) != 1 || len(inventory.Servers[0].NICs) != 1 || inventory.Servers[0].NICs[0].IPv6Block != netip.Prefix{}):
				t.Errorf("got %+v", inventory)
			}
		})
	}
}
