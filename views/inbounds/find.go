package inbounds

import (
	"errors"
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// newFinder returns the finder of inbounds by reference or item.
func (s *list) newFinder() dock.ScanFinder[api.Inbound] {
	return dock.ScanFinder[api.Inbound]{Site: s.site, Rows: s.panel.Rows, Name: dock.InboundName, SKU: sku,
		ID:      func(in *api.Inbound) api.ID { return in.ID },
		Product: func(in *api.Inbound) api.ID { return in.ProductID },
		Choose:  func(hits []api.Inbound) tea.Cmd { return chooseInbound(s.site.T(), hits) },
		NotFoundText: func(p *api.Product) tea.Cmd {
			return tui.Fail(errors.New(s.site.T().Get("No delivery of %s (%s) is expected here.", p.SKU, p.Name)),
				tui.Action{ID: "receive.announce", Keys: []string{"f3"}, Label: s.site.T().Get("add delivery"),
					Run: func() tea.Cmd { return tui.Open("receive/new?sku=" + url.QueryEscape(p.SKU)) }})
		}}
}

// chooseInbound opens the only inbound, or asks which.
func chooseInbound(t *i18n.Translator, hits []api.Inbound) tea.Cmd {
	line := func(in *api.Inbound) string {
		return t.Get("%s  %s  %s pending", dock.InboundName(in), sku(in), t.Count(in.Pending())) + "  " + in.SupplierName
	}
	return tea.Batch(tui.Accepted(), dock.Choose(t.Get("Which inbound?"), hits, line, openInbound))
}
