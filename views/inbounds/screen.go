package inbounds

import (
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// One makes the screen of one inbound, named by id or reference.
func One(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, Document: dock.NewDocument(site, env, paper(site))}, nil
	}
}

// screen receives one inbound.
type screen struct {
	dock.Document[api.Inbound]
	site *dock.Site
	env  tui.Env
}

func paper(site *dock.Site) dock.Paper[api.Inbound] {
	return dock.Paper[api.Inbound]{Route: "receive", Job: wordJob, Find: site.FindInbounds,
		ID:       func(in *api.Inbound) api.ID { return in.ID },
		Name:     dock.InboundName,
		Open:     func(in *api.Inbound) bool { return in.Status.Open() },
		Where:    func(in *api.Inbound) dock.Place { return dock.PlaceAt(in.LocationID, in.Location) },
		Wares:    func(in *api.Inbound) []dock.Ware { return []dock.Ware{{ID: in.ProductID, Ref: in.Product}} },
		Question: func(ref string) string { return fmt.Sprintf(askGoods, ref) },
		Choice: func(in *api.Inbound) string {
			return fmt.Sprintf(choiceLine, sku(in), name(in), widget.Count(in.Pending()))
		}}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.Show = s.show
	b := s.Bench
	b.In, b.Damages, b.Verb, b.Past = true, true, verbBook, doneBook
	b.Writes = []*api.Spec{api.ReceiveInbound.Spec}
	b.Plan, b.Booked, b.Done, b.Elsewhere = s.plan, s.booked, s.done, s.elsewhere
	return s.Begin()
}

// show puts the document's goods on the bench.
func (s *screen) show() {
	doc, b := s.Doc, s.Bench
	b.Name, b.Closed, b.Ended = s.Title(), "", string(doc.Status)
	b.Surplus = s.site.Has(api.ReceiveStock.Spec) && s.site.Lacks(api.ReceiveStock.Spec) == ""
	if !doc.Status.Open() {
		b.Closed = fmt.Sprintf(ended, doc.Status,
			widget.Count(doc.ReceivedQuantity), widget.Count(doc.ExpectedQuantity))
	}
	b.SetLines(lineOf(s.site, doc, s.Goods[doc.ProductID]))
}

// lineOf is what is to come of an inbound, and how much more may.
func lineOf(site *dock.Site, doc *api.Inbound, goods dock.Goods) *dock.Line {
	rules := site.Rules()
	return &dock.Line{Key: doc.ProductID.String(), Goods: goods, Pending: doc.Pending(), Percent: rules.OverReceiptPercent,
		Beyond: rules.Receivable(doc.ExpectedQuantity) - max(doc.ExpectedQuantity, doc.ReceivedQuantity)}
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return s, s.Handle(msg) }

func (s *screen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.Absent(size)
	}
	return s.Bench.View(size, s.sheet())
}

// sheet is what there is to tell of the document.
func (s *screen) sheet() dock.Sheet {
	late := Late(s.Doc, s.env.Now())
	when := strings.TrimSpace(string(s.Doc.Status))
	if s.Doc.ExpectedAt != nil && s.Doc.Status.Open() {
		when = fmt.Sprintf(wordDue, widget.When(*s.Doc.ExpectedAt, s.env.Now()))
	}
	return dock.Sheet{Party: s.Doc.SupplierName, When: when, Late: late,
		Whole: s.Doc.ExpectedQuantity, Done: s.Doc.ReceivedQuantity, WholeWord: wordExpected, DoneWord: wordReceived}
}
