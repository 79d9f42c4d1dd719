package outbounds

import (
	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/submit"
)

func (s *newOrderForm) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case itemMsg:
		s.lookingUp = false
		if msg.err != nil {
			if msg.typed {
				s.form.Focus("product")
			}
			return s, panel.FailScan(s.site, msg.err)
		}

		return s, s.itemFound(msg)

	case submit.Answer:
		return s, s.created(msg)
	case tea.KeyMsg:
		if s.AcceptsKey(msg) {
			return s, s.key(msg)
		}
	}

	return s, nil
}

// OnScan adds one piece for a product code, or the content of a box for a box code.
func (s *newOrderForm) OnScan(got scan.Scan) tea.Cmd {
	if s.submission.Unfinished() {
		return tui.Fail(
			s.T.NewError("The order has no answer yet. Nothing was added: press enter to retry."))
	}
	return s.lookUp(count.ParseLabel(s.T, got), itemMsg{})
}

// key handles enter: in the product field it adds a line, in the quantity field it adds
// the product before it, or sets the quantity of the current line.
func (s *newOrderForm) key(k tea.KeyMsg) tea.Cmd {
	field := s.form.Focused()
	switch {
	case k.Type != tea.KeyEnter:
	case field == "product" && s.form.Value("product") != "":
		if s.form.Value("quantity") == "" {
			s.form.Focus("quantity")
		}
		return s.addTyped(false)
	case field == "quantity" && s.form.Value("quantity") != "":
		s.form.Focus("product")
		if s.form.Value("product") != "" {
			return s.addTyped(false)
		}
		if err := s.setQuantity(); err != nil {
			return tui.Fail(err)
		}
		return nil
	}

	if s.form.Key(k) {
		return s.submit()
	}

	return nil
}
