package stock

import (
	"context"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/names"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

// bookAction returns the action that books the count after ask has confirmed it. A
// booking in progress is continued without asking.
func (w *balanceScreen) bookAction(label, short string, spec *api.Spec, ask func() tea.Cmd) tui.Action {
	book := w.panelActions("panel.record")[0]

	return tui.Action{
		ID:      w.route + ".record",
		Key:     "enter",
		Command: tui.DoConfirm,
		Label:   label,
		Short:   short,
		Help:    w.T.Get(w.help),
		Disabled: func() string {
			if why := w.site.Denied(spec); why != "" {
				return why
			}
			return book.DisabledReason()
		},
		Run: func() tea.Cmd {
			if w.panel.HasSubmission() {
				return w.panel.Book()
			}
			return ask()
		},
	}
}

// panelActions returns the count panel's actions with the given IDs.
func (w *balanceScreen) panelActions(ids ...string) (out []tui.Action) {
	for _, a := range w.panel.Actions() {
		if slices.Contains(ids, a.ID) {
			out = append(out, a)
		}
	}

	return out
}

// allAction returns the count panel's action that counts the whole quantity. With nothing
// there, it says none.
func (w *balanceScreen) allAction(help, none string) []tui.Action {
	actions := w.panelActions("panel.all")
	for i := range actions {
		disabled := actions[i].Disabled
		actions[i].Help = help
		actions[i].Disabled = func() string {
			if w.panel.Line().Pending == 0 {
				return none
			}
			return disabled()
		}
	}

	return actions
}

// undoActions returns the action that reverses the last booking, if there is one.
func (w *balanceScreen) undoActions() []tui.Action {
	if w.reversal == nil {
		return nil
	}

	last := w.reversal

	return []tui.Action{{
		ID:       w.route + ".undo",
		Key:      "f8",
		Needs:    w.needs(w.lastDeltas, true),
		Label:    last.text,
		Approve:  func() string { return w.approveText(last.text) },
		Short:    w.T.GetC("undo", "stock"),
		Help:     w.T.Get("Undo the last adjustment"),
		Disabled: func() string { return last.unavailable },
		Run:      w.undo,
	}}
}

// Actions returns the actions of the job and those that all balance screens share, or only
// the panel's actions while it is modal.
func (w *balanceScreen) Actions() []tui.Action {
	t := w.T

	switch {
	case w.errText != "":
		return append([]tui.Action{{
			ID:    w.route + ".retry",
			Key:   "enter",
			Label: t.Get("retry"),
			Run: func() tea.Cmd {
				w.errText = ""
				return w.load()
			},
		}}, w.locationActions()...)

	case !w.hasStock():
		return w.locationActions()
	case w.panel.Modal():
		return w.panel.Actions()
	}

	actions := w.panelActions("panel.lot")
	actions = append(actions, tui.Action{
		ID:       w.route + ".reason",
		Key:      "f9",
		Label:    t.Get("reason"),
		Help:     t.Get("Enter a reason; it is recorded with the movement"),
		Disabled: w.notEditable,
		Run:      func() tea.Cmd { return w.chooseReason(nil) },
	})

	actions = append(actions, tui.Action{
		ID:       w.route + ".explain",
		Key:      "ctrl+e",
		Label:    t.Get("explain"),
		NoFooter: true,
		Help:     t.Get("Explain this balance"),
		Disabled: func() string {
			if w.balance.ID == api.NoID {
				return t.Get("Never stocked here")
			}
			return ""
		},
		Run: tui.Opens(tui.Path("explain", w.balance.ID.String())),
	}, tui.Action{
		ID:  w.route + ".reload",
		Key: "f5", MoreKeys: []string{"ctrl+r"},
		Label:    t.Get("refresh"),
		NoFooter: true,
		Run:      w.reload,
	})

	return slices.Concat(w.task.actions(), w.panel.WithExceptions(actions), w.locationActions())
}

// locationActions returns the choice of a location, unless the route names it.
func (w *balanceScreen) locationActions() []tui.Action {
	if w.routeIsFixed() {
		return nil
	}
	return []tui.Action{panel.ChooseLocation(w.site, w.Env)}
}

// withReason runs then, after asking for a reason if there is none.
func (w *balanceScreen) withReason(then func() tea.Cmd) tea.Cmd {
	if w.choices.Reason != "" {
		return then()
	}
	return w.chooseReason(then)
}

// ask asks whether to book the change, which text describes with the scanned lot, or those
// that the ledger takes without one.
func (w *balanceScreen) ask(yes string, deltas func() []delta, text func(change string) string) tea.Cmd {
	t, l, shown := w.T, w.panel.Line(), deltas()
	question := func(lot string) tea.Cmd {
		return tui.Confirm(tui.Question{Text: text(deltasText(t, shown) + lot), Yes: yes, OnYes: func() tea.Cmd {
			if !slices.Equal(shown, deltas()) {
				return w.ask(yes, deltas, text) // counted meanwhile
			}
			return w.panel.Book()
		}})
	}

	from := shown[0]
	switch {
	case l.Count.Lot != "":
		return question(t.Get(", lot %s", l.Count.Lot))
	case !l.ByLot() || from.change() >= 0 || baseState(from.state) != api.Available ||
		!w.site.Supports(api.ListPickableStock.Spec):
		return question("")
	}

	s := w.stockItem

	return w.Do(func(ctx context.Context) tea.Msg {
		lots := s.assumedLots(ctx, w.site, -from.change())
		if len(lots) == 0 {
			return question("")()
		}
		return question(t.Get(", from %s", strings.Join(lots, ", ")))()
	})
}

// chooseReason asks for a reason, from a list or typed, and then runs then.
func (w *balanceScreen) chooseReason(then func() tea.Cmd) tea.Cmd {
	t := w.T

	return panel.AskReason(w.site, t.Get("Reason? Choose one, or type it"), w.reasons(w.choices), w.choices.Reason,
		func(text string) tea.Cmd {
			if cmd := w.changeChoice(func() { w.choices.Reason = text }); cmd != nil || then == nil {
				return cmd
			}
			return then()
		})
}

// changeChoice changes a choice, unless a booking has no answer yet.
func (w *balanceScreen) changeChoice(change func()) tea.Cmd {
	if err := w.panel.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	change()
	w.reversal = nil
	w.task.setLines()
	return nil
}

// notEditable returns why nothing can be chosen now, or "".
func (w *balanceScreen) notEditable() string {
	if w.panel.Sending() || w.panel.Modal() {
		return w.T.Get("Recording: wait for the answer")
	}
	return ""
}

// needs returns what a change needs of the operator's role, if the job needs a permission.
// undo means that the changes are reversed.
func (w *balanceScreen) needs(changes []delta, undo bool) (out []tui.Need) {
	if w.permission == "" || len(changes) == 0 {
		return nil
	}

	d := changes[0]
	need := tui.Need{Permission: w.permission, Change: d.change(), Recorded: d.before}
	if undo {
		need.Change = -need.Change
	}
	if d.state != api.Incoming {
		need.Earlier = w.corrections.ByOperator(w.site.Operator(), w.item.ID)
	}

	return []tui.Need{need}
}

// approveText says what item an adjustment is of, to the supervisor who approves it.
func (w *balanceScreen) approveText(what string) string {
	return w.T.Get("%s of %s at %s", what, w.item.SKU, w.location.Code)
}

// undo reverses the last booking.
func (w *balanceScreen) undo() tea.Cmd {
	last := w.reversal
	if len(last.steps) == 0 {
		return tui.Fail(w.T.NewError("Nothing to undo"))
	}
	w.reversal, w.reversing = nil, true
	return w.panel.Submit(last.toast, last.steps[0], nil, last.steps[1:]...)
}

// reasonText returns the chosen reason as it is displayed.
func (w *balanceScreen) reasonText() string { return names.Reason(w.T, w.choices.Reason) }
