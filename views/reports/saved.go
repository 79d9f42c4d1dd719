package reports

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/session"
)

// settingsKey is the settings key of the saved filters.
const settingsKey = "filters"

// A namedFilter is a saved filter.
type namedFilter struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	// Unknown holds fields of newer versions.
	Unknown jsontext.Value `json:",embed"`
}

// savedFilters holds the saved filters of one report and the last one used.
type savedFilters struct {
	Last  string        `json:"last,omitempty"`
	Named []namedFilter `json:"named,omitempty"`
	// Unknown holds fields of newer versions.
	Unknown jsontext.Value `json:",embed"`
}

// loadSaved reads the saved filters of all reports, by route.
func loadSaved(site *session.Site) (map[string]savedFilters, error) {
	all := map[string]savedFilters{}
	data, err := site.Settings().Load(settingsKey)
	if err != nil || data == nil {
		return all, err
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return map[string]savedFilters{}, fmt.Errorf(site.T().Get(`Cannot read the saved filters: %w. Fix or delete the file "filters.json" in the settings folder "saved".`), err)
	}
	return all, nil
}

// updateSaved changes the saved filters of a report. It reads them first, so changes
// by another terminal are not lost.
func updateSaved(site *session.Site, route string, change func(*savedFilters)) error {
	all, err := loadSaved(site)
	if err != nil {
		return err
	}
	s := all[route]
	change(&s)
	all[route] = s
	data, err := json.Marshal(all, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return site.Settings().Save(settingsKey, append(data, '\n'))
}

func (s *savedFilters) put(n namedFilter) {
	s.remove(n.Name)
	s.Named = append(s.Named, n)
	slices.SortFunc(s.Named, func(a, b namedFilter) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
}

func (s *savedFilters) remove(name string) {
	s.Named = slices.DeleteFunc(s.Named, func(n namedFilter) bool { return strings.EqualFold(n.Name, name) })
}

// loadSaved reads the saved filters of this report. An error is shown when the
// filters are opened.
func (s *screen[T]) loadSaved() {
	all, err := loadSaved(s.site)
	s.saved, s.loadErr = all[s.route], err
}

// savedName returns the name of the current filter, or "" if it is not saved.
func (s *screen[T]) savedName() string {
	for _, n := range s.saved.Named {
		if n.Query == s.filter.query() {
			return n.Name
		}
	}
	return ""
}

// updateSaved changes the saved filters, then runs then.
func (s *screen[T]) updateSaved(change func(*savedFilters), then tea.Cmd) tea.Cmd {
	site, route := s.site, s.route
	return func() tea.Msg {
		if err := updateSaved(site, route, change); err != nil {
			return tui.Fail(fmt.Errorf(s.env.T.Get("Cannot save the filter: %w. Try again."), err))()
		}
		return tea.BatchMsg{then, func() tea.Msg { return savedMsg{} }}
	}
}

// savedMsg says that the saved filters changed.
type savedMsg struct{}

// chooseSaved offers the saved filters, and to save, rename or delete one.
func (s *screen[T]) chooseSaved() tea.Cmd {
	t := s.env.T

	s.loadSaved()
	if s.loadErr != nil {
		return tui.Fail(s.loadErr)
	}
	if len(s.saved.Named) == 0 {
		return s.save()
	}
	list := s.saved.Named
	var options []string
	for _, n := range list {
		options = append(options, n.Name+"   "+filterOfQuery(n.Query, s.days).text(t, s.balances))
	}
	options = append(options, t.Get("… save the current one"), t.Get("… rename one"), t.Get("… delete one"))
	return tui.Choose(tui.Choice{Text: t.Get("Which filter?"), Options: options, OnChoice: func(i int) tea.Cmd {
		switch i - len(list) {
		case 0:
			return s.save()
		case 1:
			return s.pickSaved(t.Get("Rename which filter?"), s.rename)
		case 2:
			return s.pickSaved(t.Get("Delete which filter?"), s.delete)
		}
		return s.reopen(filterOfQuery(list[i].Query, s.days))
	}})
}

func (s *screen[T]) pickSaved(ask string, then func(namedFilter) tea.Cmd) tea.Cmd {
	list := s.saved.Named
	options := make([]string, len(list))
	for i, n := range list {
		options[i] = n.Name
	}
	return tui.Choose(tui.Choice{Text: ask, Options: options, OnChoice: func(i int) tea.Cmd { return then(list[i]) }})
}

// save asks for a name for the current filter.
func (s *screen[T]) save() tea.Cmd {
	query := s.filter.query()
	return tui.Prompt(tui.Request{Text: s.env.T.Get("Save as: %s", s.filter.text(s.env.T, s.balances)), Value: s.savedName(), Check: checkFilterName(s.env.T),
		OnText: func(name string) tea.Cmd {
			n := namedFilter{Name: strings.TrimSpace(name), Query: query}
			return s.updateSaved(func(all *savedFilters) { all.put(n) }, tui.Toast(s.env.T.Get("Saved as %s", n.Name)))
		}})
}

func (s *screen[T]) rename(old namedFilter) tea.Cmd {
	return tui.Prompt(tui.Request{Text: s.env.T.Get("New name for %s", old.Name), Value: old.Name, Check: checkFilterName(s.env.T),
		OnText: func(name string) tea.Cmd {
			n := old
			n.Name = strings.TrimSpace(name)
			return s.updateSaved(func(all *savedFilters) { all.remove(old.Name); all.put(n) }, tui.Toast(s.env.T.Get("Saved as %s", n.Name)))
		}})
}

func (s *screen[T]) delete(n namedFilter) tea.Cmd {
	return tui.Confirm(tui.Question{Text: s.env.T.Get("Delete the saved filter %s?", n.Name), Yes: s.env.T.Get("delete the filter"), No: s.env.T.Get("keep it"), OnYes: func() tea.Cmd {
		return s.updateSaved(func(all *savedFilters) { all.remove(n.Name) }, tui.Toast(s.env.T.Get("Deleted %s", n.Name)))
	}})
}

func checkFilterName(t *i18n.Translator) func(name string) error {
	return func(name string) error {
		switch name = strings.TrimSpace(name); {
		case name == "":
			return errors.New(t.Get("enter a name"))
		case widget.Width(name) > 30:
			return errors.New(t.Get("at most 30 characters"))
		}
		return nil
	}
}
