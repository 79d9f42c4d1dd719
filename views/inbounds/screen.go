package inbounds

import (
	"context"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// One makes the screen of one inbound, named by id or reference.
func One(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, bench: dock.NewBench(site, env)}, nil
	}
}

// screen receives one inbound.
type screen struct {
	site  *dock.Site
	env   tui.Env
	bench *dock.Bench
	doc   *api.Inbound
	fault string // why the document is not here
}

type docMsg struct {
	docs  []api.Inbound
	goods dock.Goods
	err   error
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	b := s.bench
	b.In, b.Verb = true, "book"
	b.Plan, b.Booked, b.Done, b.Elsewhere = s.plan, s.booked, s.done, s.elsewhere
	b.Refused = func(error) tea.Cmd { return s.load() }
	return s.load()
}

// load reads the document and its goods.
func (s *screen) load() tea.Cmd {
	ref := s.env.Route.Param("id")
	return s.env.Latest("document", func(ctx context.Context) tea.Msg {
		docs, err := s.site.FindInbounds(ctx, ref)
		if err != nil || len(docs) == 0 {
			return docMsg{err: err}
		}
		goods, err := s.site.Goods(ctx, docs[0].ProductID, docs[0].Product)
		return docMsg{docs: docs, goods: goods, err: err}
	})
}

func (s *screen) loaded(m docMsg) tea.Cmd {
	if m.err != nil {
		s.fault = dock.Words(m.err)
		return nil
	}
	s.fault = ""
	if id := m.docs[0].ID.String(); id != s.env.Route.Param("id") {
		if len(m.docs) > 1 && m.docs[1].Status.Open() {
			return s.which(m.docs)
		}
		return tui.Replace(tui.Path("receive", id))
	}
	s.show(&m.docs[0], m.goods)
	return nil
}

// which asks what a reference means that several inbounds have.
func (s *screen) which(docs []api.Inbound) tea.Cmd {
	var open []api.Inbound
	var options []string
	for _, d := range docs {
		if d.Status.Open() {
			open = append(open, d)
			options = append(options, fmt.Sprintf("%s  %s  %s pending", sku(&d), name(&d), widget.Count(d.Pending())))
		}
	}
	return tui.Choose(tui.Choice{Text: "Which goods of " + s.env.Route.Param("id") + "?", Options: options,
		OnChoice: func(i int) tea.Cmd { return tui.Replace(tui.Path("receive", open[i].ID.String())) }})
}

// show puts the document on the screen and its goods on the bench.
func (s *screen) show(doc *api.Inbound, goods dock.Goods) {
	s.doc = doc
	s.bench.Name, s.bench.Closed, s.bench.Ended = s.Title(), "", string(doc.Status)
	if !doc.Status.Open() {
		s.bench.Closed = fmt.Sprintf("This inbound is %s: %s of %s were received.", doc.Status,
			widget.Count(doc.ReceivedQuantity), widget.Count(doc.ExpectedQuantity))
	}
	s.bench.SetLines(&dock.Line{Key: doc.ProductID.String(), Goods: goods, Pending: doc.Pending()})
}

func (s *screen) Title() string              { return "Receive › " + s.called() }
func (s *screen) ShortTitle() string         { return s.called() }
func (s *screen) Snapshot() []byte           { return s.bench.Snapshot() }
func (s *screen) Busy() bool                 { return s.bench.Busy() }
func (s *screen) Shown() tea.Cmd             { return s.load() }
func (s *screen) Types(k tea.KeyMsg) bool    { return s.doc != nil && s.bench.Types(k) }
func (s *screen) OnScan(x scan.Scan) tea.Cmd { return s.bench.OnScan(x) }

// called is what people call the inbound.
func (s *screen) called() string {
	if s.doc == nil {
		return s.env.Route.Param("id")
	}
	return dock.InboundName(s.doc)
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if m, ok := msg.(docMsg); ok {
		return s, s.loaded(m)
	}
	cmd, _ := s.bench.Update(msg)
	return s, cmd
}

func (s *screen) View(size tui.Size) string {
	if s.doc == nil {
		return dock.Absent(s.env.Theme, size, s.called(), s.fault)
	}
	late := Late(s.doc, s.env.Now())
	when := strings.TrimSpace(string(s.doc.Status))
	if s.doc.ExpectedAt != nil && s.doc.Status.Open() {
		when = "expected " + widget.When(*s.doc.ExpectedAt, s.env.Now())
	}
	return s.bench.View(size, dock.Sheet{Party: s.doc.SupplierName, When: when, Late: late,
		Whole: s.doc.ExpectedQuantity, Done: s.doc.ReceivedQuantity, WholeWord: "expected", DoneWord: "received"})
}
