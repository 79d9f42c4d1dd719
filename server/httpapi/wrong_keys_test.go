package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// An address that tries many wrong keys is slowed down. Valid keys go on working there, and
// other addresses are not concerned.
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
	require.Equal(t, 200, status(readOnly, "10.0.0.1:1003"), "so does one whose key is used for the first time")
	require.Equal(t, 401, status("bc_live_guess", "10.0.0.2:1000"))
	now = now.Add(6 * time.Second)
	require.Equal(t, 401, status("bc_live_guess", "10.0.0.1:1003"))
	require.Equal(t, 429, status("bc_live_guess", "10.0.0.1:1003"))
}

// Who tries keys waits for each answer, and an IPv6 client cannot change its address
// within its network.
func TestAuthenticate_DelaysWrongKeys(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		now := time.Now() // no wrong key is forgotten
		h := open(t, func(c *httpapi.Config) { c.Now, c.WrongKeyDelay = func() time.Time { return now }, 10*time.Second })
		r := newRequest("GET", base+"/locations", "", "Authorization: Bearer bc_live_guess")
		for i := range 20 {
			r.RemoteAddr = "[2001:db8::" + strconv.Itoa(i) + "]:1000"
			require.Equal(t, 401, h.serve(r).Code)
		}
		require.Equal(t, 429, h.serve(r).Code)
		require.Equal(t, 10*time.Second, time.Since(now))

		ctx, gone := context.WithCancel(t.Context())
		answered := make(chan int)
		go func() { answered <- h.serve(r.WithContext(ctx)).Code }()
		synctest.Wait()
		gone()
		require.Equal(t, 429, <-answered)
		go func() { answered <- h.serve(r.WithContext(t.Context())).Code }()
		synctest.Wait()
		h.Handler.(interface{ Drain() }).Drain()
		require.Equal(t, 429, <-answered)
		require.Equal(t, 10*time.Second, time.Since(now), "neither waited for its time")
	})
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

// The wrong keys of one client behind a trusted proxy are not those of the others.
func TestServe_CountsWrongKeysOfForwardedClients(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.WrongKeyDelay = 1 })
	addr, _ := serve(t, httpapi.ServeConfig{Handler: h.Handler, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	direct, _ := serve(t, httpapi.ServeConfig{Handler: h.Handler})
	status := func(addr string, forwarded ...string) int {
		r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr+base+"/locations", nil)
		require.NoError(t, err)
		for _, line := range append(forwarded, "Authorization: Bearer bc_live_guess") {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Add(name, value)
		}
		res, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode
	}
	for range 20 {
		require.Equal(t, 401, status(addr, "X-Forwarded-For: 10.0.0.9, 10.0.0.1, 127.0.0.7"))
		require.Equal(t, 401, status(addr, `Forwarded: for=10.0.0.9, for="[2001:db8::1]:4711";proto=https`))
	}
	for _, same := range []string{"X-Forwarded-For: 10.0.0.1", "X-Forwarded-For: 10.0.0.1:1234", "Forwarded: FOR=10.0.0.1",
		"X-Forwarded-For: 2001:db8::2", `Forwarded: by=10.0.0.7;for="[2001:db8::2]"`} {
		require.Equal(t, 429, status(addr, same), same)
	}
	require.Equal(t, 429, status(addr, "X-Forwarded-For: 10.0.0.9", "X-Forwarded-For: 10.0.0.1"))
	require.Equal(t, 401, status(addr, "X-Forwarded-For: 10.0.0.9"))
	for range 30 { // clients that the proxy does not tell apart
		require.Equal(t, 401, status(addr))
		require.Equal(t, 401, status(addr, "Forwarded: for=_hidden"))
		require.Equal(t, 401, status(addr, "X-Forwarded-For: 10.0.0.1, unknown"))
	}
	for range 20 {
		require.Equal(t, 401, status(direct))
	}
	require.Equal(t, 429, status(direct, "X-Forwarded-For: 10.0.0.2"), "only a proxy may tell the address of a client")
}

// After a restart, valid keys work at once behind a proxy whose other clients try keys all the
// time.
func TestServe_AcceptsValidKeysAmongWrongOnes(t *testing.T) {
	t.Parallel()
	for range 2 { // the second one knows no key yet
		h := open(t, func(c *httpapi.Config) { c.WrongKeyDelay = time.Millisecond })
		addr, stop := serve(t, httpapi.ServeConfig{Handler: h.Handler, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
		proxy := httptest.NewServer(httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: addr}))
		status := func(key string) int {
			r, err := http.NewRequestWithContext(t.Context(), "GET", proxy.URL+base+"/locations", nil)
			require.NoError(t, err)
			r.Header.Set("Authorization", "Bearer "+key)
			res, err := proxy.Client().Do(r)
			require.NoError(t, err)
			require.NoError(t, res.Body.Close())
			return res.StatusCode
		}
		for range 21 {
			status("bc_live_guess")
		}
		var trying sync.WaitGroup
		for range 8 {
			trying.Go(func() {
				for range 30 {
					status("bc_live_guess")
				}
			})
		}
		require.Equal(t, 200, status(secret))
		require.Equal(t, 200, status(readOnly))
		trying.Wait()
		proxy.Close()
		require.NoError(t, stop())
	}
}
