package transfers

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
)

// Ship returns the factory of the screen that ships a transfer, named by ID or
// reference.
func Ship(site *session.Site) tui.Factory { return screenFactory(site, &shipping) }

// Receive returns the factory of the screen that receives a transfer.
func Receive(site *session.Site) tui.Factory { return screenFactory(site, &receiving) }

func screenFactory(site *session.Site, e *side) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{site: site, side: e, DocumentScreen: panel.NewDocumentScreen(site, env, e.documentKind(site))}, nil
	}
}

// screen is one end of a transfer.
type screen struct {
	panel.DocumentScreen[api.Transfer]
	site *session.Site
	side *side
	env  tui.Env
}

func (e *side) documentKind(site *session.Site) panel.DocumentKind[api.Transfer] {
	return panel.DocumentKind[api.Transfer]{Route: e.id, Job: site.T().Get(e.titleWord), Find: site.FindTransfers,
		IDs:      func(t *api.Transfer) []api.ID { return []api.ID{t.ID} },
		Name:     names.Transfer,
		Location: e.location,
		IsOpen:   func(t *api.Transfer) bool { return t.Status == api.TransferInTransit },
		Closed:   func(t *api.Transfer) (reason, short string) { return e.closedReason(site.T(), t) },
		Items:    func(t *api.Transfer) []panel.ItemRef { return []panel.ItemRef{{ID: t.ProductID, Ref: t.Product}} },
		Question: func(ref string) string { return site.T().Get("Which item on %s?", ref) },
		Choice: func(t *api.Transfer) string {
			return site.T().Get("%s  %s  %s to go", sku(t), name(t), site.T().Count(e.pendingOf(t)))
		}}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.env = env
	s.ShowDoc = s.showDoc
	s.Panel.Job = panel.CountJob{Verb: env.T.Get(s.side.verbWord),
		Booking: s, Writes: []*api.Spec{s.side.spec()}, AllowDamaged: !s.side.ships(), Recover: s.lotRefusal}
	return s.Start()
}

// showDoc returns the transfer for the count panel.
func (s *screen) showDoc() (panel.CountDocument, []*count.Line) {
	doc := s.Doc
	var shown panel.CountDocument
	if s.side.ships() {
		shown.PickFrom = &panel.PickLocation{Owner: doc.OwnerID, Channel: doc.ChannelID, Document: names.Transfer(doc)}
	}
	return shown, []*count.Line{{Key: doc.ID.String(), Item: s.Items[doc.ProductID], Pending: s.side.pendingOf(doc)}}
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return s, s.Handle(msg) }

func (s *screen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.LoadingView(size)
	}
	return s.Panel.View(size, s.summary())
}

// summary returns the summary of the transfer at this end.
func (s *screen) summary() panel.DocumentSummary {
	t := s.T()

	when := t.Get("created %s", t.When(s.Doc.CreatedAt, s.env.Now()))
	if !s.side.ships() && s.Doc.ShippedAt != nil {
		when = t.Get("shipped %s", t.When(*s.Doc.ShippedAt, s.env.Now()))
	}
	other := session.LocationOf(s.side.otherLocation(s.Doc))
	return panel.DocumentSummary{Party: t.Get(s.side.directionText, other.String()), Way: widget.Pair{Label: t.Get(s.side.directionWord), Value: other.Code}, When: when,
		Total: s.side.totalOf(s.Doc), Done: s.side.doneOf(s.Doc), TotalWord: s.site.T().Get(s.side.totalWord), DoneWord: s.site.T().Get(s.side.doneWord)}
}

// closedReason returns why nothing can be moved at this end, or "", and a short form
// or the status.
func (e *side) closedReason(t *i18n.Translator, doc *api.Transfer) (why, short string) {
	switch {
	case doc.Status != api.TransferInTransit:
		return t.Get("This transfer is %s (%s of %s).", names.Status(t, doc.Status), t.Count(e.doneOf(doc)), t.Count(doc.Quantity)), names.Status(t, doc.Status)
	case e.pendingOf(doc) == 0 && e.ships():
		return t.Get("This transfer is shipped (%s of %s).", t.Count(doc.ShippedQuantity), t.Count(doc.Quantity)), t.Get("all shipped")
	case e.pendingOf(doc) == 0:
		return t.Get("Nothing is in transit: %s of %s shipped, %s received.",
			t.Count(doc.ShippedQuantity), t.Count(doc.Quantity), t.Count(doc.ReceivedQuantity)), t.Get("nothing in transit")
	}
	return "", names.Status(t, doc.Status)
}

// lotRefusal says what lot is in transit if another one was scanned.
func (s *screen) lotRefusal(err error) (text string, offers []tui.Action) {
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.LotMismatch {
		return "", nil
	}
	codes, _ := e.Details["inTransitLotCodes"].(string)
	scanned, _ := e.Details["lotCode"].(string)
	if codes == "" || scanned == "" {
		return "", nil
	}
	return s.T().Get("Lot %s is in transit, not %s. Check the label, or clear the lot (F7) to receive what was shipped.",
		widget.Clean(codes), widget.Clean(scanned)), nil
}
