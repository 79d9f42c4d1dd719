package goods

import (
	"fmt"
	"net/url"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *detail) Actions() []tui.Action {
	if s.product == nil {
		actions := []tui.Action{{ID: "products.retry", Keys: []string{"enter"}, Label: labelTryAgain, Run: s.load}}
		if s.notFound {
			actions = append(actions, tui.Action{ID: "products.new", Keys: []string{"f3"}, Label: shortMakeIt, Help: helpMakeAProductWith,
				Run: func() tea.Cmd { return tui.Replace("products/new?sku=" + url.QueryEscape(s.ref)) }})
		}
		return actions
	}
	p := s.product
	archived := func() string {
		if p.Status == api.Archived {
			return fmt.Sprintf(saidIsOutOfUse, p.SKU)
		}
		return ""
	}
	announce := func() string {
		if why := archived(); why != "" {
			return why
		}
		return noLocationReason(s.site)()
	}
	lead := func(id, key, label, help, route string, spec *api.Spec) tui.Action {
		return tui.Action{ID: "products." + id, Keys: []string{key}, Label: label, Help: help, NoFooter: id != "adjust",
			Disabled: func() string {
				if why := noLocationReason(s.site)(); why != "" {
					return why
				}
				return s.site.Denied(spec)
			}, Run: func() tea.Cmd { return tui.Open(route) }}
	}
	actions := []tui.Action{
		{ID: "products.stock", Keys: []string{"enter"}, Label: labelStock, Help: helpItsBalancesAtAll,
			Run: func() tea.Cmd { return tui.Open(stockRoute(p.SKU)) }},
		{ID: "products.announce", Keys: []string{"f3"}, Label: labelAnnounceADelivery, Short: shortAnnounce, Help: helpSayThatSomeOf,
			Disabled: announce, Run: func() tea.Cmd { return tui.Open(announceRoute(p.SKU)) }},
		lead("adjust", "f4", "adjust", helpAdjust, tui.Path("adjust", p.SKU), api.AdjustStock.Spec),
		lead("move", "f7", "move", helpMove, tui.Path("move", p.SKU), api.MoveStock.Spec),
		lead("reserve", "f10", "reserve", helpReserve, "reservations/new?sku="+url.QueryEscape(p.SKU), api.CreateReservation.Spec),
	}
	if len(p.Components) > 0 {
		actions = append(actions, lead("kit", "f6", "kits", helpKit, tui.Path("kit", p.SKU), api.DisassembleStock.Spec))
	}
	return append(actions, []tui.Action{
		{ID: "products.archive", Keys: []string{"f8"}, Label: labelArchive, Dangerous: true, Disabled: archived,
			Ask:  fmt.Sprintf(saidTakeOutOfUse, p.SKU, p.Name),
			Help: helpTakeTheProductOut, Run: s.archiveProduct},
		{ID: "products.reload", Keys: []string{"ctrl+r"}, Label: labelReadAnew, NoFooter: true, Run: s.load},
	}...)
}

func (s *detail) View(size tui.Size) string {
	t := s.env.Theme
	if s.product == nil {
		return dock.LoadingView(t, size, saidTheProduct, s.errText)
	}
	margin, width := "", size.Width
	var lines []string
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 110)
	}
	name := t.Strong.Render(widget.Clip(widget.Clean(s.product.Name), width))
	if s.product.Status == api.Archived {
		name = widget.Between(name, t.Warn("archived"), width)
	}
	lines = append(lines, margin+name)
	if !size.Small() {
		lines = append(lines, "")
	}
	rows := strings.Split(widget.Fields(t, width, productPairs(s.product, s.components)[2:]...), "\n")
	if size.Class == tui.Narrow {
		lines = append(lines, t.Muted.Render(widget.Rule(width)))
	}
	room := max(1, size.Height-len(lines))
	s.top = max(0, min(s.top, len(rows)-room))
	for _, row := range rows[s.top:min(len(rows), s.top+room)] {
		lines = append(lines, margin+row)
	}
	return strings.Join(lines, "\n")
}
