package server_test

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/api"
)

// read returns the page at a public path.
func (s *testService) read(path string) string {
	s.t.Helper()
	res, err := s.web.Get(s.url + path)
	require.NoError(s.t, err)
	defer res.Body.Close()
	require.Equal(s.t, 200, res.StatusCode)
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	return string(body)
}

// value returns the value of a metric, or "" if it does not exist.
func value(metrics, name string) string {
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(metrics)
	if m == nil {
		return ""
	}
	return m[1]
}

func TestMetrics_OfTheStore(t *testing.T) {
	t.Parallel()
	s := open(t)
	metrics := s.read("/metrics")
	require.Equal(t, "0", value(metrics, `bincard_balances{environment="live"}`))
	require.Equal(t, "0", value(metrics, "bincard_store_queue_length"))
	require.NotEqual(t, "0", value(metrics, "bincard_store_size_bytes"))

	for i, env := range []api.Environment{api.Live, api.Live, api.Test} {
		svc := s.client(i%2, env)
		product, err := api.CreateProduct.Call(t.Context(), svc, api.CreateProductInput{SKU: "OAT-1L", Name: "Oat drink"})
		require.NoError(t, err)
		for _, code := range []string{"WH-1", "WH-2", "WH-3"}[:i+1] {
			at, err := api.CreateLocation.Call(t.Context(), svc, api.CreateLocationInput{Code: code, Name: code, Type: api.Warehouse})
			require.NoError(t, err)
			_, err = api.AdjustStock.Call(t.Context(), svc, api.AdjustStockInput{StockKey: api.StockKey{ProductID: product.ID, LocationID: at.ID}, InventoryState: api.OnHand, QuantityDelta: 5, Reason: "count"})
			require.NoError(t, err)
		}
		s.read("/metrics") // the next count continues this one
	}
	metrics = s.read("/metrics")
	require.Equal(t, "3", value(metrics, `bincard_balances{environment="live"}`))
	require.Equal(t, "3", value(metrics, `bincard_balances{environment="test"}`))
	require.NotEqual(t, "0", value(metrics, "bincard_store_batch_updates_count"))
	require.NotEmpty(t, value(metrics, "bincard_store_log_bytes"), "the log may be empty")
	require.NotEqual(t, "0", value(metrics, "bincard_store_flush_seconds_count"))
	require.Equal(t, "0", value(metrics, "bincard_store_failed_commits_total"))
	require.Equal(t, "3", value(metrics, `bincard_http_request_duration_seconds_count{operation="createProduct",status="201"}`))
	for _, org := range s.orgs {
		require.False(t, strings.Contains(metrics, org.ID.String()), "the metrics name an organization")
	}
	require.NotRegexp(t, secretText, metrics)
	for _, path := range []string{"/docs", "/openapi.yaml", "/openapi.json"} {
		require.NotRegexp(t, secretText, s.read(path))
	}
}

func TestMetrics_OfAClosedStore(t *testing.T) {
	t.Parallel()
	s, err := server.Open(server.Config{Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler), NoSync: true})
	require.NoError(t, err)
	h := s.Handler()
	require.NoError(t, s.Close())
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, 200, w.Code)
	require.Empty(t, value(w.Body.String(), `bincard_balances{environment="live"}`))
	require.Equal(t, "0", value(w.Body.String(), "bincard_store_queue_length"))
}
