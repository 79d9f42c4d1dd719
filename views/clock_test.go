package views_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/viewtest"
)

// newTerminal returns a terminal whose machine clock is off by the given duration. The
// service is reached over HTTP, and its clock is at noon.
func newTerminal(t *testing.T, h *viewtest.Warehouse, by time.Duration, route string) *tuitest.Driver {
	t.Helper()
	caller := api.Caller{Organization: h.Org.ID, Environment: api.Live, Scopes: api.Scopes, Actor: api.Actor{Type: api.APIKey, Label: "till"}}
	srv := httptest.NewServer(httpapi.New(httpapi.Config{Service: h.Ledger, Now: h.Clock.Now, Logger: slog.New(slog.DiscardHandler),
		Authenticate: func(context.Context, string) (*api.Caller, error) { return &caller, nil }}))
	t.Cleanup(srv.Close)
	machineNow := func() time.Time { return tuitest.Noon.Add(by) }
	client, err := apiclient.New(apiclient.Config{URL: srv.URL, Key: "k", Organization: h.Org.ID.String(), Now: machineNow})
	require.NoError(t, err)
	site := session.NewSite(session.Options{Service: client, Operator: "Ada", Now: client.Now, ClockOffset: client.ClockOffset})
	site.SetLocation(session.Location{ID: h.Main.ID, Code: h.Main.Code, Name: h.Main.Name})
	reg := tui.NewRegistry()
	views.Register(reg, site, settings.Hooks{})
	d := h.Terminal(t, reg, func(o *shell.Options) {
		o.Now, o.Header = client.Now, func() tui.Status { return tui.Status{Company: "Harbour Goods"} }
		if route != "" {
			o.Start = []string{reg.Home(), route}
		}
	})
	return d.Advance(time.Second) // wait until the clock offset from the first response is applied
}

// TestScreens_UseTheServiceClock requires a terminal with a wrong clock to show what
// one with a correct clock shows.
func TestScreens_UseTheServiceClock(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		by    time.Duration
		words string
	}{
		"right":        {0, ""},
		"a day fast":   {24 * time.Hour, "This machine's clock is 1 day fast. Times shown are the service's."},
		"a day slow":   {-24 * time.Hour, "This machine's clock is 1 day slow. Times shown are the service's."},
		"a year fast":  {366 * 24 * time.Hour, "This machine's clock is 366 days fast."},
		"an hour slow": {-time.Hour, "This machine's clock is 1 h slow."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := viewtest.NewWarehouse(t)
			h.Inbound("PO-1", h.Oat, 24, 2*time.Hour)
			h.Inbound("PO-2", h.Oat, 24, -26*time.Hour)
			in := h.Inbound("PO-3", h.Oat, 12, time.Hour)
			ends, until := tuitest.Noon.AddDate(0, 0, 3), tuitest.Noon.Add(3*time.Hour+time.Minute)
			ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 12, NewLot: api.NewLot{LotCode: "L1", ExpiresAt: &ends}})
			ledgertest.Do(h.World, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: h.Oat.ID, LocationID: h.Main.ID}, Quantity: 2,
				ExpiresAt: &until})

			d := newTerminal(t, h, x.by, "")
			if x.words == "" {
				d.Lacks("This machine's clock")
			}
			d.Sees(x.words, "PO-2", "1 late", "1 due today")
			if x.words != "" {
				d.Size(40, 8).Sees("! Clock ", ". Service time")
				d.Size(20, 16).Sees("! Clock ", "shown.")
			}
			newTerminal(t, h, x.by, "receive/PO-1").Sees("today 14:00").Lacks("late")
			newTerminal(t, h, x.by, "late").Sees("1 late", "PO-2", "26 h")
			newTerminal(t, h, x.by, "expiring").Sees("L1", "3 d")
			newTerminal(t, h, x.by, "reservations").Sees("3 h")
			d = newTerminal(t, h, x.by, "explain/OAT-1L@WH-1").Key("tab")
			d.Sees("on hand at the end of each of", "most 12, today")
			newTerminal(t, h, x.by, "movements").Sees("today 12:00")
		})
	}
}

// negative matches a negative age.
var negative = regexp.MustCompile(`-\d+ ?(s|min|h|d|days)\b`)

// passing matches text that changes every second.
var passing = regexp.MustCompile(`\d\d:\d\d:\d\d|\b\ds\b`)

// TestScreens_SurviveClockChanges sets the clock a year ahead and two years back on
// every screen, then does a job.
func TestScreens_SurviveClockChanges(t *testing.T) {
	t.Parallel()
	const year = 366 * 24 * time.Hour
	h := viewtest.NewWarehouse(t)
	reg := registry(h)
	for _, route := range routes(reg, h) {
		d := h.Terminal(t, reg, func(o *shell.Options) {
			o.Start, o.Header = []string{"home", route}, func() tui.Status { return tui.Status{} }
		})
		before := d.Advance(time.Second).View()
		for _, by := range []time.Duration{year, -2 * year, year} {
			d.Jump(by).Advance(2 * time.Second)
			require.NoError(t, d.Model.Err(), route)
			require.True(t, d.Model.Idle(), route)
			require.False(t, negative.MatchString(d.View()), "%s\n%s", route, d.View())
		}
		require.Equal(t, passing.ReplaceAllString(before, ""), passing.ReplaceAllString(d.View(), ""), route)
	}
	h.Inbound("PO-7", h.Oat, 24, time.Hour)
	d := h.Terminal(t, reg)
	d.Scan("PO-7").Jump(year).Scan("]C101" + h.OatBox + "17290331" + "10L42-A").Jump(-2 * year).Scan(h.OatBox).Jump(year).Key("enter")
	d.Sees("Received 24: 24 of 24")
}
