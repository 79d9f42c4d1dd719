package reports

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
)

// loadSaved reads the saved filters that the operator sees. An error is shown when the
// filters are opened.
func (s *screen) loadSaved() {
	all, err := loadSaved(s.site)
	saved, operator := all[s.route], s.site.Operator()
	s.saved, s.lastQuery, s.loadErr = saved.visible(operator), saved.last(operator), err
}

// savedName returns the name of the current filter, or "" if it is not saved.
func (s *screen) savedName() string {
	for _, n := range s.saved {
		if n.Query == s.filter.query() {
			return n.Name
		}
	}

	return ""
}

// updateSaved changes the saved filters, then runs then.
func (s *screen) updateSaved(change func(*savedFilters), then tea.Cmd) tea.Cmd {
	site, route := s.site, s.route
	return func() tea.Msg {
		if err := updateSaved(site, route, change); err != nil {
			return tui.Fail(s.T.NewError("Cannot save the filter: %v. Try again.", err))()
		}
		return tea.BatchMsg{then, func() tea.Msg { return savedMsg{} }}
	}
}

// savedMsg says that the saved filters changed.
type savedMsg struct{}

// chooseSaved offers the saved filters, and to save, rename, share or delete one.
func (s *screen) chooseSaved() tea.Cmd {
	t := s.T

	s.loadSaved()
	if s.loadErr != nil {
		return tui.Fail(s.loadErr)
	}
	if len(s.saved) == 0 {
		return s.save()
	}

	var options []string
	var run []func() tea.Cmd
	add := func(text string, f func() tea.Cmd) { options, run = append(options, text), append(run, f) }
	for _, n := range s.saved {
		add(
			s.label(n)+"   "+filterOfQuery(n.Query, s.days).text(t, s.balances),
			func() tea.Cmd { return s.reopen(filterOfQuery(n.Query, s.days)) },
		)
	}

	add(t.Get("… save the current one"), s.save)
	operator := s.site.Operator()
	own := s.savedWhere(func(n namedFilter) bool { return operator != "" && n.Operator == operator })
	editable := s.savedWhere(func(n namedFilter) bool { return n.Operator == "" || n.Operator == operator })
	if len(own) > 0 {
		add(
			t.Get("… share one, or stop sharing it"),
			func() tea.Cmd { return s.pickSaved(t.Get("Share which filter, or stop sharing it?"), own, s.share) },
		)
	}

	if len(editable) > 0 {
		add(
			t.Get("… rename one"),
			func() tea.Cmd { return s.pickSaved(t.Get("Rename which filter?"), editable, s.rename) },
		)
		add(
			t.Get("… delete one"),
			func() tea.Cmd { return s.pickSaved(t.Get("Delete which filter?"), editable, s.delete) },
		)
	}

	return tui.Choose(
		tui.Choice{Text: t.Get("Which filter?"), Options: options, OnChoice: func(i int) tea.Cmd { return run[i]() }})
}

// label returns the name of a filter, and who shares it.
func (s *screen) label(n namedFilter) string {
	switch name := widget.Clean(n.Name); {
	case n.Operator == "" && s.site.Operator() != "":
		return s.T.Get("%s (everyone's)", name)
	case n.Operator != s.site.Operator():
		return s.T.Get("%s (%s's)", name, widget.Clean(n.Operator))
	case n.Shared:
		return s.T.Get("%s (shared)", name)
	default:
		return name
	}
}

func (s *screen) savedWhere(match func(namedFilter) bool) []namedFilter {
	return slices.DeleteFunc(slices.Clone(s.saved), func(n namedFilter) bool { return !match(n) })
}

func (s *screen) pickSaved(ask string, list []namedFilter, then func(namedFilter) tea.Cmd) tea.Cmd {
	options := make([]string, len(list))
	for i, n := range list {
		options[i] = s.label(n)
	}
	return tui.Choose(tui.Choice{Text: ask, Options: options, OnChoice: func(i int) tea.Cmd { return then(list[i]) }})
}

// share shows a filter of the operator to everyone, or to the operator alone again.
func (s *screen) share(n namedFilter) tea.Cmd {
	n.Shared = !n.Shared
	text := s.T.Get("Everyone sees %s now", n.Name)
	if !n.Shared {
		text = s.T.Get("Only you see %s now", n.Name)
	}
	return s.updateSaved(func(all *savedFilters) { all.put(n) }, tui.Toast(text))
}

// save asks for a name for the current filter.
func (s *screen) save() tea.Cmd {
	query, operator := s.filter.query(), s.site.Operator()

	return tui.Prompt(tui.Request{
		Text:  s.T.Get("Save as: %s", s.filter.text(s.T, s.balances)),
		Value: s.savedName(),
		Check: checkFilterName(s.T),
		OnText: func(name string) tea.Cmd {
			n := namedFilter{Name: strings.TrimSpace(name), Query: query, Operator: operator}
			return s.updateSaved(func(all *savedFilters) { all.save(n) },
				tui.Toast(s.T.Get("Saved as %s", n.Name)))
		},
	})
}

func (s *screen) rename(old namedFilter) tea.Cmd {
	return tui.Prompt(
		tui.Request{Text: s.T.Get("New name for %s", old.Name), Value: old.Name, Check: checkFilterName(s.T),
			OnText: func(name string) tea.Cmd {
				n := old
				n.Name = strings.TrimSpace(name)
				return s.updateSaved(func(all *savedFilters) { all.remove(old); all.put(n) },
					tui.Toast(s.T.Get("Saved as %s", n.Name)))
			}},
	)
}

func (s *screen) delete(n namedFilter) tea.Cmd {
	return tui.Confirm(tui.Question{
		Text: s.T.Get("Delete the saved filter %s?", n.Name),
		Yes:  s.T.Get("delete the filter"),
		No:   s.T.Get("keep it"),
		OnYes: func() tea.Cmd {
			return s.updateSaved(func(all *savedFilters) { all.remove(n) },
				tui.Toast(s.T.Get("Deleted %s", n.Name)))
		},
	})
}

func checkFilterName(t *i18n.Translator) func(name string) error {
	return func(name string) error {
		switch name = strings.TrimSpace(name); {
		case name == "":
			return t.NewError("enter a name")
		case widget.Width(name) > 30:
			return t.NewError("at most 30 characters")
		}

		return nil
	}
}
