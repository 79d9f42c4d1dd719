package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/httpapi/openapi/gen"
	"bincard/server/metrics"
)

func TestPublicRoutes_NeedNoKey(t *testing.T) {
	t.Parallel()
	h := open(t)
	for path, media := range map[string]string{
		"/openapi.yaml": "application/yaml", "/openapi.json": "application/json",
		"/docs": "text/html; charset=utf-8", "/metrics": "text/plain; version=0.0.4; charset=utf-8",
	} {
		w := h.serve(newRequest("GET", path, "", "Authorization"))
		require.Equal(t, 200, w.Code, path)
		require.Equal(t, media, w.Header().Get("Content-Type"), path)
		require.NotEmpty(t, w.Header().Get("X-Request-Id"), path)
		require.NotEmpty(t, w.Body.String(), path)
		require.Equal(t, 405, h.serve(newRequest("POST", path, "{}")).Code, path)
	}
	require.Contains(t, h.log.String(), `"route":"GET /metrics","status":200`)
}

// The document describes exactly the public routes.
func TestPublicRoutes_AreDescribed(t *testing.T) {
	t.Parallel()
	h, described := open(t), 0
	for _, p := range gen.Document().At("paths") {
		if strings.HasPrefix(p.Name, api.BasePath) {
			continue
		}
		described++
		media := p.Value.(gen.Object).At("get", "responses", "200", "content")[0].Name
		w := h.serve(newRequest("GET", p.Name, "", "Authorization"))
		require.Equal(t, 200, w.Code, p.Name)
		require.True(t, strings.HasPrefix(w.Header().Get("Content-Type"), media), p.Name)
		require.True(t, strings.Contains(h.metrics(t), `{operation="`+p.Name[1:]+`",status="200"}`), p.Name)
	}
	require.Equal(t, 6, described)
}

func TestPublicRoutes_ServeDocuments(t *testing.T) {
	t.Parallel()
	h := open(t)
	committed, err := os.ReadFile("openapi/openapi.yaml")
	require.NoError(t, err)
	yaml := h.serve(newRequest("GET", "/openapi.yaml", ""))
	require.Equal(t, string(committed), yaml.Body.String())
	require.YAMLEq(t, string(committed), h.serve(newRequest("GET", "/openapi.json", "")).Body.String())

	tag := yaml.Header().Get("ETag")
	again := h.serve(newRequest("GET", "/openapi.yaml", "", "If-None-Match: "+tag))
	require.Equal(t, http.StatusNotModified, again.Code)
	require.Empty(t, again.Body.String())
	require.NotEqual(t, tag, h.serve(newRequest("GET", "/docs", "")).Header().Get("ETag"))
}

func TestDocs_HaveAPolicy(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.serve(newRequest("GET", "/docs", ""))
	require.Equal(t, string(gen.DocsHTML()), w.Body.String())
	require.Equal(t, gen.DocsPolicy(), w.Header().Get("Content-Security-Policy"))
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
}

// metrics returns the page /metrics.
func (h *testServer) metrics(t *testing.T) string {
	t.Helper()
	w := h.serve(newRequest("GET", "/metrics", "", "Authorization"))
	require.Equal(t, 200, w.Code)
	body, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	return string(body)
}

func TestMetrics_CountRequests(t *testing.T) {
	t.Parallel()
	extra := func(p *metrics.Page) { p.Gauge("bincard_behind", "Behind.", 0) }
	h := open(t, func(c *httpapi.Config) { c.Metrics = []metrics.Collector{extra} })
	h.serve(newRequest("POST", base+"/locations", aisleBody))
	h.serve(newRequest("POST", base+"/locations", aisleBody))
	h.serve(newRequest("POST", base+"/locations", "{"))
	h.serve(newRequest("GET", base+"/locations", "", "Authorization"))
	h.serve(newRequest("GET", "/nothing/of/the/kind", ""))
	h.serve(newRequest("GET", "/healthz", ""))
	got := h.metrics(t)
	for _, line := range []string{
		`bincard_http_request_duration_seconds_count{operation="createLocation",status="201"} 2`,
		`bincard_http_request_duration_seconds_count{operation="createLocation",status="400"} 1`,
		`bincard_http_request_duration_seconds_count{operation="listLocations",status="401"} 1`,
		`bincard_http_request_duration_seconds_count{operation="none",status="404"} 1`,
		`bincard_http_request_duration_seconds_count{operation="healthz",status="200"} 1`,
		`bincard_http_requests_in_flight 1`, // the request for the metrics
		"# HELP bincard_behind Behind.", "bincard_behind 0", "# TYPE go_goroutines gauge",
	} {
		require.True(t, strings.Contains(got, line), "%s is missing in\n%s", line, got)
	}
	require.Contains(t, h.metrics(t), `{operation="metrics",status="200"} 1`)
}

// Several clients read the metrics at once, but not any number.
func TestMetrics_ReadAtOnce(t *testing.T) {
	t.Parallel()
	var waiting sync.WaitGroup
	waiting.Add(4)
	release := make(chan struct{})
	wait := func(*metrics.Page) {
		waiting.Done()
		<-release
	}
	none := func(*metrics.Page) {}
	h := open(t, func(c *httpapi.Config) { c.Metrics = []metrics.Collector{wait, none} })

	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			if w := h.serve(newRequest("GET", "/metrics", "")); w.Code != 200 {
				t.Errorf("answered %d", w.Code)
			}
		})
	}
	waiting.Wait()
	w := h.serve(newRequest("GET", "/metrics", ""))
	close(release)
	clients.Wait()
	require.Equal(t, 503, w.Code)
	require.Equal(t, api.Unavailable, problemOf(t, w).Code)
}

// Requests can neither add labels nor appear in the metrics.
func TestMetrics_HavePublicLabelsOnly(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.hook = func(context.Context, *api.Request) (*api.Response, error) { panic("oh") }
	for _, path := range []string{"/" + secret, base + "/locations?x=" + secret, base + "/products/" + secret, base + "/" + secret, "/metrics?key=" + secret, "/docs?key=" + secret, "/openapi.json?key=" + secret} {
		for _, method := range []string{"GET", "POST", "BREW"} {
			h.serve(newRequest(method, path, "", "X-Request-Id: "+secret[:40], "X-Operator: "+secret, "Idempotency-Key: "+secret))
		}
	}
	require.Equal(t, 500, h.serve(newRequest("GET", base+"/locations", "")).Code)
	got := h.metrics(t)
	for _, private := range []string{"bc_live", organization.String(), keyID.String()} {
		require.False(t, strings.Contains(got, private), "%s is in the metrics", private)
	}
	labels := map[string]bool{}
	for _, m := range regexp.MustCompile(`bincard_\w+\{operation="([^"]*)"`).FindAllStringSubmatch(got, -1) {
		labels[m[1]] = true
	}
	known := map[string]bool{"none": true, "healthz": true, "readyz": true, "metrics": true, "docs": true, "openapi.yaml": true, "openapi.json": true}
	for _, spec := range api.Operations() {
		known[spec.ID] = true
	}
	for l := range labels {
		require.True(t, known[l], l)
	}
	require.True(t, strings.Contains(got, `{operation="listLocations",status="500"}`), "a panic is counted too")
	require.NotContains(t, strings.ReplaceAll(h.log.String(), secret[:40], ""), "0123456789abcdef", "the log has routes, not paths")
}
