package reports

import "bincard/views/export"

// exportContent returns the rows of the report, or the totals if they are open.
func (s *screen) exportContent() export.Content {
	if !s.totals.open {
		return export.Content{Name: s.route, Title: s.noun, Source: s.source(s.fetchPage())}
	}

	p := s.parts[s.totals.current]

	return export.Content{
		Name:  s.route + " " + p.title,
		Title: s.noun + " " + p.title,
		Source: export.FromRows([]export.Column[flow]{
			export.Text(p.header, func(l *flow) string { return l.Name }),
			export.Number("rows", func(l *flow) int64 { return l.Rows }),
			export.Number("in", func(l *flow) int64 { return l.In }),
			export.Number("out", func(l *flow) int64 { return l.Out }),
			export.Number("net", func(l *flow) int64 { return l.netQuantity() }),
		}, s.totals.list.Rows()),
	}
}
