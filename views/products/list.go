package products

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// maxProducts is the number of products that are loaded at once. If there are more,
// the service does the search.
const maxProducts = 500

// List returns the factory of the product list.
func List(site *dock.Site) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site}, nil }
}

// list is the screen of all products, sorted by SKU.
type list struct {
	site       *dock.Site
	env        tui.Env
	panel      dock.ListPanel[api.Product]
	search     widget.Input
	query      atomic.Value // string: the query sent to the service; also read outside the update loop
	incomplete bool         // not all products are loaded
	finding    bool
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.query.Store("")
	s.panel = dock.ListPanel[api.Product]{Noun: env.T.Get("products"), Load: s.load, FilterText: func(api.Product) string { return "" },
		Detail: func(p api.Product) string { return p.Name }}
	s.panel.List = widget.NewList(func(p api.Product) string { return p.ID.String() }, s.columns(tui.Standard)...)
	return s.panel.Init(env)
}

// load requests the products that match the query.
func (s *list) load(ctx context.Context) (rows []api.Product, more bool, err error) {
	limit := int64(100)
	in := api.ListProductsInput{Query: s.query.Load().(string), Page: api.Page{Limit: &limit}}
	for {
		page, err := dock.Call(ctx, s.site, api.ListProducts, in)
		if dock.IsUnsupported(err) {
			return nil, false, errors.New(s.site.T().Get("This service has no product catalog. Products come from another system."))
		}
		if err != nil {
			return nil, false, err
		}
		rows = append(rows, page.Items...)
		if page.NextCursor == nil || len(rows) >= maxProducts {
			more = page.NextCursor != nil
			break
		}
		in.Cursor = *page.NextCursor
	}
	slices.SortStableFunc(rows, func(a, b api.Product) int { return cmp.Compare(strings.ToLower(a.SKU), strings.ToLower(b.SKU)) })
	return rows, more, nil
}

func (s *list) Title() string                { return s.site.T().Get("Products") }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.search.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.panel.Reload() }
func (s *list) Busy() bool                   { return s.finding }

// OnScan opens the scanned product, or offers to create one with an unknown code.
func (s *list) OnScan(x scan.Scan) tea.Cmd {
	s.finding = true
	return lookUp(s.env, s.site, dock.ParseLabel(s.site.T(), x))
}

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		s.finding = false
		if msg.product != nil {
			return s, tea.Batch(tui.Accepted(), tui.Open(Route(msg.product)))
		}
		return s, msg.navigate(s.site)
	case tea.KeyMsg:
		if s.search.AcceptsKey(msg) {
			s.search.Key(msg)
			return s, s.runSearch()
		}
	}
	cmd, _ := s.panel.Update(msg)
	if s.query.Load() == "" {
		s.incomplete = len(s.panel.Rows()) >= maxProducts
	}
	s.applyFilter()
	return s, cmd
}

// runSearch filters the loaded products, and asks the service if not all are loaded.
func (s *list) runSearch() tea.Cmd {
	s.applyFilter()
	if !s.incomplete && s.query.Load() == "" {
		return nil
	}
	s.query.Store(strings.TrimSpace(s.search.Value()))
	return s.panel.Reload()
}

// applyFilter shows the products that contain every typed word.
func (s *list) applyFilter() {
	words := strings.Fields(strings.ToLower(s.search.Value()))
	if len(words) == 0 {
		s.panel.List.SetRows(s.panel.Rows())
		return
	}
	var matching []api.Product
	for _, p := range s.panel.Rows() {
		text := strings.ToLower(p.SKU + " " + p.Name + " " + strings.Join(p.Barcodes, " "))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			matching = append(matching, p)
		}
	}
	s.panel.List.SetRows(matching)
}

func (s *list) View(size tui.Size) string {
	t := s.site.T()

	s.panel.List.Columns = s.columns(size.Class)
	if s.panel.Noun = t.Get("products"); len(s.panel.Rows()) == 1 {
		s.panel.Noun = t.Get("product")
	}
	s.panel.Question, s.panel.ShortQuestion = t.Get("Scan a product, or type to search"), t.Get("scan or type")
	if s.search.Value() != "" {
		s.panel.Question = s.search.View(size.Width - 30)
		s.panel.ShortQuestion = s.search.View(size.Width - 3)
	}
	s.panel.List.EmptyText = t.Get("No products yet. Press F3 or scan a barcode to create one.")
	if len(s.panel.Rows()) > 0 || s.search.Value() != "" {
		s.panel.List.EmptyText = t.Get("No match. Shorten the search, clear it (esc), or create a product (F3).")
	}
	return s.panel.View(size)
}

func (s *list) Actions() []tui.Action {
	t := s.site.T()

	actions := []tui.Action{
		{ID: "products.open", Keys: []string{"enter"}, Label: t.GetC("open", "verb"), Help: t.Get("Show the selected product"), Disabled: func() string {
			if s.panel.List.Len() == 0 && s.search.Value() == "" {
				return t.Get("The list is empty")
			}
			return ""
		}, Run: s.openSelected},
		{ID: "products.new", Keys: []string{"f3"}, Label: t.Get("new"), Help: t.Get("Create a product"),
			Run: func() tea.Cmd { return tui.Open("products/new") }},
		{ID: "products.stock", Keys: []string{"f4"}, Label: t.Get("stock"), Help: t.Get("Show stock of the selected product"), Disabled: s.emptyText, Run: func() tea.Cmd {
			p, _ := s.panel.Selected()
			return tui.Open(stockRoute(p.SKU))
		}},
		{ID: "products.reload", Keys: []string{"ctrl+r"}, Label: t.Get("refresh"), NoFooter: true, Help: t.Get("Refresh the list"), Run: s.panel.Reload},
	}
	if s.search.Value() != "" {
		actions = append(actions, tui.Action{ID: "products.all", Keys: []string{"esc"}, Label: t.Get("clear search"), Short: t.Get("clear"),
			Help: t.Get("Clear the search"), Run: func() tea.Cmd {
				s.search.Set("")
				return s.runSearch()
			}})
	}
	return actions
}

func (s *list) emptyText() string {
	if s.panel.List.Len() == 0 {
		return s.site.T().Get("The list is empty")
	}
	return ""
}

// openSelected opens the selected product. If none matches, it looks up the typed
// text like a scan.
func (s *list) openSelected() tea.Cmd {
	if p, ok := s.panel.Selected(); ok {
		return tui.Open(Route(&p))
	}
	return s.OnScan(scan.Parse(strings.TrimSpace(s.search.Value()), s.env.Now()))
}
