package httpapi_test

import (
	"crypto/tls"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every answer forbids guessing its type, and over TLS asks for TLS next time. A chunked
// request ends its connection, as it may have had a length that a proxy believed.
func TestAnswer_SafetyHeaders(t *testing.T) {
	t.Parallel()
	h := open(t)
	w := h.serve(newRequest("GET", base+"/locations", ""))
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	require.Empty(t, w.Header().Get("Strict-Transport-Security"))
	require.Empty(t, w.Header().Get("Connection"))

	r := newRequest("POST", base+"/locations", aisleBody)
	r.TLS, r.TransferEncoding = &tls.ConnectionState{}, []string{"chunked"}
	w = h.serve(r)
	require.Equal(t, 201, w.Code)
	require.True(t, strings.HasPrefix(w.Header().Get("Strict-Transport-Security"), "max-age="))
	require.Equal(t, "close", w.Header().Get("Connection"))
}
