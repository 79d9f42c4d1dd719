package item

import (
	"cmp"
	"context"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// screen offers what to do with an item.
type screen struct {
	panel.ScanLookup
	tui.Env

	site   *session.Site
	routes *tui.Registry
	sku    string

	item    *count.Item // nil until found
	kit     bool
	lotCode string
	errText string // why the item was not found
	loaded  map[string]answer
	stock   *stock // nil until loaded
	list    widget.List[row]
	moved   bool // the operator has moved the cursor
	small   bool // the last view was on a small terminal
}

// answer is what the service has for a job.
type answer struct {
	documents []document
	err       error
}

type (
	itemMsg struct {
		item count.Item
		kit  bool
		err  error
	}
	documentsMsg struct {
		job string
		answer
	}
	stockMsg struct {
		stock stock
		err   error
	}
)

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.Env, s.loaded = env, map[string]answer{}
	if env.Route.Query.Get("lot") != "" {
		s.lotCode = env.Route.Query.Get("code")
	}
	s.list = widget.NewList(func(r row) string { return r.key() })
	s.list.NoTitles = true
	s.showRows()
	return s.Refresh()
}

func (s *screen) Title() string {
	if s.item == nil || s.item.Title() == s.sku {
		return widget.Clean(s.sku)
	}
	return widget.Clean(s.sku + "  " + s.item.Name + s.shelfText())
}

func (s *screen) ShortTitle() string { return widget.Clean(s.sku + s.shelfText()) }

// shelfText returns the shelf of the item here, after two blanks, or "".
func (s *screen) shelfText() string {
	if s.item == nil {
		return ""
	}
	if shelves := s.item.ShelvesAt(s.site.Location().ID); len(shelves) > 0 {
		return "  " + shelves[0]
	}
	return ""
}

// Refresh finds the item and then loads what waits for it.
func (s *screen) Refresh() tea.Cmd {
	s.errText = ""
	return s.Latest("item", func(ctx context.Context) tea.Msg {
		item, kit, err := find(ctx, s.site, s.sku)
		return itemMsg{item, kit, err}
	})
}

// find finds the item with a SKU; kit reports whether it has components.
func find(ctx context.Context, site *session.Site, sku string) (item count.Item, kit bool, err error) {
	matches, err := site.Lookup(ctx, sku)
	for _, m := range matches {
		if m.Product != nil && count.SameCode(m.Product.SKU, sku) {
			return count.ItemOf(m.Product), len(m.Product.Components) > 0, nil
		}
	}

	if err != nil && !session.IsUnsupported(err) {
		return item, false, err
	}

	found, err := site.FindItem(ctx, count.Label{Codes: []string{sku}, Scan: scan.Scan{Text: sku}})
	if err != nil {
		return item, false, err
	}

	return *found, false, nil
}

// load loads the documents of each job in its own command.
func (s *screen) load() tea.Cmd {
	query := s.Route.Query
	about := &subject{
		site:   s.site,
		item:   *s.item,
		at:     s.site.Location(),
		lot:    query.Get("lot"),
		serial: query.Get("serial"),
		zone:   s.Now().Location(),
	}

	cmds := []tea.Cmd{s.Latest("stock", func(ctx context.Context) tea.Msg {
		stock, err := loadStock(ctx, about)
		return stockMsg{stock, err}
	})}
	for _, j := range s.jobs() {
		if j.load == nil {
			continue
		}
		cmds = append(cmds, s.Latest(j.id, func(ctx context.Context) tea.Msg {
			documents, err := j.load(ctx, about)
			return documentsMsg{j.id, answer{documents, err}}
		}))
	}

	return tea.Batch(cmds...)
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case itemMsg:
		return s, s.found(msg)
	case documentsMsg:
		if old := s.loaded[msg.job]; msg.err == nil || old.documents == nil || session.IsUnsupported(msg.err) {
			s.loaded[msg.job] = msg.answer
		}
		s.showRows()
	case stockMsg:
		if msg.err == nil {
			s.stock = &msg.stock
		}
		s.showRows()
	case panel.LocationChangedMsg:
		s.loaded, s.stock = map[string]answer{}, nil
		s.showRows()
		return s, s.Refresh()
	case tea.KeyMsg:
		s.moved = s.list.Key(msg) || s.moved
	case tea.MouseMsg:
		if msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
			s.moved = s.list.Click(msg.Y-s.top()) || s.moved
		}
	}

	cmd, _ := s.Found(s.site, msg)

	return s, cmd
}

func (s *screen) found(m itemMsg) tea.Cmd {
	text := ""
	if m.err != nil {
		text = submit.UserMessage(s.T, m.err)
	}

	switch {
	case m.err == nil:
		s.item, s.kit = &m.item, m.kit
		s.showRows()
		return s.load()
	case s.item != nil:
		return tui.Warn(s.T.Get("Not refreshed: %s", text))
	}

	s.errText = cmp.Or(text, m.err.Error())

	return nil
}

// OnScan opens what was scanned.
func (s *screen) OnScan(got scan.Scan) tea.Cmd { return s.Resolve(s.Env, s.site, got) }
