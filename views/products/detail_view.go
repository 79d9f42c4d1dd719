package products

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/label"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/labels"
	"bincard/views/names"
	"bincard/views/panel"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *detail) Actions() []tui.Action {
	t := s.T

	if s.product == nil {
		actions := []tui.Action{{ID: "products.retry", Key: "enter", Label: t.Get("retry"), Run: s.load}}
		if s.notFound {
			actions = append(actions, tui.Action{
				ID:    "products.new",
				Key:   "f3",
				Label: t.Get("create"),
				Help:  t.Get("Create a product with this SKU"),
				Run:   func() tea.Cmd { return tui.Replace("products/new?sku=" + url.QueryEscape(s.ref)) },
			})
		}

		return actions
	}

	p := s.product
	archived := func() string {
		if p.Status == api.Archived {
			return t.Get("%s is archived", p.SKU)
		}
		return ""
	}

	whyNoDelivery := func() string {
		if why := archived(); why != "" {
			return why
		}
		return noLocationReason(s.site)()
	}

	openAction := func(id, key, label, help, route string, spec *api.Spec) tui.Action {
		return tui.Action{ID: "products." + id, Key: key, Label: label, Help: help, NoFooter: id != "adjust",
			Disabled: func() string {
				if why := noLocationReason(s.site)(); why != "" {
					return why
				}
				return s.site.Denied(spec)
			}, Run: tui.Opens(route)}
	}

	actions := []tui.Action{
		{
			ID:    "products.stock",
			Key:   "enter",
			Label: t.Get("stock"),
			Help:  t.Get("Show its stock at all locations"),
			Run:   tui.Opens(stockRoute(p.SKU)),
		},
		{
			ID:       "products.announce",
			Key:      "f3",
			Label:    t.Get("create a delivery"),
			Short:    t.Get("delivery"),
			Help:     t.Get("Create an expected delivery of this product"),
			Disabled: whyNoDelivery,
			Run:      tui.Opens(newDeliveryRoute(p.SKU)),
		},
		openAction("adjust", "f6", t.Get("adjust"), t.Get("Adjust its stock here"), tui.Path("adjust", p.SKU),
			api.AdjustStock.Spec),
		openAction("move", "f7", t.Get("move"), t.Get("Move its stock here between states"), tui.Path("move", p.SKU),
			api.MoveStock.Spec),
		openAction("reserve", "f11", t.Get("reserve"), t.Get("Reserve some of it for a customer or order"),
			"reservations/new?sku="+url.QueryEscape(p.SKU), api.CreateReservation.Spec),
	}

	if len(p.Components) > 0 {
		actions = append(
			actions,
			openAction("kit", "f4", t.Get("kits"), t.Get("Assemble or disassemble kits"), tui.Path("kit", p.SKU),
				api.DisassembleStock.Spec),
		)
	}

	actions = append(actions,
		labels.PrintActions(s.site, labels.Always(labels.Request{Kind: label.KindProduct, Subject: p.SKU}))...)
	if r, ok := labels.NewNumbers(s.site, count.ItemOf(p), 0); ok {
		actions = append(actions, labels.NewNumbersAction(t, r))
	}

	return append(actions, []tui.Action{
		panel.ShelfAction(s.site, count.ItemOf(p)),
		{
			ID:       "products.correct",
			Key:      "ctrl+e",
			Label:    t.Get("correct"),
			NoFooter: true,
			Help:     t.Get("Correct its name, units, tracking, reorder point or what it contains"),
			Disabled: func() string { return cmp.Or(archived(), s.site.Denied(api.ChangeProduct.Spec)) },
			Run:      tui.Opens(correctRoute(t, p, s.refs.parts)),
		},
		{
			ID:       "products.unlink",
			Key:      "f8",
			Label:    t.Get("unlink a barcode"),
			NoFooter: true,
			Help:     t.Get("Unlink a barcode that does not belong to the product"),
			Disabled: func() string { return s.site.Denied(api.UnlinkBarcode.Spec) },
			Run:      tui.Opens(panel.UnlinkRoute(p.SKU)),
		},
		{
			ID:        "products.archive",
			Key:       panel.CancelKey,
			Label:     t.Get("archive"),
			Dangerous: true,
			Disabled:  archived,
			Ask:       t.Get("Archive %s (%s) permanently? Its stock and history stay readable.", p.SKU, p.Name),
			Yes:       t.Get("archive the product"),
			No:        t.Get("keep it"),
			Help:      t.Get("Archive the product; its stock and history stay readable"),
			Run:       s.archiveProduct,
		},
		{
			ID:       "products.reload",
			Key:      "ctrl+r",
			Label:    t.Get("refresh"),
			Help:     t.Get("Load the latest data"),
			NoFooter: true,
			Run:      s.load,
		},
	}...)
}

func (s *detail) View(size tui.Size) string {
	t := s.Theme
	if s.product == nil {
		return panel.LoadingView(s.T, t, size, s.T.Get("the product"), s.errText)
	}

	margin, width := "", size.Width
	var lines []string
	if !size.Small() {
		margin, width = " ", min(size.Width-2, 110)
	}

	name := t.Strong.Render(widget.Clip(widget.Clean(s.product.Name), width))
	if s.product.Status == api.Archived {
		name = widget.Between(name, t.Warn(names.Status(s.T, s.product.Status)), width)
	}

	lines = append(lines, margin+name)
	if !size.Small() {
		lines = append(lines, "")
	}

	pairs := append(
		productPairs(s.T, s.product, s.refs)[2:],
		historyPairs(s.T, s.Now(), s.product, s.refs, s.history)...)
	rows := strings.Split(widget.Details(t, width, pairs...), "\n")
	if size.Class == tui.Narrow {
		lines = append(lines, t.Muted.Render(widget.Rule(width)))
	}

	room := max(1, size.Height-len(lines))
	s.top = max(0, min(s.top, len(rows)-room))
	visible := slices.Clone(rows[s.top:min(len(rows), s.top+room)])
	if more := len(rows) - s.top - len(visible); more > 0 {
		visible[len(visible)-1] = t.Muted.Render(s.T.Get("↓ %s more", s.T.Count(int64(more+1))))
	}
	for _, row := range visible {
		lines = append(lines, margin+row)
	}

	return strings.Join(lines, "\n")
}
