package panel

import (
	"cmp"
	"slices"

	"bincard/tui"
	"bincard/views/count"

	tea "github.com/charmbracelet/bubbletea"
)

// Actions returns the actions available now: book, count all, mark damaged, enter a
// lot. While the lot form is open, damaged serials are marked, or a booking is
// unfinished, it returns only the actions of that state.
func (p *CountPanel) Actions() []tui.Action {
	t := p.T()

	if p.lotForm != nil {
		next := tui.Action{ID: "panel.form.next", Key: "enter",
			Label: t.Get("next field"), Short: t.GetC("next", "field"),
			Run: func() tea.Cmd { return p.lotFormKey(tea.KeyMsg{Type: tea.KeyEnter}) }}
		if p.lotForm.Focused() == "ends" {
			next.Label, next.Short = t.Get("done"), t.Get("done")
		}

		return []tui.Action{next,
			{ID: "panel.form.close", Key: "esc", Label: t.Get("back"),
				Run: func() tea.Cmd { p.lotForm = nil; return nil }}}
	}

	if p.markingDamaged {
		return []tui.Action{{ID: "panel.mark.close", Key: "esc", Label: t.Get("done"),
			Run: func() tea.Cmd { return endDamaged(p) }}}
	}
	if p.sender.submission.Unfinished() {
		return p.unfinishedActions()
	}

	l, verb := count.Joined(p.Lines, p.Line()), p.Job.verb(t)
	actions := []tui.Action{
		{ID: "panel.record", Key: "enter", Command: tui.DoConfirm,
			Label: verb + " " + t.Count(p.Total()), Short: verb,
			Help: t.Get("Record the counted quantity"), Run: p.Book, Disabled: func() string {
				why := ""
				if f := p.Frame(); f.phase != unsent { // which may be of nothing that is counted
					why = f.notCounted()
				}
				return cmp.Or(why, p.Site.MissingRights(p.Job.Writes...))
			}},
		{ID: "panel.all", Key: "+", Command: tui.DoAll,
			Label: t.Get("all %s", t.Count(l.Pending)), Short: t.Get("all"),
			Help: t.Get("Count everything that is left"), Disabled: func() string { return p.Frame().notAddable() },
			Run: func() tea.Cmd { return p.SetCount(count.Joined(p.Lines, p.Line()).AllOfLot(), t.Get("all")) }},
	}

	lot := len(actions)
	if p.Job.AllowDamaged {
		actions = append(actions, tui.Action{ID: "panel.damaged", Key: "f4", Command: tui.DoDamaged,
			Label: t.Get("damaged"), Short: t.GetC("dmg", "action"),
			Help:     t.Get("Enter how many of the counted items are damaged"),
			Disabled: func() string { return p.Frame().notCounted() }, Run: p.askDamaged})
	}

	if !l.BySerial() || l.Count.Lot != "" {
		if !l.ByLot() || l.Count.Lot != "" {
			lot = len(actions)
		}
		actions = slices.Insert(actions, lot, p.lotAction())
	}

	if p.location.wrong(p.Document.Location) {
		actions = append(actions, p.location.switchAction(p.Document.Location))
	}
	actions = append(actions, p.waiting.actions(p)...)
	if p.Document.atEnd(p.Total()) && p.OpenDocument != nil {
		next := p.next.actions(t, p.openNext)
		if p.waiting.count > 0 { // which is on enter
			next = next[len(next)-1:]
		}
		actions = append(actions, next...)
	}

	return actions
}

// lotAction returns the action that opens the form for the lot.
func (p *CountPanel) lotAction() tui.Action {
	t := p.T()

	return tui.Action{ID: "panel.lot", Key: "f7", Label: t.Get("lot"),
		Help:     t.Get("Type the lot and its expiration date"),
		Disabled: func() string { return p.Frame().notEditable() },
		Run: func() tea.Cmd {
			c := p.Line().Count
			p.lotForm = newLotForm(t, c.Lot, c.ExpiresAt)
			return nil
		}}
}

// WithExceptions adds the actions for exceptions to those of a screen: recount the pick
// location and undo the last scan. Until the operator has chosen the line, it holds back all
// that may be meant for another one.
func (p *CountPanel) WithExceptions(actions []tui.Action) []tui.Action {
	if check := p.stockCheck(); check.isPossible() {
		actions = append(actions, check.action(p.Frame))
	}
	actions = append(actions, p.undoAction())
	if p.Document.ClosedReason != "" {
		return actions
	}
	return p.guard.guard(p.Env, actions)
}

// NextLineAction returns the action that selects the next line of a document.
func NextLineAction(p *CountPanel, id string) tui.Action {
	t := p.T()
	return tui.Action{ID: id, Key: "down", Command: tui.DoNext, Label: t.Get("next line"), NoFooter: true,
		Help: t.Get("Go to the next line"),
		Run:  func() tea.Cmd { p.MoveLine(tea.KeyMsg{Type: tea.KeyDown}); return nil }}
}

// undoAction returns the action that undoes the last scan or quantity.
func (p *CountPanel) undoAction() tui.Action {
	t := p.T()

	return tui.Action{ID: "panel.undo", Key: "ctrl+z", Command: tui.DoUndo,
		Label: t.Get("undo last scan"), NoFooter: true,
		Help:     t.Get("Undo the last scan or number; repeat to go further back"),
		Disabled: func() string { return cmp.Or(p.Frame().notEditable(), p.notUndoable()) },
		Run: func() tea.Cmd {
			p.undoLast()
			l := count.Joined(p.Lines, p.Line())
			return tea.Batch(tui.Accepted(), p.changed(count.FeedEntry{Source: t.Get("undone"), SKU: l.Item.SKU,
				Lot: l.Count.Lot, Total: t.Count(l.Count.Quantity)}))
		}}
}

// CancelKey is the key of the action that cancels a document.
const CancelKey = "ctrl+x"

// oldCancelKey canceled a document in earlier versions.
const oldCancelKey = "f9"

// CancelActions returns the action that cancels a document on its key. The key of earlier
// versions says where the action went, because it sorts lists.
func CancelActions(env tui.Env, cancel tui.Action) []tui.Action {
	t := env.T

	cancel.Key = CancelKey
	keys := env.Keys.KeysFor(cancel)
	if len(keys) == 0 || slices.Contains(keys, oldCancelKey) {
		return []tui.Action{cancel}
	}

	return []tui.Action{cancel, {ID: "panel.moved", Key: oldCancelKey,
		Label: t.Get("cancel (earlier versions)"), NoFooter: true,
		Disabled: func() string { return t.Get("Cancel has another key now. See all actions.") }}}
}
