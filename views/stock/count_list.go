package stock

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"
)

// listedItems returns the items of a list of SKUs and those that were added to it.
func listedItems(ctx context.Context, site *session.Site, catalog map[api.ID]count.Item, skus []string,
	added []api.ID) (map[api.ID]count.Item, error) {
	bySKU := make(map[string]count.Item, len(catalog))
	for _, item := range catalog {
		bySKU[item.SKU] = item
	}

	out := make(map[api.ID]count.Item, len(skus)+len(added))
	for _, sku := range skus {
		item, known := bySKU[sku]
		if !known {
			found, err := site.FindItem(ctx, count.Label{Codes: []string{sku}, Scan: scan.Scan{Text: sku}})
			if err != nil {
				return nil, err
			}
			item = *found
		}

		out[item.ID] = item
	}

	for _, id := range added {
		item, known := catalog[id]
		if !known {
			var err error
			item, err = site.Item(ctx, id, nil)
			if err != nil {
				return nil, err
			}
		}

		out[id] = item
	}

	return out, nil
}

// addEmptyRows adds a row for each item that has none.
func (x *stockRows) addEmptyRows(items map[api.ID]count.Item) {
	for id, item := range items {
		x.items[id] = item
		if !slices.ContainsFunc(x.rows, func(r *stockRow) bool { return r.Product == id }) {
			x.rows = append(x.rows, &stockRow{Product: id, SKU: item.SKU, item: item})
		}
	}
}

// addedMsg carries the stock of a product to be added to the count of a list.
type addedMsg struct {
	product api.ID
	stock   *stockRows
	scan    scan.Scan
	err     error
}

// askToAdd asks whether a scanned product is added to the count of a list, and adds it with
// its recorded stock.
func (s *countScreen) askToAdd(r count.Label, p *api.Product) tea.Cmd {
	text, location, id := s.T.Get("%s is not in this count. Add it?", p.SKU), s.location, p.ID

	return tui.ConfirmScan(text, r.Scan, func() tea.Cmd {
		s.lookingUp = true
		return s.Do(func(ctx context.Context) tea.Msg {
			stock, err := loadStock(ctx, s.site, location, []string{p.SKU})
			if err == nil {
				stock.addEmptyRows(map[api.ID]count.Item{id: count.ItemOf(p)})
			}
			return addedMsg{product: id, stock: stock, scan: r.Scan, err: err}
		})
	})
}

// productAdded adds the lines of a product and counts its scan.
func (s *countScreen) productAdded(m addedMsg) tea.Cmd {
	s.lookingUp = false
	if m.err != nil {
		return tui.Fail(s.T.NewError("%s was not counted. %s", m.scan.Text,
			submit.UserMessage(s.T, m.err)))
	}

	s.Added = append(s.Added, m.product)
	s.panel.Current = len(s.panel.Lines)
	for _, r := range m.stock.rows {
		s.stock.items[r.Product], s.rows[r.key()] = r.item, r
		s.panel.Lines = append(s.panel.Lines, newLine(r))
	}

	s.panel.Document.Name = s.Title()

	return s.OnScan(m.scan)
}
