package inbounds

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

type foundMsg struct {
	reading dock.Reading
	targets []dock.Target
	product *api.Product
	err     error
}

// find opens the inbound that a scan names, or that of the goods it names.
func (s *list) find(r dock.Reading) tea.Cmd {
	var hits []api.Inbound
	for _, in := range s.board.Rows() {
		for _, code := range r.Codes {
			goods := dock.Goods{SKU: sku(&in)}
			if _, _, ok := goods.Match(code); ok || code == dock.InboundName(&in) || code == in.ID.String() {
				hits = append(hits, in)
				break
			}
		}
	}
	if len(hits) > 0 {
		return choose(hits)
	}
	s.finding = true
	return s.env.Do(func(ctx context.Context) tea.Msg {
		m := foundMsg{reading: r}
		var matches []api.Match
		matches, m.err = s.site.LookUp(ctx, r.Codes...)
		for _, match := range matches {
			if match.Product != nil {
				m.product = match.Product
			}
		}
		if m.product == nil {
			m.targets, m.err = s.site.Resolve(ctx, r)
		}
		return m
	})
}

func (s *list) found(m foundMsg) tea.Cmd {
	if m.err != nil {
		return tui.Fail(errors.New(dock.Words(m.err)))
	}
	if m.product == nil {
		return dock.Follow(s.site, m.targets)
	}
	var hits []api.Inbound
	for _, in := range s.board.Rows() {
		if in.ProductID == m.product.ID {
			hits = append(hits, in)
		}
	}
	if len(hits) == 0 {
		return tui.Fail(fmt.Errorf("No inbound of %s (%s) is expected here.", m.product.SKU, m.product.Name),
			tui.Action{ID: "receive.announce", Keys: []string{"f3"}, Label: "announce it",
				Run: func() tea.Cmd { return tui.Open("receive/new?sku=" + url.QueryEscape(m.product.SKU)) }})
	}
	return choose(hits)
}

// choose opens the one inbound there is, or asks which; the due one comes first.
func choose(hits []api.Inbound) tea.Cmd {
	if len(hits) == 1 {
		return tea.Batch(tui.Accepted(), open(&hits[0]))
	}
	options := make([]string, len(hits))
	for i, in := range hits {
		options[i] = fmt.Sprintf("%s  %s  %s pending  %s", dock.InboundName(&in), sku(&in), widget.Count(in.Pending()), in.SupplierName)
	}
	return tea.Batch(tui.Accepted(), tui.Choose(tui.Choice{Text: "Which inbound?", Options: options,
		OnChoice: func(i int) tea.Cmd { return open(&hits[i]) }}))
}
