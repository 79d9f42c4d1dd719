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

// job is one line of home: a digit, a word and what there is to do.
type job struct {
	digit, label, route string
	hint                string // where there is nothing to count
	seldom              bool   // counted less often: it reads much
	menu                []job  // what to choose from, in place of the route alone
	count               func(ctx context.Context, site *dock.Site, now time.Time) (tally, error)
}

// tally is what is counted for a job: the first cell is what there is, the
// next ones what deserves a look.
type tally struct {
	number string // the first cell's number alone, for small screens
	cells  [2]string
	late   int64
	noun   string // what late ones are called; "late"
	docs   []late
}

// late is a document that is overdue.
type late struct {
	since             time.Time
	name, goods, from string
	pending           int64
	route             string
}

// jobs are all jobs, in the words of the warehouse.
func jobs() []job {
	return []job{
		{digit: "1", label: jobReceive, route: "receive", count: receiving},
		{digit: "2", label: jobShip, route: "ship", count: shipping},
		{digit: "3", label: jobArrive, route: "arrive", count: arriving},
		{digit: "4", label: jobFulfill, route: "fulfill", hint: hintFulfill, count: fulfilling},
		{digit: "5", label: jobStock, route: "stock", hint: hintStock, seldom: true, count: stock},
		{digit: "6", label: jobReports, route: "movements", hint: hintReports, seldom: true, count: movements},
		{digit: "7", label: jobReservations, route: "reservations", hint: hintReservations, count: reservations},
		{digit: "8", label: jobSync, route: "sync", hint: hintSync, count: unsettled},
		{digit: "9", label: jobCorrect, route: "adjust", hint: hintCorrect, menu: []job{
			{label: menuCount, route: "count"},
			{label: menuAdjust, route: "adjust"},
			{label: menuMove, route: "move"},
			{label: menuKit, route: "kit"}}},
	}
}

// number writes a count that may be cut: "500+".
func number(n int, more bool) string {
	if more {
		return widget.Count(int64(n)) + "+"
	}
	return widget.Count(int64(n))
}

// say is "3 due today", or nothing for none.
func say(n int64, words string) string {
	if n == 0 {
		return ""
	}
	return widget.Count(n) + " " + words
}

func receiving(ctx context.Context, site *dock.Site, now time.Time) (tally, error) {
	rows, more, err := site.Inbounds(ctx, site.Place())
	t := tally{number: number(len(rows), more), noun: toldLate}
	t.cells[0] = fmt.Sprintf(toldExpected, t.number)
	var today int64
	for _, in := range rows {
		if in.ExpectedAt == nil {
			continue
		}
		if widget.Today(*in.ExpectedAt, now) {
			today++
		}
		if inbounds.Late(&in, now) {
			t.late++
			t.docs = append(t.docs, late{*in.ExpectedAt, dock.InboundName(&in), dock.NameOf(in.Product), in.SupplierName, in.Pending(), "receive/" + in.ID.String()})
		}
	}
	t.cells[1] = say(today, toldDue)
	return t, err
}

func shipping(ctx context.Context, site *dock.Site, _ time.Time) (tally, error) {
	rows, more, err := site.Departing(ctx, site.Place())
	t := tally{number: number(len(rows), more)}
	t.cells[0] = fmt.Sprintf(toldToShip, t.number)
	t.cells[1] = say(part(rows, func(r *api.Transfer) int64 { return r.ShippedQuantity }), toldPartShipped)
	return t, err
}

func arriving(ctx context.Context, site *dock.Site, _ time.Time) (tally, error) {
	rows, more, err := site.Arriving(ctx, site.Place())
	t := tally{number: number(len(rows), more)}
	t.cells[0] = fmt.Sprintf(toldOnTheWay, t.number)
	t.cells[1] = say(part(rows, func(r *api.Transfer) int64 { return r.ReceivedQuantity }), toldPartHere)
	return t, err
}

// part counts the transfers of which something is done.
func part(rows []api.Transfer, done func(*api.Transfer) int64) (n int64) {
	for i := range rows {
		if done(&rows[i]) > 0 {
			n++
		}
	}
	return n
}

func fulfilling(ctx context.Context, site *dock.Site, now time.Time) (tally, error) {
	rows, more, err := site.Outbounds(ctx, site.Place())
	t := tally{number: number(len(rows), more), noun: toldLate}
	t.cells[0] = fmt.Sprintf(toldOpen, t.number)
	var short int64
	for _, o := range rows {
		if o.Status == api.OutboundBackordered {
			short++
		}
		if outbounds.Late(&o, now) {
			t.late++
			t.docs = append(t.docs, late{*o.ExpectedShipAt, dock.OutboundName(&o), dock.NameOf(o.Product), o.CustomerName,
				o.RequestedQuantity - o.FulfilledQuantity, "fulfill/" + o.ID.String()})
		}
	}
	t.cells[1] = say(short, toldBackordered)
	return t, err
}

func movements(ctx context.Context, site *dock.Site, now time.Time) (tally, error) {
	limit := int64(500)
	y, m, d := now.Date()
	from := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	list, err := dock.Ask(ctx, site, api.ReportMovements, api.ReportMovementsInput{LocationID: site.Place().ID, CreatedFrom: &from, Limit: &limit})
	t := tally{number: number(len(list.Items), list.NextCursor != nil)}
	t.cells[0] = fmt.Sprintf(toldMovements, t.number)
	return t, err
}

func reservations(ctx context.Context, site *dock.Site, now time.Time) (tally, error) {
	limit := int64(100)
	list, err := dock.Ask(ctx, site, api.ListReservations,
		api.ListReservationsInput{LocationID: site.Place().ID, Status: api.ReservationPending, Limit: &limit})
	ending := slices.DeleteFunc(slices.Clone(list.Items), func(r api.Reservation) bool { return r.ExpiresAt.After(now.Add(time.Hour)) })
	t := tally{number: number(len(list.Items), list.NextCursor != nil)}
	t.cells[0] = fmt.Sprintf(toldPending, t.number)
	t.cells[1] = say(int64(len(ending)), toldEnding)
	return t, err
}
