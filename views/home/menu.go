package home

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
)

// menuEntry is one line of home: a digit, a word and what there is to do.
type menuEntry struct {
	digit, label, route string
	short               string      // the label on small screens; "" for label
	hint                string      // where there is nothing to count
	slowRefresh         bool        // counted less often: it reads much
	menu                []menuEntry // what to choose from, in place of the route alone
	count               func(ctx context.Context, site *dock.Site, now time.Time) (counts, error)
}

// counts is what is counted for a job: the first cell is what there is, the
// next ones what deserves a look.
type counts struct {
	number  string // the first cell's number alone, for small screens
	cells   [2]string
	late    int64
	noun    string // what late ones are called; "late"
	overdue []overdue
}

// overdue is a document that is overdue.
type overdue struct {
	since            time.Time
	name, sku, party string
	pending          int64
	route            string
}

// menuEntries are all jobs, in the words of the warehouse.
func menuEntries() []menuEntry {
	return []menuEntry{
		{digit: "1", label: jobReceive, short: shortReceive, route: "receive", count: countInbounds},
		{digit: "2", label: jobShip, short: shortShip, route: "ship", count: countShipments},
		{digit: "3", label: jobArrive, short: shortArrive, route: "arrive", count: countArrivals},
		{digit: "4", label: jobFulfill, short: shortFulfill, route: "fulfill", hint: hintFulfill, count: countOutbounds},
		{digit: "5", label: jobStock, route: "stock", hint: hintStock, slowRefresh: true, count: countStock},
		{digit: "6", label: jobReports, route: "movements", hint: hintReports, slowRefresh: true, count: countMovements},
		{digit: "7", label: jobReservations, route: "reservations", hint: hintReservations, count: countReservations},
		{digit: "8", label: jobSync, route: "sync", hint: hintSync, count: countWork},
		{digit: "9", label: jobCorrect, route: "adjust", hint: hintCorrect, menu: []menuEntry{
			{label: menuCount, route: "count"},
			{label: menuAdjust, route: "adjust"},
			{label: menuMove, route: "move"},
			{label: menuKit, route: "kit"}}},
	}
}

// countText writes a count that may be cut: "500+".
func countText(n int, more bool) string {
	if more {
		return widget.Count(int64(n)) + "+"
	}
	return widget.Count(int64(n))
}

// countPhrase is "3 due today", or nothing for none.
func countPhrase(n int64, words string) string {
	if n == 0 {
		return ""
	}
	return widget.Count(n) + " " + words
}

func countInbounds(ctx context.Context, site *dock.Site, now time.Time) (counts, error) {
	rows, more, err := site.Inbounds(ctx, site.Location())
	t := counts{number: countText(len(rows), more), noun: toldLate}
	t.cells[0] = fmt.Sprintf(toldExpected, t.number)
	var today int64
	for _, in := range rows {
		if in.ExpectedAt == nil {
			continue
		}
		if widget.Today(*in.ExpectedAt, now) {
			today++
		}
		if inbounds.IsLate(&in, now) {
			t.late++
			t.overdue = append(t.overdue, overdue{*in.ExpectedAt, dock.InboundName(&in), dock.ProductName(in.Product), in.SupplierName, in.Pending(), "receive/" + in.ID.String()})
		}
	}
	t.cells[1] = countPhrase(today, toldDue)
	return t, err
}

func countShipments(ctx context.Context, site *dock.Site, _ time.Time) (counts, error) {
	rows, more, err := site.Departures(ctx, site.Location())
	t := counts{number: countText(len(rows), more)}
	t.cells[0] = fmt.Sprintf(toldToShip, t.number)
	t.cells[1] = countPhrase(countStarted(rows, func(r *api.Transfer) int64 { return r.ShippedQuantity }), toldPartShipped)
	return t, err
}

func countArrivals(ctx context.Context, site *dock.Site, _ time.Time) (counts, error) {
	rows, more, err := site.Arrivals(ctx, site.Location())
	t := counts{number: countText(len(rows), more)}
	t.cells[0] = fmt.Sprintf(toldOnTheWay, t.number)
	t.cells[1] = countPhrase(countStarted(rows, func(r *api.Transfer) int64 { return r.ReceivedQuantity }), toldPartHere)
	return t, err
}

// countStarted counts the transfers of which something is done.
func countStarted(rows []api.Transfer, done func(*api.Transfer) int64) (n int64) {
	for i := range rows {
		if done(&rows[i]) > 0 {
			n++
		}
	}
	return n
}

func countOutbounds(ctx context.Context, site *dock.Site, now time.Time) (counts, error) {
	rows, more, err := site.Outbounds(ctx, site.Location())
	t := counts{number: countText(len(rows), more), noun: toldLate}
	t.cells[0] = fmt.Sprintf(toldOpen, t.number)
	var short int64
	for _, o := range rows {
		if o.Status == api.OutboundBackordered {
			short++
		}
		if outbounds.IsLate(&o, now) {
			t.late++
			t.overdue = append(t.overdue, overdue{*o.ExpectedShipAt, dock.OutboundName(&o), dock.ProductName(o.Product), o.CustomerName,
				o.RequestedQuantity - o.FulfilledQuantity, "fulfill/" + o.ID.String()})
		}
	}
	t.cells[1] = countPhrase(short, toldBackordered)
	return t, err
}

func countMovements(ctx context.Context, site *dock.Site, now time.Time) (counts, error) {
	limit := int64(500)
	y, m, d := now.Date()
	from := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	list, err := dock.Call(ctx, site, api.ReportMovements, api.ReportMovementsInput{LocationID: site.Location().ID, CreatedFrom: &from, Limit: &limit})
	t := counts{number: countText(len(list.Items), list.NextCursor != nil)}
	t.cells[0] = fmt.Sprintf(toldMovements, t.number)
	return t, err
}

func countReservations(ctx context.Context, site *dock.Site, now time.Time) (counts, error) {
	limit := int64(100)
	list, err := dock.Call(ctx, site, api.ListReservations,
		api.ListReservationsInput{LocationID: site.Location().ID, Status: api.ReservationPending, Limit: &limit})
	ending := slices.DeleteFunc(slices.Clone(list.Items), func(r api.Reservation) bool { return r.ExpiresAt.After(now.Add(time.Hour)) })
	t := counts{number: countText(len(list.Items), list.NextCursor != nil)}
	t.cells[0] = fmt.Sprintf(toldPending, t.number)
	t.cells[1] = countPhrase(int64(len(ending)), toldEnding)
	return t, err
}
