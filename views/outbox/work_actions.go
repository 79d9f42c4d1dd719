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

	return append(
		s.decisions(off),
		tui.Action{
			ID:    "sync.hand",
			Key:   "f10",
			Label: t.Get("export"),
			Short: t.Get("file"),
			Help: t.Get(
				"Export the entries to a file for another terminal. Both may send them; each is recorded once.",
			),
			Disabled: off(func() string {
				switch {
				case s.site.Exports() == "":
					return t.Get("This terminal cannot read or write files")
				case !w.State.Unresolved():
					return t.Get("It is already resolved")
				}

				return ""
			}),
			Run: func() tea.Cmd { s.busy = true; return exportWork(s.Env, s.site, s.key) },
		},
		syncNowAction(t, off(), func() tea.Cmd { s.busy = true; return syncNow(s.Env, s.site) }),
		tui.Action{
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
	)
}
