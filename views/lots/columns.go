package lots

import (
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
	"bincard/views/session"
)

func (s *screen) stepColumns(size tui.Size) []widget.Column[step] {
	t := s.T

	type col = widget.Column[step]
	now := s.Now()
	when := col{Title: t.Get("when"), Width: 16, Rank: 3, Cell: func(x step) string { return t.When(x.at, now) }}
	operationWidth := 17
	op := col{
		Title: t.Get("operation"),
		Width: operationWidth,
		Cell:  func(x step) string { return names.OperationIn(t, x.op, operationWidth) },
	}
	q := col{Title: t.Get("units"), Width: 7, Right: true, Rank: 1, Cell: func(x step) string {
		if x.quantity == 0 {
			return "·" // picking and packing move nothing
		}
		return t.Count(x.quantity)
	}}

	direction := col{Title: t.Get("from → to"), Width: 22, Rank: 2, Cell: func(x step) string { return x.direction }}
	location := col{Title: t.Get("location"), Width: 12, Rank: 4, Cell: func(x step) string { return x.location }}
	why := col{Title: t.Get("document"), Rank: 5, Cell: func(x step) string { return x.reason }}
	who := col{Title: t.Get("by"), Width: 14, Rank: 6, Cell: func(x step) string { return x.actor }}
	if size.Small() {
		op.Width, q.Width, why.Width, why.Rank = 0, 6, 12, 4
		if s.source.serial {
			operationWidth = size.Width - 2 - why.Width - 2
			return []col{op, why}
		}

		operationWidth = size.Width - 2 - q.Width - why.Width - 4
		if size.Class == tui.Narrow {
			operationWidth = size.Width - 2 - q.Width - 2
			return []col{op, q}
		}

		return []col{op, q, why}
	}

	if size.Class == tui.Standard { // direction is in the detail line
		q.Width, location.Width, who.Width = 6, 8, 10
		if slices.ContainsFunc(s.steps.Rows(), func(x step) bool { return len(x.location) > 8 }) { // of a transfer
			location.Width, who.Width = 11, 7
		}
		if s.source.serial {
			return []col{when, op, location, why, who}
		}
		return []col{when, op, q, location, why, who}
	}

	if s.source.serial {
		return []col{when, op, direction, location, why, who}
	}

	return []col{when, op, q, direction, location, why, who}
}

func (s *screen) partyColumns(size tui.Size, direction string) []widget.Column[Party] {
	t := s.T

	type col = widget.Column[Party]
	now := s.Now()
	party := col{Title: direction, Cell: func(p Party) string {
		if p.Party != "" {
			return p.Party
		}
		return names.Operation(t, p.operation)
	}}

	q := col{Title: t.Get("units"), Width: 7, Right: true, Cell: func(p Party) string { return t.Count(p.Quantity) }}
	doc := col{Title: t.Get("document"), Width: 16, Rank: 1, Cell: func(p Party) string { return p.Document }}
	if size.Small() {
		doc.Width, q.Width = 11, 4
		for _, p := range slices.Concat(s.from.Rows(), s.out.Rows()) {
			q.Width = max(q.Width, widget.Width(t.Count(p.Quantity)))
		}
		return []col{party, doc, q}
	}

	return []col{
		party,
		doc,
		q,
		{Title: t.Get("location"), Width: 8, Rank: 4, Cell: func(p Party) string { return p.Place }},
		{Title: t.Get("last"), Width: 16, Rank: 2, Cell: func(p Party) string { return t.When(p.At, now) }},
		{
			Title: t.Get("operation"),
			Width: 17,
			Rank:  5,
			Cell:  func(p Party) string { return names.OperationIn(t, p.operation, 17) },
		},
		{Title: t.Get("by"), Width: 14, Rank: 6, Cell: func(p Party) string { return p.Who }},
	}
}

func holdingColumns(t *i18n.Translator, size tui.Size) []widget.Column[api.LotHolding] {
	type col = widget.Column[api.LotHolding]
	number := func(s api.State, rank int) col {
		title := names.ShortState(t, s)
		return col{
			Title: title,
			Width: max(7, widget.Width(title)),
			Right: true,
			Rank:  rank,
			Cell:  func(h api.LotHolding) string { return t.Count(h.Of(s)) },
		}
	}

	location := col{
		Title: t.Get("location"),
		Cell:  func(h api.LotHolding) string { return session.LocationOf(h.Location).String() },
	}
	if size.Small() {
		return []col{location, number(api.OnHand, 0)}
	}

	location.Width = 22
	cols := []col{
		location,
		{
			Title: t.Get("owner"),
			Width: 14,
			Rank:  9,
			Cell:  func(h api.LotHolding) string { return session.LocationOf(h.Owner).Name },
		},
	}

	for i, s := range api.States {
		cols = append(cols, number(s, i))
	}

	return cols
}

// detailText returns the details of the selected row that the list has no columns
// for.
func (s *screen) detailText() string {
	var words []string
	switch s.tab {
	case tabSteps:
		x, _ := s.steps.Selected()
		words = []string{x.direction, x.reason, x.actor}
	case tabHere:
		h, _ := s.here.Selected()
		words = []string{session.LocationOf(h.Owner).Name, session.LocationOf(h.Channel).Name}
	case tabSources:
		p, _ := s.from.Selected()
		words = []string{p.Party, names.Operation(s.T, p.operation), p.Place, p.Who}
	default:
		p, _ := s.out.Selected()
		words = []string{p.Party, names.Operation(s.T, p.operation), p.Place, p.Who}
	}

	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}

	return strings.Join(out, " · ")
}

func (s *screen) tabLine(t widget.Theme, width int, size tui.Size, status string) string {
	if size.Small() {
		return t.Strong.Render("‹ " + tabs(s.T)[s.tab] + " ›")
	}

	var words []string
	for i, name := range tabs(s.T) {
		n := [...]int{s.steps.Len(), s.from.Len(), s.here.Len(), s.out.Len()}[i]
		name = fmt.Sprintf("%s %d", name, n)
		if i == int(s.tab) {
			words = append(words, t.Strong.Render("‹ "+name+" ›"))
		} else {
			words = append(words, t.Muted.Render(name))
		}
	}

	left := strings.Join(words, "   ")
	switch {
	case status != "":
	case s.pages.Loading():
		status = s.pages.Status(t, max(20, width-widget.Width(left)-2))
	case s.loadingParties:
		status = t.Unconfirmed(s.T.Get("loading recipients…"))
	}

	return widget.Between(left, status, width)
}
