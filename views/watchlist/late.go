package watchlist

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
	"bincard/views/export"
	"bincard/views/inbounds"
	"bincard/views/outbounds"
)

// An Overdue is a document that should be done by now.
type Overdue struct {
	Job     string    `json:"job"` // "receive", "fulfill"
	Name    string    `json:"document"`
	Goods   string    `json:"productName"`
	Party   string    `json:"party"` // supplier or customer
	Place   string    `json:"locationCode"`
	Since   time.Time `json:"dueAt"`
	Pending int64     `json:"pending"`
	Route   string    `json:"-"`
}

// Overdues are the inbounds and orders of a place (of all for the zero place)
// that are late, the longest first; more tells that not all were looked at. A
// service without a list of orders tells of inbounds alone.
func Overdues(ctx context.Context, site *dock.Site, at dock.Place, now time.Time) (rows []Overdue, more bool, err error) {
	in, more, err := site.Inbounds(ctx, at)
	if err != nil {
		return nil, false, err
	}
	for i := range in {
		if d := &in[i]; inbounds.Late(d, now) {
			rows = append(rows, Overdue{Job: "receive", Name: dock.InboundName(d), Goods: dock.NameOf(d.Product), Party: d.SupplierName,
				Place: dock.CodeOf(d.Location), Since: *d.ExpectedAt, Pending: d.Pending(), Route: tui.Path("receive", d.ID.String())})
		}
	}
	out, cut, err := site.Outbounds(ctx, at)
	if err != nil && !dock.Missing(err) {
		return nil, false, err
	}
	for i := range out {
		if d := &out[i]; outbounds.Late(d, now) {
			rows = append(rows, Overdue{Job: "fulfill", Name: dock.OutboundName(d), Goods: dock.NameOf(d.Product), Party: d.CustomerName,
				Place: dock.CodeOf(d.Location), Since: *d.ExpectedShipAt, Pending: d.RequestedQuantity - d.FulfilledQuantity,
				Route: tui.Path("fulfill", d.ID.String())})
		}
	}
	slices.SortStableFunc(rows, func(a, b Overdue) int { return a.Since.Compare(b.Since) })
	return rows, more || cut, nil
}

// Late makes the factory of the list of documents that are overdue.
func Late(site *dock.Site) tui.Factory {
	return list(site, kind[Overdue]{
		route: "late", title: nameLate, noun: nounLate, ask: askLate, short: shortLate, open: labelOpen, help: helpDocument,
		load: func(ctx context.Context, site *dock.Site, at dock.Place, _ int, now time.Time) ([]Overdue, bool, error) {
			return Overdues(ctx, site, at, now)
		},
		key:     func(o Overdue) string { return o.Route },
		text:    func(o Overdue) string { return o.Job + " " + o.Name + " " + o.Goods + " " + o.Party + " " + o.Place },
		aside:   func(o Overdue) string { return dock.Joined(o.Goods, o.Party) },
		columns: overdueColumns, sheet: overdueSheet,
		opens: func(o Overdue, _ dock.Place) string { return o.Route },
		empty: func(at dock.Place, _ int) string { return fmt.Sprintf(emptyLate, where(at)) },
	})
}

func overdueColumns(env tui.Env, size tui.Size, at dock.Place) []widget.Column[Overdue] {
	type col = widget.Column[Overdue]
	now := env.Now()
	name := col{Title: columnDocument, Width: 13, Cell: func(o Overdue) string { return o.Name }}
	late := col{Title: nounLate, Width: 9, Right: true, Cell: func(o Overdue) string { return "! " + since(now.Sub(o.Since)) },
		Style: func(_ Overdue, t theme.Theme, text string) string { return t.Warning.Render(text) }}
	pending := col{Title: columnPending, Width: 7, Right: true, Rank: 2, Cell: func(o Overdue) string { return widget.Count(o.Pending) }}
	if size.Small() {
		name.Width = 0
		if size.Width < 30 { // a document's name is more than the sign of what all here are
			late.Width, late.Cell = 5, func(o Overdue) string { return brief(now.Sub(o.Since)) }
		}
		return []col{name, pending, late}
	}
	cols := []col{late, {Title: columnJob, Width: 7, Rank: 5, Cell: func(o Overdue) string { return o.Job }}, name,
		{Title: columnGoods, Rank: 3, Cell: func(o Overdue) string { return o.Goods }}, pending,
		{Title: columnForOrFrom, Width: 14, Rank: 4, Cell: func(o Overdue) string { return o.Party }}}
	if !at.Chosen() {
		cols = append(cols, col{Title: columnPlace, Width: 6, Rank: 6, Cell: func(o Overdue) string { return o.Place }})
	}
	return append(cols, col{Title: columnDue, Width: 16, Rank: 7, Cell: func(o Overdue) string { return widget.When(o.Since, now) }})
}

// since is how late something is, in the one unit that matters.
func since(d time.Duration) string {
	if d >= time.Hour && d < 48*time.Hour {
		d = d.Truncate(time.Hour)
	}
	return widget.Span(d)
}

// brief is since in five columns.
func brief(d time.Duration) string {
	return strings.NewReplacer(" days", " d", " day", " d", " min", " m").Replace(since(d))
}

var overdueSheet = []export.Column[Overdue]{
	{Name: "dueAt", Plain: true, Of: func(o *Overdue) string { return o.Since.Format(time.RFC3339) }},
	{Name: "job", Plain: true, Of: func(o *Overdue) string { return o.Job }}, {Name: "document", Of: func(o *Overdue) string { return o.Name }},
	{Name: "productName", Of: func(o *Overdue) string { return o.Goods }}, {Name: "party", Of: func(o *Overdue) string { return o.Party }},
	{Name: "locationCode", Of: func(o *Overdue) string { return o.Place }}, number("pending", func(o *Overdue) int64 { return o.Pending }),
}
