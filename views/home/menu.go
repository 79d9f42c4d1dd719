package home

import (
	"context"
	"net/url"
	"time"

	"bincard/tui/i18n"
	"bincard/views/session"
)

// menuEntry is a job on the home screen.
type menuEntry struct {
	digit, label, route string
	short               string      // label on small screens; "" for label
	hint                string      // shown if there is no count
	slowRefresh         bool        // counted less often, because it reads many rows
	menu                []menuEntry // submenu that replaces the route
	count               func(ctx context.Context, site *session.Site, now time.Time) (counts, error)
	filter              func(site *session.Site) string // the query that opens what count counts; nil for none
}

// menuEntries returns the jobs on the home screen.
func menuEntries(t *i18n.Translator) []menuEntry {
	return []menuEntry{
		{digit: "1", label: t.Get("Receive inbound"), short: t.Get("Receive"), route: "receive", count: countInbounds},
		{
			digit: "2",
			label: t.Get("Ship transfer"),
			short: t.GetC("Ship TR", "menu"),
			route: "ship",
			count: countShipments,
		},
		{
			digit: "3",
			label: t.Get("Receive transfer"),
			short: t.GetC("Receive TR", "menu"),
			route: "receive-transfer",
			count: countArrivals,
		},
		{
			digit: "4",
			label: t.Get("Fulfill outbound"),
			short: t.Get("Fulfill"),
			route: "fulfill",
			hint:  t.Get("scan an order"),
			count: countOutbounds,
		},
		{
			digit:       "5",
			label:       t.Get("Explain balance"),
			short:       t.Get("Balance"),
			route:       "stock",
			hint:        t.Get("search stock"),
			slowRefresh: true,
			count:       countStock,
		},
		{
			digit:       "6",
			label:       t.Get("Reports"),
			route:       "movements",
			hint:        t.Get("stock movements"),
			slowRefresh: true,
			count:       countMovements,
			filter:      todayHere,
		},
		{
			digit: "7",
			label: t.Get("Reservations"),
			route: "reservations",
			hint:  t.Get("reserved stock"),
			count: countReservations,
		},
		{digit: "8", label: t.Get("Sync"), route: "sync", hint: t.Get("entries to sync"), count: countWork},
		{
			digit: "9",
			label: t.Get("Adjust and count"),
			short: t.GetC("Adjust and count", "menu"),
			route: "adjust",
			hint:  t.Get("adjust, move, count, kits"),
			menu: []menuEntry{
				{label: t.Get("Count this location"), route: "count"},
				{label: t.Get("Adjust stock"), route: "adjust"},
				{label: t.Get("Move stock between states"), route: "move"},
				{label: t.Get("Assemble or disassemble kits"), route: "kit"}},
		},
		{digit: "0", label: t.Get("Returns"), route: "return", hint: t.Get("take back what was shipped")},
	}
}

// todayHere returns the filter of the movements of today at the operator's location.
func todayHere(site *session.Site) string {
	filter := url.Values{"days": {"1"}}
	if here := site.Location(); here.IsSet() {
		filter.Set("location", here.Code)
	}
	return "?" + filter.Encode()
}
