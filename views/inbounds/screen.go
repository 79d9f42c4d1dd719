package inbounds

import (
	"bincard/server/api"
	"bincard/tui"
	"bincard/views/alerts"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Detail returns the factory of the screen of one inbound, named by ID or reference.
func Detail(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, DocumentScreen: dock.NewDocumentScreen(site, env, documentKind(site))}, nil
	}
}

// screen receives one inbound.
type screen struct {
	dock.DocumentScreen[api.Inbound]
	site *dock.Site
	env  tui.Env
}

func documentKind(site *dock.Site) dock.DocumentKind[api.Inbound] {
	t := site.T()

	return dock.DocumentKind[api.Inbound]{Route: "receive", Job: t.GetC("Receive", "inbounds"), Find: site.FindInbounds,
		ID:       func(in *api.Inbound) api.ID { return in.ID },
		Name:     dock.InboundName,
		IsOpen:   func(in *api.Inbound) bool { return in.Status.Open() },
		Location: func(in *api.Inbound) dock.Location { return dock.LocationAt(in.LocationID, in.Location) },
		Items:    func(in *api.Inbound) []dock.ItemRef { return []dock.ItemRef{{ID: in.ProductID, Ref: in.Product}} },
		Question: func(ref string) string { return t.Get("Which item on %s?", ref) },
		Choice: func(in *api.Inbound) string {
			return t.Get("%s  %s  %s pending", sku(in), name(in), t.Count(in.Pending()))
		}}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.ShowDoc = s.showDoc
	b := s.Panel
	b.Incoming, b.AllowDamaged, b.Verb, b.PastVerb = true, true, env.T.Get("book"), env.T.Get("booked")
	b.Writes = []*api.Spec{api.ReceiveInbound.Spec}
	b.PrepareSteps, b.OnBooked, b.BookedText, b.ActionsFor = s.prepareSteps, s.onBooked, s.bookedText, s.actionsFor
	return s.Start()
}

// showDoc shows the document in the count panel.
func (s *screen) showDoc() {
	t := s.T()

	doc, b := s.Doc, s.Panel
	b.Name, b.ClosedReason, b.ClosedShort = s.Title(), "", dock.StatusText(t, doc.Status)
	b.AllowOverReceipt = s.site.Supports(api.ReceiveStock.Spec) && s.site.MissingRights(api.ReceiveStock.Spec) == ""
	if !doc.Status.Open() {
		b.ClosedReason = t.Get("This inbound is %s: %s of %s received.", dock.StatusText(t, doc.Status),
			t.Count(doc.ReceivedQuantity), t.Count(doc.ExpectedQuantity))
	}
	b.SetLines(lineOf(s.site, doc, s.Items[doc.ProductID]))
}

// lineOf returns the line of an inbound with its pending quantity and tolerance.
func lineOf(site *dock.Site, doc *api.Inbound, item dock.Item) *dock.Line {
	rules := site.Rules()
	return &dock.Line{Key: doc.ProductID.String(), Item: item, Pending: doc.Pending(), TolerancePercent: rules.OverReceiptPercent,
		Tolerance: rules.Receivable(doc.ExpectedQuantity) - max(doc.ExpectedQuantity, doc.ReceivedQuantity)}
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return s, s.Handle(msg) }

func (s *screen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.LoadingView(size)
	}
	return s.Panel.View(size, s.summary())
}

// summary returns the summary of the document.
func (s *screen) summary() dock.DocumentSummary {
	t := s.T()

	late := alerts.IsInboundLate(s.Doc, s.env.Now())
	when := dock.StatusText(t, s.Doc.Status)
	if s.Doc.ExpectedAt != nil && s.Doc.Status.Open() {
		when = t.Get("expected %s", t.When(*s.Doc.ExpectedAt, s.env.Now()))
	}
	return dock.DocumentSummary{Party: s.Doc.SupplierName, When: when, Late: late,
		Total: s.Doc.ExpectedQuantity, Done: s.Doc.ReceivedQuantity, TotalWord: t.Get("expected"), DoneWord: t.Get("received")}
}
