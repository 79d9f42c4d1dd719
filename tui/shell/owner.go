package shell

import (
	"slices"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// takeOverMsg makes a draft the operator's and opens its screen.
type takeOverMsg struct {
	draft   tui.Draft
	replace bool
}

// claimDraft finds the draft for the operator's screen of a route. A draft that belongs to
// nobody becomes the operator's. If another operator has it, asks is true: the operator
// may take it over. That is so for the draft of an owner whom the operator chose, and for
// work that operators share, but not if the operator has a draft of the route too.
func (m *Model) claimDraft(entry tui.Entry, route, owner string) (d tui.Draft, asks bool, err error) {
	if owner != "" && owner != m.operator {
		d, ok, err := m.opts.Drafts.Load(route, owner)
		if ok && !m.login.Enabled() {
			return d, false, m.assign(d, d.From)
		}
		return d, ok, err
	}
	if _, ok, err := m.opts.Drafts.Load(route, m.operator); ok || err != nil {
		return d, false, nil // the screen reports a damaged draft
	}
	others := slices.DeleteFunc(m.savedDrafts(), func(d tui.Draft) bool { return d.Route != route })
	switch {
	case len(others) == 0:
		return d, false, nil
	case others[0].Owner == "" || !m.login.Enabled():
		return d, false, m.assign(others[0], others[0].From)
	}
	return others[0], entry.Shared(), nil
}

// assign makes a draft the operator's.
func (m *Model) assign(d tui.Draft, from string) error {
	before := d.Owner
	d.Owner, d.From = m.operator, from
	if err := m.opts.Drafts.Save(d); err != nil {
		return err
	}
	return m.opts.Drafts.Discard(d.Route, before)
}

// askTakeOver asks whether to take over a draft of another operator, which msg opens.
func (m *Model) askTakeOver(d tui.Draft, msg tui.OpenMsg) tea.Cmd {
	owner := widget.Clean(d.Owner)
	text := m.t.Get("%s has unsent work: %s. Take it over?", owner, m.subject(d))
	if m.opts.DraftPieces != nil {
		if n := m.opts.DraftPieces(d); n > 0 {
			text = m.t.Get("%s has counted %s here. Take it over?", owner, m.t.Count(n))
		}
	}
	var leave func() tea.Cmd
	if top := m.top(); msg.Redirect && top != nil {
		leave = func() tea.Cmd { return m.closeScreen(top.id) }
	}
	return m.openDialog(0, tui.DialogMsg{Question: &tui.Question{Text: text, Yes: m.t.Get("take over"), No: m.t.Get("leave it"), OnNo: leave,
		OnYes: func() tea.Cmd { return func() tea.Msg { return takeOverMsg{d, msg.Replace} } }}})
}

// takeOver makes a draft of another operator the operator's and opens its screen.
func (m *Model) takeOver(msg takeOverMsg) tea.Cmd {
	d, ok, err := m.opts.Drafts.Load(msg.draft.Route, msg.draft.Owner)
	if err == nil && ok {
		if _, own, _ := m.opts.Drafts.Load(d.Route, m.operator); own {
			return m.alerts.error(m.t.Get("You have unsent work of your own: %s. Finish it first.", m.subject(d)))
		}
		err = m.assign(d, d.Owner)
	}
	if err != nil {
		return m.alerts.error(m.t.Get("Cannot open the draft: %v", err))
	}
	return m.openRoute(tui.OpenMsg{Route: msg.draft.Route, Replace: msg.replace})
}

// othersHave reports whether the work on a route is that of another operator.
func (m *Model) othersHave(path string) bool {
	entry, route, err := m.opts.Registry.Find(path)
	if err != nil || !entry.Shared() || !m.login.Enabled() {
		return false
	}
	owners := map[string]bool{}
	for _, d := range m.savedDrafts() {
		if d.Route == route.Path {
			owners[d.Owner] = true
		}
	}
	return len(owners) > 0 && !owners[m.operator] && !owners[""]
}
