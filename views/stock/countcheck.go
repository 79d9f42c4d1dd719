package stock

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// A firstCount is a count of a line that is counted again.
type firstCount struct {
	Quantity int64    `json:"now"`
	Serials  []string `json:"serials,omitempty"`
	By       string   `json:"by,omitempty"` // the operator
}

// isBlind reports whether the expected quantities are hidden during the count: the operator
// hid them, or is a worker to whom no supervisor has shown them.
func (s *countScreen) isBlind() bool {
	return s.draft.Blind || !s.draft.Revealed && !s.env.IsSupervisor()
}

// hidesExpected reports whether the expected quantities are hidden now. The review shows
// them to a supervisor.
func (s *countScreen) hidesExpected() bool {
	if s.draft.Review {
		return !s.draft.Revealed && !s.env.IsSupervisor()
	}
	return s.isBlind()
}

// blindAction hides or shows the expected quantities. Only a supervisor shows them.
func (s *countScreen) blindAction() tui.Action {
	t := s.site.T()

	if s.hidesExpected() {
		return tui.Action{ID: "count.blind", Keys: []string{"f4"}, Supervisor: true, Approve: func() string { return t.Get("show expected quantities of %s", s.location.Code) }, Label: t.Get("show expected"), Short: t.GetC("show", "count"), Help: t.Get("Show the expected quantities"), Run: func() tea.Cmd {
			s.draft.Blind, s.draft.Revealed = false, true
			return nil
		}}
	}
	return tui.Action{ID: "count.blind", Keys: []string{"f4"}, Label: t.Get("blind"), Help: t.Get("Hide the expected quantities"), Run: func() tea.Cmd {
		s.draft.Blind, s.draft.Revealed = true, false
		return nil
	}}
}

// isLarge reports whether the count of a line differs so much that it needs a second count
// or a supervisor.
func (s *countScreen) isLarge(l *count.Line) bool {
	if !hasCount(l) {
		return false
	}
	missing, extra := s.serialDifferences(l)
	n := max(s.difference(l), -s.difference(l), int64(len(missing)+len(extra)))
	return s.site.LargeDifference().Exceeded(n, s.rowOf(l).Expected)
}

// isConfirmed reports whether two counts of a line agree. The second is another person's, or
// a supervisor's own.
func (s *countScreen) isConfirmed(l *count.Line) bool {
	first, by := s.draft.First[l.Key], s.draft.CountedBy
	return first != nil && (first.By != by || s.env.IsSupervisor() && by == s.site.Operator()) && first.Quantity == l.Count.Quantity && slices.Equal(sorted(first.Serials), sorted(l.Count.Serials))
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// keepFirst keeps the count of a line with a large difference, to be compared with the next
// count.
func (s *countScreen) keepFirst(l *count.Line) {
	if !s.isLarge(l) {
		delete(s.draft.First, l.Key)
		return
	}
	if s.draft.First == nil {
		s.draft.First = map[string]*firstCount{}
	}
	s.draft.First[l.Key] = &firstCount{Quantity: l.Count.Quantity, Serials: l.Count.Serials, By: s.draft.CountedBy}
}

// signStep records with a step who counted its difference: both who counted a large one. It
// records the supervisor only if the difference needs one.
func (s *countScreen) signStep(step *submit.Step, l *count.Line, approvedBy string) {
	confirmed := s.isLarge(l) && s.isConfirmed(l)
	if confirmed {
		step.Operator = session.CountedAgain(s.draft.First[l.Key].By, s.draft.CountedBy)
	}
	if s.isLarge(l) && !confirmed || !s.env.Allows(s.need(l)) {
		step.Approve(cmp.Or(approvedBy, step.ApprovedBy))
	}
}

// reasonFor returns the reason of the movements of a line.
func (s *countScreen) reasonFor(l *count.Line, reason string) string {
	if text := s.site.T().Get("counted"); reason == "" || s.verdict(l) != unconfirmed {
		return text
	}
	return s.site.T().Get("counted") + ": " + strings.TrimSpace(reason)
}

// book posts the differences. If some are large and not confirmed, the supervisor who runs
// or approved it gives a reason first.
func (s *countScreen) book() tea.Cmd {
	t, n := s.site.T(), s.verdictCounts()
	approvedBy := s.env.ApprovedBy()
	if n[unconfirmed] == 0 {
		return s.bookAll("", approvedBy)
	}
	return tui.Prompt(tui.Request{Text: t.Get("Large differences without a second count: %s. Reason?", t.Count(int64(n[unconfirmed]))), Check: panel.CheckReason(t), OnText: func(reason string) tea.Cmd {
		return tui.Confirm(tui.Question{Text: s.confirmText(n), Yes: s.bookLabel(n), OnYes: func() tea.Cmd { return s.bookAll(reason, approvedBy) }})
	}})
}
