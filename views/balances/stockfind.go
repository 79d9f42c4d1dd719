package balances

import (
	"context"
	"errors"
	"fmt"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/catalog"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// foundMsg is the result of looking up a scan.
type foundMsg struct {
	match catalog.Match
	err   error
}

// OnScan filters the list by the scanned product or location, or opens the scanned
// document.
func (s *stock) OnScan(got scan.Scan) tea.Cmd {
	r := count.ParseLabel(s.env.T, got)
	if r.Problem != "" && got.Kind != scan.KindGTIN {
		return tui.Fail(errors.New(s.env.T.Get("Unreadable label: %s. Scan it again.", s.env.T.Message(r.Problem))))
	}
	return s.find(r.Codes...)
}

func (s *stock) find(codes ...string) tea.Cmd {
	s.finding = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		match, err := catalog.Find(ctx, s.site, codes...)
		return foundMsg{match, err}
	})
}

func (s *stock) showFound(msg foundMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return tui.Fail(fmt.Errorf("%s", submit.UserMessage(s.env.T, msg.err)))
	case msg.match.Document != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.match.Document))
	case msg.match.TraceRoute() != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.match.TraceRoute()))
	case msg.match.Product != nil:
		s.product, s.location, s.inStock = msg.match.Product, nil, false // wherever it is or was
	}
	if msg.match.Location != nil {
		s.location = msg.match.Location
	}
	s.question.Set("")
	s.rows = nil
	s.pages.Clear()
	return tea.Batch(tui.Accepted(), s.load())
}
