package outbounds

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

func one(site *dock.Site, r *recent) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, recent: r, bench: dock.NewBench(site, env)}, nil
	}
}

// screen fulfils one order.
type screen struct {
	site   *dock.Site
	recent *recent
	env    tui.Env
	bench  *dock.Bench
	doc    *api.Outbound
	goods  map[api.ID]dock.Goods
	fault  string // why the document is not here
	does   verb   // what booking does with what is counted
}

// verb is what is done with the goods that are counted.
type verb string

const (
	fulfilling verb = "fulfill"
	picking    verb = "pick"
	packing    verb = "pack"
)

type docMsg struct {
	docs  []api.Outbound
	goods map[api.ID]dock.Goods
	err   error
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env, s.does = env, fulfilling
	b := s.bench
	b.Verb = string(fulfilling)
	b.Plan, b.Booked, b.Done = s.plan, s.booked, s.done
	b.Elsewhere = s.elsewhere
	b.Refused = func(error) tea.Cmd { return s.load() }
	return s.load()
}

// load reads the document and its goods, and at first what the service can do.
func (s *screen) load() tea.Cmd {
	ref := s.env.Route.Param("id")
	first := s.doc == nil
	return s.env.Latest("document", func(ctx context.Context) tea.Msg {
		if first {
			// Nobody needs the answer: whether there is one tells of the added writes.
			_, _ = dock.Ask(ctx, s.site, api.GetAccess, api.GetAccessInput{})
		}
		docs, err := s.site.FindOutbounds(ctx, ref)
		if err != nil || len(docs) == 0 {
			return docMsg{err: err}
		}
		m := docMsg{docs: docs, goods: map[api.ID]dock.Goods{}}
		for _, l := range lines(&docs[0]) {
			if _, known := m.goods[l.ProductID]; known {
				continue
			}
			if m.goods[l.ProductID], m.err = s.site.Goods(ctx, l.ProductID, l.Product); m.err != nil {
				return m
			}
		}
		return m
	})
}

func (s *screen) loaded(m docMsg) tea.Cmd {
	if m.err != nil {
		s.fault = dock.Words(m.err)
		if s.doc != nil {
			return tui.Warn("Not read anew: " + s.fault)
		}
		return nil
	}
	s.fault = ""
	if id := m.docs[0].ID.String(); id != s.env.Route.Param("id") {
		if len(m.docs) > 1 {
			return choose(m.docs)
		}
		return tui.Replace(tui.Path("fulfill", id))
	}
	s.goods = m.goods
	s.show(&m.docs[0])
	return nil
}

// show puts the document on the screen and its lines on the bench.
func (s *screen) show(doc *api.Outbound) {
	s.doc = doc
	s.recent.add(*doc)
	s.bench.Closed = ""
	if !doc.Status.Open() {
		s.bench.Closed = fmt.Sprintf("This order is %s: %s of %s were sent.", status(doc.Status),
			widget.Count(doc.FulfilledQuantity), widget.Count(doc.RequestedQuantity))
	}
	var bench []*dock.Line
	for _, l := range lines(doc) {
		bench = append(bench, &dock.Line{Key: l.ID.String(), Goods: s.goods[l.ProductID], Pending: l.PendingFulfillmentQuantity})
	}
	s.bench.SetLines(bench...)
}

func (s *screen) Title() string              { return "Fulfill › " + s.called() }
func (s *screen) ShortTitle() string         { return s.called() }
func (s *screen) Snapshot() []byte           { return s.bench.Snapshot() }
func (s *screen) Busy() bool                 { return s.bench.Busy() }
func (s *screen) Shown() tea.Cmd             { return s.load() }
func (s *screen) Types(k tea.KeyMsg) bool    { return s.doc != nil && s.bench.Types(k) }
func (s *screen) OnScan(x scan.Scan) tea.Cmd { return s.bench.OnScan(x) }

// called is what people call the order.
func (s *screen) called() string {
	if s.doc == nil {
		return s.env.Route.Param("id")
	}
	return dock.OutboundName(s.doc)
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch msg := msg.(type) {
	case docMsg:
		return s, s.loaded(msg)
	case tea.KeyMsg:
		if !s.Types(msg) && s.step(msg) {
			return s, nil
		}
	}
	cmd, _ := s.bench.Update(msg)
	return s, cmd
}

// step goes to the line above or below: numbers and mere lot labels speak of it.
func (s *screen) step(k tea.KeyMsg) bool {
	switch k.Type {
	case tea.KeyUp:
		s.bench.At = max(0, s.bench.At-1)
	case tea.KeyDown:
		s.bench.At = min(len(s.bench.Lines)-1, s.bench.At+1)
	default:
		return false
	}
	return true
}
