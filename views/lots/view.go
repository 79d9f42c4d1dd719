package lots

import (
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"
)

func (s *screen) View(size tui.Size) string {
	t, width := s.Theme, size.Width
	if s.trace == nil {
		return s.loadingView(t, width)
	}

	margin := " "
	if size.Small() {
		margin = ""
	}

	room := width - 2*len(margin)
	var lines []string
	add := func(text string) {
		if text != "" {
			lines = append(lines, margin+widget.Clip(text, room))
		}
	}
	if size.Class != tui.Short {
		add(s.factsLine(t, room, size.Small()))
	}

	status := s.exporter.Status(t, room)
	if !s.source.serial {
		for _, line := range s.totalsLines(t, room, size) {
			add(line)
		}
		add(s.tabLine(t, room, size, status))
	}

	if s.source.serial || size.Small() {
		add(status)
	}
	if s.pages.Err() != nil || s.pages.Loading() && s.source.serial {
		add(s.pages.Status(t, room))
	}

	s.top = len(lines)
	height := size.Height - len(lines)
	detail := ""
	switch size.Class {
	case tui.Standard:
		detail = s.detailText()
		height--
	case tui.Narrow:
		height -= 2
	}

	switch s.tab {
	case tabSteps:
		s.steps.NoTitles = size.Small()
		s.steps.Columns = s.stepColumns(size)
		s.steps.EmptyText = s.T.Get("No movements yet.")
		lines = append(lines, s.steps.View(t, width, height))
	case tabHere:
		s.here.NoTitles = size.Class == tui.Short
		s.here.Columns = holdingColumns(s.T, size)
		s.here.EmptyText = s.T.Get("None in stock at any location.")
		lines = append(lines, s.here.View(t, width, height))
	case tabSources:
		s.from.NoTitles = size.Small()
		s.from.Columns = s.partyColumns(size, s.T.Get("from"))
		s.from.EmptyText = s.T.Get("Nothing was received.")
		lines = append(lines, s.from.View(t, width, height))
	default:
		s.out.NoTitles = size.Small()
		s.out.Columns = s.partyColumns(size, s.T.Get("to"))
		s.out.EmptyText = s.T.Get("Nothing was shipped.")
		lines = append(lines, s.out.View(t, width, height))
	}

	switch size.Class {
	case tui.Standard:
		lines = append(lines, " "+t.Muted.Render(widget.Clip(widget.Clean(detail), room)))
	case tui.Narrow:
		if list := strings.Join(lines, "\n"); height > 3 {
			rows := strings.Count(list, "\n") + 1
			lines = append(lines, slices.Repeat([]string{""}, max(0, size.Height-2-rows))...)
			lines = append(lines, listscreen.DetailLines(t, width, 2, s.narrowDetail())...)
		}
	}

	return strings.Join(lines, "\n")
}

// narrowDetail returns when the selected step was and its document, for a screen without
// columns for them.
func (s *screen) narrowDetail() string {
	if x, ok := s.steps.Selected(); ok && s.tab == tabSteps {
		return listscreen.JoinParts(s.T.When(x.at, s.Now()), x.location, x.reason)
	}

	p, ok := s.from.Selected()
	if s.tab == tabOut {
		p, ok = s.out.Selected()
	}
	if ok && (s.tab == tabSources || s.tab == tabOut) {
		return listscreen.JoinParts(p.Party, p.Document, names.Operation(s.T, p.operation), p.Place, p.Who)
	}

	return s.detailText()
}

// loadingView replaces the view until the lot or serial is loaded.
func (s *screen) loadingView(t widget.Theme, width int) string {
	err := s.loadErr
	if err == nil {
		err = s.pages.Err()
	}
	if err == nil {
		return " " + t.Unconfirmed(
			widget.Clip(s.T.Get("looking for %s…", widget.Clean(s.name())), max(1, width-3)))
	}

	var lines []string
	for i, line := range widget.Wrap(widget.Clean(submit.UserMessage(s.T, err))+" "+s.T.Get("Press F5 to retry."), max(8, width-3)) {
		if i == 0 {
			line = t.Refused(line)
		} else {
			line = t.Error.Render("  " + line)
		}

		lines = append(lines, " "+line)
	}

	return strings.Join(lines, "\n")
}

