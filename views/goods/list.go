package goods

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

// most is how many products are read at once; what is typed is searched for by
// the service where there are more.
const most = 500

// List makes the screen of all products.
func List(site *dock.Site) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site}, nil }
}

// list is the screen of the products, by SKU.
type list struct {
	site    *dock.Site
	env     tui.Env
	board   dock.Board[api.Product]
	typed   widget.Input
	asked   atomic.Value // string: what the service is asked for; read beside the screen's turn
	cut     bool         // not all products are here
	finding bool
}

func (s *list) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.asked.Store("")
	s.board = dock.Board[api.Product]{Noun: nounProducts, Load: s.load, Text: func(api.Product) string { return "" },
		Aside: func(p api.Product) string { return p.Name }}
	s.board.List = widget.NewList(func(p api.Product) string { return p.ID.String() }, s.columns(tui.Standard)...)
	return s.board.Init(env)
}

// load reads the products that the service was asked for.
func (s *list) load(ctx context.Context) (rows []api.Product, more bool, err error) {
	limit := int64(100)
	in := api.ListProductsInput{Query: s.asked.Load().(string), Limit: &limit}
	for {
		page, err := dock.Ask(ctx, s.site, api.ListProducts, in)
		if dock.Missing(err) {
			return nil, false, errors.New(noCatalogue)
		}
		if err != nil {
			return nil, false, err
		}
		rows = append(rows, page.Items...)
		if page.NextCursor == nil || len(rows) >= most {
			more = page.NextCursor != nil
			break
		}
		in.Cursor = *page.NextCursor
	}
	slices.SortStableFunc(rows, func(a, b api.Product) int { return cmp.Compare(strings.ToLower(a.SKU), strings.ToLower(b.SKU)) })
	return rows, more, nil
}

func (s *list) Title() string                { return "Products" }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.typed.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.board.Reload() }
func (s *list) Busy() bool                   { return s.finding }

// OnScan shows the product of a code; for one that nobody knows it offers to
// make one.
func (s *list) OnScan(x scan.Scan) tea.Cmd {
	s.finding = true
	return find(s.env, s.site, dock.Read(x))
}

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case foundMsg:
		s.finding = false
		if msg.product != nil {
			return s, tea.Batch(tui.Accepted(), tui.Open(Route(msg.product)))
		}
		return s, msg.follow(s.site)
	case tea.KeyMsg:
		if s.typed.AcceptsKey(msg) {
			s.typed.Key(msg)
			return s, s.search()
		}
	}
	cmd, _ := s.board.Update(msg)
	if s.asked.Load() == "" {
		s.cut = len(s.board.Rows()) >= most
	}
	s.narrow()
	return s, cmd
}

// search narrows what is here, and asks the service where not all is.
func (s *list) search() tea.Cmd {
	s.narrow()
	if !s.cut && s.asked.Load() == "" {
		return nil
	}
	s.asked.Store(strings.TrimSpace(s.typed.Value()))
	return s.board.Reload()
}

// narrow shows the products in which every typed word occurs.
func (s *list) narrow() {
	words := strings.Fields(strings.ToLower(s.typed.Value()))
	if len(words) == 0 {
		s.board.List.SetRows(s.board.Rows())
		return
	}
	var fit []api.Product
	for _, p := range s.board.Rows() {
		text := strings.ToLower(p.SKU + " " + p.Name + " " + strings.Join(p.Barcodes, " "))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			fit = append(fit, p)
		}
	}
	s.board.List.SetRows(fit)
}

func (s *list) View(size tui.Size) string {
	s.board.List.Columns = s.columns(size.Class)
	if s.board.Noun = "products"; len(s.board.Rows()) == 1 {
		s.board.Noun = "product"
	}
	s.board.Ask, s.board.Short = saidScanAProductOr, saidScanOrType
	if s.typed.Value() != "" {
		s.board.Ask = s.typed.View(size.Width - 30)
		s.board.Short = s.typed.View(size.Width - 3)
	}
	s.board.List.EmptyText = saidNoProductIsKnown
	if len(s.board.Rows()) > 0 || s.typed.Value() != "" {
		s.board.List.EmptyText = saidNothingFitsShortenWhat
	}
	return s.board.View(size)
}

func (s *list) Actions() []tui.Action {
	actions := []tui.Action{
		{ID: "products.open", Keys: []string{"enter"}, Label: labelOpen, Help: helpShowTheProductChosen, Disabled: func() string {
			if s.board.List.Len() == 0 && s.typed.Value() == "" {
				return saidNothingIsOnThe
			}
			return ""
		}, Run: s.open},
		{ID: "products.new", Keys: []string{"f3"}, Label: labelNew, Help: helpMakeAProductThat,
			Run: func() tea.Cmd { return tui.Open("products/new") }},
		{ID: "products.stock", Keys: []string{"f4"}, Label: labelStock, Help: helpTheBalancesOfThe, Disabled: s.none, Run: func() tea.Cmd {
			p, _ := s.board.Chosen()
			return tui.Open(stockRoute(p.SKU))
		}},
		{ID: "products.reload", Keys: []string{"ctrl+r"}, Label: labelReadAnew, NoFooter: true, Help: helpReadTheListAnew, Run: s.board.Reload},
	}
	if s.typed.Value() != "" {
		actions = append(actions, tui.Action{ID: "products.all", Keys: []string{"esc"}, Label: labelAllAgain, Short: shortAll,
			Help: helpEmptyTheSearch, Run: func() tea.Cmd {
				s.typed.Set("")
				return s.search()
			}})
	}
	return actions
}

func (s *list) none() string {
	if s.board.List.Len() == 0 {
		return saidNothingIsOnThe
	}
	return ""
}

// open shows the chosen product; where nothing fits, what was typed is looked
// up as if it had been scanned.
func (s *list) open() tea.Cmd {
	if p, ok := s.board.Chosen(); ok {
		return tui.Open(Route(&p))
	}
	return s.OnScan(scan.Parse(strings.TrimSpace(s.typed.Value()), s.env.Now()))
}
