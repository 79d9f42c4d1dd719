package inbounds

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/alerts"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

// A delivery is the inbounds that are received together.
type delivery = session.Delivery[api.Inbound]

// Detail returns the factory of the screen of one delivery, named by its reference or by
// the ID of an inbound.
func Detail(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, DocumentScreen: panel.NewDocumentScreen(site, env, documentKind(site))}, nil
	}
}

// screen receives one delivery.
type screen struct {
	panel.DocumentScreen[delivery]
	site    *session.Site
	extra   map[api.ID]int64  // what came over each received inbound
	lots    map[api.ID]string // the lots and serials of each received inbound
	extraOf string            // the version of the delivery that extra is of
}

func documentKind(site *session.Site) panel.DocumentKind[delivery] {
	t := site.T()

	return panel.DocumentKind[delivery]{
		Route:  "receive",
		Job:    t.GetC("Receive", "inbounds"),
		Word:   t.Get("Delivery"),
		Find:   site.FindInboundDeliveries,
		IDs:    lineIDs,
		Name:   deliveryName,
		IsOpen: func(d *delivery) bool { return len(openLines(d)) > 0 },
		Closed: func(d *delivery) (reason, short string) { return closedReason(t, d) },
		Location: func(d *delivery) session.Location {
			return session.LocationAt(d.Lines[0].LocationID, d.Lines[0].Location)
		},
		Items: func(d *delivery) (items []panel.ItemRef) {
			for _, in := range d.Lines {
				items = append(items, panel.ItemRef{ID: in.ProductID, Ref: in.Product})
			}
			return items
		},
		Changed: func(d *delivery) (id api.ID, at time.Time) {
			last := slices.MaxFunc(d.Lines, func(a, b api.Inbound) int { return a.UpdatedAt.Compare(b.UpdatedAt) })
			return last.ID, last.UpdatedAt
		},
		Open: func(ctx context.Context, at session.Location) ([]delivery, error) {
			open, _, err := openDeliveries(ctx, site, at)
			return open, err
		},
		Due:      func(d *delivery, zone *time.Location) *time.Time { return alerts.FirstDue(*d).Due(zone) },
		Question: func(ref string) string { return t.Get("Which item on %s?", ref) },
		Choice:   func(d *delivery) string { return choice(t, d) },
	}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.ShowDoc = s.showDoc
	s.Panel.Incoming = true
	s.Panel.Job = panel.CountJob{
		Verb:         env.T.GetC("receive", "inbounds"),
		Booking:      s,
		Writes:       []*api.Spec{api.ReceiveInbound.Spec},
		Receives:     true,
		AllowDamaged: true,
		NewSerials:   true,
		OtherItem:    s.otherInbounds,
		Advance:      true,
		RecordedText: s.recordedText,
	}

	return s.Start()
}

// showDoc returns the document for the count panel.
func (s *screen) showDoc() (panel.CountDocument, []*count.Line) {
	canReceive := s.site.Supports(api.ReceiveStock.Spec) && s.site.MissingRights(api.ReceiveStock.Spec) == ""
	lines := make([]*count.Line, len(s.Doc.Lines))
	for i := range s.Doc.Lines {
		lines[i] = lineOf(s.site, &s.Doc.Lines[i], s.Items[s.Doc.Lines[i].ProductID])
	}
	return panel.CountDocument{AllowOverReceipt: canReceive}, lines
}

// line returns the inbound whose items are counted.
func (s *screen) line() *api.Inbound {
	return &s.Doc.Lines[max(0, min(s.Panel.Current, len(s.Doc.Lines)-1))]
}

// lineName names the line that is counted: by its product too, if there are others.
func (s *screen) lineName() string {
	if in := s.line(); len(s.Doc.Lines) > 1 {
		return names.Inbound(in) + " " + sku(in)
	}
	return names.Inbound(s.line())
}

// lineOf returns the line of an inbound with its pending quantity and tolerance.
func lineOf(site *session.Site, doc *api.Inbound, item count.Item) *count.Line {
	announced := api.AnnouncedIn(doc.Metadata)
	if !doc.Status.Open() {
		return &count.Line{Key: doc.ID.String(), Item: item, Announced: announced}
	}

	rules := site.Rules()

	return &count.Line{
		Key:              doc.ID.String(),
		Item:             item,
		Announced:        announced,
		Pending:          doc.Pending(),
		TolerancePercent: rules.OverReceiptPercent,
		Tolerance:        rules.Receivable(doc.ExpectedQuantity) - max(doc.ExpectedQuantity, doc.ReceivedQuantity),
	}
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && s.Doc != nil && !s.AcceptsKey(k) && s.Panel.MoveLine(k) {
		return s, nil
	}
	if m, ok := msg.(extraMsg); ok {
		s.extraRead(m)
		return s, nil
	}
	return s, tea.Batch(s.Handle(msg), s.readExtra())
}

func (s *screen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.LoadingView(size)
	}
	return s.Panel.Frame().View(size, s.summary())
}

// summary returns the summary of the document.
func (s *screen) summary() panel.DocumentSummary {
	t := s.T

	in := s.line()
	late := alerts.IsInboundLate(in, s.Now())
	when := s.Panel.Document.Status(names.Status(t, in.Status))
	if n := s.extra[in.ID]; n > 0 {
		when += ", " + t.Get("%s extra", t.Count(n))
	}
	if due := in.Due(s.Now().Location()); due != nil && in.Status.Open() {
		when = t.Get("expected %s", t.When(*due, s.Now()))
	}

	summary := panel.DocumentSummary{
		Party:     party(t, in),
		When:      when,
		Late:      late,
		Total:     in.ExpectedQuantity,
		Done:      in.ReceivedQuantity,
		TotalWord: t.Get("expected"),
		DoneWord:  t.Get("received"),
		Recorded:  s.lots[in.ID],
	}

	if len(s.Doc.Lines) > 1 {
		for i := range s.Doc.Lines {
			summary.Lines = append(summary.Lines, panel.LineSummary{
				Total:  s.Doc.Lines[i].ExpectedQuantity,
				Status: lineStatus(t, &s.Doc.Lines[i], s.extra[s.Doc.Lines[i].ID]),
			})
		}
	}

	return summary
}

// party names the supplier and the details of an inbound.
func party(t *i18n.Translator, in *api.Inbound) string {
	parts := []string{in.SupplierName}
	for _, detail := range in.Details() {
		if *detail.Text != "" {
			parts = append(parts, names.Detail(t, detail.Name)+" "+*detail.Text)
		}
	}

	return listscreen.JoinParts(parts...)
}

// otherInbounds offers the open inbounds of an item that was scanned here by mistake.
func (s *screen) otherInbounds(ctx context.Context, m *api.Match) []tui.Action {
	t := s.T

	rows, err := session.Call(ctx, s.site, api.ListInbounds,
		api.ListInboundsInput{StockFilter: api.StockFilter{ProductID: m.Product.ID, LocationID: s.site.Location().ID}})
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

	others := deliveriesByDue(open)
	countText := t.Get("%s open", t.Count(int64(len(others))))

	return []tui.Action{
		{ID: "receive.elsewhere", Key: "f8", Label: t.Get("receive it on another delivery (%s)", countText),
			Short: t.Get("other PO"), Run: func() tea.Cmd {
				f := finder(t)
				return tui.Accept(panel.Choose(f.Question, others, f.Line,
					func(d *delivery) tea.Cmd { return openDelivery(s.Env, d) }))
			}},
	}
}

// Speech describes the inbound.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	return s.DocumentScreen.Speech(s.summary())
}
