package products

import (
	"net/url"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
)

// Route returns the route of a product: by SKU, or by ID if the SKU is the name of
// another route.
func Route(p *api.Product) string {
	switch strings.ToLower(p.SKU) {
	case "new", "link", "unlink":
		return tui.Path("products", p.ID.String())
	}
	return tui.Path("products", p.SKU)
}

func stockRoute(sku string) string { return "stock?sku=" + url.QueryEscape(sku) }

func newDeliveryRoute(sku string) string { return "receive/new?sku=" + url.QueryEscape(sku) }

func openProduct(p *api.Product) tea.Cmd { return tui.Open(Route(p)) }
