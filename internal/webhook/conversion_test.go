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
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	infrav1alpha1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha1"
	infrav1 "github.com/ionos-cloud/cluster-api-provider-ionoscloud/api/v1alpha2"
	"github.com/ionos-cloud/cluster-api-provider-ionoscloud/internal/webhook"
)

// conversionHandler is the handler without a manager.
func conversionHandler(tb testing.TB) http.Handler {
	tb.Helper()
	handler, err := webhook.NewConversionHandler(env.Scheme, conversion.NewRegistry())
	if err != nil {
		tb.Fatal(err)
	}
	return handler
}

// review asks for a conversion, as the API server does.
func review(tb testing.TB, handler http.Handler, version string, objects ...string) *apiextensionsv1.ConversionResponse {
	tb.Helper()
	body := reviewBody(tb, version, objects)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, httptest.NewRequestWithContext(tb.Context(), http.MethodPost, "/convert", bytes.NewReader(body)))
	if recorder.Code != http.StatusOK {
		tb.Fatalf("the handler answers %d: %s", recorder.Code, recorder.Body)
	}
	answer := apiextensionsv1.ConversionReview{}
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil {
		tb.Fatal(err)
	}
	if answer.Response == nil || answer.Response.UID != "the-review" {
		tb.Fatalf("no response to the review: %s", recorder.Body)
	}
	return answer.Response
}

func reviewBody(tb testing.TB, version string, objects []string) []byte {
	tb.Helper()
	request := &apiextensionsv1.ConversionRequest{UID: types.UID("the-review"), DesiredAPIVersion: infrav1.GroupVersion.Group + "/" + version}
	for _, text := range objects {
		request.Objects = append(request.Objects, runtime.RawExtension{Raw: []byte(text)})
	}
	body, err := json.Marshal(apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "ConversionReview"},
		Request:  request,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return body
}

// reviewed are objects of v1alpha1, and what they are in v1alpha2.
func reviewed() [][2]string {
	object := func(version, kind, rest string) string {
		return fmt.Sprintf(`{"apiVersion":"infrastructure.cluster.x-k8s.io/%s","kind":%q,"metadata":{"name":"reviewed","namespace":"fleet","uid":"1"}%s}`, version, kind, rest)
	}
	pair := func(kind, spoke, hub string) [2]string {
		return [2]string{object("v1alpha1", kind, spoke), object("v1alpha2", kind, hub)}
	}
	return [][2]string{
		pair("IonosCloudMachine", ``, ``),
		pair("IonosCloudMachine",
			`,"spec":{"datacenterID":"dc","disk":{"image":{"id":"image"}},"networkID":"4","additionalNetworks":[{"networkID":7},{"networkID":7,"dhcp":false}]},"status":{"ready":true}`,
			`,"spec":{"datacenterID":"dc","disk":{"image":{"id":"image"}},"networks":[{"name":"primary","networkID":4,"dhcp":true},{"name":"lan-7","networkID":7},{"name":"lan-7-2","networkID":7,"dhcp":false}]},"status":{"initialization":{"provisioned":true}}`),
		pair("IonosCloudMachineTemplate",
			`,"spec":{"template":{"metadata":{"labels":{"role":"worker"}},"spec":{"datacenterID":"dc","failoverIP":"AUTO"}}}`,
			`,"spec":{"template":{"metadata":{"labels":{"role":"worker"}},"spec":{"datacenterID":"dc","networks":[{"name":"primary","dhcp":true,"failoverIPs":["AUTO"]}]}}}`),
		pair("IonosCloudCluster",
			`,"spec":{"credentialsRef":{"name":"token"},"loadBalancerProviderRef":{"name":""},"location":"de/txl"},"status":{"currentRequest":{"dc":{"method":"POST","requestPath":"/one"}}}`,
			`,"spec":{"credentialsRef":{"name":"token"},"loadBalancerProviderRef":{"name":""},"location":"de/txl"},"status":{"currentRequests":[{"datacenterID":"dc","request":{"method":"POST","requestPath":"/one"}}]}`),
		pair("IonosCloudClusterTemplate", `,"spec":{"template":{"spec":{"location":"de/fra"}}}`, `,"spec":{"template":{"spec":{"location":"de/fra"}}}`),
	}
}

