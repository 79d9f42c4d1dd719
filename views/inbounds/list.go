package inbounds

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// List returns the factory of the list of expected inbounds.
func List(site *session.Site) tui.Factory {
	return func(tui.Env) (tui.Screen, error) { return &list{site: site}, nil }
}

// list is the screen of all open inbounds, due first.
type list struct {
	site   *session.Site
	env    tui.Env
	panel  panel.ListPanel[api.Inbound]
	finder panel.ScanFinder[api.Inbound]
}

func (s *list) Init(env tui.Env) tea.Cmd {
	t := env.T

	s.env, s.finder = env, s.newFinder()
	s.panel = panel.ListPanel[api.Inbound]{
		Question: t.Get("Scan a document or item, or choose one"), ShortQuestion: t.Get("scan or choose"), Noun: t.Get("expected"),
		Detail: func(in api.Inbound) string { return panel.JoinParts(cmp.Or(name(&in), sku(&in)), in.SupplierName) },
		Load: func(ctx context.Context) ([]api.Inbound, bool, error) {
			rows, more, err := s.site.Inbounds(ctx, s.site.Location())
			SortByDue(rows)
			return rows, more, err
		},
		FilterText: func(in api.Inbound) string {
			return names.Inbound(&in) + " " + in.SupplierName + " " + in.SupplierReference + " " + sku(&in) + " " + name(&in)
		},
	}
	s.panel.List = widget.NewList(func(in api.Inbound) string { return in.ID.String() }, s.columns(false)...)
	s.panel.List.EmptyText = t.Get("No deliveries are expected here. Scan a document, choose another location (F6), or add a delivery (F3).")
	return s.panel.Init(env)
}

// SortByDue sorts inbounds by due date. Those without a date come last, oldest
// first.
func SortByDue(rows []api.Inbound) {
	slices.SortStableFunc(rows, func(a, b api.Inbound) int {
		switch {
		case a.ExpectedAt != nil && b.ExpectedAt != nil && !a.ExpectedAt.Equal(*b.ExpectedAt):
			return a.ExpectedAt.Compare(*b.ExpectedAt)
		case (a.ExpectedAt == nil) != (b.ExpectedAt == nil):
			return cmp.Compare(boolInt(a.ExpectedAt == nil), boolInt(b.ExpectedAt == nil))
		case !a.CreatedAt.Equal(b.CreatedAt):
			return a.CreatedAt.Compare(b.CreatedAt)
		}
		return slices.Compare(a.ID[:], b.ID[:])
	})
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// IsLate reports whether an open inbound is past its due date.
func IsLate(in *api.Inbound, now time.Time) bool {
	return in.Status.Open() && in.ExpectedAt != nil && in.ExpectedAt.Before(now)
}

func sku(in *api.Inbound) string { return names.ProductSKU(in.Product, in.ProductID) }

func name(in *api.Inbound) string { return names.ProductName(in.Product) }

func (s *list) columns(small bool) []widget.Column[api.Inbound] {
	return []widget.Column[api.Inbound]{
		{Title: s.site.T().Get("inbound"), Width: 14, Cell: func(in api.Inbound) string { return s.site.SyncBadge(in.ID) + names.Inbound(&in) }},
		{Title: s.site.T().Get("due"), Width: 18, Rank: 3,
			Cell: func(in api.Inbound) string {
				if in.ExpectedAt == nil {
					return ""
				}
				due := s.site.T().When(*in.ExpectedAt, s.env.Now())
				if IsLate(&in, s.env.Now()) {
					return theme.GlyphRefused + " " + due
				}
				return "  " + due
			},
			Style: func(in api.Inbound, t theme.Theme, text string) string {
				if IsLate(&in, s.env.Now()) {
					return t.Warning.Render(text)
				}
				return text
			}},
		{Title: s.site.T().Get("product"), Rank: 4, Cell: func(in api.Inbound) string { return cmp.Or(name(&in), sku(&in)) }},
		{Title: s.site.T().Get("sku"), Width: 10, Rank: 7, Cell: func(in api.Inbound) string { return sku(&in) }},
		{Title: s.site.T().Get("pending"), Width: 7, Right: true, Rank: 1, Cell: func(in api.Inbound) string {
			if small && IsLate(&in, s.env.Now()) { // no room for the date
				return fmt.Sprintf("%d%s", in.Pending(), theme.GlyphRefused)
			}
			return s.site.T().Count(in.Pending())
		}},
		{Title: s.site.T().Get("expected"), Width: 8, Right: true, Rank: 8, Cell: func(in api.Inbound) string { return s.site.T().Count(in.ExpectedQuantity) }},
		{Title: s.site.T().Get("from"), Width: 13, Rank: 6, Cell: func(in api.Inbound) string { return in.SupplierName }},
		{Title: s.site.T().Get("at"), Width: 6, Rank: 9, Cell: func(in api.Inbound) string { return session.LocationOf(in.Location).Code }},
	}
}

func (s *list) Title() string                { return s.site.T().GetC("Receive", "inbounds") }
func (s *list) AcceptsKey(k tea.KeyMsg) bool { return s.panel.AcceptsKey(k) }
func (s *list) Refresh() tea.Cmd             { return s.panel.Reload() }
func (s *list) Busy() bool                   { return s.finder.Busy() }
func (s *list) OnScan(got scan.Scan) tea.Cmd {
	return s.finder.Find(s.env, count.ParseLabel(s.site.T(), got))
}

func (s *list) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if cmd, handled := s.finder.Update(msg); handled {
		return s, cmd
	}
	cmd, _ := s.panel.Update(msg)
	return s, cmd
}

func (s *list) View(size tui.Size) string {
	s.panel.List.Columns = s.columns(size.Small())
	if size.Class == tui.Narrow { // the whole name, and the quantity
		s.panel.List.Columns = panel.NarrowColumns(s.panel.List.Columns, s.site.T().Get("inbound"), s.site.T().Get("pending"))
	}
	return s.panel.View(size)
}

func (s *list) Actions() []tui.Action {
	t := s.site.T()

	actions := []tui.Action{
		{ID: "receive.open", Keys: []string{"enter"}, Label: t.GetC("open", "verb"), Help: t.Get("Receive the selected inbound"), Disabled: s.panel.EmptyText, Run: func() tea.Cmd {
			in, _ := s.panel.Selected()
			return openInbound(&in)
		}},
		{ID: "receive.new", Keys: []string{"f3"}, Label: t.Get("new"), Help: t.Get("Add an expected delivery"),
			Run: func() tea.Cmd { return tui.Open("receive/new") }},
	}
	return append(append(actions, s.panel.Actions()...), panel.ChooseLocation(s.site, s.env))
}

func openInbound(in *api.Inbound) tea.Cmd { return tui.Open(tui.Path("receive", in.ID.String())) }
