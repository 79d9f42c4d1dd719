package watchlist

import (
	"context"
	"slices"
	"strconv"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"
	"bincard/views/inbounds"
	"bincard/views/listscreen"
	"bincard/views/outbounds"
)

// A LateDocument is an open document past its due date.
type LateDocument struct {
	Job      string    `json:"job"` // "receive", "fulfill"
	Name     string    `json:"document"`
	Item     string    `json:"productName"`
	Party    string    `json:"party"` // supplier or customer
	Location string    `json:"locationCode"`
	Since    time.Time `json:"dueAt"`
	Pending  int64     `json:"pending"`
	Route    string    `json:"-"`
}

// LateDocuments returns the late inbounds and orders at a location (anywhere for the
// zero location), the most overdue first. more reports whether some documents were not
// checked. If the service does not list orders, it returns only inbounds.
func LateDocuments(ctx context.Context, site *dock.Site, at dock.Location, now time.Time) (rows []LateDocument, more bool, err error) {
	in, more, err := site.Inbounds(ctx, at)
	if err != nil {
		return nil, false, err
	}
	for i := range in {
		if d := &in[i]; inbounds.IsLate(d, now) {
			rows = append(rows, LateDocument{Job: "receive", Name: dock.InboundName(d), Item: dock.ProductName(d.Product), Party: d.SupplierName,
				Location: dock.LocationCode(d.Location), Since: *d.ExpectedAt, Pending: d.Pending(), Route: tui.Path("receive", d.ID.String())})
		}
	}
	out, cut, err := site.Outbounds(ctx, at)
	if err != nil && !dock.IsUnsupported(err) {
		return nil, false, err
	}
	for i := range out {
		if d := &out[i]; outbounds.IsLate(d, now) {
			rows = append(rows, LateDocument{Job: "fulfill", Name: dock.OutboundName(d), Item: dock.ProductName(d.Product), Party: d.CustomerName,
				Location: dock.LocationCode(d.Location), Since: *d.ExpectedShipAt, Pending: d.RequestedQuantity - d.FulfilledQuantity,
				Route: tui.Path("fulfill", d.ID.String())})
		}
	}
	slices.SortStableFunc(rows, func(a, b LateDocument) int { return a.Since.Compare(b.Since) })
	return rows, more || cut, nil
}

// Late returns the factory of the list of late documents.
func Late(site *dock.Site) tui.Factory {
	return list(site, func(t *i18n.Translator) kind[LateDocument] {
		return kind[LateDocument]{
			route: "late", title: t.Get("Late"), noun: t.Get("late"), question: t.Get("Due and not done"), shortQuestion: t.Get("due, not done"), open: t.GetC("open", "verb"), help: t.Get("Open the document"),
			load: func(ctx context.Context, at dock.Location, _ int, now time.Time) ([]LateDocument, bool, error) {
				return LateDocuments(ctx, site, at, now)
			},
			key: func(o LateDocument) string { return o.Route },
			text: func(o LateDocument) string {
				return o.Job + " " + o.Name + " " + o.Item + " " + o.Party + " " + o.Location
			},
			detail:  func(o LateDocument) string { return listscreen.JoinParts(o.Item, o.Party) },
			columns: lateColumns, exportColumns: lateExport,
			rowRoute: func(o LateDocument, _ dock.Location) string { return o.Route },
			empty:    func(at dock.Location, _ int) string { return t.Get("Nothing is late %s.", locationText(t, at)) },
		}
	})
}

func lateColumns(env tui.Env, size tui.Size, at dock.Location) []widget.Column[LateDocument] {
	type col = widget.Column[LateDocument]
	now := env.Now()
	name := col{Title: env.T.Get("document"), Width: 13, Cell: func(o LateDocument) string { return o.Name }}
	late := col{Title: env.T.Get("late"), Width: 9, Right: true, Cell: func(o LateDocument) string { return "! " + lateText(env.T, now.Sub(o.Since)) },
		Style: func(_ LateDocument, t theme.Theme, text string) string { return t.Warning.Render(text) }}
	pending := col{Title: env.T.Get("pending"), Width: 7, Right: true, Rank: 2, Cell: func(o LateDocument) string { return env.T.Count(o.Pending) }}
	if size.Small() {
		name.Width = 0
		if size.Width < 30 { // leave room for the name of the document
			late.Width, late.Cell = 5, func(o LateDocument) string { return shortLateText(env.T, now.Sub(o.Since)) }
		}
		return []col{name, pending, late}
	}
	cols := []col{late, {Title: env.T.Get("job"), Width: 7, Rank: 5, Cell: func(o LateDocument) string { return jobText(env.T, o.Job) }}, name,
		{Title: env.T.Get("item"), Rank: 3, Cell: func(o LateDocument) string { return o.Item }}, pending,
		{Title: env.T.Get("for or from"), Width: 14, Rank: 4, Cell: func(o LateDocument) string { return o.Party }}}
	if !at.IsSet() {
		cols = append(cols, col{Title: env.T.Get("location"), Width: 8, Rank: 6, Cell: func(o LateDocument) string { return o.Location }})
	}
	return append(cols, col{Title: env.T.Get("due"), Width: 16, Rank: 7, Cell: func(o LateDocument) string { return env.T.When(o.Since, now) }})
}

// jobText returns the name of a job.
func jobText(t *i18n.Translator, job string) string {
	if job == "receive" {
		return t.GetC("receive", "job")
	}
	return t.GetC("fulfill", "job")
}

// lateText formats how late something is, in one unit.
func lateText(t *i18n.Translator, d time.Duration) string {
	if d >= time.Hour && d < 48*time.Hour {
		d = d.Truncate(time.Hour)
	}
	return t.Span(d)
}

// shortLateText is lateText in five cells.
func shortLateText(t *i18n.Translator, d time.Duration) string {
	switch {
	case d < time.Minute:
		return t.Span(d)
	case d < time.Hour:
		return t.Get("%s m", strconv.Itoa(int(d/time.Minute)))
	case d < 48*time.Hour:
		return lateText(t, d)
	}
	return t.Get("%s d", strconv.Itoa(int(d/(24*time.Hour))))
}

var lateExport = []export.Column[LateDocument]{
	{Name: "dueAt", Literal: true, Value: func(o *LateDocument) string { return o.Since.Format(time.RFC3339) }},
	{Name: "job", Literal: true, Value: func(o *LateDocument) string { return o.Job }}, {Name: "document", Value: func(o *LateDocument) string { return o.Name }},
	{Name: "productName", Value: func(o *LateDocument) string { return o.Item }}, {Name: "party", Value: func(o *LateDocument) string { return o.Party }},
	{Name: "locationCode", Value: func(o *LateDocument) string { return o.Location }}, numberColumn("pending", func(o *LateDocument) int64 { return o.Pending }),
}
