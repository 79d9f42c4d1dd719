package stock

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// run connects the panel to the task and loads the stock.
func (w *balanceScreen) run(t balanceTask) tea.Cmd {
	w.task = t
	w.panel.OpenDocument = panel.OpenAbove(w.site)
	w.panel.Job = panel.CountJob{
		Verb:          w.T.Get(w.verb),
		Booking:       t,
		Question:      t.question,
		OtherItem:     w.otherItem,
		OtherLocation: w.onLocation,
	}

	return w.load()
}

// OnScan looks up the item or the location while they are unknown, then counts.
func (w *balanceScreen) OnScan(s scan.Scan) tea.Cmd {
	if w.hasStock() {
		return tea.Batch(w.panel.OnScan(s), w.loadLot())
	}
	if w.errText != "" {
		return tui.Fail(w.T.NewError(
			"The item could not be loaded. Nothing was counted: press enter to retry, or esc to go back."))
	}
	return w.lookUp(count.ParseLabel(w.T, s))
}

// lookUp finds the item or the location that a code names.
func (w *balanceScreen) lookUp(r count.Label) tea.Cmd {
	w.busy = true
	s, read := w.stockItem, w.readCorrections()

	return w.Do(func(ctx context.Context) tea.Msg {
		matches, err := w.site.Lookup(ctx, r.Codes...)
		if err != nil && !session.IsUnsupported(err) {
			return stockItemMsg{stock: s, err: err}
		}
		if len(matches) > 0 && matches[0].Location != nil {
			s.location = session.LocationOfPlace(matches[0].Location)
			return read(ctx, stockItemMsg{stock: s, err: s.load(ctx, w.site)})
		}
		if documents := panel.Documents(matches); documents != nil {
			return documentsMsg{r, documents}
		}

		item, err := w.site.FindItem(ctx, r)
		if err != nil {
			return stockItemMsg{stock: s, err: err}
		}

		s.item = *item

		return read(ctx, stockItemMsg{stock: s, scanned: &r.Scan, err: s.load(ctx, w.site)})
	})
}

// documentsMsg carries the documents that were scanned in place of an item.
type documentsMsg struct {
	label     count.Label
	documents []api.Match
}

func (w *balanceScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) { return w.task, w.update(msg) }

// update handles the messages that all balance screens share.
func (w *balanceScreen) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case stockItemMsg:
		return w.stockLoaded(msg)
	case documentsMsg:
		w.busy = false
		return w.panel.OpenDocument(msg.label, msg.documents)
	case lotMsg:
		return w.lotLoaded(msg)
	case panel.LocationChangedMsg:
		return w.useLocation(msg.Location)
	case tea.KeyMsg:
		if !w.hasStock() {
			if text, done := w.itemInput.Key(msg); done {
				return w.lookUp(count.ParseLabel(w.T, scan.Parse(text, w.Now())))
			}
			return nil
		}
	}

	cmd, _ := w.panel.Update(msg)

	return tea.Batch(cmd, w.loadLot())
}

// stockLoaded shows the stock that was loaded. The scan that named it selects it and counts
// nothing.
func (w *balanceScreen) stockLoaded(m stockItemMsg) tea.Cmd {
	w.busy = false
	switch {
	case m.err != nil && w.hasStock():
		return tui.Warn(w.T.Get("Not refreshed: %s", submit.UserMessage(w.T, m.err)))
	case m.err != nil && w.ref() != "":
		w.errText = submit.UserMessage(w.T, m.err)
		return tui.Bell(2)
	case m.err != nil:
		return panel.FailScan(w.site, m.err)
	}

	asked := !w.hasStock()
	w.errText, w.stockItem, w.corrections = "", m.stock, m.corrections
	w.updatePanel()
	switch {
	case asked && w.hasStock() && m.scanned != nil && w.countFirst:
		return tui.Scanned(*m.scanned)
	case asked && w.hasStock() && m.scanned != nil:
		return tui.Accept(tui.Toast(w.T.Get("%s selected, 0 counted. Scan again to count.",
			w.item.SKU)))
	case asked && w.ref() == "":
		return tui.Accepted()
	}

	return w.loadLot()
}

// updatePanel updates the lines of the panel from the stock and the choices.
func (w *balanceScreen) updatePanel() {
	if w.hasStock() {
		w.task.setLines()
	}
}

// show puts the item on the count panel, of which pending pieces can be counted. word says
// what they are.
func (w *balanceScreen) show(pending int64, word string) {
	w.panel.Show(panel.CountDocument{Name: w.Title()}, &count.Line{
		Key:         w.item.ID.String(),
		Item:        w.item,
		Pending:     pending,
		PendingWord: word,
	})
}

// routeIsFixed reports whether the route names the location, or the balance itself.
func (w *balanceScreen) routeIsFixed() bool {
	ref := w.Route.Param("balance")
	return strings.Contains(ref, "@") || uuid.Validate(ref) == nil
}

