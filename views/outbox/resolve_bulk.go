package outbox

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
)

// bulkMsg is the result of a decision about several operations.
type bulkMsg struct {
	done, all int
	err       error // of the first that failed
}

func (m bulkMsg) notify(t *i18n.Translator) tea.Cmd {
	if m.err != nil {
		return tui.Fail(
			t.NewError(
				"%s of %s done. First error: %s",
				t.Count(int64(m.done)),
				t.Count(int64(m.all)),
				userError(t, m.err).Error(),
			),
		)
	}

	return notify(t, nil, t.Get("Done: %s", t.Count(int64(m.done))))
}

// undecided returns the listed operations that need a decision.
func (s *list) undecided() (works []api.Work) {
	for _, row := range s.List.Rows() {
		if w := row.(*api.Work); w.State.NeedsDecision() {
			works = append(works, *w)
		}
	}

	return works
}

// bulkActions returns the actions on all listed operations that need a decision.
func (s *list) bulkActions(off func() string) []tui.Action {
	t := s.T
	why := func() string {
		if text := off(); text != "" {
			return text
		}
		if len(s.undecided()) == 0 {
			return t.Get("Nothing needs a decision.")
		}
		return ""
	}

	about := func(what string) func() string {
		return func() string { return what + ": " + t.Get("%s to decide", t.Count(int64(len(s.undecided())))) }
	}
	hidden := s.filter != showDecide

	return []tui.Action{
		{
			ID:         "sync.retryall",
			Key:        "f7",
			Label:      t.Get("retry all"),
			Help:       t.Get("Retry all entries that need a decision, or only similar ones"),
			Supervisor: true,
			Approve:    about(t.Get("retry all")),
			NoFooter:   hidden,
			Disabled:   why,
			Run:        func() tea.Cmd { return s.choose(t.Get("Retry which entries?"), s.retryAll) },
		},
		{
			ID:    "sync.dropall",
			Key:   "f8",
			Label: t.Get("discard all"),
			Help: t.Get(
				"Discard all entries that need a decision, or only similar ones. Your name and reason are saved.",
			),
			Supervisor: true,
			Approve:    about(t.Get("discard all")),
			NoFooter:   hidden,
			Disabled:   why,
			Run:        func() tea.Cmd { return s.choose(t.Get("Discard which entries?"), s.discardAll) },
		},
	}
}

// choose asks which of the operations a decision is about: all, or those like the selected
// one.
func (s *list) choose(text string, then func([]api.Work) tea.Cmd) tea.Cmd {
	t, all := s.T, s.undecided()
	options, groups := []string{t.Get("all %s", t.Count(int64(len(all))))}, [][]api.Work{all}
	add := func(format string, same func(*api.Work) bool) {
		var group []api.Work
		for i := range all {
			if same(&all[i]) {
				group = append(group, all[i])
			}
		}

		if n := len(group); n > 0 && n < len(all) {
			options, groups = append(options, t.Get(format, t.Count(int64(n)))), append(groups, group)
		}
	}

	if selected, ok := s.List.Selected().(*api.Work); ok && selected.State.NeedsDecision() {
		if selected.Refusal != nil {
			add(
				i18n.Text("%s with the same error as the selected one"),
				func(x *api.Work) bool { return x.Refusal != nil && x.Refusal.Code == selected.Refusal.Code },
			)
		}

		add(i18n.Text("%s of the same device"), func(x *api.Work) bool { return x.Device == selected.Device })
		add(i18n.Text("%s of the same operator"), func(x *api.Work) bool { return x.Operator == selected.Operator })
	}

	return tui.Choose(
		tui.Choice{Text: text, Options: options, OnChoice: func(i int) tea.Cmd { return then(groups[i]) }})
}

func (s *list) retryAll(works []api.Work) tea.Cmd {
	return s.decideAll(works, retryWork(s.Site))
}

func (s *list) discardAll(works []api.Work) tea.Cmd {
	t := s.T
	n := t.Count(int64(len(works)))

	return askReason(t, func(reason string) tea.Cmd {
		return tui.Confirm(tui.Question{
			Text:  t.Get("Discard %s? It will not be sent.", n),
			Yes:   t.Get("discard the entry"),
			No:    t.Get("keep it"),
			OnYes: func() tea.Cmd { return s.decideAll(works, discardWork(s.Site, reason, false)) },
		})
	})
}

// decideAll makes a decision about each of the operations.
func (s *list) decideAll(works []api.Work, decide decision) tea.Cmd {
	s.busy = true
	by := api.ApprovedBy(s.ApprovedBy())

	return s.Do(func(ctx context.Context) tea.Msg {
		m := bulkMsg{all: len(works)}
		for i := range works {
			if err := decide(ctx, works[i].Key, by); err == nil {
				m.done++
			} else if m.err == nil {
				m.err = err
			}
		}

		return m
	})
}
