package imports

import (
	"context"
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
)

func (s *screen) Actions() []tui.Action {
	t := s.T
	choose := tui.Action{
		ID:    "import.file",
		Key:   "ctrl+o",
		Label: t.Get("other file"),
		Short: t.GetC("file", "verb"),
		Help:  t.Get("Choose another file"),
		Run:   s.choose,
	}

	enter := func(id, label, short string, run func() tea.Cmd) tui.Action {
		return tui.Action{ID: id, Key: "enter", Command: tui.DoConfirm, Label: label, Short: short, Run: run}
	}
	switch s.stage {
	case choosing:
		choose.Key = "enter"
		choose.Label, choose.Help = t.Get("choose a file"), t.Get("Choose a file")
		return []tui.Action{choose}
	case checking, importing:
		return []tui.Action{
			{
				ID:    "import.stop",
				Key:   "f5",
				Label: t.Get("stop"),
				Help:  t.Get("Stop. What is imported stays, and the rest can be imported later."),
				Run:   func() tea.Cmd { s.cancel(); return nil },
			},
		}

	case imported:
		list := s.kind.list
		return []tui.Action{
			enter("import.list", t.Get("show the list"), t.Get("list"), func() tea.Cmd { return tui.Replace(list) }),
			choose,
		}
	}

	again := enter("import.check", t.Get("check again"), t.Get("check"), s.check)
	if s.stage == stopped || s.errText != "" || s.bad() > 0 {
		actions := []tui.Action{again, choose}
		if s.stage == checked && s.plan != nil && s.plan.Differ > 0 {
			actions = append(actions, s.onlyNewAction())
		}

		if s.plan != nil {
			actions = append(actions, s.columnsAction())
		}
		if s.encoded {
			actions = append(actions, tui.Action{
				ID:    "import.other",
				Key:   "f8",
				Label: t.Get("Windows-1252"),
				Help:  t.Get("Read the file as Windows-1252, and check again"),
				Run:   func() tea.Cmd { s.other = true; return s.check() },
			})
		}

		return actions
	}

	if s.plan.Steps == 0 {
		return []tui.Action{
			enter("import.list", t.Get("show the list"), t.Get("list"),
				func() tea.Cmd { return tui.Replace(s.kind.list) }),
			choose,
		}
	}

	what := t.Get("import %s", s.kind.count(t, s.plan.New))
	do := enter("import.go", what, t.Get("import"), s.apply)
	do.Supervisor, do.Approve = true, func() string { return t.Get("%s from %s", what, s.name()) }

	return []tui.Action{do, choose, s.columnsAction()}
}

// onlyNewAction skips the documents that differ.
func (s *screen) onlyNewAction() tui.Action {
	t := s.T
	return tui.Action{
		ID:    "import.onlynew",
		Key:   "f3",
		Label: t.Get("only new"),
		Help:  t.Get("Skip what exists with other content, and check again"),
		Run:   func() tea.Cmd { s.onlyNew = true; return s.check() },
	}
}

// bad returns the number of problems of the file.
func (s *screen) bad() int {
	if s.plan == nil {
		return 0
	}
	return len(s.plan.Problems) + s.plan.MoreProblems
}

// stoppedText says that somebody stopped the work, or returns "".
func (s *screen) stoppedText(err error) string {
	if errors.Is(err, context.Canceled) {
		return s.T.Get("You stopped it.")
	}
	return ""
}

// isOffline reports whether what is imported is saved on this machine and synced later.
func (s *screen) isOffline() bool {
	st := s.site.SyncStatus()
	return st != nil && st.State == api.SyncOffline
}