// useLocation switches to the operator's location, unless the route names another.
func (w *balanceScreen) useLocation(p session.Location) tea.Cmd {
	switch {
	case w.routeIsFixed():
		return nil
	case w.Route.Param("balance") != "" && !w.hasStock(): // waiting for a location
		w.errText, w.location = "", p
		return w.load()
	}

	return w.onLocation(p)
}

// onLocation switches to another location, unless something is counted.
func (w *balanceScreen) onLocation(p session.Location) tea.Cmd {
	switch {
	case p.ID == w.location.ID:
		return nil
	case w.Route.Param("balance") != "":
		return tui.Replace(tui.Path(w.route, w.item.SKU+"@"+p.Code))
	case w.panel.Total() > 0:
		return tui.Fail(w.T.NewError("%s counted at %s and not recorded. Record them first, or type 0.",
			w.T.Count(w.panel.Total()), w.location.Code))
	}

	w.location, w.balance, w.reversal = p, api.Balance{}, nil

	return tui.Accept(w.reload())
}

// otherItem offers the same job for an item that was scanned by mistake.
func (w *balanceScreen) otherItem(_ context.Context, m *api.Match) []tui.Action {
	sku := m.Product.SKU
	return []tui.Action{{
		ID:    w.route + ".other",
		Key:   "f8",
		Label: w.T.Get(w.instead, sku),
		Short: sku,
		Run:   tui.Opens(tui.Path(w.route, sku+"@"+w.location.Code)),
	}}
}

// loadLot reads the recorded stock of the lot that is counted now.
func (w *balanceScreen) loadLot() tea.Cmd {
	code := w.panel.Line().Count.Lot
	if !w.hasStock() || code == w.lot.code {
		return nil
	}

	w.lot = lotStock{code: code}
	w.updatePanel()
	if code == "" {
		return nil
	}

	s := w.stockItem

	return w.Latest("lot", func(ctx context.Context) tea.Msg {
		h, lot, err := s.lotHolding(ctx, w.site, code)
		return lotMsg{code, lot, h, err}
	})
}

func (w *balanceScreen) lotLoaded(m lotMsg) tea.Cmd {
	if m.code != w.lot.code {
		return nil
	}
	if m.err != nil {
		return tui.Warn(w.T.Get("Lot %s could not be loaded: %s", m.code, submit.UserMessage(w.T, m.err)))
	}
	if m.holding != nil {
		w.lot.known, w.lot.Quantities, w.lot.lot = true, m.holding.Quantities, m.lot
	}

	w.updatePanel()

	return nil
}

// A stepBuilder builds the writes of a change of a quantity.
type stepBuilder func(stateChange, lotQuantity) ([]submit.Step, error)

// prepare returns the function that builds the writes of the counted quantity, which up says
// is added.
func (w *balanceScreen) prepare(lines []count.Line, up bool,
	build stepBuilder) func(context.Context) ([]submit.Step, error) {
	c := stateChange{stockItem: w.stockItem, reason: w.choices.Reason}
	w.lastDeltas, w.reversing = nil, false

	return func(ctx context.Context) ([]submit.Step, error) {
		p, err := countedQuantity(ctx, w.site, lines[0], up)
		if err != nil {
			return nil, err
		}
		return build(c, p)
	}
}

// booked takes the balance after a booking. It prepares the undo with the writes that undo
// builds for each quantity that the movements changed in a state; text describes all of them.
func (w *balanceScreen) booked(balance api.Balance, moves []api.Movement, state api.State,
	text func(total int64) string, undo stepBuilder) {
	w.balance, w.lot = balance, lotStock{}
	w.addDeltas(moves)
	w.corrections.Add(moves)
	defer w.task.setLines()
	w.reversal = nil
	if w.reversing {
		return
	}

	w.reversal = &reversal{toast: w.restoredText()}
	c := stateChange{stockItem: w.stockItem, state: state, reason: undoReason(w.choices.Reason)}
	var total int64
	for _, p := range lotQuantities(moves, state) {
		steps, err := undo(c, p)
		if err != nil {
			w.reversal.unavailable = err.Error()
		}

		w.reversal.steps = append(w.reversal.steps, steps...)
		total += p.signed()
	}

	w.reversal.text = text(total)
}

// addDeltas adds the effect of movements to lastDeltas.
func (b *lastBooking) addDeltas(moves []api.Movement) {
	for _, m := range moves {
		i := slices.IndexFunc(b.lastDeltas, func(d delta) bool { return d.state == m.InventoryState })
		if i < 0 {
			b.lastDeltas = append(b.lastDeltas, delta{state: m.InventoryState, before: m.BalanceBefore})
			i = len(b.lastDeltas) - 1
		}
		b.lastDeltas[i].after = m.BalanceAfter
	}

	b.lastDeltas = slices.DeleteFunc(b.lastDeltas, func(d delta) bool { return d.change() == 0 })
}

// BookedText describes the last booking. It clears the reason, because the next change
// needs its own.
func (w *balanceScreen) BookedText(int64) string {
	w.choices.Reason = ""
	if w.size.Small() {
		return shortDeltaText(w.T, w.lastDeltas)
	}
	return w.item.SKU + ": " + deltasText(w.T, w.lastDeltas)
}
