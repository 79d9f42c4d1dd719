package views_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/server/api"
	"bincard/server/httpapi"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views"
	"bincard/views/inbounds"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/settings"
	"bincard/views/submit"
	"bincard/views/viewtest"
)

// documents are an inbound, a transfer and an order.
type documents struct {
	first, second api.Inbound
	transfer      api.Transfer
	order         api.Outbound
}

func newDocuments(h *viewtest.Warehouse, refs ...string) documents {
	h.Stock(h.Coffee.ID, h.Main.ID, 100)
	order := ledgertest.Do(h.World, api.CreateOutbound, api.CreateOutboundInput{LocationID: h.Main.ID,
		Lines:     []api.OutboundLineInput{{ProductID: h.Coffee.ID, RequestedQuantity: 5}},
		Reference: api.Reference{ReferenceType: "sales_order", ReferenceID: refs[3]}}).Outbound
	return documents{first: h.Inbound(refs[0], h.Oat, 24, time.Hour), second: h.Inbound(refs[1], h.Coffee, 12, time.Hour),
		transfer: h.Transfer(refs[2], h.Coffee, h.Main, h.Depot, 10), order: order}
}

func TestDocument_ScanOpensAnother(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *viewtest.Warehouse{"full": viewtest.NewWarehouse, "minimal": viewtest.NewMinimalWarehouse} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, saved := open(t), drafts.InMemory()
			docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
			d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Drafts = saved })
			order := "SO-1"
			if name == "minimal" { // it finds orders only by ID
				order = docs.order.ID.String()
			}
			d.Scan("PO-1").Type("12").Key("enter")
			for _, step := range []struct{ code, route string }{
				{"PO-2", "receive/" + docs.second.ID.String()},
				{"TR-1", "ship/" + docs.transfer.ID.String()},
				{order, "fulfill/" + docs.order.ID.String()},
				{"PO-1", "receive/" + docs.first.ID.String()},
			} {
				d.Scan(step.code)
				require.Empty(t, d.Model.Fault(), step.code)
				require.Equal(t, step.route, d.Model.Route(), step.code)
				require.Len(t, d.Model.Routes(), 2, "esc leads home")
				if step.code == "PO-2" {
					d.Sees("Draft saved: PO-1")
					require.Equal(t, []string{"receive/" + docs.first.ID.String()}, tuitest.DraftRoutes(t, saved))
				}
			}
			viewtest.RequireCount(t, d, 12)
			d.Key("esc")
			require.Equal(t, "home", d.Model.Route())
		})
	}
}

func TestDocument_ScanOfOpenDocument(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	d := h.Terminal(t, registry(h))
	d.Scan("PO-2").Scan("PO-2").Sees("PO-2 is already open. Scan its items.")
	d.Size(20, 16).Scan("PO-2").Sees("! PO-2 is already", "open. Scan its", "items.").Size(80, 24)
	require.Empty(t, d.Model.Fault())
	d.Key("+", "enter").Sees("Received 12").Scan("PO-2").Sees("PO-2 is already open.")
}

// The heading of a finished document names who changed it last, and when.
func TestDocument_FinishedDocumentNamesWhoAndWhen(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	when := func() string { return h.Clock.Now().Local().Format("2006-01-02 15:04") }
	ledgertest.Do(h.World, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: docs.second.ID, Quantity: 12}, api.By("Ben"))
	received := "received (Ben, " + when() + ")"
	h.Clock.Advance(time.Hour)
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: docs.transfer.ID}, api.By("Cem"))
	shipped := "all shipped (Cem, " + when() + ")"
	h.Clock.Advance(time.Hour)
	ledgertest.Do(h.World, api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: docs.order.ID}, api.By("Dee"))
	fulfilled := "fulfilled (Dee, " + when() + ")"
	h.Clock.Advance(time.Hour)
	ledgertest.Do(h.World, api.CloseInbound, api.CloseInboundInput{InboundID: docs.first.ID, Reason: "lost"}, api.By("Eve"))

	d := h.Terminal(t, registry(h))
	for route, want := range map[string]string{
		"receive/" + docs.first.ID.String(): "closed (Eve, " + when() + ")", "receive/" + docs.second.ID.String(): received,
		"ship/" + docs.transfer.ID.String(): shipped, "fulfill/" + docs.order.ID.String(): fulfilled,
	} {
		d.Do(tui.Open(route)).Sees(want).Size(40, 8).Sees(want)
		who, at, _ := strings.Cut(want, ", ")
		d.Size(20, 16).Sees(who+",", at).Size(80, 24).Key("esc")
	}
	job := &submit.Job{Site: h.Site, Ref: "PO-2"}
	_, err := inbounds.ReceiveJob(t.Context(), job)
	require.ErrorContains(t, err, "This delivery is received (12 of 12). Last change: "+received[len("received ("):len(received)-1])
}

// The refreshes of a finished document do not read its last change again.
func TestDocument_ReadsTheLastChangeOnce(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	ledgertest.Do(h.World, api.CloseInbound, api.CloseInboundInput{InboundID: docs.first.ID, Reason: "lost"}, api.By("Eve"))
	d := h.Terminal(t, registry(h))
	d.Do(tui.Open("receive/" + docs.first.ID.String())).Sees("closed (Eve, ")
	refreshed := false
	h.Proxy.Before(api.GetInbound.Spec, func() { refreshed = true })
	h.Proxy.Fail(api.ReportMovements.Spec, viewtest.ErrUnreachable, nil)
	d.Advance(time.Minute).Sees("closed (Eve, ")
	require.True(t, refreshed)
}

