package panel

import (
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// Actions returns the actions available now: book, count all, mark damaged, enter a
// lot. While the lot form is open, damaged serials are marked, or a booking is
// unfinished, it returns only the actions of that state.
func (p *CountPanel) Actions() []tui.Action {
	t := p.T()

	if p.form != nil {
		return []tui.Action{{ID: "dock.form.close", Keys: []string{"esc"}, Label: t.Get("back"), Short: t.Get("back"),
			Run: func() tea.Cmd { p.form = nil; return nil }}}
	}
	if p.markingDamaged {
		return []tui.Action{{ID: "dock.mark.close", Keys: []string{"esc"}, Label: t.Get("done"), Short: t.Get("done"),
			Run: func() tea.Cmd { p.markingDamaged = false; return nil }}}
	}
	if p.submission.Unfinished() {
		again := tui.Action{ID: "dock.again", Keys: []string{"enter"}, Label: t.Get("retry"), Short: t.Get("retry"),
			Disabled: p.sendingReason, Run: p.Book}
		if p.submission.Next > 0 {
			return []tui.Action{again, p.discardRest()}
		}
		return []tui.Action{again, p.discard()}
	}
	total := t.Count(p.Total())
	actions := []tui.Action{
		{ID: "dock.book", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: p.Verb + " " + total, Short: p.Verb,
			Help: t.Get("Book the counted quantity"), Disabled: p.cannotBook, Run: p.Book},
		{ID: "dock.all", Keys: []string{"+"}, Command: tui.DoAll, Label: t.Get("all %s", t.Count(p.Line().Pending)), Short: t.Get("all"),
			Help: t.Get("Count everything pending"), Disabled: p.cannotAdd, Run: p.CountAll},
	}
	if p.AllowDamaged {
		actions = append(actions, tui.Action{ID: "dock.damaged", Keys: []string{"f4"}, Command: tui.DoDamaged, Label: t.Get("damaged"), Short: t.Get("dm"),
			Help: t.Get("Enter how many of the counted items are damaged"), Disabled: p.noLines, Run: p.askDamaged})
	}
	if !p.Line().BySerial() {
		actions = append(actions, tui.Action{ID: "dock.lot", Keys: []string{"f7"}, Label: t.Get("lot"), Short: t.Get("lot"),
			Help: t.Get("Type the lot and its expiration date"), Disabled: p.notEditable, Run: p.openLotForm})
	}
	if p.wrongLocation() {
		actions = append(actions, p.switchLocation(p.Location))
	}
	return actions
}

// ExceptionActions returns the actions for exceptions, which a screen lists after its
// own: recount the pick location and undo the last scan.
func (p *CountPanel) ExceptionActions() []tui.Action {
	actions := []tui.Action{p.undoAction()}
	if p.canCheckStock() {
		actions = append([]tui.Action{p.recountAction()}, actions...)
	}
	return actions
}

func (p *CountPanel) sendingReason() string {
	if p.Sending() {
		return p.T().Get("Still sending")
	}
	return ""
}

func (p *CountPanel) notEditable() string {
	switch {
	case p.ClosedReason != "":
		return p.ClosedReason
	case len(p.Lines) == 0:
		return p.T().Get("The document is still loading")
	case p.submission.Unfinished():
		return p.T().Get("A booking has no answer yet: press enter")
	}
	return p.sendingReason()
}

func (p *CountPanel) noLines() string {
	if why := p.notEditable(); why != "" {
		return why
	}
	if p.Total() == 0 && !p.Line().Count.None {
		return p.T().Get("Nothing is counted yet")
	}
	return ""
}

// cannotBook returns why nothing can be booked now, or "".
func (p *CountPanel) cannotBook() string {
	if why := p.noLines(); why != "" {
		return why
	}
	return p.Site.MissingRights(p.Writes...)
}

func (p *CountPanel) cannotAdd() string {
	if why := p.notEditable(); why != "" {
		return why
	}
	if l := p.Line(); l.BySerial() {
		return p.T().Get("Scan each serial number")
	} else if l.Count.Quantity == l.Pending {
		return p.T().Get("Everything pending is counted")
	}
	return ""
}

// UnbookedReason returns a message if there is a count that must be booked before the
// document is closed, or "".
func (p *CountPanel) UnbookedReason() string {
	if n := p.Total(); n > 0 {
		return p.T().Get("%s counted but not booked: book them first, or set the count to 0", p.T().Count(n))
	}
	return ""
}

// Modal reports whether only the panel's own actions apply: the lot form is open,
// damaged serials are marked, or a booking is unfinished.
func (p *CountPanel) Modal() bool {
	return p.form != nil || p.markingDamaged || p.submission.Unfinished()
}
