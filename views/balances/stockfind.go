package balances

import (
	"context"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/catalog"
	"bincard/views/count"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

// OnScan filters the list by the scanned product or location, or opens the scanned
// document.
func (s *stock) OnScan(got scan.Scan) tea.Cmd {
	r := count.ParseLabel(s.T, got)
	if r.Problem != "" && got.Kind != scan.KindGTIN {
		return tui.Fail(s.T.NewError("Unreadable label: %s. Scan it again.", s.T.Message(r.Problem)))
	}
	return s.find(r.Codes...)
}

func (s *stock) find(codes ...string) tea.Cmd {
	return s.LookUp(s.Env, func(ctx context.Context) (func() tea.Cmd, error) {
		match, err := catalog.Find(ctx, s.site, codes...)
		return func() tea.Cmd { return s.showFound(match, err) }, nil
	})
}

func (s *stock) showFound(match catalog.Match, err error) tea.Cmd {
	switch {
	case err != nil:
		return panel.FailScan(s.site, err)
	case match.Document != "":
		return tui.Accept(tui.Open(match.Document))
	case match.TraceRoute() != "":
		return tui.Accept(tui.Open(match.TraceRoute()))
	case match.Product != nil:
		s.product, s.location, s.inStock = match.Product, nil, false // wherever it is or was
	}

	if match.Location != nil {
		s.location = match.Location
	}

	s.question.Set("")
	s.rows = nil
	s.pages.Clear()

	return tui.Accept(s.load())
}
