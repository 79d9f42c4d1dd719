package reports

import (
	"cmp"
	"strings"

	"bincard/tui/widget"
)

func (s *screen) Title() string {
	switch {
	case s.form != nil:
		return s.T.Get("%s › filter", s.title)
	case s.totals.open:
		return s.T.Get("%s › totals › %s", s.title, s.filter.text(s.T, s.balances))
	}

	return s.title + s.countText() + " › " + s.filter.text(s.T, s.balances)
}

// countText returns the number of rows in parentheses, or "" until they are loaded.
func (s *screen) countText() string {
	if !s.pages.Loaded() {
		return ""
	}
	return " (" + s.rowCount() + ")"
}

func (s *screen) rowCount() string {
	n := s.pages.List.Len()
	return s.pages.Count(n, n)
}

// ShortTitle returns the time of a snapshot, what the filter selects besides the
// operator's location, and the name of the report. If that is all, it starts with the
// number of rows.
func (s *screen) ShortTitle() string {
	f := s.filter
	if f.Location == s.site.Location().Code {
		f.Location = ""
	}

	parts := append([]string{cmp.Or(s.shortTitle, s.title)}, f.conditions(s.T)...)
	switch {
	case f.AsOf != "":
		parts = append([]string{s.T.TimeText(f.AsOf)}, parts...)
	case f.From != "" || f.To != "":
		parts = append([]string{f.periodText(s.T)}, parts...)
	}

	if len(parts) == 1 && s.pages.Loaded() && s.form == nil && !s.totals.open {
		parts[0] += " (" + s.rowCount() + ")"
	}

	return widget.Clean(strings.Join(parts, " · "))
}
