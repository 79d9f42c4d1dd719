package transfers

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

// Ship makes the screen that ships one transfer, named by id or reference.
func Ship(site *dock.Site) tui.Factory { return opener(site, &shipping) }

// Arrive makes the screen that receives one transfer.
func Arrive(site *dock.Site) tui.Factory { return opener(site, &arriving) }

func opener(site *dock.Site, e *end) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, end: e, bench: dock.NewBench(site, env)}, nil
	}
}

// screen works on one end of one transfer.
type screen struct {
	site  *dock.Site
	end   *end
	env   tui.Env
	bench *dock.Bench
	doc   *api.Transfer
	fault string // why the document is not here
}

type docMsg struct {
	docs  []api.Transfer
	goods dock.Goods
	err   error
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	b := s.bench
	b.Verb = s.end.verb
	b.Plan, b.Booked, b.Done = s.plan, s.booked, s.done
	b.Refused = func(error) tea.Cmd { return s.load() }
	return s.load()
}

func (s *screen) load() tea.Cmd {
	ref := s.env.Route.Param("id")
	return s.env.Latest("document", func(ctx context.Context) tea.Msg {
		docs, err := s.site.FindTransfers(ctx, ref)
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
		if len(m.docs) > 1 && m.docs[1].Status == api.TransferInTransit {
			return s.which(m.docs)
		}
		return tui.Replace(tui.Path(s.end.id, id))
	}
	s.show(&m.docs[0], m.goods)
	return nil
}

// which asks what a reference means that several transfers have.
func (s *screen) which(docs []api.Transfer) tea.Cmd {
	var open []api.Transfer
	var options []string
	for _, d := range docs {
		if d.Status == api.TransferInTransit {
			open = append(open, d)
			options = append(options, fmt.Sprintf("%s  %s  %s pending", sku(&d), name(&d), widget.Count(s.end.pendingOf(&d))))
		}
	}
	return tui.Choose(tui.Choice{Text: "Which goods of " + s.env.Route.Param("id") + "?", Options: options,
		OnChoice: func(i int) tea.Cmd { return tui.Replace(tui.Path(s.end.id, open[i].ID.String())) }})
}

func (s *screen) show(doc *api.Transfer, goods dock.Goods) {
	s.doc = doc
	s.bench.Name, s.bench.Closed, s.bench.Ended = s.Title(), "", string(doc.Status)
	switch {
	case doc.Status != api.TransferInTransit:
		s.bench.Closed = fmt.Sprintf("This transfer is %s: %s of %s arrived.", doc.Status,
			widget.Count(doc.ReceivedQuantity), widget.Count(doc.Quantity))
	case s.end.pendingOf(doc) == 0 && s.end.id == "ship":
		s.bench.Ended = "all shipped"
		s.bench.Closed = fmt.Sprintf("All %s are shipped.", widget.Count(doc.Quantity))
	case s.end.pendingOf(doc) == 0:
		s.bench.Ended = "nothing on the way"
		s.bench.Closed = fmt.Sprintf("Nothing is on the way: %s of %s are shipped and %s arrived.",
			widget.Count(doc.ShippedQuantity), widget.Count(doc.Quantity), widget.Count(doc.ReceivedQuantity))
	}
	s.bench.SetLines(&dock.Line{Key: doc.ProductID.String(), Goods: goods, Pending: s.end.pendingOf(doc)})
}

func (s *screen) Title() string              { return s.end.job + " › " + s.called() }
func (s *screen) ShortTitle() string         { return s.called() }
func (s *screen) Snapshot() []byte           { return s.bench.Snapshot() }
func (s *screen) Busy() bool                 { return s.bench.Busy() }
func (s *screen) Shown() tea.Cmd             { return s.load() }
func (s *screen) Types(k tea.KeyMsg) bool    { return s.doc != nil && s.bench.Types(k) }
func (s *screen) OnScan(x scan.Scan) tea.Cmd { return s.bench.OnScan(x) }

// called is what people call the transfer.
func (s *screen) called() string {
	if s.doc == nil {
		return s.env.Route.Param("id")
	}
	return dock.TransferName(s.doc)
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
	when := "made " + widget.When(s.doc.CreatedAt, s.env.Now())
	if s.end.id == "arrive" && s.doc.ShippedAt != nil {
		when = "shipped " + widget.When(*s.doc.ShippedAt, s.env.Now())
	}
	return s.bench.View(size, dock.Sheet{Party: s.end.toward + " " + dock.PlaceOf(s.end.other(s.doc)).String(), When: when,
		Whole: s.end.wholeOf(s.doc), Done: s.end.doneOf(s.doc), WholeWord: s.end.whole, DoneWord: s.end.done})
}
