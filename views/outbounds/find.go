package outbounds

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

type foundMsg struct {
	reading dock.Reading
	docs    []api.Outbound
	product *api.Product
	targets []dock.Target
	err     error
}

// find opens the order that a code names, or one of the goods that it names.
func (s *orders) find(r dock.Reading) tea.Cmd {
	if r.Bare() {
		return tui.Fail(fmt.Errorf(saidNamesNoOrderScan, r.Name()))
	}
	s.finding = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := foundMsg{reading: r}
		m.docs, m.err = s.site.FindOutbounds(ctx, r.Codes[0])
		if len(m.docs) > 0 {
			return m
		}
		if matches, err := s.site.LookUp(ctx, r.Codes...); err == nil {
			for _, match := range matches {
				if match.Product != nil {
					m.product, m.err = match.Product, nil
					return m
				}
			}
		}
		if s.listed() {
			m.targets, m.err = s.site.Resolve(ctx, r)
		}
		return m
	})
}

func (s *orders) found(m foundMsg) tea.Cmd {
	switch {
	case len(m.docs) > 0:
		return choose(m.docs)
	case m.err != nil:
		return tui.Fail(errors.New(dock.Words(m.err)))
	case m.product == nil:
		return dock.Follow(s.site, m.targets)
	}
	var hits []api.Outbound
	for _, o := range s.board.Rows() {
		for _, l := range lines(&o) {
			if l.ProductID == m.product.ID && l.PendingFulfillmentQuantity > 0 {
				hits = append(hits, o)
				break
			}
		}
	}
	if len(hits) == 0 {
		return tui.Fail(fmt.Errorf(noneOfProduct, m.product.SKU, m.product.Name))
	}
	return choose(hits)
}

// choice is an order where it is asked which of several is meant.
func choice(o *api.Outbound) string {
	return fmt.Sprintf(saidToSend, dock.OutboundName(o), o.CustomerName, goods(o),
		widget.Count(o.RequestedQuantity-o.FulfilledQuantity), status(o.Status))
}

// choose opens the one order there is, or asks which; what leaves first comes first.
func choose(hits []api.Outbound) tea.Cmd {
	open := func(o *api.Outbound) tea.Cmd { return tui.Open(tui.Path("fulfill", o.ID.String())) }
	return tea.Batch(tui.Accepted(), dock.Which(askWhich, hits, choice, open))
}
