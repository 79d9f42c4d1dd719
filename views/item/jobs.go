package item

import (
	"context"
	"net/url"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// A job is something to do with the item. A job on documents has load; any other opens its
// route.
type job struct {
	id, digit, label string // digit is its key
	route            string
	load             func(ctx context.Context, s *subject) ([]document, error)
	none             string // says that there is no document
	question         string // asks which of several documents
	grouped          bool   // shown in one row, with the number of documents
}

// A document is an inbound, a transfer or an order that waits for the item, or a lot of it.
type document struct {
	name, party, route string
	toGo               int64
	due                *time.Time
	holds              bool // holds the scanned lot or serial
}

func (d *document) late(now time.Time) bool { return d.due != nil && d.due.Before(now) }

// jobs returns the jobs on the item at a location, those on documents first.
func (s *screen) jobs() []job {
	t, sku, here := s.T, s.sku, s.site.Location().Code
	at := sku + "@" + here
	list := []job{
		{
			id:       "receive",
			digit:    "1",
			label:    t.GetC("Receive", "menu"),
			load:     loadInbounds,
			question: t.Get("Which delivery?"),
			none:     t.Get("No delivery of %s is expected at %s", sku, here),
		},
		{
			id:       "ship",
			digit:    "2",
			label:    t.GetC("Ship TR", "menu"),
			load:     loadDepartures,
			question: t.Get("Which transfer?"),
			none:     t.Get("No transfer of %s is to ship from %s", sku, here),
		},
		{
			id:       "receive-transfer",
			digit:    "3",
			label:    t.GetC("Receive TR", "menu"),
			load:     loadArrivals,
			question: t.Get("Which transfer?"),
			none:     t.Get("No transfer of %s is on its way to %s", sku, here),
		},
		{
			id:       "fulfill",
			digit:    "4",
			label:    t.Get("Fulfill"),
			load:     loadOutbounds,
			question: t.Get("Which order?"),
			none:     t.Get("No order at %s needs %s", here, sku),
		},
	}

	query := s.Route.Query
	if id := query.Get("lot"); id != "" {
		list = append(list, job{id: "trace", digit: "f7", label: t.Get("Trace lot"), route: tui.Path("trace", id)})
	}
	if id := query.Get("serial"); id != "" {
		list = append(list, job{id: "serial", digit: "f7", label: t.Get("Serial"), route: tui.Path("serial", id)})
	}

	explain := tui.Path("explain", at)
	if s.lotCode != "" {
		explain += "?lot=" + url.QueryEscape(s.lotCode)
	}

	list = append(list, job{id: "explain", digit: "5", label: t.Get("Explain"), route: explain})
	if s.item != nil && s.item.Tracking == api.TrackLot {
		list = append(list, job{
			id:       "lots",
			digit:    "6",
			label:    t.Get("Lots"),
			load:     loadLots,
			grouped:  true,
			question: t.Get("Trace which lot?"),
			none:     t.Get("%s has no lots yet", sku),
		})
	}

	list = append(list, []job{
		{
			id:    "reserve",
			digit: "7",
			label: t.GetC("Reserve", "menu"),
			route: "reservations/new?sku=" + url.QueryEscape(sku),
		},
		{id: "count", digit: "8", label: t.GetC("Count", "menu"), route: session.CountRoute(here, sku)},
		{id: "adjust", digit: "9", label: t.GetC("Adjust", "menu"), route: tui.Path("adjust", at)},
		{id: "move", digit: "0", label: t.GetC("Move", "menu"), route: tui.Path("move", at)},
	}...)

	if s.kit {
		list = append(list, job{id: "kit", digit: "f4", label: t.GetC("Kits", "menu"), route: tui.Path("kit", at)})
	}

	return list
}

// dueText says when a document is due.
func dueText(t *i18n.Translator, d *document, now time.Time) string {
	switch {
	case d.due == nil:
		return ""
	case d.late(now):
		return t.Get("overdue, %s", t.TimeOrDay(*d.due, now))
	}

	return t.TimeOrDay(*d.due, now)
}
