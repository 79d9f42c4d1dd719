package transfers

import (
	"context"
	"errors"
	"slices"
	"time"

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

// A delivery is the transfers that are shipped and received together.
type delivery = session.Delivery[api.Transfer]

// Ship returns the factory of the screen that ships a delivery, named by its reference or
// by the ID of a transfer.
func Ship(site *session.Site) tui.Factory { return screenFactory(site, &shipping) }

// Receive returns the factory of the screen that receives a delivery.
func Receive(site *session.Site) tui.Factory { return screenFactory(site, &receiving) }

func screenFactory(site *session.Site, e *side) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &screen{
			site:           site,
			side:           e,
			DocumentScreen: panel.NewDocumentScreen(site, env, e.documentKind(site)),
		}, nil
	}
}

// screen is one end of a delivery.
type screen struct {
	panel.DocumentScreen[delivery]
	site *session.Site
	side *side
}

func (e *side) documentKind(site *session.Site) panel.DocumentKind[delivery] {
	t := site.T()

	return panel.DocumentKind[delivery]{Route: e.id, Job: t.Get(e.titleWord), Word: t.Get("Transfer"),
		Find:     site.FindTransferDeliveries,
		IDs:      e.lineIDs,
		Name:     deliveryName,
		Location: func(d *delivery) session.Location { return e.location(&d.Lines[0]) },
		IsOpen: func(d *delivery) bool {
			return slices.ContainsFunc(d.Lines, func(x api.Transfer) bool { return x.Status == api.TransferInTransit })
		},
		Closed: func(d *delivery) (reason, short string) { return e.deliveryClosed(t, d) },
		Items: func(d *delivery) (items []panel.ItemRef) {
			for _, x := range d.Lines {
				items = append(items, panel.ItemRef{ID: x.ProductID, Ref: x.Product})
			}
			return items
		},
		Sort: func(d *delivery, compare func(product, other api.ID) int) {
			if e.ships() {
				d.Lines = slices.Clone(d.Lines)
				slices.SortStableFunc(d.Lines, func(a, b api.Transfer) int { return compare(a.ProductID, b.ProductID) })
			}
		},
		Changed: func(d *delivery) (id api.ID, at time.Time) {
			last := slices.MaxFunc(d.Lines, func(a, b api.Transfer) int { return a.UpdatedAt.Compare(b.UpdatedAt) })
			if e.ships() && last.ReceivedQuantity > 0 {
				return api.NoID, time.Time{} // changed by who received, not by who shipped
			}
			return last.ID, last.UpdatedAt
		},
		Open: func(ctx context.Context, at session.Location) ([]delivery, error) {
			open, _, err := e.openDeliveries(ctx, site, at)
			return open, err
		},
		Question: func(ref string) string { return t.Get("Which item on %s?", ref) },
		Choice:   func(d *delivery) string { return e.choice(t, d) }}
}

func (s *screen) Init(env tui.Env) tea.Cmd {
	s.ShowDoc = s.showDoc
	s.Panel.Job = panel.CountJob{
		Verb:         env.T.Get(s.side.verbWord),
		Booking:      s,
		Writes:       []*api.Spec{s.side.spec()},
		Receives:     !s.side.ships(),
		AllowDamaged: !s.side.ships(),
		Recover:      s.lotRefusal,
		Advance:      true,
		RecordedText: s.recordedText,
	}

	return s.Start()
}

// showDoc returns the transfers for the count panel.
func (s *screen) showDoc() (panel.CountDocument, []*count.Line) {
	var shown panel.CountDocument
	if first := &s.Doc.Lines[0]; s.side.ships() {
		shown.PickFrom = &panel.PickLocation{
			Owner:    first.OwnerID,
			Channel:  first.ChannelID,
			Document: names.Transfer(first),
		}
	}

	lines := make([]*count.Line, len(s.Doc.Lines))
	for i := range s.Doc.Lines {
		x := &s.Doc.Lines[i]
		lines[i] = &count.Line{Key: x.ID.String(), Item: s.Items[x.ProductID], Pending: s.side.openQuantity(x)}
	}

	return shown, lines
}

// line returns the transfer whose items are counted.
func (s *screen) line() *api.Transfer {
	return &s.Doc.Lines[max(0, min(s.Panel.Current, len(s.Doc.Lines)-1))]
}

// lineName names the line that is counted: by its product too, if there are others.
func (s *screen) lineName() string {
	if x := s.line(); len(s.Doc.Lines) > 1 {
		return names.Transfer(x) + " " + sku(x)
	}
	return names.Transfer(s.line())
}

func (s *screen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if k, ok := msg.(tea.KeyMsg); ok && s.Doc != nil && !s.AcceptsKey(k) && s.Panel.MoveLine(k) {
		return s, nil
	}
	return s, s.Handle(msg)
}

func (s *screen) View(size tui.Size) string {
	if s.Doc == nil {
		return s.LoadingView(size)
	}
	return s.Panel.Frame().View(size, s.summary())
}

// summary returns the summary of the line at this end.
func (s *screen) summary() panel.DocumentSummary {
	t, x := s.T, s.line()

	when := t.Get("created %s", t.When(x.CreatedAt, s.Now()))
	if !s.side.ships() && x.ShippedAt != nil {
		when = t.Get("shipped %s", t.When(*x.ShippedAt, s.Now()))
	}

	when = s.Panel.Document.Status(when)
	other := session.LocationOf(s.side.otherLocation(x))
	summary := panel.DocumentSummary{
		Party:     t.Get(s.side.directionText, other.String()),
		Way:       widget.Pair{Label: t.Get(s.side.directionWord), Value: other.Code},
		When:      when,
		Total:     s.side.totalOf(x),
		Done:      s.side.doneOf(x),
		TotalWord: t.Get(s.side.totalWord),
		DoneWord:  t.Get(s.side.doneWord),
	}

	if len(s.Doc.Lines) > 1 {
		for i := range s.Doc.Lines {
			summary.Lines = append(
				summary.Lines,
				panel.LineSummary{
					Total:  s.side.totalOf(&s.Doc.Lines[i]),
					Status: s.side.lineStatus(t, &s.Doc.Lines[i]),
				},
			)
		}
	}

	return summary
}

// closedReason returns why nothing can be moved at this end, or "", and a short form
// or the status.
func (e *side) closedReason(t *i18n.Translator, doc *api.Transfer) (why, short string) {
	switch {
	case doc.Status != api.TransferInTransit:
		short = names.Status(t, doc.Status)
		return t.Get("This transfer is %s (%s of %s).", short, t.Count(e.doneOf(doc)), t.Count(doc.Quantity)), short
	case e.pendingOf(doc) == 0 && e.ships():
		why = t.Get("This transfer is shipped (%s of %s).", t.Count(doc.ShippedQuantity), t.Count(doc.Quantity))
		return why, t.Get("all shipped")
	case e.pendingOf(doc) == 0:
		why = t.Get("Nothing is in transit: %s of %s shipped, %s received.",
			t.Count(doc.ShippedQuantity), t.Count(doc.Quantity), t.Count(doc.ReceivedQuantity))
		return why, t.Get("nothing in transit")
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

	return s.T.Get(
		"Lot %s is in transit, not %s. Press F8 to count the right label, or clear the lot (F7) to receive what was shipped.",
		widget.Clean(codes),
		widget.Clean(scanned),
	), nil
}

// Speech describes the transfer.
func (s *screen) Speech() tui.Speech {
	if s.Doc == nil {
		return s.LoadingSpeech()
	}
	return s.DocumentScreen.Speech(s.summary())
}
