package balances

import (
	"context"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/catalog"
	"bincard/views/listscreen"
	"bincard/views/panel"
	"bincard/views/session"
)

// Stock returns the factory of the search over the balances. It opens with those in stock
// at the operator's location.
func Stock(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		s := &stock{
			Env:  env,
			site: site,
			pages: listscreen.NewPages("balances", env.T.Get("balances"),
				func(r *api.SnapshotRow) string { return r.ID.String() }),
		}

		s.reset()
		s.sorter = listscreen.NewSorter(site, "stock", s.columns)

		return s, nil
	}
}

// stock lists balances by SKU. The service filters by scanned product or location, the
// screen by typed words.
type stock struct {
	panel.ScanLookup
	tui.Env

	site     *session.Site
	pages    *listscreen.Pages
	rows     []any // as loaded; the list holds the ones that match
	sorter   listscreen.Sorter
	question widget.Question
	product  *api.ProductRef
	location *api.PlaceRef
	inStock  bool
	top      int     // lines above the list in the last view
	digits   int     // width of the widest number
	shelved  bool    // whether a row has a shelf
	expired  expired // of the selected balance
}

func (s *stock) Refresh() tea.Cmd { return s.pages.Refresh() }

func (s *stock) Title() string {
	title := s.T.Get("Stock")
	if s.product != nil {
		title += " › " + s.product.SKU + " " + s.product.Name
	}
	return widget.Clean(title + " › " + s.scopeText())
}

// ShortTitle returns the product, or the number of rows.
func (s *stock) ShortTitle() string {
	switch {
	case s.product != nil:
		return widget.Clean(s.product.SKU)
	case !s.pages.Loaded():
		return s.T.Get("Stock")
	}

	return s.T.Get("Stock") + " (" + s.pages.Count(s.pages.List.Len(), len(s.rows)) + ")"
}

// scopeText says how many balances are listed and which: "198 in stock at WH-1".
func (s *stock) scopeText() string {
	t, scope := s.T, ""
	switch {
	case s.location != nil && s.inStock:
		scope = t.Get("in stock at %s", s.location.Code)
	case s.location != nil:
		scope = t.Get("at %s", s.location.Code)
	case s.inStock:
		scope = t.Get("items in stock everywhere")
	default:
		scope = t.Get("everywhere")
	}

	if !s.pages.Loaded() {
		return scope
	}

	return s.pages.Count(s.pages.List.Len(), len(s.rows)) + " " + scope
}

// reset shows what is in stock at the operator's location.
func (s *stock) reset() {
	s.product, s.location, s.inStock = nil, nil, true
	if here := s.site.Location(); here.IsSet() {
		s.location = &api.PlaceRef{ID: here.ID, Code: here.Code, Name: here.Name}
	}
}

// load requests the balances. The current rows stay until they arrive.
func (s *stock) load() tea.Cmd {
	limit := int64(500)
	in := api.ReportSnapshotInput{Limit: &limit}
	if s.product != nil {
		in.ProductID = s.product.ID
	}
	if s.location != nil {
		in.LocationID = s.location.ID
	}
	if s.inStock {
		in.Status = api.StockIn
	}

	return s.pages.Load(s.Env, listscreen.ReadAhead(
		listscreen.Boxed(func(ctx context.Context, cursor string) ([]api.SnapshotRow, *string, error) {
			in := in
			in.Cursor = cursor
			page, err := catalog.Snapshot(ctx, s.site, in)
			return page.Items, page.NextCursor, err
		}),
		listscreen.SortLimit,
	))
}

func (s *stock) AcceptsKey(k tea.KeyMsg) bool {
	if k.Type == tea.KeyEnter {
		return false
	}
	return s.question.AcceptsKey(k)
}

// applyFilter shows the balances that contain every typed word.
func (s *stock) applyFilter() {
	words := strings.Fields(strings.ToLower(s.question.Value()))
	var matching []any
	for _, row := range s.rows {
		r := row.(*api.SnapshotRow)
		text := strings.ToLower(
			r.ProductSKU + " " + r.ProductName + " " + r.LocationCode + " " + r.LocationName + " " + r.Shelf,
		)
		if containsAll(text, words) {
			matching = append(matching, r)
		}
	}

	s.pages.List.SetRows(matching)
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}

	return true
}

// loadNear reads what the selected balance and the rows near it need.
func (s *stock) loadNear() tea.Cmd { return tea.Batch(s.pages.LoadNear(), s.readExpired()) }

func (s *stock) readExpired() tea.Cmd {
	r, ok := s.pages.List.Selected().(*api.SnapshotRow)
	if !ok {
		return nil
	}
	return s.expired.read(s.Env, s.site, *r)
}

func (s *stock) open() tea.Cmd {
	r, ok := s.pages.List.Selected().(*api.SnapshotRow)
	if !ok {
		return nil
	}
	return tui.Open(catalog.Route(r))
}

func (s *stock) copyRow() tea.Cmd {
	r, ok := s.pages.List.Selected().(*api.SnapshotRow)
	if !ok {
		return nil
	}

	cells := []string{r.ProductSKU, r.ProductName, r.LocationCode}
	for _, state := range api.States {
		cells = append(cells, fmt.Sprint(r.Of(state)))
	}

	return tui.Copy(strings.Join(cells, "\t"))
}
