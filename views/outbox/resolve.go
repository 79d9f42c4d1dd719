package outbox

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// decidedMsg is the result of a decision about one operation.
type decidedMsg struct {
	text string
	next string // key of the next work to decide, or ""
	err  error
}

// A decision carries out what a person decides about the operation with a key.
type decision func(ctx context.Context, key string, by api.Option) error

func retryWork(site *session.Site) decision {
	return func(ctx context.Context, key string, by api.Option) error {
		_, err := session.CallNode(ctx, site, api.RetryWork, api.WorkKeyInput{Key: key}, by)
		return err
	}
}

func discardWork(site *session.Site, reason string, mayBeDone bool) decision {
	return func(ctx context.Context, key string, by api.Option) error {
		_, err := session.CallNode(ctx, site, api.DiscardWork,
			api.DiscardWorkInput{Key: key, Reason: reason, MayBeDone: mayBeDone}, by)
		return err
	}
}

// decisions returns the actions that resolve the operation. off returns why they cannot run now.
func (s *workScreen) decisions(off func(...func() string) func() string) []tui.Action {
	t, w := s.T, s.work
	about := func(what string) func() string { return func() string { return what + ": " + workTitle(t, w) } }

	return []tui.Action{
		{
			ID:         "sync.again",
			Key:        "f7",
			Label:      t.Get("retry"),
			Help:       t.Get("Retry it unchanged"),
			Supervisor: true,
			Approve:    about(t.Get("retry")),
			Disabled: off(func() string {
				switch {
				case w.State.NeedsDecision():
					return ""
				case w.State.Unresolved():
					return t.Get("It is already pending")
				}

				return t.Get("It is already resolved")
			}),
			Run: s.retry,
		},
		{
			ID:         "sync.edit",
			Key:        "f4",
			Label:      t.Get("edit"),
			Help:       t.Get("Replace it with corrected values"),
			Supervisor: true,
			Approve:    about(t.Get("edit")),
			Disabled: off(func() string { return cannotReplace(t, w) },
				func() string { return editReplacement{s.T}.unavailable(w) }),
			Run: func() tea.Cmd { s.formOpen = true; return tui.Open(routeOf(s.key, "edit")) },
		},
		{
			ID:         "sync.record",
			Key:        "f6",
			Label:      t.Get("adjust"),
			Help:       t.Get("Replace it with a stock adjustment that records what happened"),
			Supervisor: true,
			Approve:    about(t.Get("adjust")),
			Disabled: off(func() string { return cannotReplace(t, w) },
				func() string { return adjustReplacement{s.T}.unavailable(w) }),
			Run: func() tea.Cmd { s.formOpen = true; return tui.Open(routeOf(s.key, "record")) },
		},
		{
			ID:         "sync.drop",
			Key:        "f8",
			Label:      t.Get("discard"),
			Help:       t.Get("Discard it. Your name and reason are saved."),
			Supervisor: true,
			Approve:    about(t.Get("discard")),
			Disabled: off(func() string {
				if w.State.Unresolved() {
					return ""
				}
				return t.Get("It is already resolved")
			}),
			Run: s.discard,
		},
	}
}

// decide carries out a decision and finds the next work to decide.
func (s *workScreen) decide(text string, fn decision) tea.Cmd {
	s.busy = true
	by := api.ApprovedBy(s.ApprovedBy())

	return s.Do(func(ctx context.Context) tea.Msg {
		if err := fn(ctx, s.key, by); err != nil {
			return decidedMsg{err: err}
		}
		return decidedMsg{text: text, next: nextUndecided(ctx, s.site, s.work)}
	})
}

// nextUndecided returns the key of the next work to decide, or "".
func nextUndecided(ctx context.Context, site *session.Site, after *api.Work) string {
	rows, _, err := loadWork(ctx, site, showDecide)
	if err != nil {
		return ""
	}

	first := ""
	for _, w := range rows {
		switch {
		case w.Key == after.Key:
		case w.N > after.N:
			return w.Key
		case first == "":
			first = w.Key
		}
	}

	return first
}

func (s *workScreen) decided(m decidedMsg) tea.Cmd {
	s.busy = false
	if m.err != nil {
		return tea.Batch(tui.Fail(userError(s.T, m.err)), s.reload())
	}
	return afterDecision(m)
}

// afterDecision shows what was decided and opens the next work to decide, or goes
// back.
func afterDecision(m decidedMsg) tea.Cmd {
	leave := tui.Back()
	if m.next != "" {
		leave = tui.Replace(routeOf(m.next))
	}
	if m.text == "" {
		return leave
	}
	return tea.Batch(tui.Toast(m.text), tui.Accepted(), leave)
}

// discard asks for the reason and for confirmation.
func (s *workScreen) discard() tea.Cmd {
	t := s.T

	name := workTitle(t, s.work)

	return askReason(t, func(why string) tea.Cmd {
		mayBeDone := s.work.State == api.WorkSent
		discard := func() tea.Cmd {
			return s.decide(t.Get("Discarded: %s", name), discardWork(s.site, why, mayBeDone))
		}

		ask := tui.Question{
			Text:  t.Get("Discard %s? It will not be sent.", name),
			Yes:   t.Get("discard the entry"),
			No:    t.Get("keep it"),
			OnYes: discard,
		}

		if mayBeDone {
			ask.Text = t.Get("Discard %s? It will not be sent again.", name)
			ask.OnYes = func() tea.Cmd {
				return tui.Confirm(tui.Question{
					Text:  t.Get("This may already be recorded. Discard it anyway?"),
					Yes:   t.Get("discard the entry"),
					No:    t.Get("keep it"),
					OnYes: discard,
				})
			}
		}

		return tui.Confirm(ask)
	})
}

// askReason asks why work is discarded.
func askReason(t *i18n.Translator, then func(reason string) tea.Cmd) tea.Cmd {
	return tui.Prompt(
		tui.Request{Text: t.Get("Why discard it? The reason is saved with it"), Check: func(text string) error {
			if text == "" {
				return t.NewError("Why discard it? The reason is saved with it")
			}
			return nil
		}, OnText: then},
	)
}

func (s *workScreen) retry() tea.Cmd {
	return s.decide(s.T.Get("It will be retried"), retryWork(s.site))
}
