package balances

import (
	"context"
	"fmt"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// foundMsg is what a scanned code was found to be.
type foundMsg struct {
	thing catalogue.Thing
	err   error
}

// OnScan narrows the list to the product or location of the code; the label of
// a document opens it.
func (s *stock) OnScan(got scan.Scan) tea.Cmd {
	r := dock.Read(got)
	if r.Fault != "" && got.Kind != scan.KindGTIN {
		return tui.Fail(fmt.Errorf(saidTheLabelCannotBe, r.Fault))
	}
	return s.find(r.Codes...)
}

func (s *stock) find(codes ...string) tea.Cmd {
	s.finding = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		thing, err := catalogue.Find(ctx, s.site, codes...)
		return foundMsg{thing, err}
	})
}

func (s *stock) found(msg foundMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return tui.Fail(fmt.Errorf("%s", dock.Words(msg.err)))
	case msg.thing.Document != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.thing.Document))
	case msg.thing.Trace() != "":
		return tea.Batch(tui.Accepted(), tui.Open(msg.thing.Trace()))
	case msg.thing.Product != nil:
		s.product = msg.thing.Product
	}
	if msg.thing.Location != nil {
		s.place = msg.thing.Location
	}
	s.question.Set("")
	s.all = nil
	s.pages.Forget()
	return tea.Batch(tui.Accepted(), s.load())
}
