package outbounds

import (
	"context"
	"slices"
	"sync"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

// recentOrders holds the orders opened in this session, newest first.
type recentOrders struct {
	mu   sync.Mutex
	docs []api.Outbound
}

func (r *recentOrders) add(o api.Outbound) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.docs = slices.DeleteFunc(r.docs, func(x api.Outbound) bool { return x.ID == o.ID })
	r.docs = append([]api.Outbound{o}, r.docs...)
	r.docs = r.docs[:min(20, len(r.docs))]
}

func (r *recentOrders) all() []api.Outbound {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.docs)
}

// recentList returns the factory of the list for services that do not list orders. It
// asks for an ID and shows the recently opened orders.
func recentList(site *session.Site, recent *recentOrders) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*api.Outbound] {
		t := s.T
		input := &idInput{screen: s}
		input.Ask = t.Get("Scan or type the order id")
		noList := t.Get("This service does not list orders. The orders you open appear here.")

		return listscreen.Kind[*api.Outbound]{
			Texts: listscreen.Fixed(
				listscreen.Texts{Title: t.GetC("Fulfill", "outbounds"), Noun: t.Get("recently opened"), Empty: noList}),
			Key: func(o *api.Outbound) string { return o.ID.String() },
			Load: listscreen.Fixed(listscreen.Load(func(context.Context) ([]api.Outbound, bool, error) {
				return recent.all(), false, nil
			})),
			Columns:  func(size tui.Size) []widget.Column[*api.Outbound] { return columns(s.Env, size, site.SyncBadge) },
			Open:     openAction(t),
			OpenRow:  openOrder,
			Routes:   listscreen.OneRoute(route),
			Unsorted: true,
			Input:    input,
			Scan: func(ctx context.Context, r count.Label) (func() tea.Cmd, error) {
				return findOrder(ctx, s, r)
			},
			View: func(size tui.Size) string {
				text, height := input.Question.View(s.Theme, size.Width)+"\n", size.Height-1
				if !size.Small() {
					text += "\n " + s.Theme.Muted.Render(t.Get("Recently opened")) + "\n"
					height -= 2
				}
				s.Layout(size)
				s.List.NoTitles = size.Small()
				return text + s.List.View(s.Theme, size.Width, height)
			},
			Speech: func(out *tui.Speech) { out.Facts, out.Question = []string{noList}, t.Get("scan or id") },
		}
	})
}

// An idInput is the question for the ID of an order.
type idInput struct {
	widget.Question
	screen *listscreen.Screen
}

// Key looks up the typed ID like a scan.
func (i *idInput) Key(k tea.KeyMsg) tea.Cmd {
	if text, done := i.Question.Key(k); done {
		return i.screen.LookUp(scan.Parse(text, i.screen.Env.Now()))
	}
	return nil
}

// View paints the typed ID.
func (i *idInput) View(width int) string { return i.Input.View(width) }