// TestConversionReview converts a list of objects of all kinds, both ways.
func TestConversionReview(t *testing.T) {
	handler := conversionHandler(t)
	for from, version := range []string{"v1alpha2", "v1alpha1"} {
		t.Run("to "+version, func(t *testing.T) {
			var objects, wanted []string
			for _, pair := range reviewed() {
				objects, wanted = append(objects, pair[from]), append(wanted, pair[1-from])
			}
			response := review(t, handler, version, objects...)
			if response.Result.Status != metav1.StatusSuccess || len(response.ConvertedObjects) != len(objects) {
				t.Fatalf("%d of %d objects, and the result is %v", len(response.ConvertedObjects), len(objects), response.Result)
			}
			for i, converted := range response.ConvertedObjects {
				if diff := cmp.Diff(content(t, wanted[i]), content(t, string(converted.Raw))); diff != "" {
					t.Errorf("object %d (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}

func content(tb testing.TB, text string) map[string]any {
	tb.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return all
}

// TestConversionReviewRemembers sends a machine that v1alpha1 cannot say there, edited, and back.
func TestConversionReviewRemembers(t *testing.T) {
	handler := conversionHandler(t)
	const machine = `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine","metadata":{"name":"reviewed"},` +
		`"spec":{"numCores":2,"networks":[{"name":"public","dhcpv6":true},{"name":"storage","clusterNetwork":"storage"}]}}`
	shown := string(review(t, handler, "v1alpha1", machine).ConvertedObjects[0].Raw)
	if !strings.Contains(shown, infrav1alpha1.ConversionDataAnnotation) {
		t.Errorf("nothing is remembered: %s", shown)
	}
	back := review(t, handler, "v1alpha2", shown, strings.Replace(shown, `"numCores":2`, `"numCores":4`, 1)).ConvertedObjects
	for i, want := range []string{machine, strings.Replace(machine, `"numCores":2`, `"numCores":4`, 1)} {
		if diff := cmp.Diff(content(t, want), content(t, string(back[i].Raw))); diff != "" {
			t.Errorf("object %d (-want +got):\n%s", i, diff)
		}
	}
}

// TestConversionReviewOfNothing and of what is no object of ours: an answer, and no panic.
func TestConversionReviewOfNothing(t *testing.T) {
	handler := conversionHandler(t)
	if response := review(t, handler, "v1alpha2"); response.Result.Status != metav1.StatusSuccess {
		t.Errorf("the result of no object is %v", response.Result)
	}
	for name, text := range map[string]string{
		"unknown kind":    `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha1","kind":"IonosCloudMachines"}`,
		"unknown version": `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha3","kind":"IonosCloudMachine"}`,
		"same version":    `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha2","kind":"IonosCloudMachine"}`,
		"wrong type":      `{"apiVersion":"infrastructure.cluster.x-k8s.io/v1alpha1","kind":"IonosCloudMachine","spec":{"numCores":"two"}}`,
		"no object":       `[]`,
	} {
		if response := review(t, handler, "v1alpha2", text); response.Result.Status != metav1.StatusFailure || response.Result.Message == "" {
			t.Errorf("%s: the result is %v", name, response.Result)
		}
	}
	for _, body := range []string{"", "{", "{}", "null"} {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/convert", strings.NewReader(body)))
		if recorder.Code != http.StatusBadRequest {
			t.Errorf("%q is answered with %d", body, recorder.Code)
		}
	}
}

// TestConvertersAreThoseOfTheScheme converts through the webhook and through the scheme: there is one truth.
func TestConvertersAreThoseOfTheScheme(t *testing.T) {
	handler := conversionHandler(t)
	for _, pair := range reviewed() {
		in, _, err := conversion.NewDecoder(env.Scheme).Decode([]byte(pair[0]))
		if err != nil {
			t.Fatal(err)
		}
		byScheme, err := env.Scheme.ConvertToVersion(in, infrav1.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		byWebhook, _, err := conversion.NewDecoder(env.Scheme).Decode(review(t, handler, "v1alpha2", pair[0]).ConvertedObjects[0].Raw)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(byScheme, byWebhook) {
			t.Errorf("scheme and webhook differ (-scheme +webhook):\n%s", cmp.Diff(byScheme, byWebhook))
		}
	}
}

// TestConvertersOnce says what happens when the converters are registered twice.
func TestConvertersOnce(t *testing.T) {
	registry := conversion.NewRegistry()
	if _, err := webhook.NewConversionHandler(env.Scheme, registry); err != nil {
		t.Fatal(err)
	}
	if _, err := webhook.NewConversionHandler(env.Scheme, registry); err == nil || !strings.Contains(err.Error(), "IonosCloudCluster") {
		t.Errorf("the error is %v", err)
	}
	if _, err := webhook.NewConversionHandler(runtime.NewScheme(), conversion.NewRegistry()); err == nil {
		t.Error("no error though the scheme knows no kind")
	}
}

// BenchmarkConversionReview answers a review of 1000 machines, as for a list of them: decode, convert and encode.
func BenchmarkConversionReview(b *testing.B) {
	handler := conversionHandler(b)
	machine := reviewed()[1]
	network := `{"name":"lan-7","networkID":7}`
	remembered := strings.Replace(machine[1], network, network+`,{"name":"storage","clusterNetwork":"storage","dhcpv6":true}`, 1)
	for _, benchmark := range []struct{ name, version, object string }{
		{"v1alpha1 to v1alpha2", "v1alpha2", machine[0]},
		{"v1alpha2 to v1alpha1", "v1alpha1", machine[1]},
		{"v1alpha2 to v1alpha1 with a memory", "v1alpha1", remembered},
		{"v1alpha1 to v1alpha2 with a memory", "v1alpha2", string(review(b, handler, "v1alpha1", remembered).ConvertedObjects[0].Raw)},
	} {
		b.Run(benchmark.name, func(b *testing.B) {
			var objects []string
			for range 1000 {
				objects = append(objects, benchmark.object)
			}
			body := reviewBody(b, benchmark.version, objects)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				recorder := httptest.NewRecorder()
				handler.ServeHTTP(recorder, httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/convert", bytes.NewReader(body)))
				if recorder.Code != http.StatusOK {
					b.Fatal(recorder.Code)
				}
			}
		})
	}
}
