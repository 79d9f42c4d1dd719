package httpapi_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// An address that tries many wrong keys is slowed down. Keys that were valid before go on
// working there, and other addresses are not concerned.
func TestAuthenticate_SlowsDownWrongKeys(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	h := open(t, func(c *httpapi.Config) { c.Now, c.WrongKeyDelay = func() time.Time { return now }, 1 })
	status := func(key, from string) int {
		r := newRequest("GET", base+"/locations", "", "Authorization: Bearer "+key)
		r.RemoteAddr = from
		return h.serve(r).Code
	}
	require.Equal(t, 200, status(secret, "10.0.0.1:1000"))
	for range 20 {
		require.Equal(t, 401, status("bc_live_guess", "10.0.0.1:1001"))
	}
	r := newRequest("GET", base+"/locations", "", "Authorization: Bearer bc_live_guess")
	r.RemoteAddr = "10.0.0.1:1002"
	w := h.serve(r)
	require.Equal(t, 429, w.Code)
	require.Equal(t, api.RateLimited, problemOf(t, w).Code)
	require.Equal(t, "6", w.Header().Get("Retry-After"))
	require.Equal(t, 200, status(secret, "10.0.0.1:1003"), "a terminal with a valid key keeps working")
	require.Equal(t, 429, status(readOnly, "10.0.0.1:1003"), "no key is tried, not even a valid one")
	require.Equal(t, 401, status("bc_live_guess", "10.0.0.2:1000"))
	now = now.Add(6 * time.Second)
	require.Equal(t, 200, status(readOnly, "10.0.0.1:1003"))
	require.Equal(t, 401, status("bc_live_guess", "10.0.0.1:1003"))
	require.Equal(t, 429, status("bc_live_guess", "10.0.0.1:1003"))
}

// Who tries keys waits for each answer, and an IPv6 client cannot change its address
// within its network.
func TestAuthenticate_DelaysWrongKeys(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.WrongKeyDelay = time.Hour })
	r := newRequest("GET", base+"/locations", "", "Authorization: Bearer bc_live_guess")
	for i := range 20 {
		r.RemoteAddr = "[2001:db8::" + strconv.Itoa(i) + "]:1000"
		require.Equal(t, 401, h.serve(r).Code)
	}
	ctx, gone := context.WithCancel(t.Context())
	answered := make(chan int)
	go func() { answered <- h.serve(r.WithContext(ctx)).Code }()
	require.Eventually(t, func() bool { // it and this request
		return strings.Contains(h.serve(newRequest("GET", "/metrics", "")).Body.String(), "bincard_http_requests_in_flight 2\n")
	}, 30*time.Second, time.Millisecond)
	gone()
	require.Equal(t, 429, <-answered)
	go func() { answered <- h.serve(r.WithContext(t.Context())).Code }()
	h.Handler.(interface{ Drain() }).Drain()
	require.Equal(t, 429, <-answered)
}

// A client with many addresses does not make the service forget one that tries many keys.
func TestAuthenticate_RemembersAmongManyAddresses(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	h := open(t, func(c *httpapi.Config) { c.Now, c.WrongKeyDelay = func() time.Time { return now }, 1 })
	r := newRequest("GET", base+"/locations", "", "Authorization: Bearer bc_live_guess")
	r.RemoteAddr = "10.0.0.1:1000"
	for range 20 {
		require.Equal(t, 401, h.serve(r).Code)
	}
	for i := range 20_000 {
		r.RemoteAddr = "10." + strconv.Itoa(1+i/65536) + "." + strconv.Itoa(i/256%256) + "." + strconv.Itoa(i%256) + ":1000"
		require.Equal(t, 401, h.serve(r).Code)
	}
	r.RemoteAddr = "10.0.0.1:1000"
	require.Equal(t, 429, h.serve(r).Code)
}
