package apiclient_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
)

// A clockFixture is a service and a client with different, stopped clocks.
type clockFixture struct {
	t              *testing.T
	service, local time.Time
	header         http.Header
	client         *apiclient.Client
}

func newClockFixture(t *testing.T) *clockFixture {
	d := &clockFixture{t: t, service: when, local: when, header: http.Header{}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range d.header {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Date", d.service.UTC().Format(http.TimeFormat))
		_, _ = w.Write([]byte(`{"items":[],"nextCursor":null}`))
	}))
	t.Cleanup(srv.Close)
	d.client = client(t, srv.URL, func(c *apiclient.Config) { c.Now = func() time.Time { return d.local } })
	return d
}

// clockError makes a request and returns the difference between the client's
// time and the service's.
func (d *clockFixture) clockError() time.Duration {
	d.t.Helper()
	_, err := api.ListInbounds.Call(context.Background(), d.client, api.ListInboundsInput{})
	require.NoError(d.t, err)
	return d.client.Now().Sub(d.service).Abs()
}

func TestNow_FollowsTheService(t *testing.T) {
	t.Parallel()
	for _, fast := range []time.Duration{24 * time.Hour, -24 * time.Hour, 366 * 24 * time.Hour, time.Minute} {
		d := newClockFixture(t)
		d.local = d.service.Add(fast)
		require.Equal(t, d.local, d.client.Now(), "the offset is not known yet")
		require.LessOrEqual(t, d.clockError(), time.Second)
		require.InDelta(t, -fast.Seconds(), d.client.ClockOffset().Seconds(), 1)
	}
}

func TestOffset_IsStable(t *testing.T) {
	t.Parallel()
	d := newClockFixture(t)
	d.clockError()
	require.Zero(t, d.client.ClockOffset(), "the clocks agree")
	d.local = d.service.Add(-time.Hour)
	d.clockError()
	d.clockError()
	known := d.client.ClockOffset()
	for _, drift := range []time.Duration{time.Second, -time.Second, 400 * time.Millisecond} {
		d.local = d.service.Add(-time.Hour + drift)
		d.clockError()
		require.Equal(t, known, d.client.ClockOffset(), drift)
	}
}

func TestOffset_ChangesAfterTwoAgreeingAnswers(t *testing.T) {
	t.Parallel()
	d := newClockFixture(t)
	d.clockError()
	for _, wrong := range []time.Duration{time.Hour, 2 * time.Hour, -time.Hour} {
		d.service = when.Add(wrong)
		d.clockError()
		require.Zero(t, d.client.ClockOffset(), "one answer may be wrong")
	}
	require.LessOrEqual(t, d.clockError(), time.Second)
}

func TestOffset_IgnoresForeignAnswers(t *testing.T) {
	t.Parallel()
	d := newClockFixture(t)
	d.local = d.service.Add(time.Hour)
	d.header.Set("Age", "3600")
	d.clockError()
	require.Zero(t, d.client.ClockOffset(), "the answer is from a cache")

	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Date", when.Format(http.TimeFormat))
	}))
	t.Cleanup(page.Close)
	c := client(t, page.URL)
	_, err := api.ListInbounds.Call(context.Background(), c, api.ListInboundsInput{})
	require.Error(t, err)
	require.Zero(t, c.ClockOffset(), "a sign-in page answered")
}
