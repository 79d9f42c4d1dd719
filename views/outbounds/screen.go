package outbounds

import (
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

func one(site *dock.Site, r *recent) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, recent: r, Document: dock.NewDocument(site, env, paper(site))}, nil
	}
}

// screen fulfils one order.
type screen struct {
	dock.Document[api.Outbound]
	site   *dock.Site
	recent *recent
	env    tui.Env
	does   verb // what booking does with what is counted
}

// verb is what is done with the goods that are counted.
type verb string

const (
	fulfilling verb = "fulfill"
	picking    verb = "pick"
	packing    verb = "pack"
)

func paper(site *dock.Site) dock.Paper[api.Outbound] {
	return dock.Paper[api.Outbound]{Route: "fulfill", Job: jobFulfill, Find: site.FindOutbounds,
		ID:    func(o *api.Outbound) api.ID { return o.ID },
		Name:  dock.OutboundName,
		Where: func(o *api.Outbound) dock.Place { return dock.PlaceAt(o.LocationID, o.Location) },
		Open:  func(o *api.Outbound) bool { return o.Status.Open() },
		Wares: func(o *api.Outbound) (wares []dock.Ware) {
			for _, l := range lines(o) {
				wares = append(wares, dock.Ware{ID: l.ProductID, Ref: l.Product})
			}
			return wares
		},
		Question: func(string) string { return askWhich },
		Choice:   choice}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env, s.does = env, fulfilling
	s.Show = s.show
	b := s.Bench
	b.Verb, b.Past = verbFulfill, doneFulfill
	b.Writes = []*api.Spec{api.FulfillOutbound.Spec}
	b.Plan, b.Booked, b.Done = s.plan, s.booked, s.done
	b.Elsewhere = s.elsewhere
	return s.Begin()
}

// show puts the lines of the order on the bench.
func (s *screen) show() {
	doc := s.Doc
	s.recent.add(*doc)
	s.Bench.Name, s.Bench.Closed, s.Bench.Ended = s.Title(), "", status(doc.Status)
	s.Bench.Rack = &dock.Rack{Owner: doc.OwnerID, Channel: doc.ChannelID, Document: dock.OutboundName(doc)}
	if !doc.Status.Open() {
		s.Bench.Closed = fmt.Sprintf(ended, status(doc.Status),
			widget.Count(doc.FulfilledQuantity), widget.Count(doc.RequestedQuantity))
	}
	var bench []*dock.Line
	for _, l := range lines(doc) {
		bench = append(bench, &dock.Line{Key: l.ID.String(), Goods: s.Goods[l.ProductID], Pending: l.PendingFulfillmentQuantity})
	}
	s.Bench.SetLines(bench...)
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && !s.AcceptsKey(k) && s.step(k) {
		return s, nil
	}
	return s, s.Handle(msg)
}

// step goes to the line above or below: numbers and mere lot labels speak of it.
func (s *screen) step(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyUp:
		s.Bench.At = max(0, s.Bench.At-1)
	case tea.KeyDown:
		s.Bench.At = min(len(s.Bench.Lines)-1, s.Bench.At+1)
	default:
		return false
	}
	return true
}
