package apiclient_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// A fixedTransport has a fixed answer.
type fixedTransport struct {
	status      int
	media, body string
}

func (s fixedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: s.status, Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {s.media}, "Retry-After": {s.media}}, Body: io.NopCloser(strings.NewReader(s.body))}, nil
}

// FuzzAnswer requires that every answer yields an output or an error with a
// message.
func FuzzAnswer(f *testing.F) {
	const media = "application/json"
	for i := range api.Operations() {
		f.Add(i, 200, media, `{"items":[],"nextCursor":null}`)
	}
	f.Add(0, 409, media, `{"error":{"code":"INSUFFICIENT_STOCK","message":"m","requestId":"r","details":{"current":"1"}}}`)
	f.Add(0, 400, media, `{"error":{"code":"VALIDATION_ERROR","message":"m","details":{"fields":[{"path":1}]}}}`)
	f.Add(1, 200, "text/html", "<html>Sign in</html>")
	f.Add(2, 503, "", "")
	f.Fuzz(func(t *testing.T, i, status int, media, body string) {
		if status < 100 || status > 999 || status == 101 {
			status = 200
		}
		table := api.Operations()
		spec := table[uint(i)%uint(len(table))]
		c, err := apiclient.New(apiclient.Config{URL: "http://127.0.0.1:1", Key: secret, Organization: org, Transport: fixedTransport{status, media, body}})
		require.NoError(t, err)
		res, err := c.Do(context.Background(), &api.Request{Spec: spec, Input: spec.NewInput(), IdempotencyKey: "k"})
		if err != nil {
			e, ok := err.(*api.Error)
			require.True(t, ok, "%T", err)
			require.NotEmpty(t, e.Code)
			require.NotEmpty(t, e.Message)
			require.NotContains(t, e.Error(), canary)
			return
		}
		require.NotNil(t, res.Output)
	})
}
