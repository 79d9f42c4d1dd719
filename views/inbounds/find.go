package inbounds

import (
	"fmt"
	"net/url"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// newFinder finds the inbound that a scan names, or that of the goods it names.
func (s *list) newFinder() dock.ScanFinder[api.Inbound] {
	return dock.ScanFinder[api.Inbound]{Site: s.site, Rows: s.panel.Rows, Name: dock.InboundName, SKU: sku,
		ID:      func(in *api.Inbound) api.ID { return in.ID },
		Product: func(in *api.Inbound) api.ID { return in.ProductID },
		Choose:  chooseInbound,
		NotFoundText: func(p *api.Product) tea.Cmd {
			return tui.Fail(fmt.Errorf(noneOfProduct, p.SKU, p.Name),
				tui.Action{ID: "receive.announce", Keys: []string{"f3"}, Label: labelAnnounce,
					Run: func() tea.Cmd { return tui.Open("receive/new?sku=" + url.QueryEscape(p.SKU)) }})
		}}
}

// chooseInbound opens the one inbound there is, or asks which; the due one comes first.
func chooseInbound(hits []api.Inbound) tea.Cmd {
	line := func(in *api.Inbound) string {
		return fmt.Sprintf(choiceLine+"  %s", dock.InboundName(in), sku(in), widget.Count(in.Pending()), in.SupplierName)
	}
	return tea.Batch(tui.Accepted(), dock.Choose(askWhich, hits, line, openInbound))
}