// factsLine shows the attributes of the lot or serial.
func (s *screen) factsLine(t widget.Theme, width int, small bool) string {
	var pairs []widget.Pair
	note := func(label, value string) {
		if value != "" {
			pairs = append(pairs, widget.Pair{Label: label, Value: value})
		}
	}

	if p := s.trace.serial; p != nil {
		status, where := names.Status(s.T, p.Status), s.T.Get("at")
		rows := s.movements()
		if len(rows) > 0 {
			switch rows[len(rows)-1].Operation {
			case api.OpOutboundFulfill, api.OpFulfill:
				status, where = s.T.GetC("shipped", "serial"), s.T.GetC("from", "serial")
			case api.OpTransferOut:
				status, where = s.T.GetC("in transit", "serial"), s.T.GetC("to", "serial")
			case api.OpTransferClose:
				status, where = s.T.GetC("lost in transit", "serial"), s.T.GetC("to", "serial")
			}
		}

		note(s.T.GetC("is", "lots"), status)
		if len(rows) > 0 {
			note(where, session.LocationOf(rows[len(rows)-1].Location).String())
		}
	}

	if l := s.trace.lot; l != nil {
		if s.trace.serial != nil {
			note(s.T.Get("lot"), l.LotCode)
		}

		note(s.T.Get("batch"), l.BatchCode)
		if l.ExpiresAt != nil {
			text := s.T.Date(l.ExpiresAt.UTC())
			if !small {
				text += ", " + s.expiryText(*l.ExpiresAt)
			}

			pairs = append(pairs, widget.Pair{Label: s.T.Get("expires"), Value: text,
				Style: func(t widget.Theme, text string) string {
					if l.ExpiresAt.Before(s.Now()) {
						return t.Error.Render("! " + text)
					}
					return text
				}})
		}

		if l.Status != api.Active {
			note(s.T.Get("lot is"), names.Status(s.T, l.Status))
		}
	}

	return widget.Row(t, width, pairs...)
}

// expiryText returns the number of days until or since the expiry date.
func (s *screen) expiryText(at time.Time) string {
	t := s.T

	y, m, d := s.Now().Date()
	switch days := int(at.UTC().Truncate(24*time.Hour).Sub(time.Date(y, m, d, 0, 0, 0, 0, time.UTC)) / (24 * time.Hour)); {
	case days < 0:
		return t.Get("%d days ago", -days)
	case days == 0:
		return t.Get("today")
	case days == 1:
		return t.Get("tomorrow")
	default:
		return t.Get("in %d days", days)
	}
}

// totalsLines compares the received quantity with what is here and what became of the rest.
// Only a narrow screen needs more than one line.
func (s *screen) totalsLines(t widget.Theme, width int, size tui.Size) []string {
	if !s.pages.Complete() {
		return []string{t.Unconfirmed(s.T.Get("… loading the steps"))}
	}

	parts := []struct {
		form string
		n    int64
	}{
		{i18n.Text("in stock %s"), 0},
		{i18n.Text("shipped %s"), s.totals.quantityOut},
		{i18n.Text("in transit %s"), s.totals.inTransit},
		{i18n.Text("lost %s"), s.totals.lost},
		{i18n.Text("written off %s"), s.totals.writtenOff},
		{i18n.Text("corrected %s"), s.totals.corrected},
		{i18n.Text("in kits %s"), s.totals.inKits},
		{i18n.Text("taken apart %s"), s.totals.takenApart},
	}

	for i := range s.trace.holdings {
		parts[0].n += s.trace.holdings[i].OnHand
	}

	left := s.totals.quantityIn
	var long, short, numbers []string
	for i, p := range parts {
		left -= p.n
		if i > 2 && p.n == 0 {
			continue
		}

		n := s.T.Count(p.n)
		long, numbers = append(long, s.T.Get(p.form, n)), append(numbers, n)
		switch {
		case i == 0:
			short = append(short, s.T.Get("here %s", n))
		case p.n != 0:
			short = append(short, s.T.Get(p.form, n))
		}
	}

	complete, sign := left == 0, " = "
	if !complete {
		sign = " ≠ "
	}

	in := s.T.Count(s.totals.quantityIn)
	rows := []string{s.T.Get("received %s", in) + sign + strings.Join(long, " + ")}
	if widget.Width(rows[0])+2 > width {
		rows[0] = in + sign + strings.Join(short, " + ")
		switch {
		case widget.Width(rows[0])+2 <= width:
		case size.Class == tui.Narrow:
			rows = widget.Wrap(rows[0], width-2)
		default:
			rows[0] = in + sign + strings.Join(numbers, "+")
		}
	}

	for i := range rows {
		row := widget.Clip(rows[i], width-2)
		switch {
		case i > 0:
			rows[i] = "  " + row
		case complete:
			rows[i] = t.OK(row)
		default:
			rows[i] = t.Refused(row)
		}
	}

	return rows
}
