package httpapi_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// adjustResponse is the answer to a stock adjustment of typical size.
var adjustResponse = &api.Response{Output: &api.StockResult{Balance: api.Balance{ID: keyID, Product: &api.ProductRef{Name: "Oat milk", SKU: "OAT-1"},
	Location: &api.PlaceRef{Code: "A1"}}, Movements: []api.Movement{{ID: keyID, Reason: "count"}, {ID: keyID, Reason: "count"}}}}

const adjustment = `{"productId":"0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e","locationId":"0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0f",` +
	`"inventoryState":"available","quantityDelta":5,"reason":"count","referenceType":"count","referenceId":"C-1"}`

func newPipeline(b *testing.B) http.Handler {
	b.Helper()
	h := open(b, func(c *httpapi.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(io.Discard, nil))
		caller, _ := authenticate(context.Background(), secret)
		c.Authenticate = func(context.Context, string) (*api.Caller, error) { return caller, nil }
		c.Service = fixedService{}
	})
	return h
}

type fixedService struct{}

func (fixedService) Do(context.Context, *api.Request) (*api.Response, error) {
	return adjustResponse, nil
}

// emptyHandler reads the body and writes as many bytes as the pipeline.
func emptyHandler(b *testing.B) http.Handler {
	w := httptest.NewRecorder()
	newPipeline(b).ServeHTTP(w, newRequest("POST", base+"/stock/adjust", adjustment))
	body := w.Body.Bytes()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	})
}

// BenchmarkSocket compares an empty handler with the pipeline, with 64 clients
// on keep-alive connections.
func BenchmarkSocket(b *testing.B) {
	b.Run("empty", func(b *testing.B) { load(b, emptyHandler(b)) })
	b.Run("pipeline", func(b *testing.B) { load(b, newPipeline(b)) })
}

func load(b *testing.B, h http.Handler) {
	srv := httptest.NewServer(h)
	defer srv.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	var n atomic.Int64
	b.SetParallelism(32)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r, _ := http.NewRequest("POST", srv.URL+base+"/stock/adjust", strings.NewReader(adjustment))
			r.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/json"},
				"Idempotency-Key": {strconv.FormatInt(n.Add(1), 10)}}
			res, err := client.Do(r)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
			if res.StatusCode != 200 {
				b.Error(res.Status)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

// BenchmarkHandle measures the pipeline without a socket.
func BenchmarkHandle(b *testing.B) {
	h := newPipeline(b)
	r := newRequest("POST", base+"/stock/adjust", adjustment)
	body := strings.NewReader(adjustment)
	r.Body = io.NopCloser(body)
	r.Header.Set("X-Request-Id", uuid.NewString())
	w := &discard{h: http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		body.Reset(adjustment)
		h.ServeHTTP(w, r)
	}
}

type discard struct{ h http.Header }

func (d *discard) Header() http.Header         { return d.h }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}
