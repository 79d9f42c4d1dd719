package listscreen

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/views/session"
)

// settingsKey is the settings key of the choices: the order of each list of each
// operator. A "-" before the name of an order says that it is reversed.
const settingsKey = "sort"

// A choice is an order that the operator chose; it has no name for that of the list.
type choice struct {
	name     string
	reversed bool
}

func (c choice) String() string {
	if c.reversed {
		return "-" + c.name
	}
	return c.name
}

// read returns the choices in the settings.
func read(site *session.Site) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	data, err := site.Settings().Load(settingsKey)
	if err == nil && data != nil {
		err = json.Unmarshal(data, &all)
	}
	return all, err
}

// load returns the operator's choice for a list. Settings that cannot be read count as
// none, because a list is useful in any order.
func load(site *session.Site, list string) choice {
	all, err := read(site)
	if err != nil {
		return choice{}
	}
	name, reversed := strings.CutPrefix(all[site.Operator()][list], "-")
	return choice{name, reversed}
}

// save stores the choice. It reads the choices first, so that changes by another terminal
// are not lost.
func (s *Sorter) save() tea.Cmd {
	site, list, operator, text := s.site, s.list, s.site.Operator(), s.choice.String()

	return func() tea.Msg {
		all, _ := read(site) // a damaged file is replaced
		if all == nil {
			all = map[string]map[string]string{}
		}
		if all[operator] == nil {
			all[operator] = map[string]string{}
		}
		if all[operator][list] = text; text == "" {
			delete(all[operator], list)
		}

		data, err := json.Marshal(all, json.Deterministic(true), jsontext.WithIndent("  "))
		if err == nil {
			err = site.Settings().Save(settingsKey, append(data, '\n'))
		}
		if err != nil {
			return tui.Fail(site.T().NewError("Sort order not saved: %s", err))()
		}

		return nil
	}
}
