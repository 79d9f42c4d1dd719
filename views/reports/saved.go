package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bincard/views/session"
)

// settingsKey is the settings key of the saved filters.
const settingsKey = "filters"

// A namedFilter is a saved filter.
type namedFilter struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	// Operator is who saved it; "" for a filter of everyone, such as one of an older version.
	Operator string `json:"operator,omitempty"`
	// Shared means that other operators see it too.
	Shared bool `json:"shared,omitzero"`
	// Unknown holds fields of newer versions.
	Unknown jsontext.Value `json:",embed"`
}

// same reports whether n and x are the same filter.
func (n namedFilter) same(x namedFilter) bool {
	return strings.EqualFold(x.Name, n.Name) && x.Operator == n.Operator
}

// savedFilters holds the saved filters of one report and the last one that each
// operator used.
type savedFilters struct {
	Last   string            `json:"last,omitempty"` // of nobody, or of an older version
	LastOf map[string]string `json:"lastOf,omitempty"`
	Named  []namedFilter     `json:"named,omitempty"`
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
		return map[string]savedFilters{}, fmt.Errorf(
			site.T().Get(
				`Cannot read the saved filters: %w. Fix or delete the file "filters.json" in the settings folder "saved".`,
			),
			err,
		)
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

// put saves a filter. It replaces the one of the same name and operator.
func (s *savedFilters) put(n namedFilter) {
	s.remove(n)
	s.Named = append(s.Named, n)
	slices.SortStableFunc(s.Named,
		func(a, b namedFilter) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
}

// save saves a filter, which stays shared if one of its name and operator is.
func (s *savedFilters) save(n namedFilter) {
	if i := slices.IndexFunc(s.Named, n.same); i >= 0 {
		n.Shared = s.Named[i].Shared
	}
	s.put(n)
}

func (s *savedFilters) remove(n namedFilter) { s.Named = slices.DeleteFunc(s.Named, n.same) }

// visible returns the filters that an operator sees, the operator's own first.
func (s *savedFilters) visible(operator string) []namedFilter {
	var own, others []namedFilter
	for _, n := range s.Named {
		switch {
		case n.Operator == operator:
			own = append(own, n)
		case n.Operator == "" || n.Shared:
			others = append(others, n)
		}
	}

	return append(own, others...)
}

// last returns the last filter that an operator used.
func (s *savedFilters) last(operator string) string {
	if query, ok := s.LastOf[operator]; ok {
		return query
	}
	return s.Last
}

func (s *savedFilters) setLast(operator, query string) {
	if operator == "" {
		s.Last = query
		return
	}
	if s.LastOf == nil {
		s.LastOf = map[string]string{}
	}
	s.LastOf[operator] = query
}
