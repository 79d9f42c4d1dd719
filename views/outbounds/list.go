package outbounds

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/session"
)

// newList returns the factory of the list of all open orders, due first. If the service
// does not list orders, it is the list of the recently opened ones.
func newList(site *session.Site, recent *recentOrders) tui.Factory {
	all := listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*api.Outbound] {
		t, picks := s.T, &selection{Screen: s}

		return listscreen.Kind[*api.Outbound]{
			Texts: listscreen.Fixed(
				listscreen.Texts{
					Title:         t.GetC("Fulfill", "outbounds"),
					Question:      t.Get("Scan an order or item, or choose one"),
					ShortQuestion: t.Get("scan or choose"),
					Noun:          t.Get("open"),
					Empty: t.Get(
						"No orders to ship from this location. Scan an order, choose another location (F6), or add an order (F3).",
					),
				},
			),
			Key: func(o *api.Outbound) string { return o.ID.String() },
			Load: listscreen.Fixed(listscreen.Load(func(ctx context.Context) ([]api.Outbound, bool, error) {
				return openOrders(ctx, site, site.Location())
			})),
			Unsupported: recentList(site, recent),
			Columns:     func(size tui.Size) []widget.Column[*api.Outbound] { return columns(s.Env, size, picks.mark) },
			Open:        openAction(t),
			OpenRow:     openOrder,
			Routes: func(o *api.Outbound) []string {
				return []string{route(o), tui.Path("pick", o.ID.String())}
			},
			FilterText: func(o *api.Outbound) string {
				return names.Outbound(o) + " " + o.CustomerName + " " + productText(t, o) + " " +
					names.Status(t, o.Status)
			},
			Preview: func(o *api.Outbound) listscreen.Preview { return listscreen.PreviewOutbound(t, o, s.Now()) },
			PreviewLots: func(o *api.Outbound) func(context.Context) (listscreen.PreviewLots, error) {
				return listscreen.PreviewOutboundLots(site, o.ID)
			},
			Detail: func(o *api.Outbound) string { return listscreen.JoinParts(o.CustomerName, productText(t, o)) },
			Actions: func() []tui.Action {
				if !site.Supports(api.CreateOutbound.Spec) {
					return picks.actions()
				}
				actions := append([]tui.Action{s.NewAction("fulfill", t.Get("Create an order"))}, picks.actions()...)
				return append(actions, site.ImportActions("fulfill.import", "outbounds")...)
			},
			AtLocation: true,
			Scan: func(ctx context.Context, r count.Label) (func() tea.Cmd, error) {
				open, err := findOrder(ctx, s, r)
				if open == nil && !r.HasNoCode() {
					return s.Resolve(ctx, r)
				}
				return open, err
			},
		}
	})

	return func(env tui.Env) (tui.Screen, error) {
		if !site.Supports(api.ListOutbounds.Spec) {
			return recentList(site, recent)(env)
		}
		return all(env)
	}
}