// Who received a part of what was shipped does not appear as who shipped it.
func TestDocument_ShippedTransferOmitsWhoReceived(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: docs.transfer.ID}, api.By("Cem"))
	h.Clock.Advance(time.Hour)
	received := int64(1)
	ledgertest.Do(h.World, api.ReceiveTransfer, api.MoveTransferInput{TransferID: docs.transfer.ID, Quantity: &received}, api.By("Ann"))
	d := h.Terminal(t, registry(h))
	d.Do(tui.Open("ship/" + docs.transfer.ID.String())).Sees("all shipped").Lacks("Ann")
}

func TestDocument_FinishedDocumentOpensAnother(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	d := h.Terminal(t, registry(h))
	d.Scan("PO-2").Key("+", "enter").Sees("This delivery is received (12 of 12).")
	d.Scan("COF-500")
	viewtest.RequireErrors(t, d, "This delivery is received (12 of 12). Nothing was counted.")
	d.Scan("TR-1")
	require.Empty(t, d.Model.Fault())
	require.Equal(t, "ship/"+docs.transfer.ID.String(), d.Model.Route())
}

func TestDocument_ScanAsksWhichDocument(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	third := h.Transfer("PO-2", h.Soy, h.Main, h.Depot, 6)
	d := h.Terminal(t, registry(h))
	d.Scan("PO-2").Sees("What do you want to do?", "COF-500", "SOY-1L").Key("esc")
	d.Scan("PO-1").Scan("PO-2").Sees("Receive PO-2  COF-500", "Ship PO-2  SOY-1L").Advance(time.Second).Type("soy").Key("enter")
	require.Equal(t, "ship/"+third.ID.String(), d.Model.Route())
}

func TestDocument_ReopensScreenBelow(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	d := h.Terminal(t, registry(h))
	d.Scan("PO-1").Scan(h.OatBox).Scan("COF-500").Sees("F8 receive it on another delivery").Key("f8").Sees("Receive › PO-2")
	d.Scan("PO-1")
	viewtest.RequireCount(t, d, 12)
	require.Equal(t, []string{"home", tui.Path("receive", docs.first.ID.String())}, d.Model.Routes())
}

func TestDocument_FoundByDisplayName(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *viewtest.Warehouse{"full": viewtest.NewWarehouse, "minimal": viewtest.NewMinimalWarehouse} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := open(t)
			docs := newDocuments(h, "", "PO-2", "", "")
			codes := map[string]string{names.Inbound(&docs.first): "receive/" + docs.first.ID.String(), names.Transfer(&docs.transfer): "ship/" + docs.transfer.ID.String()}
			if name == "full" {
				codes[names.Outbound(&docs.order)] = "fulfill/" + docs.order.ID.String()
			}
			for code, route := range codes {
				for _, start := range []string{"home", "receive", "receive/" + docs.second.ID.String()} {
					d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", start} })
					d.Scan(code)
					require.Equal(t, route, d.Model.Route(), "%s on %s: %s", code, start, d.Model.Fault())
				}
			}
			d := h.Terminal(t, registry(h))
			d.Scan("TR-00000000").Sees("TR-00000000 is unknown")
		})
	}
}

func TestSmallScreens_ShowWhereTransferGoes(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	for _, s := range []tuitest.Shape{{Width: 40, Height: 8}, {Width: 20, Height: 16}} {
		for _, route := range []string{"ship", "ship/" + docs.transfer.ID.String()} {
			d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", route} }).Size(s.Width, s.Height)
			d.Sees("WH-2")
		}
	}
}

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
		o.Now, o.Header = client.Now, func() tui.Status { return tui.Status{Company: "Harbor Goods"} }
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
			d.Sees(x.words, "PO-2", "1 overdue", "1 due today")
			if x.words != "" {
				d.Size(40, 8).Sees("! Clock ", ". Service time")
				d.Size(20, 16).Sees("! Clock ", "shown.")
			}
			newTerminal(t, h, x.by, "receive/PO-1").Sees("today 14:00").Lacks("overdue")
			newTerminal(t, h, x.by, "late").Sees("1 overdue", "PO-2", "26 h")
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

// The feed of a document says that a receipt is synced once the service has it, and that
// the service rejected a shipment, on small screens too.
func TestFeed_SaysWhatIsSynced(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	h.Stock(h.Coffee.ID, h.Main.ID, 5)
	in := h.Inbound("PO-1", h.Oat, 24, time.Hour)
	tr := h.Transfer("TR-1", h.Coffee, h.Main, h.Depot, 10)
	node := viewtest.NewNode(t, h.World, h.Proxy)
	h.Site = h.SiteOf(node)
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "receive/PO-1"} })
	seesInBoth := func(texts ...string) { d.Sees(texts...).Size(40, 8).Sees(texts...).Size(80, 24) }

	node.Disconnect()
	d.Scan("]C1010" + h.OatUnit + "10L42-A\x1d3012").Key("enter")
	seesInBoth("Saved, not synced.", "Received 12")
	node.Connect()
	d.Advance(5 * time.Second).Lacks("not synced")
	seesInBoth("Synced.", "Received 12")
	received := ledgertest.Do(h.World, api.GetInbound, api.InboundInput{InboundID: in.ID}).ReceivedQuantity
	require.EqualValues(t, 12, received)

	node.Disconnect()
	d.Scan("TR-1").Key("+").Sees("+10").Key("enter").Sees("F10").Key("f10").Sees("Saved at risk")
	node.Connect()
	d.Advance(5 * time.Second)
	seesInBoth("The service rejected it")
	shipped := ledgertest.Do(h.World, api.GetTransfer, api.TransferInput{TransferID: tr.ID}).ShippedQuantity
	require.Zero(t, shipped)
}
