package inbounds

import (
	"errors"
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/names"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

// newFinder returns the finder of inbounds by reference or item.
func (s *list) newFinder() panel.ScanFinder[api.Inbound] {
	return panel.ScanFinder[api.Inbound]{Site: s.site, Rows: s.panel.Rows, Name: names.Inbound, SKU: sku,
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
		return t.Get("%s  %s  %s pending", names.Inbound(in), sku(in), t.Count(in.Pending())) + "  " + in.SupplierName
	}
	return tea.Batch(tui.Accepted(), panel.Choose(t.Get("Which inbound?"), hits, line, openInbound))
}
