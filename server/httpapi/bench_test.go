package httpapi_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
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
