package outbox

import (
	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
)

func (s *workScreen) Actions() []tui.Action {
	t := s.T

	if s.work == nil {
		return []tui.Action{
			{ID: "sync.reload", Key: "enter", Label: t.Get("refresh"), Disabled: func() string {
				if s.unsupported {
					return s.errText
				}
				return ""
			}, Run: s.reload},
		}
	}

	w := s.work
	off := func(more ...func() string) func() string {
		return func() string {
			if s.busy {
				return t.Get("Already in progress")
			}
			for _, why := range more {
				if text := why(); text != "" {
					return text
				}
			}

			return ""
		}
	}

	about := func(what string) func() string { return func() string { return what + ": " + workTitle(t, w) } }
	actions := []tui.Action{
		{
			ID:         "sync.again",
			Key:        "f7",
			Label:      t.Get("retry"),
			Help:       t.Get("Retry it unchanged"),
			Supervisor: true,
			Approve:    about(t.Get("retry")),
			Disabled: off(func() string {
				switch {
				case needsDecision(w):
					return ""
				case isOpen(w):
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
			Help:       t.Get("Discard it. Your name and reason are saved"),
			Supervisor: true,
			Approve:    about(t.Get("discard")),
			Disabled: off(func() string {
				if isOpen(w) {
					return ""
				}
				return t.Get("It is already resolved")
			}),
			Run: s.discard,
		},
		{
			ID:    "sync.hand",
			Key:   "f10",
			Label: t.Get("export"),
			Short: t.Get("file"),
			Help:  t.Get("Export the work to a file for another terminal. Both may send it; it is recorded once"),
			Disabled: off(func() string {
				switch {
				case s.site.Exports() == "":
					return t.Get("This terminal cannot read or write files")
				case !isOpen(w):
					return t.Get("It is already resolved")
				}

				return ""
			}),
			Run: func() tea.Cmd { s.busy = true; return exportWork(s.Env, s.site, s.key) },
		},
		retryAction(t, off(), func() tea.Cmd { s.busy = true; return retryNow(s.Env, s.site) }),
		{
			ID:    "sync.document",
			Key:   "enter",
			Label: t.Get("document"),
			Short: t.GetC("open", "verb"),
			Help:  t.Get("Open its document"),
			Disabled: func() string {
				if documentRoute(w) == "" {
					return t.Get("This operation has no document")
				}
				return ""
			},
			Run: func() tea.Cmd { return tui.Open(documentRoute(w)) },
		},
	}

	return actions
}
