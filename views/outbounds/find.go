package outbounds

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/panel"
)

// findOrder finds the order with the scanned code, or those of the scanned item.
func findOrder(ctx context.Context, s *listscreen.Screen, r count.Label) (open func() tea.Cmd, err error) {
	t := s.T

	if r.HasNoCode() {
		return nil, t.NewError("%s is not an order. Scan the label of the order.", r.Name())
	}

	docs, err := s.Site.FindOutbounds(ctx, r.Codes[0])
	if len(docs) > 0 {
		return func() tea.Cmd { return chooseOutbound(t, docs) }, nil
	}

	matches, lookupErr := s.Site.Lookup(ctx, r.Codes...)
	for _, match := range matches {
		if lookupErr == nil && match.Product != nil {
			return func() tea.Cmd { return chooseByProduct(t, listscreen.Rows[*api.Outbound](s), match.Product) }, nil
		}
	}

	return nil, err
}

// chooseByProduct opens the order that needs a product: one that has stock, or else one that
// waits for it.
func chooseByProduct(t *i18n.Translator, rows []*api.Outbound, p *api.Product) tea.Cmd {
	var hits, waiting []api.Outbound
	for _, o := range rows {
		needs := func(l api.OutboundLine) bool { return l.ProductID == p.ID && l.FulfilledQuantity < l.RequestedQuantity }
		ready := func(l api.OutboundLine) bool { return l.ProductID == p.ID && l.PendingFulfillmentQuantity > 0 }
		switch {
		case slices.ContainsFunc(lines(o), ready):
			hits = append(hits, *o)
		case slices.ContainsFunc(lines(o), needs):
			waiting = append(waiting, *o)
		}
	}

	if len(hits) == 0 {
		hits = waiting
	}
	if len(hits) == 0 {
		return tui.Fail(t.NewError("No order here needs %s (%s).", p.SKU, p.Name))
	}

	return chooseOutbound(t, hits)
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
	return tui.Accept(panel.Choose(t.Get("Which order?"), hits, choice(t), openOrder))
}

func openAction(t *i18n.Translator) tui.Action {
	return tui.Action{ID: "fulfill.open", Label: t.GetC("open", "verb"), Help: t.Get("Fulfill the selected order")}
}

func route(o *api.Outbound) string { return tui.Path("fulfill", o.ID.String()) }

func openOrder(o *api.Outbound) tea.Cmd { return tui.Open(route(o)) }
