package inbounds

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/alerts"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

// Detail returns the factory of the screen of one inbound, named by ID or reference.
func Detail(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, DocumentScreen: panel.NewDocumentScreen(site, env, documentKind(site))}, nil
	}
}

// screen receives one inbound.
type screen struct {
	panel.DocumentScreen[api.Inbound]
	site *session.Site
	env  tui.Env
}

func documentKind(site *session.Site) panel.DocumentKind[api.Inbound] {
	t := site.T()

	return panel.DocumentKind[api.Inbound]{Route: "receive", Job: t.GetC("Receive", "inbounds"), Find: site.FindInbounds,
		ID:     func(in *api.Inbound) api.ID { return in.ID },
		Name:   names.Inbound,
		IsOpen: func(in *api.Inbound) bool { return in.Status.Open() },
		Closed: func(in *api.Inbound) (reason, short string) {
			status := names.Status(t, in.Status)
			if in.Status.Open() {
				return "", status
			}
			return t.Get("This inbound is %s (%s of %s).", status, t.Count(in.ReceivedQuantity), t.Count(in.ExpectedQuantity)), status
		},
		Location: func(in *api.Inbound) session.Location { return session.LocationAt(in.LocationID, in.Location) },
		Items:    func(in *api.Inbound) []panel.ItemRef { return []panel.ItemRef{{ID: in.ProductID, Ref: in.Product}} },
		Question: func(ref string) string { return t.Get("Which item on %s?", ref) },
		Choice: func(in *api.Inbound) string {
			return t.Get("%s  %s  %s to go", sku(in), name(in), t.Count(in.Pending()))
		}}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.ShowDoc = s.showDoc
	s.Panel.Incoming = true
	s.Panel.Job = panel.CountJob{Verb: env.T.GetC("receive", "inbounds"), Booking: s, Writes: []*api.Spec{api.ReceiveInbound.Spec}, AllowDamaged: true, OtherItem: s.otherInbounds}
	return s.Start()
}

// showDoc returns the document for the count panel.
func (s *screen) showDoc() (panel.CountDocument, []*count.Line) {
	canReceive := s.site.Supports(api.ReceiveStock.Spec) && s.site.MissingRights(api.ReceiveStock.Spec) == ""
	return panel.CountDocument{AllowOverReceipt: canReceive}, []*count.Line{lineOf(s.site, s.Doc, s.Items[s.Doc.ProductID])}
}

// lineOf returns the line of an inbound with its pending quantity and tolerance.
func lineOf(site *session.Site, doc *api.Inbound, item count.Item) *count.Line {
	rules := site.Rules()
	return &count.Line{Key: doc.ProductID.String(), Item: item, Pending: doc.Pending(), TolerancePercent: rules.OverReceiptPercent,
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
func (s *screen) summary() panel.DocumentSummary {
	t := s.T()

	late := alerts.IsInboundLate(s.Doc, s.env.Now())
	when := names.Status(t, s.Doc.Status)
	if s.Doc.ExpectedAt != nil && s.Doc.Status.Open() {
		when = t.Get("expected %s", t.When(*s.Doc.ExpectedAt, s.env.Now()))
	}
	return panel.DocumentSummary{Party: s.Doc.SupplierName, When: when, Late: late,
		Total: s.Doc.ExpectedQuantity, Done: s.Doc.ReceivedQuantity, TotalWord: t.Get("expected"), DoneWord: t.Get("received")}
}

// otherInbounds offers the open inbounds of an item that was scanned here by mistake.
func (s *screen) otherInbounds(ctx context.Context, m *api.Match) []tui.Action {
	t := s.T()

	rows, err := session.Call(ctx, s.site, api.ListInbounds, api.ListInboundsInput{StockFilter: api.StockFilter{ProductID: m.Product.ID, LocationID: s.site.Location().ID}})
	if err != nil {
		return nil
	}
	var open []api.Inbound
	for _, in := range rows.Items {
		if in.Status.Open() {
			open = append(open, in)
		}
	}
	if len(open) == 0 {
		return nil
	}
	sortByDue(open)
	countText := t.Get("1 open")
	if len(open) > 1 {
		countText = t.Get("%d open", len(open))
	}
	return []tui.Action{{ID: "receive.elsewhere", Keys: []string{"f8"}, Label: t.Get("receive it on another inbound (%s)", countText),
		Short: t.Get("other PO"), Run: func() tea.Cmd { return finder(t).Choose(open, openInbound) }}}
}
