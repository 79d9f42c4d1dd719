package httpapi_test

import (
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/httpapi"
)

// A manualClock is a clock that moves only when advanced.
type manualClock struct{ ns atomic.Int64 }

func (s *manualClock) now() time.Time          { return time.Unix(1_000_000, s.ns.Load()) }
func (s *manualClock) advance(d time.Duration) { s.ns.Add(int64(d)) }

func TestRate_LimitsAKey(t *testing.T) {
	t.Parallel()
	clock := &manualClock{}
	h := open(t, func(c *httpapi.Config) { c.Rate, c.Now = 5, clock.now })
	list := func() *httptest.ResponseRecorder { return h.serve(newRequest("GET", base+"/locations", "")) }
	for range 10 { // two seconds' worth at once
		require.Equal(t, 200, list().Code)
	}
	w := list()
	require.Equal(t, 429, w.Code)
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	e := problemOf(t, w)
	require.Equal(t, api.RateLimited, e.Code)
	require.Equal(t, float64(1), e.Details["retryAfterSeconds"])
	require.Equal(t, 429, list().Code, "a rejected request does not extend the wait")

	clock.advance(200 * time.Millisecond)
	require.Equal(t, 200, list().Code, "one interval permits one request")
	require.Equal(t, 429, list().Code)
	require.Equal(t, 404, h.serve(newRequest("GET", base+"/nothing", "")).Code, "requests without an operation do not count")
	clock.advance(time.Hour)
	for range 10 {
		require.Equal(t, 200, list().Code)
	}
	require.Equal(t, 429, list().Code, "unused time is limited to the burst")
}

// A request succeeds after the seconds in Retry-After, and not a second
// earlier.
func TestRate_RetryAfterIsExact(t *testing.T) {
	t.Parallel()
	clock := &manualClock{}
	h := open(t, func(c *httpapi.Config) { c.Rate, c.Now = 1, clock.now })
	list := func() *httptest.ResponseRecorder { return h.serve(newRequest("GET", base+"/locations", "")) }
	require.Equal(t, 200, list().Code)
	require.Equal(t, 200, list().Code)
	clock.advance(300 * time.Millisecond)
	w := list()
	require.Equal(t, 429, w.Code)
	seconds, err := strconv.Atoi(w.Header().Get("Retry-After"))
	require.NoError(t, err)
	clock.advance(time.Duration(seconds-1) * time.Second)
	require.Equal(t, 429, list().Code)
	clock.advance(time.Second)
	require.Equal(t, 200, list().Code)
}

// A clock that is set back stops nobody for longer.
func TestRate_ClockSetBack(t *testing.T) {
	t.Parallel()
	clock := &manualClock{}
	h := open(t, func(c *httpapi.Config) { c.Rate, c.Now = 1, clock.now })
	list := func() int { return h.serve(newRequest("GET", base+"/locations", "")).Code }
	require.Equal(t, []int{200, 200, 429}, []int{list(), list(), list()})
	clock.advance(-time.Hour + 2*time.Second)
	require.Equal(t, 200, list())
}

func TestRate_IsPerKey(t *testing.T) {
	t.Parallel()
	clock := &manualClock{}
	h := open(t, func(c *httpapi.Config) {
		c.Rate, c.Now = 10, clock.now
		c.Authenticate = twoKeys
	})
	var taken [2]atomic.Int64
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			key := []string{secret, readOnly}[i%2]
			if h.serve(newRequest("GET", base+"/locations", "", "Authorization: Bearer "+key)).Code == 200 {
				taken[i%2].Add(1)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 20, taken[0].Load())
	require.EqualValues(t, 20, taken[1].Load())
}

func TestRate_Disabled(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *httpapi.Config) { c.Rate, c.Now = -1, (&manualClock{}).now })
	for range 100 {
		require.Equal(t, 200, h.serve(newRequest("GET", base+"/locations", "")).Code)
	}
}

// The answers to a key's requests tell how many more it may send, as in
// draft-ietf-httpapi-ratelimit-headers.
func TestRate_Headers(t *testing.T) {
	t.Parallel()
	clock := &manualClock{}
	h := open(t, func(c *httpapi.Config) { c.Rate, c.Now = 5, clock.now })
	list := func() (int, string) {
		w := h.serve(newRequest("GET", base+"/locations", ""))
		require.Equal(t, []string{`"key";q=10;w=2`}, w.Header().Values("RateLimit-Policy"))
		require.Len(t, w.Header().Values("RateLimit"), 1)
		return w.Code, w.Header().Get("RateLimit")
	}
	for i, want := range []string{`"key";r=9;t=1`, `"key";r=8;t=1`, `"key";r=7;t=1`, `"key";r=6;t=1`, `"key";r=5;t=1`, `"key";r=4;t=2`,
		`"key";r=3;t=2`, `"key";r=2;t=2`, `"key";r=1;t=2`, `"key";r=0;t=2`} {
		status, got := list()
		require.Equal(t, 200, status)
		require.Equal(t, want, got, i)
	}
	status, got := list()
	require.Equal(t, 429, status)
	require.Equal(t, `"key";r=0;t=2`, got)
	clock.advance(time.Hour)
	_, got = list()
	require.Equal(t, `"key";r=9;t=1`, got)
	w := h.serve(newRequest("GET", base+"/inbounds/0198c5e2-7b1a-7c3e-9d41-5f2a6b8c9d0e", ""))
	require.Equal(t, 404, w.Code, "an error counts as well")
	require.Equal(t, []string{`"key";r=8;t=1`}, w.Header().Values("RateLimit"))
	require.Empty(t, h.serve(newRequest("GET", "/healthz", "")).Header().Values("RateLimit"))

	h = open(t, func(c *httpapi.Config) { c.Rate = -1 })
	require.Empty(t, h.serve(newRequest("GET", base+"/locations", "")).Header().Values("RateLimit"))
}
