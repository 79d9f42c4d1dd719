package outbounds

import (
	"context"
	"errors"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

type foundMsg struct {
	label        count.Label
	docs         []api.Outbound
	product      *api.Product
	destinations []session.Destination
	err          error
}

// find opens the order with the scanned code, or an order of the scanned item.
func (s *orders) find(r count.Label) tea.Cmd {
	if r.HasNoCode() {
		return tui.Fail(errors.New(s.site.T().Get("%s is not an order. Scan the label of the order.", r.Name())))
	}
	s.finding = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := foundMsg{label: r}
		m.docs, m.err = s.site.FindOutbounds(ctx, r.Codes[0])
		if len(m.docs) > 0 {
			return m
		}
		if matches, err := s.site.Lookup(ctx, r.Codes...); err == nil {
			for _, match := range matches {
				if match.Product != nil {
					m.product, m.err = match.Product, nil
					return m
				}
			}
		}
		if s.canList() {
			m.destinations, m.err = s.site.Resolve(ctx, r)
		}
		return m
	})
}

func (s *orders) lookupAnswered(m foundMsg) tea.Cmd {
	switch {
	case len(m.docs) > 0:
		return chooseOutbound(s.site.T(), m.docs)
	case m.err != nil:
		return tui.Fail(errors.New(submit.UserMessage(s.site.T(), m.err)))
	case m.product == nil:
		return panel.Navigate(s.site, m.destinations)
	}
	var hits []api.Outbound
	for _, o := range s.panel.Rows() {
		for _, l := range lines(&o) {
			if l.ProductID == m.product.ID && l.PendingFulfillmentQuantity > 0 {
				hits = append(hits, o)
				break
			}
		}
	}
	if len(hits) == 0 {
		return tui.Fail(errors.New(s.site.T().Get("No order here needs %s (%s).", m.product.SKU, m.product.Name)))
	}
	return chooseOutbound(s.site.T(), hits)
}

// choice returns the text of an order in a choice of several.
func choice(t *i18n.Translator) func(o *api.Outbound) string {
	return func(o *api.Outbound) string {
		return t.Get("%s  %s  %s  %s to go  %s", names.Outbound(o), o.CustomerName, productText(t, o),
			t.Count(o.RequestedQuantity-o.FulfilledQuantity), names.Status(t, o.Status))
	}
}

// chooseOutbound opens the only order, or asks which.
func chooseOutbound(t *i18n.Translator, hits []api.Outbound) tea.Cmd {
	open := func(o *api.Outbound) tea.Cmd { return tui.Open(tui.Path("fulfill", o.ID.String())) }
	return tea.Batch(tui.Accepted(), panel.Choose(t.Get("Which order?"), hits, choice(t), open))
}
