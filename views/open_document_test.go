package views_test

import (
	"testing"
	"time"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/shell"
	"bincard/tui/tuitest"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/viewtest"

	"github.com/stretchr/testify/require"
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
			}
			viewtest.RequireCount(t, d, 12)
			d.Key("esc")
			require.Equal(t, "home", d.Model.Route())
		})
	}
}

func TestDocument_ScanKeepsDraft(t *testing.T) {
	t.Parallel()
	h, saved := viewtest.NewWarehouse(t), drafts.InMemory()
	newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Drafts = saved })
	d.Scan("PO-1").Scan(h.OatBox).Scan("PO-2").Sees("Receive › PO-2", "Draft saved: PO-1")
	routes := tuitest.DraftRoutes(t, saved)
	require.Len(t, routes, 1)
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

func TestDocument_FinishedDocumentOpensAnother(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	d := h.Terminal(t, registry(h))
	d.Scan("PO-2").Key("+", "enter").Sees("This inbound is received (12 of 12).")
	d.Scan("COF-500")
	viewtest.RequireErrors(t, d, "This inbound is received (12 of 12). Nothing was counted.")
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
	d.Scan("PO-1").Scan("PO-2").Sees("Receive PO-2  COF-500", "Ship PO-2  SOY-1L").Advance(time.Second).Type("soy").Key("enter")
	require.Equal(t, "ship/"+third.ID.String(), d.Model.Route())
}

func TestDocument_ReopensScreenBelow(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	d := h.Terminal(t, registry(h))
	d.Scan("PO-1").Scan(h.OatBox).Scan("COF-500").Sees("F8 receive it on another inbound").Key("f8").Sees("Receive › PO-2")
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

func TestDocument_OtherEndOfTransfer(t *testing.T) {
	t.Parallel()
	h := viewtest.NewWarehouse(t)
	docs := newDocuments(h, "PO-1", "PO-2", "TR-1", "SO-1")
	n := int64(4)
	ledgertest.Do(h.World, api.ShipTransfer, api.MoveTransferInput{TransferID: docs.transfer.ID, Quantity: &n})
	h.Site.SetLocation(session.Location{ID: h.Depot.ID, Code: "WH-2"})
	d := h.Terminal(t, registry(h), func(o *shell.Options) { o.Start = []string{"home", "ship/" + docs.transfer.ID.String()} })
	d.Scan("TR-1")
	require.Equal(t, "receive-transfer/"+docs.transfer.ID.String(), d.Model.Route())
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
