package reports

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
)

// filter is the filter of a report. The query of the route holds it:
// "movements?sku=OAT-1L&location=WH-1&operation=adjust&state=damaged&days=7" or
// "…&from=2026-03-01&to=2026-03-31", both days included. Days can be times:
// "2026-03-31 14:00", where the end is excluded.
type filter struct {
	SKU, Location, Owner, Channel, Operation, State, Status string
	From, To                                                string // days or times
	Days                                                    int    // the last days including today; 0 for all
	AsOf                                                    string // day (at its end) or time of a snapshot; "" for now
	// Person, Document, Lot and Serial are of movements. Person and Document are parts of names.
	Person, Document, Lot, Serial string
}

// fields maps the names in a route to the texts of the filter.
func (f *filter) fields() map[string]*string {
	return map[string]*string{
		"sku":       &f.SKU,
		"location":  &f.Location,
		"owner":     &f.Owner,
		"channel":   &f.Channel,
		"operation": &f.Operation,
		"state":     &f.State,
		"status":    &f.Status,
		"from":      &f.From,
		"to":        &f.To,
		"asOf":      &f.AsOf,
		"person":    &f.Person,
		"document":  &f.Document,
		"lot":       &f.Lot,
		"serial":    &f.Serial,
	}
}

// filterOf reads the query of a route. If it has no period, the period is the last
// days.
func filterOf(q url.Values, days int) filter {
	var f filter
	for name, member := range f.fields() {
		*member = q.Get(name)
	}

	switch n, err := strconv.Atoi(q.Get("days")); {
	case q.Has("days") && err == nil && n >= 0 && n <= 3650:
		f.Days = n
	case f.From == "" && f.To == "":
		f.Days = days
	}

	return f
}

// filterOfQuery is filterOf for a saved query.
func filterOfQuery(query string, days int) filter {
	_, query, _ = strings.Cut(tui.CurrentRoute("?"+query), "?")
	q, _ := url.ParseQuery(query) // invalid parts are ignored
	return filterOf(q, days)
}

// query encodes the filter as the query of a route.
func (f filter) query() string {
	q := url.Values{}
	for name, member := range f.fields() {
		if *member != "" {
			q.Set(name, *member)
		}
	}

	if f.From == "" && f.To == "" {
		q.Set("days", strconv.Itoa(f.Days))
	}

	return q.Encode()
}

const minute = "2006-01-02 15:04"

// parseTime parses a day or time in the zone of now. If ends is set, a day means its
// end, the start of the next day.
func parseTime(t *i18n.Translator, text string, now time.Time, ends bool) (*time.Time, error) {
	if text == "" {
		return nil, nil
	}

	at, onlyDay, ok := t.ParseTime(text, now)
	if !ok {
		return nil, t.NewError("%q is not a date. Type it like %s.", text, t.DateExample(true))
	}
	if onlyDay && ends {
		at = at.AddDate(0, 0, 1)
	}

	return &at, nil
}

// period returns the period in the zone of now: from is inclusive, to exclusive.
func (f filter) period(t *i18n.Translator, now time.Time) (from, to *time.Time, err error) {
	if f.Days > 0 {
		at := startOfDay(now).AddDate(0, 0, 1-f.Days)
		return &at, nil, nil
	}
	if from, err = parseTime(t, f.From, now, false); err != nil {
		return nil, nil, err
	}

	to, err = parseTime(t, f.To, now, true)

	return from, to, err
}

// startOfDay returns the start of the day of t, in the zone of t.
func startOfDay(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
}

// asOf returns the time of a snapshot, or nil for now. A day means its end.
func (f filter) asOf(t *i18n.Translator, now time.Time) (*time.Time, error) {
	at, err := parseTime(t, f.AsOf, now, true)
	if err != nil || at == nil {
		return nil, err
	}

	first := *at
	if _, onlyDay, _ := t.ParseTime(f.AsOf, now); onlyDay {
		first = at.AddDate(0, 0, -1)
		last := at.Add(-time.Millisecond)
		at = &last
	}

	if first.After(now) {
		return nil, t.NewError("%s is in the future. Use today or an earlier day.", t.TimeText(f.AsOf))
	}

	return at, nil
}

// singleDay returns the day of a filter whose period is one day.
func (f filter) singleDay(now time.Time) (day time.Time, ok bool) {
	switch {
	case f.Days == 1:
		return startOfDay(now), true
	case f.From == "" || f.From != f.To:
		return day, false
	}

	day, err := time.ParseInLocation(time.DateOnly, f.From, now.Location())
	return day, err == nil
}

// forDay returns the filter with a period of one day.
func (f filter) forDay(day time.Time) filter {
	f.Days, f.From = 0, day.Format(time.DateOnly)
	f.To = f.From
	return f
}

// A period is a choice of a number of days.
type period struct {
	name string
	days int
}

func periods(t *i18n.Translator) []period {
	return []period{
		{t.Get("today"), 1},
		{t.Get("last 7 days"), 7},
		{t.Get("last 30 days"), 30},
		{t.Get("all time"), 0},
		{t.Get("from … to"), -1},
	}
}

// periodText describes the period.
func (f filter) periodText(t *i18n.Translator) string {
	switch from, to := t.TimeText(f.From), t.TimeText(f.To); {
	case from != "" && from == to:
		return from
	case from != "" && to != "":
		return t.Get("%s to %s", from, to)
	case from != "":
		return t.Get("since %s", from)
	case to != "":
		return t.Get("until %s", to)
	}

	for _, p := range periods(t) {
		if p.days == f.Days {
			return p.name
		}
	}

	return t.Get("last %d days", f.Days)
}

// text describes the filter: "last 7 days · WH-1 · adjust". That of balances has a time in
// place of the period, which selects those created in it: "now · created today".
func (f filter) text(t *i18n.Translator, balances bool) string {
	parts := []string{f.periodText(t)}
	if balances {
		parts[0] = t.GetC("now", "balances")
		if f.AsOf != "" {
			parts[0] = t.Get("as of %s", t.TimeText(f.AsOf))
		}
		if f.Days != 0 || f.From != "" || f.To != "" {
			parts = append(parts, t.Get("created %s", f.periodText(t)))
		}
	}

	return widget.Clean(strings.Join(append(parts, f.conditions(t)...), " · "))
}

// conditions describes what the filter selects besides the period.
func (f filter) conditions(t *i18n.Translator) (parts []string) {
	for _, s := range []string{f.SKU, f.Location, names.Operation(t, api.MovementOperation(f.Operation))} {
		if s != "" {
			parts = append(parts, s)
		}
	}

	if f.State != "" {
		parts = append(parts, names.State(t, api.State(f.State)))
	}

	switch api.StockStatus(f.Status) {
	case api.StockIn:
		parts = append(parts, t.GetC("in stock", "reports"))
	case api.StockOut:
		parts = append(parts, t.Get("out of stock"))
	}

	for _, s := range []string{f.Person, f.Document, f.Lot, f.Serial} {
		if s != "" {
			parts = append(parts, s)
		}
	}

	if f.Owner != "" {
		parts = append(parts, t.Get("owner %s", f.Owner))
	}
	if f.Channel != "" {
		parts = append(parts, t.Get("channel %s", f.Channel))
	}

	return parts
}
