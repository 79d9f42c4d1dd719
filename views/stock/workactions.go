package stock

import (
	"errors"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// enter is the action that does the work: what is counted is asked for once
// more and sent; one that never left is sent again as it is.
func (w *work) enter(label, short string, spec *api.Spec, ask func() tea.Cmd) tui.Action {
	book := w.offered("dock.book")[0]
	return tui.Action{ID: w.job + ".do", Keys: []string{"enter"}, Command: tui.DoConfirm, Label: label, Short: short, Help: helpDo[w.job],
		Disabled: func() string {
			if why := w.site.Denied(spec); why != "" {
				return why
			}
			return book.DisabledReason()
		},
		Run: func() tea.Cmd {
			if w.bench.Unsent() {
				return w.bench.Book()
			}
			return ask()
		}}
}

// offered are the bench's own actions of these ids.
func (w *work) offered(ids ...string) (out []tui.Action) {
	for _, a := range w.bench.Actions() {
		if slices.Contains(ids, a.ID) {
			out = append(out, a)
		}
	}
	return out
}

// undoes is the action that takes back what was done last.
func (w *work) undoes() []tui.Action {
	if w.last == nil {
		return nil
	}
	last := w.last
	return []tui.Action{{ID: w.job + ".undo", Keys: []string{"f8"}, Label: last.words, Short: shortUndo, Help: helpUndo,
		Disabled: func() string { return last.no }, Run: w.undo}}
}

// common are the actions that all screens of a balance have; only the bench's
// own while it asks something itself.
func (w *work) common() []tui.Action {
	switch {
	case w.fault != "":
		return append([]tui.Action{{ID: w.job + ".retry", Keys: []string{"enter"}, Label: labelTryAgain, Run: func() tea.Cmd {
			w.fault = ""
			return w.begin()
		}}}, w.elsewhereToo()...)
	case !w.known():
		return w.elsewhereToo()
	case w.bench.Modal():
		return w.bench.Actions()
	}
	actions := w.offered("dock.lot")
	actions = append(actions, tui.Action{ID: w.job + ".reason", Keys: []string{"f9"}, Label: labelReason, Help: helpReason, Disabled: w.waits,
		Run: func() tea.Cmd { return w.chooseReason(nil) }})
	actions = append(actions, tui.Action{ID: w.job + ".explain", Keys: []string{"f10"}, Label: labelExplain, NoFooter: true, Help: helpExplain,
		Disabled: func() string {
			if w.balance.ID == (api.ID{}) {
				return neverAny
			}
			return ""
		}, Run: func() tea.Cmd { return tui.Open(tui.Path("explain", w.balance.ID.String())) }},
		tui.Action{ID: w.job + ".reload", Keys: []string{"f5", "ctrl+r"}, Label: labelReadAnew, NoFooter: true, Run: w.reload})
	return append(append(actions, w.bench.Exceptions()...), w.elsewhereToo()...)
}

// elsewhereToo is the choice of a place, where the route does not name it.
func (w *work) elsewhereToo() []tui.Action {
	if w.fixed() {
		return nil
	}
	return []tui.Action{dock.ChoosePlace(w.site, w.env)}
}

// withReason goes on once there is a reason; with none it asks for one.
func (w *work) withReason(then func() tea.Cmd) tea.Cmd {
	if w.now.Reason != "" {
		return then()
	}
	return w.chooseReason(then)
}

// chooseReason asks for the reason, from a short list or in one's own words.
func (w *work) chooseReason(then func() tea.Cmd) tea.Cmd {
	list := reasons(w.job, w.now.Mode)
	take := func(text string) tea.Cmd {
		if cmd := w.alterReason(strings.TrimSpace(text)); cmd != nil || then == nil {
			return cmd
		}
		return then()
	}
	list = append(list, otherWords)
	return tui.Choose(tui.Choice{Text: askReason, Options: list, OnChoice: func(i int) tea.Cmd {
		if i < len(list)-1 {
			return take(list[i])
		}
		return tui.Prompt(tui.Request{Text: askReason, Value: w.now.Reason, Check: dock.Reason, OnText: take})
	}})
}

func (w *work) alterReason(text string) tea.Cmd {
	return w.alter(func() { w.now.Reason = text })
}

// alter changes what was chosen, unless a booking has no answer yet.
func (w *work) alter(how func()) tea.Cmd {
	if err := w.bench.Thaw(); err != nil {
		return tui.Fail(err)
	}
	how()
	w.last = nil
	w.show()
	return nil
}

// waits tells why nothing can be chosen now, or "".
func (w *work) waits() string {
	if w.bench.Sending() || w.bench.Modal() {
		return stillSending
	}
	return ""
}

// undo does the opposite of what was done last.
func (w *work) undo() tea.Cmd {
	last := w.last
	if len(last.steps) == 0 {
		return tui.Fail(errors.New(nothingToUndo))
	}
	w.last, w.back = nil, true
	return w.bench.Submit(last.toast, last.steps[0], nil, last.steps[1:]...)
}
