package sim_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// A cannedAnswer is an HTTP response that apiclient reads instead of the
// service's.
type cannedAnswer struct {
	status      int
	contentType string
	body        []byte
	replayed    bool
	key         string // of the write that it answers, if the service tells
}

// RoundTrip implements http.RoundTripper.
func (c cannedAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	header := http.Header{"Content-Type": {c.contentType}}
	if c.replayed {
		header.Set("Idempotent-Replayed", "true")
	}
	if c.key != "" {
		header.Set(api.KeyHeader, c.key)
	}
	if c.status/100 == 3 {
		header.Set("Location", "https://sign-in.example/")
	}
	return &http.Response{Request: req, StatusCode: c.status, Header: header, Body: io.NopCloser(bytes.NewReader(c.body))}, nil
}

// read returns what apiclient makes of the answer to a request.
func (c cannedAnswer) read(t require.TestingT, req *api.Request) (*api.Response, error) {
	client, err := apiclient.New(apiclient.Config{URL: "https://service.example", Key: "bc_live_0123456789", Organization: api.ID{1}.String(), Transport: c})
	require.NoError(t, err)
	return client.Do(context.Background(), req)
}

// TestCannedAnswer_IsRead requires that apiclient reads an answer of the
// service as it was, so that the simulation tests more than its encoding.
func TestCannedAnswer_IsRead(t *testing.T) {
	t.Parallel()
	want := &api.StockResult{}
	want.Balance.OnHand = 3
	req := &api.Request{Spec: api.AdjustStock.Spec, IdempotencyKey: "k", Input: &api.AdjustStockInput{}}
	res, err := canned(t, &api.Response{Output: want, Replayed: true}).read(t, req)
	require.NoError(t, err)
	require.Equal(t, int64(3), res.Output.(*api.StockResult).Balance.OnHand)
	require.True(t, res.Replayed)
}
