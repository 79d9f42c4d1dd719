package listscreen

import (
	"cmp"
	"strings"

	"bincard/tui"
	"bincard/views/export"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen) Actions() []tui.Action {
	var actions []tui.Action
	if open := s.kind.Open; open.ID != "" {
		open.Key = "enter"
		if open.Disabled == nil {
			open.Disabled = s.EmptyReason
		}
		if open.Run == nil {
			open.Run = s.openSelected
		}
		actions = append(actions, open)
	}

	if s.kind.Actions != nil {
		actions = append(actions, s.kind.Actions()...)
	}
	if s.exporter.Active() {
		actions = append(s.exportActions(), actions...)
	}
	if s.kind.FilterText != nil {
		actions = append(actions, s.filterAction(), s.reloadAction())
	}
	if s.kind.AtLocation {
		actions = append(actions, panel.ChooseLocation(s.Site, s.Env))
	}

	return append(actions, s.sorter.Action(s.whyUnsorted, s.sorted)...)
}

// ExportActions returns the actions that start an export; the screen adds those of a
// running one.
func (s *Screen) ExportActions() []tui.Action {
	if s.exporter.Active() {
		return nil
	}
	return s.exportActions()
}

func (s *Screen) exportActions() []tui.Action {
	return s.exporter.Actions(s.EmptyReason, func() export.Content {
		texts := s.kind.Texts()
		return export.Content{Name: s.kind.Export.name, Title: cmp.Or(texts.ShortTitle, texts.Title),
			Source: s.kind.Export.source(s.List.Rows())}
	})
}

// NewAction returns the action that opens the form of a route for a new document.
func (s *Screen) NewAction(route, help string) tui.Action {
	return tui.Action{
		ID:    route + ".new",
		Key:   "f3",
		Label: s.T.Get("new"),
		Help:  help,
		Run:   tui.Opens(route + "/new"),
	}
}

// CopyAction returns the action that copies the exported cells of the selected row.
func (s *Screen) CopyAction(id string) tui.Action {
	t := s.T

	return tui.Action{
		ID:       id,
		Key:      "ctrl+y",
		Label:    t.Get("copy row"),
		Help:     t.Get("Copy the selected row"),
		NoFooter: true,
		Disabled: s.EmptyReason,
		Run:      func() tea.Cmd { return tui.Copy(strings.Join(s.kind.Export.cells(s.List.Selected()), "\t")) },
	}
}

func (s *Screen) openSelected() tea.Cmd {
	row := s.List.Selected()
	if row == nil {
		return nil
	}
	return s.kind.OpenRow(row)
}

// EmptyReason says why there is no row to choose, or returns "".
func (s *Screen) EmptyReason() string {
	switch {
	case s.List.Len() > 0:
		return ""
	case !s.Loaded() && s.Err == nil:
		return s.T.Get("The list is still loading")
	}

	return s.T.Get("The list is empty")
}

func (s *Screen) reloadAction() tui.Action {
	return tui.Action{
		ID:       "panel.reload",
		Key:      "ctrl+r",
		Label:    s.T.Get("refresh"),
		NoFooter: s.Err == nil,
		Help:     s.T.Get("Refresh the list"),
		Run:      s.Reload,
	}
}

func (s *Screen) filterAction() tui.Action {
	t := s.T

	if !s.filtering {
		return tui.Action{
			ID:    "panel.filter",
			Key:   "/",
			Label: t.Get("filter"),
			Help:  t.Get("Show only rows that contain the text"),
			Run: func() tea.Cmd {
				s.filtering = true
				return nil
			},
		}
	}

	return tui.Action{
		ID:    "panel.clear",
		Key:   "esc",
		Label: t.Get("clear filter"),
		Short: t.Get("all"),
		Help:  t.Get("Show all rows"),
		Run: func() tea.Cmd {
			s.filtering = false
			s.filter.Set("")
			s.ApplyFilter()
			return s.readPreview(false)
		},
	}
}

// ApplyFilter lists the rows that match what was typed.
func (s *Screen) ApplyFilter() {
	want := strings.ToLower(strings.TrimSpace(s.filter.Value()))
	var rows []any
	for _, r := range s.rows {
		if (s.kind.Matches == nil || s.kind.Matches(r)) &&
			(want == "" || strings.Contains(strings.ToLower(s.kind.FilterText(r)), want)) {
			rows = append(rows, r)
		}
	}

	s.List.SetRows(rows)
}
