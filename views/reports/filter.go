package reports

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"
)

// filter is what a report is narrowed to, as its route says it:
// "movements?sku=OAT-1L&place=WH-1&operation=adjust&state=damaged&days=7" or
// "…&from=2026-03-01&to=2026-03-31", both days included.
type filter struct {
	SKU, Place, Operation, State, Status string
	From, To                             string // days, ISO
	Days                                 int    // the last days, today among them; 0 is all
}

// filterOf reads the query of a route. Without any period it is days.
func filterOf(q url.Values, days int) filter {
	f := filter{SKU: q.Get("sku"), Place: q.Get("place"), Operation: q.Get("operation"), State: q.Get("state"),
		Status: q.Get("status"), From: q.Get("from"), To: q.Get("to")}
	switch n, err := strconv.Atoi(q.Get("days")); {
	case q.Has("days") && err == nil && n >= 0 && n <= 3650:
		f.Days = n
	case f.From == "" && f.To == "":
		f.Days = days
	}
	return f
}

// query writes the filter as a route's query.
func (f filter) query() string {
	q := url.Values{}
	for name, value := range map[string]string{"sku": f.SKU, "place": f.Place, "operation": f.Operation,
		"state": f.State, "status": f.Status, "from": f.From, "to": f.To} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.From == "" && f.To == "" {
		q.Set("days", strconv.Itoa(f.Days))
	}
	return q.Encode()
}

// period is the time it spans, in the zone of now: from inclusive, to exclusive.
func (f filter) period(now time.Time) (from, to *time.Time, err error) {
	day := func(text string, plus int) (*time.Time, error) {
		if text == "" {
			return nil, nil
		}
		at, err := time.ParseInLocation(time.DateOnly, text, now.Location())
		if err != nil {
			return nil, fmt.Errorf("%q is no day: write it like 2026-03-31.", text)
		}
		at = at.AddDate(0, 0, plus)
		return &at, nil
	}
	if f.Days > 0 {
		y, m, d := now.Date()
		at := time.Date(y, m, d+1-f.Days, 0, 0, 0, 0, now.Location())
		return &at, nil, nil
	}
	if from, err = day(f.From, 0); err != nil {
		return nil, nil, err
	}
	to, err = day(f.To, 1)
	return from, to, err
}

// periods are the spans one chooses from, with their days.
var periods = []struct {
	name string
	days int
}{{"today", 1}, {"last 7 days", 7}, {"last 30 days", 30}, {"all time", 0}, {"from … to", -1}}

// span says the period in words.
func (f filter) span() string {
	switch {
	case f.From != "" && f.To != "":
		return f.From + " to " + f.To
	case f.From != "":
		return "since " + f.From
	case f.To != "":
		return "until " + f.To
	}
	for _, p := range periods {
		if p.days == f.Days {
			return p.name
		}
	}
	return fmt.Sprintf("last %d days", f.Days)
}

// words say what the report is narrowed to: "last 7 days · WH-1 · adjust".
func (f filter) words() string {
	parts := []string{f.span()}
	for _, s := range []string{f.SKU, f.Place, strings.ReplaceAll(f.Operation, "_", " ")} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if f.State != "" {
		parts = append(parts, api.State(f.State).Title())
	}
	switch api.StockStatus(f.Status) {
	case api.StockIn:
		parts = append(parts, "in stock")
	case api.StockOut:
		parts = append(parts, "out of stock")
	}
	return widget.Clean(strings.Join(parts, " · "))
}

// ids are the product and the location that a filter names.
type ids struct{ product, place api.ID }

// find asks the service for what the filter names by code.
func (f filter) find(ctx context.Context, site *dock.Site) (ids, error) {
	var out ids
	if f.SKU != "" {
		thing, err := catalogue.Find(ctx, site, f.SKU)
		if err != nil {
			return out, err
		}
		if thing.Product == nil {
			return out, fmt.Errorf("%s is no product. Change the filter (F3).", f.SKU)
		}
		out.product = thing.Product.ID
	}
	if f.Place != "" {
		thing, err := catalogue.Find(ctx, site, f.Place)
		if err != nil {
			return out, err
		}
		if thing.Location == nil {
			return out, fmt.Errorf("%s is no place. Change the filter (F3).", f.Place)
		}
		out.place = thing.Location.ID
	}
	return out, nil
}
