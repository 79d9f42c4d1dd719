package outbounds

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

func newScreen(site *session.Site, r *recentOrders) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{
			site:           site,
			recent:         r,
			DocumentScreen: panel.NewDocumentScreen(site, env, documentKind(site)),
		}, nil
	}
}

// screen fulfills one order.
type screen struct {
	panel.DocumentScreen[api.Outbound]
	site   *session.Site
	recent *recentOrders
	verb   verb // what booking does with the count

	lots   []api.OutboundLot // what the lines hold
	lotsOf int64             // version of the order that lots were read for
	// swap has the lines whose scanned lot replaces picked stock in the next booking, and
	// swapped those of the last one.
	swap, swapped map[string]bool
}

// verb is what booking does with the counted items.
type verb string

const (
	fulfilling verb = "fulfill"
	picking    verb = "pick"
	packing    verb = "pack"
	unpicking  verb = "unpick"
)

func documentKind(site *session.Site) panel.DocumentKind[api.Outbound] {
	return panel.DocumentKind[api.Outbound]{
		Route:    "fulfill",
		Job:      site.T().GetC("Fulfill", "outbounds"),
		Word:     site.T().Get("Order"),
		Find:     site.FindOutbounds,
		IDs:      func(o *api.Outbound) []api.ID { return []api.ID{o.ID} },
		Name:     names.Outbound,
		Location: func(o *api.Outbound) session.Location { return session.LocationAt(o.LocationID, o.Location) },
		IsOpen:   func(o *api.Outbound) bool { return o.Status.Open() },
		Closed: func(o *api.Outbound) (reason, short string) {
			t, status := site.T(), names.Status(site.T(), o.Status)
			if o.Status.Open() {
				return "", status
			}
			return t.Get("This order is %s (%s of %s).", status, t.Count(o.FulfilledQuantity),
				t.Count(o.RequestedQuantity)), status
		},
		Items: func(o *api.Outbound) (items []panel.ItemRef) {
			for _, l := range lines(o) {
				items = append(items, panel.ItemRef{ID: l.ProductID, Ref: l.Product})
			}
			return items
		},
		Sort: func(o *api.Outbound, compare func(product, other api.ID) int) {
			o.Lines = slices.Clone(o.Lines)
			slices.SortStableFunc(o.Lines, func(a, b api.OutboundLine) int { return compare(a.ProductID, b.ProductID) })
		},
		Changed: func(o *api.Outbound) (id api.ID, at time.Time) { return o.ID, o.UpdatedAt },
		Open: func(ctx context.Context, at session.Location) ([]api.Outbound, error) {
			open, _, err := openOrders(ctx, site, at)
			return open, err
		},
		Ready: func(o *api.Outbound) bool { return o.PendingFulfillmentQuantity > 0 },
		RestWaits: func(o *api.Outbound) bool {
			return o.FulfilledQuantity > 0 && o.PendingFulfillmentQuantity == 0 && o.PendingAllocationQuantity > 0
		},
		Due:      (*api.Outbound).Due,
		Question: func(string) string { return site.T().Get("Which order?") },
		Choice:   choice(site.T()),
	}
}

// showDoc returns the order and its lines for the count panel.
func (s *screen) showDoc() (panel.CountDocument, []*count.Line) {
	doc := s.Doc
	s.recent.add(*doc)
	var panelLines []*count.Line
	for _, l := range lines(doc) {
		panelLines = append(panelLines, &count.Line{
			Key:         l.ID.String(),
			Item:        s.Items[l.ProductID],
			Pending:     l.PendingFulfillmentQuantity,
			Stock:       s.heldStock(l),
			SeveralLots: s.site.Supports(api.ListOutboundLots.Spec),
		})
	}

	return panel.CountDocument{
		PickFrom: &panel.PickLocation{Owner: doc.OwnerID, Channel: doc.ChannelID, Document: names.Outbound(doc)},
	}, panelLines
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.Env, s.verb = env, fulfilling
	s.ShowDoc = s.showDoc
	s.Panel.Job = panel.CountJob{
		Verb:      env.T.Get("fulfill"),
		Advance:   true,
		Ready:     true,
		Booking:   s,
		Writes:    []*api.Spec{api.FulfillOutbound.Spec},
		OtherItem: s.otherOrders,
		Recover:   s.lotRefusal,
		SwapLot:   s.swapScan,
		Waiting:   func() []tui.Action { return []tui.Action{s.allocateAction()} },
	}

	return s.Start()
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && !s.AcceptsKey(k) && s.Panel.MoveLine(k) {
		return s, nil
	}
	if m, ok := msg.(lotsMsg); ok {
		s.lotsRead(m)
		return s, nil
	}
	return s, tea.Batch(s.Handle(msg), s.readLots())
}
