package home

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/alerts"
	"bincard/views/session"
)

// counts holds the counts of a job: the first cell is the total, the second what
// needs attention.
type counts struct {
	number  string // number in the first cell, for small screens
	cells   [2]string
	late    int64
	noun    string // label of late; "late" for documents
	overdue []alerts.LateDocument

	// low and expiring are the rows of the lists that stock opens.
	low      []alerts.LowProduct
	expiring []alerts.ExpiringLot
}

// countText formats a count, with "+" if there are more.
func countText(t *i18n.Translator, n int, more bool) string {
	if more {
		return t.Count(int64(n)) + "+"
	}
	return t.Count(int64(n))
}

// countPhrase returns a message with a count, "3 due today", or "" for 0.
func countPhrase(t *i18n.Translator, n int64, message string) string {
	if n == 0 {
		return ""
	}
	return t.Get(message, t.Count(n))
}

func countInbounds(ctx context.Context, site *session.Site, now time.Time) (counts, error) {
	rows, more, err := site.Inbounds(ctx, site.Location())
	deliveries := session.Deliveries(rows)
	t := counts{number: countText(site.T(), len(deliveries), more), noun: site.T().Get("overdue")}
	t.cells[0] = site.T().Get("%s expected", t.number)
	var today int64
	for _, d := range deliveries {
		due := alerts.FirstDue(d).Due(now.Location())
		if due == nil {
			continue
		}
		if i18n.Today(*due, now) {
			today++
		}
		if doc, late := alerts.LateDelivery(site.T(), d, now); late {
			t.late++
			t.overdue = append(t.overdue, doc)
		}
	}

	t.cells[1] = countPhrase(site.T(), today, i18n.Text("%s due today"))

	return t, err
}

func countShipments(ctx context.Context, site *session.Site, _ time.Time) (counts, error) {
	rows, more, err := site.Departures(ctx, site.Location())
	deliveries := session.Deliveries(rows)
	t := counts{number: countText(site.T(), len(deliveries), more)}
	t.cells[0] = site.T().Get("%s to ship", t.number)
	t.cells[1] = countPhrase(site.T(),
		countStarted(deliveries, func(r *api.Transfer) int64 { return r.ShippedQuantity }),
		i18n.Text("%s partly shipped"))
	return t, err
}

func countArrivals(ctx context.Context, site *session.Site, _ time.Time) (counts, error) {
	rows, more, err := site.Arrivals(ctx, site.Location())
	deliveries := session.Deliveries(rows)
	t := counts{number: countText(site.T(), len(deliveries), more)}
	t.cells[0] = site.T().Get("%s in transit", t.number)
	t.cells[1] = countPhrase(site.T(),
		countStarted(deliveries, func(r *api.Transfer) int64 { return r.ReceivedQuantity }),
		i18n.Text("%s partly received"))
	return t, err
}

// countStarted counts the deliveries that are partly done.
func countStarted(rows []session.Delivery[api.Transfer], done func(*api.Transfer) int64) (n int64) {
	for _, d := range rows {
		if slices.ContainsFunc(d.Lines, func(x api.Transfer) bool { return done(&x) > 0 }) {
			n++
		}
	}

	return n
}

func countOutbounds(ctx context.Context, site *session.Site, now time.Time) (counts, error) {
	rows, more, err := site.Outbounds(ctx, site.Location())
	t := counts{number: countText(site.T(), len(rows), more), noun: site.T().Get("overdue")}
	t.cells[0] = site.T().Get("%s open", t.number)
	var backordered int64
	for i := range rows {
		if rows[i].Status == api.OutboundBackordered {
			backordered++
		}
		if doc, late := alerts.LateOrder(site.T(), &rows[i], now); late {
			t.late++
			t.overdue = append(t.overdue, doc)
		}
	}

	t.cells[1] = countPhrase(site.T(), backordered, i18n.Text("%s backordered"))

	return t, err
}

func countMovements(ctx context.Context, site *session.Site, now time.Time) (counts, error) {
	limit := int64(500)
	y, m, d := now.Date()
	from := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	list, err := session.Call(ctx, site, api.ReportMovements, api.ReportMovementsInput{
		StockFilter: api.StockFilter{LocationID: site.Location().ID},
		CreatedFrom: &from,
		Limit:       &limit,
	})
	t := counts{number: countText(site.T(), len(list.Items), list.NextCursor != nil)}
	t.cells[0] = site.T().Get("%s movements today", t.number)
	if t.number == "1" {
		t.cells[0] = site.T().GetN(1, "%s movement today", "%s movements today")
	}

	return t, err
}

func countReservations(ctx context.Context, site *session.Site, now time.Time) (counts, error) {
	rows, more, err := site.Reservations(ctx, site.Location(), api.ReservationPending)
	ending := slices.DeleteFunc(slices.Clone(rows),
		func(r api.Reservation) bool { return r.ExpiresAt.After(now.Add(time.Hour)) })
	t := counts{number: countText(site.T(), len(rows), more)}
	t.cells[0] = site.T().GetC("%s pending", "home", t.number)
	t.cells[1] = countPhrase(site.T(), int64(len(ending)), i18n.Text("%s expire within 1 h"))
	return t, err
}

// countWork counts the operations that are not synced.
func countWork(ctx context.Context, site *session.Site, now time.Time) (counts, error) {
	st, err := site.FetchSyncStatus(ctx)
	if err != nil {
		return counts{}, err
	}
	return workCounts(site.T(), &st, now), nil
}

func workCounts(t *i18n.Translator, st *api.Sync, now time.Time) counts {
	c := counts{number: t.Count(st.Waiting), noun: t.Get("to decide"), late: st.ToDecide()}
	c.cells[0] = t.Get("all synced")
	if st.Waiting > 0 {
		c.cells[0] = t.Get("%s pending", t.Count(st.Waiting))
	}
	if st.State != api.SyncOnline && st.Read != nil {
		c.cells[1] = t.Get("data from %s", timeOrDay(t, st.Read, now))
	}

	return c
}

func timeOrDay(t *i18n.Translator, at *time.Time, now time.Time) string {
	if at == nil {
		return ""
	}
	return t.TimeOrDay(*at, now)
}
