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

// dated is a service whose Date is that of a clock, and a client whose own
// machine has another one. Neither runs.
type dated struct {
	t             *testing.T
	service, mine time.Time
	header        http.Header
	client        *apiclient.Client
}

func newDated(t *testing.T) *dated {
	d := &dated{t: t, service: when, mine: when, header: http.Header{}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range d.header {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Date", d.service.UTC().Format(http.TimeFormat))
		_, _ = w.Write([]byte(`{"items":[],"nextCursor":null}`))
	}))
	t.Cleanup(srv.Close)
	d.client = client(t, srv.URL, func(c *apiclient.Config) { c.Now = func() time.Time { return d.mine } })
	return d
}

// ask asks something and answers how far the client's time is from the service's.
func (d *dated) ask() time.Duration {
	d.t.Helper()
	_, err := api.ListInbounds.Call(context.Background(), d.client, api.ListInboundsInput{})
	require.NoError(d.t, err)
	return d.client.Now().Sub(d.service).Abs()
}

func TestNow_IsTheServices(t *testing.T) {
	t.Parallel()
	for _, fast := range []time.Duration{24 * time.Hour, -24 * time.Hour, 366 * 24 * time.Hour, time.Minute} {
		d := newDated(t)
		d.mine = d.service.Add(fast)
		require.Equal(t, d.mine, d.client.Now(), "nothing is known yet")
		require.LessOrEqual(t, d.ask(), time.Second)
		require.InDelta(t, -fast.Seconds(), d.client.ClockOffset().Seconds(), 1)
	}
}

func TestOffset_KeepsStill(t *testing.T) {
	t.Parallel()
	d := newDated(t)
	d.ask()
	require.Zero(t, d.client.ClockOffset(), "the clocks agree")
	d.mine = d.service.Add(-time.Hour)
	d.ask()
	d.ask()
	known := d.client.ClockOffset()
	for _, drift := range []time.Duration{time.Second, -time.Second, 400 * time.Millisecond} {
		d.mine = d.service.Add(-time.Hour + drift)
		d.ask()
		require.Equal(t, known, d.client.ClockOffset(), drift)
	}
}

func TestOffset_ChangesWhenTwoAnswersAgree(t *testing.T) {
	t.Parallel()
	d := newDated(t)
	d.ask()
	for _, wrong := range []time.Duration{time.Hour, 2 * time.Hour, -time.Hour} {
		d.service = when.Add(wrong)
		d.ask()
		require.Zero(t, d.client.ClockOffset(), "one answer may be wrong")
	}
	require.LessOrEqual(t, d.ask(), time.Second)
}

func TestOffset_IgnoresWhatTellsNoTime(t *testing.T) {
	t.Parallel()
	d := newDated(t)
	d.mine = d.service.Add(time.Hour)
	d.header.Set("Age", "3600")
	d.ask()
	require.Zero(t, d.client.ClockOffset(), "a cache answered")

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
