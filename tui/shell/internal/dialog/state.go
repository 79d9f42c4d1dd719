package dialog

import (
	"slices"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A State describes a dialog without painting it.
type State struct {
	Text    string
	Problem string // why it rejected the last answer
	Options []string
	Free    bool   // a text that is not an option is also an answer
	Value   string // the initial text of a line of text
	Yes, No string // the labels of a question; otherwise empty
	ID      any    // of the dialog
}

// Same reports whether both describe the same dialog.
func (d *State) Same(other *State) bool { return d != nil && other != nil && d.ID == other.ID }

// State describes the dialog on top, or returns nil.
func (s *Stack) State() *State {
	d := s.top
	if d.kind == noKind {
		return nil
	}

	out := &State{Text: d.title, Problem: d.problem, ID: d}
	switch d.kind {
	case questionKind:
		out.Yes, out.No = s.answers(d)
	case promptKind:
		out.Value = d.request.Value
	case choiceKind:
		out.Free = d.onText != nil
		for _, it := range d.items {
			out.Options = append(out.Options, it.Label)
		}
	case findKind, helpKind:
	}

	return out
}

// Actions returns the actions in the footer while the dialog on top is open.
func (s *Stack) Actions() []tui.Action {
	enter := tui.Action{Key: "enter", Label: s.t.Get("choose")}
	esc := tui.Action{Key: "esc", Label: s.t.Get("back")}
	switch s.top.kind {
	case questionKind:
		enter.Label, esc.Label = s.answers(s.top)
		enter.Short = s.top.question.YesShort
	case helpKind:
		unpainted := s.top.page.TotalLineCount() == 0 // most help is longer than its page
		if unpainted || s.top.page.TotalLineCount() > s.top.page.Height && !s.top.page.AtBottom() {
			return []tui.Action{{Key: "pgdown", Label: s.t.Get("more")}, esc}
		}
		return []tui.Action{esc}

	case promptKind, findKind:
		enter.Label = s.t.Get("ok")
	case choiceKind:
	}

	return []tui.Action{enter, esc}
}

// answers returns the labels of a question.
func (s *Stack) answers(d *dialog) (yes, no string) {
	yes, no = d.question.Yes, d.question.No
	if yes == "" {
		yes = s.t.Get("yes")
	}
	if no == "" {
		no = s.t.Get("no")
	}
	return yes, no
}

// Answer answers the question on top.
func (s *Stack) Answer(yes bool) Result {
	if yes {
		return s.questionKey(s.top, "enter")
	}
	return s.questionKey(s.top, "esc")
}

// Enter answers the prompt or the list on top. A rejected text leaves it open with its
// problem.
func (s *Stack) Enter(text string) Result {
	s.top.input.Set(text)
	if s.top.kind == choiceKind {
		s.top.filter()
		return s.choose(s.top)
	}
	return s.promptKey(s.top, tea.KeyMsg{Type: tea.KeyEnter}, "enter")
}

// Pick chooses an option of the list on top.
func (s *Stack) Pick(option int) Result {
	d := s.top
	if at := slices.Index(d.matches, option); at >= 0 {
		d.cursor = at
	}
	return s.choose(d)
}

// Cancel closes the dialog on top. For a question, that answers no.
func (s *Stack) Cancel() Result {
	if s.top.kind == questionKind {
		return s.Answer(false)
	}
	s.Pop()
	return Result{}
}
