package reports

import (
	"context"
	"errors"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/catalog"
	"bincard/views/count"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

// startFilter returns the last filter used if it has a name, else the one that the report
// starts with, for the operator's location.
func (s *screen) startFilter() filter {
	for _, n := range s.saved {
		if n.Query == s.lastQuery {
			return filterOfQuery(n.Query, s.days)
		}
	}

	f := s.start
	f.Location = s.site.Location().Code
	return f
}

func (s *screen) OnScan(got scan.Scan) tea.Cmd {
	codes := count.ParseLabel(s.T, got).Codes
	return s.LookUp(s.Env, func(ctx context.Context) (func() tea.Cmd, error) {
		match, err := catalog.Find(ctx, s.site, codes...)
		return func() tea.Cmd { return s.applyMatch(match, err) }, nil
	})
}

// applyMatch adds the scanned product or location to the form or the filter.
func (s *screen) applyMatch(match catalog.Match, err error) tea.Cmd {
	if err != nil {
		return panel.FailScan(s.site, err)
	}
	if route := match.TraceRoute(); route != "" && s.form == nil {
		return tui.Accept(tui.Open(route))
	}

	f := s.filter
	if s.form != nil {
		f = readForm(s.T, s.form, s.filter, s.Now())
	}

	f, err = f.withMatch(s.T, match)
	switch {
	case err != nil:
		return tui.Fail(err)
	case s.form == nil && s.exporter.Active():
		_, why := s.exporter.CanLeave()
		return tui.Fail(errors.New(why))
	case s.form == nil:
		return tui.Accept(s.reopen(f))
	}

	s.form.Fill("sku", f.SKU)
	s.form.Fill("location", f.Location)

	return tui.Accepted()
}

// reopen opens the report with another filter and saves it as the last one used.
func (s *screen) reopen(f filter) tea.Cmd {
	if free, why := s.exporter.CanLeave(); !free {
		return tui.Warn(why)
	}

	query := f.query()
	site, route, operator, log := s.site, s.route, s.site.Operator(), s.Log

	return func() tea.Msg {
		if err := updateSaved(site, route, func(all *savedFilters) { all.setLast(operator, query) }); err != nil {
			log.Warn("cannot save last filter", "error", err) // the filter is applied anyway
		}
		return tui.Replace(route + "?" + query)()
	}
}

func (s *screen) apply() tea.Cmd {
	if !s.form.Validate() {
		return tui.Bell(2)
	}

	f := readForm(s.T, s.form, s.filter, s.Now())
	from, to, err := f.period(s.T, s.Now())
	switch {
	case err == nil && from != nil && to != nil && !from.Before(*to):
		s.form.SetProblem("to", s.T.NewError("before the first day"))
		return tui.Bell(2)
	case f.AsOf != "" && f.Operation != "":
		s.form.SetProblem("asOf", s.T.NewError("cannot be combined with As of"))
		return tui.Bell(2)
	}

	s.form = nil

	return s.reopen(f)
}
