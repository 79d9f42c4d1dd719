package reports

import (
	"fmt"

	"bincard/views/export"
)

// exportContent returns the rows of the report, or the totals if they are open.
func (s *screen) exportContent() export.Content {
	if !s.totals.open {
		return export.Content{Name: s.route, Title: s.noun, Source: s.source(s.fetchPage())}
	}
	p := s.parts[s.totals.current]
	number := func(name string, of func(*flow) int64) export.Column[flow] {
		return export.Column[flow]{Name: name, Literal: true, Value: func(l *flow) string { return fmt.Sprint(of(l)) }}
	}
	return export.Content{Name: s.route + " " + p.title, Title: s.noun + " " + p.title, Source: export.FromRows([]export.Column[flow]{
		{Name: p.header, Value: func(l *flow) string { return l.Name }}, number("rows", func(l *flow) int64 { return l.Rows }),
		number("in", func(l *flow) int64 { return l.In }), number("out", func(l *flow) int64 { return l.Out }),
		number("net", func(l *flow) int64 { return l.netQuantity() })}, s.totals.list.Rows())}
}
