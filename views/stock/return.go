package stock

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"
)

// Return returns the factory of the screen that takes back what was shipped.
func Return(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &returnScreen{balanceScreen: newBalanceScreen(site, env, returning)}, nil
	}
}

var returning = balanceJob{
	route:       "return",
	title:       i18n.Text("Return"),
	verb:        i18n.Text("return"),
	help:        i18n.Text("Record what came back. Each scan adds 1."),
	instead:     i18n.Text("return %s instead"),
	permission:  tui.MayAdjust,
	reasons:     func(choices) names.Question { return names.ReturnReasons },
	countFirst:  true,
	prompt:      i18n.Text("Scan the order, or what came back"),
	shortPrompt: i18n.Text("Scan order or item"),
}

// returnScreen is the screen for what came back, of an order or of none.
type returnScreen struct {
	balanceScreen
	order      *api.Outbound // nil if it is not known
	returnable int64         // of the item, from the order
}

type (
	orderMsg struct {
		order *api.Outbound
		err   error
	}
	returnableMsg struct {
		product  api.ID
		quantity int64
	}
)

func (s *returnScreen) Init(tui.Env) tea.Cmd {
	if s.choices.To == "" {
		s.choices.To = string(api.Available)
	}

	cmd := s.run(s)
	s.panel.OpenDocument = s.chooseOrder
	if id := s.choices.Order; id != api.NoID {
		cmd = tea.Batch(cmd, s.Do(func(ctx context.Context) tea.Msg {
			o, err := session.Call(ctx, s.site, api.GetOutbound, api.OutboundInput{OutboundID: id})
			return orderMsg{&o, err}
		}))
	}

	return cmd
}

func (s *returnScreen) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	switch m := msg.(type) {
	case orderMsg:
		if m.err != nil {
			return s, tui.Warn(submit.UserMessage(s.T, m.err))
		}
		s.order = m.order
		return s, s.readReturnable()
	case returnableMsg:
		if m.product == s.item.ID {
			s.returnable = m.quantity
		}
		return s, nil
	}

	before := s.item.ID
	cmd := s.update(msg)
	if s.item.ID != before {
		cmd = tea.Batch(cmd, s.readReturnable())
	}

	return s, cmd
}

// chooseOrder takes a scanned order as the one that comes back, and opens other documents.
func (s *returnScreen) chooseOrder(r count.Label, found []api.Match) tea.Cmd {
	o := found[0].Outbound
	if o == nil {
		return panel.OpenAbove(s.site)(r, found)
	}
	if s.hasStock() {
		if err := s.panel.CheckEditable(); err != nil {
			return tui.Fail(err)
		}
	}

	shipped := shippedLines(o)
	switch {
	case len(shipped) == 0:
		return tui.Fail(s.T.NewError("Nothing of %s was shipped.", names.Outbound(o)))
	case s.hasStock() && shippedQuantity(o, s.item.ID) == 0:
		return tui.Fail(s.T.NewError("%s did not ship %s. Scan the order of the item.", names.Outbound(o), s.item.SKU))
	}

	s.order, s.choices.Order = o, o.ID
	if s.hasStock() {
		return tui.Accept(s.readReturnable())
	}

	options := make([]string, len(shipped))
	for i, l := range shipped {
		options[i] = s.T.Count(l.FulfilledQuantity) + " × " + names.ProductSKU(l.Product, l.ProductID) + "  " +
			names.ProductName(l.Product)
	}
	if len(shipped) == 1 {
		return tui.Accept(s.chooseLine(shipped[0]))
	}

	return tui.Accept(
		tui.Choose(tui.Choice{Text: s.T.Get("What comes back of %s?", names.Outbound(o)), Options: options,
			OnChoice: func(i int) tea.Cmd { return s.chooseLine(shipped[i]) }}),
	)
}

// shippedLines returns the lines of an order of which something was shipped.
func shippedLines(o *api.Outbound) (shipped []api.OutboundLine) {
	for _, l := range o.Lines {
		if l.FulfilledQuantity > 0 {
			shipped = append(shipped, l)
		}
	}
	return shipped
}

// chooseLine loads the stock of the product of a line.
func (s *returnScreen) chooseLine(l api.OutboundLine) tea.Cmd {
	s.busy = true
	of, read := s.stockItem, s.readCorrections()

	return s.Do(func(ctx context.Context) tea.Msg {
		var err error
		if of.item, err = s.site.Item(ctx, l.ProductID, l.Product); err == nil {
			err = of.load(ctx, s.site)
		}
		return read(ctx, stockItemMsg{stock: of, err: err})
	})
}

// shippedQuantity returns what an order shipped of a product.
func shippedQuantity(o *api.Outbound, product api.ID) (sum int64) {
	for _, l := range shippedLines(o) {
		if l.ProductID == product {
			sum += l.FulfilledQuantity
		}
	}
	return sum
}

// readReturnable reads what of the item came back before from the order.
func (s *returnScreen) readReturnable() tea.Cmd {
	if s.returnable = 0; s.order == nil || !s.hasStock() {
		return nil
	}

	o, product := s.order, s.item.ID

	return s.Latest("returned", func(ctx context.Context) tea.Msg {
		return returnableMsg{product, returnable(ctx, s.site, o, product)}
	})
}

// returnable returns what an order shipped of a product, without what came back before; 0 if that
// is not known.
func returnable(ctx context.Context, site *session.Site, o *api.Outbound, product api.ID) int64 {
	limit := int64(500)
	rows, err := session.Call(ctx, site, api.ReportMovements, api.ReportMovementsInput{
		StockFilter: api.StockFilter{ProductID: product}, Operation: api.OpReturnStock,
		InventoryState: api.OnHand, Limit: &limit})
	if err != nil || rows.NextCursor != nil {
		return 0
	}

	left := shippedQuantity(o, product)
	for _, row := range rows.Items {
		if row.ReferenceID == referenceOf(o).ReferenceID {
			left -= row.Quantity
		}
	}

	return max(0, left)
}

// referenceOf returns the reference of an order, which may be nil.
func referenceOf(o *api.Outbound) api.Reference {
	switch {
	case o == nil:
		return api.Reference{}
	case o.ReferenceID != "":
		return api.Reference{ReferenceType: o.ReferenceType, ReferenceID: o.ReferenceID}
	default:
		return api.Reference{ReferenceType: "outbound", ReferenceID: o.ID.String()}
	}
}

func (s *returnScreen) state() api.State { return api.State(s.choices.To) }

func (s *returnScreen) setLines() {
	s.panel.Incoming = true
	s.show(api.MaxQuantity, s.T.Get("to return"))
}

func (s *returnScreen) deltas() []delta {
	return deltas(s.balance.Quantities, s.state(), s.panel.Line().Count.Quantity)
}

func (s *returnScreen) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	state, ref := s.state(), referenceOf(s.order)
	return s.prepare(lines, true, func(c stateChange, p lotQuantity) ([]submit.Step, error) {
		c.state, c.ref = state, ref
		return c.returnSteps(s.T, p)
	})
}

// Booked takes the balance from the response.
func (s *returnScreen) Booked(_ submit.Step, res *api.Response) {
	out, ok := res.Output.(*api.StockResult)
	if !ok {
		return
	}
	for _, m := range out.Movements {
		if m.Operation == api.OpReturnStock && m.InventoryState == api.OnHand {
			s.returnable -= m.Quantity
		}
	}

	s.balance, s.lot = out.Balance, lotStock{}
	s.addDeltas(out.Movements)
	s.setLines()
}

func (s *returnScreen) question(small bool) string {
	t, l := s.T, s.panel.Line()
	switch {
	case l.ByLot() && l.Count.Lot == "" && l.Count.Quantity > 0 && !small:
		return t.Get("Scan the lot, or press F7 to type it")
	case s.order == nil && l.Count.Quantity == 0 && !small:
		return t.Get("Scan the order, if you know it, or what came back")
	case !small && !l.BySerial():
		return t.Get("Scan what came back, or type how many")
	}

	return ""
}

func (s *returnScreen) actions() []tui.Action {
	t := s.T

	n := s.panel.Line().Count.Quantity
	label := t.Get("return %s to %s", t.Count(n), names.State(t, s.state()))
	book := s.bookAction(label, t.Get("return %s", t.Count(n)), api.ReturnStock.Spec, s.confirm)
	if !s.panel.HasSubmission() && (s.order == nil || n > s.returnable) {
		book.Needs, book.Approve = s.needs(s.deltas(), false), func() string { return s.approveText(label) }
	}

	report := tui.Action{ID: "return.report", Key: "ctrl+t", Label: t.Get("report"), NoFooter: true,
		Help: t.Get("Show the returns of 30 days; F8 totals them by reason and product"),
		Run:  tui.Opens("movements?days=30&operation=" + string(api.OpReturnStock))}

	states := []api.State{api.Available, api.QualityControl, api.Damaged}
	return []tui.Action{book, report, {
		ID:       "return.state",
		Key:      "f4",
		Label:    t.Get("state"),
		Help:     t.Get("Choose the state of what came back"),
		Disabled: s.notEditable,
		Run: func() tea.Cmd {
			options := make([]string, len(states))
			for i, state := range states {
				options[i] = s.stateLine(state, "")
			}
			return tui.Choose(
				tui.Choice{Text: t.Get("What state is it in?"), Options: options, OnChoice: func(i int) tea.Cmd {
					return s.changeChoice(func() { s.choices.To = string(states[i]) })
				}},
			)
		},
	}}
}

// confirm asks for the reason if it is missing, and records what came back.
func (s *returnScreen) confirm() tea.Cmd {
	if l := s.panel.Line(); l.ByLot() && l.Count.Lot == "" {
		return tui.Fail(s.T.NewError("%s is tracked by lot. Scan or type the lot (F7), then try again.", s.item.SKU))
	}

	n, t := s.panel.Line().Count.Quantity, s.T
	if s.order == nil || n <= s.returnable {
		return s.withReason(s.panel.Book)
	}

	return tui.Confirm(tui.Question{
		Text: t.Get(
			"Of %s, %s of %s may come back. Return %s anyway?",
			names.Outbound(s.order),
			t.Count(max(0, s.returnable)),
			s.item.SKU,
			t.Count(n),
		),
		Yes:   t.Get("return %s", t.Count(n)),
		OnYes: func() tea.Cmd { return s.withReason(s.panel.Book) },
	})
}

func (s *returnScreen) content(tui.Size) balanceView {
	heading := s.T.Get("return to %s", names.State(s.T, s.state()))
	if s.order != nil {
		heading = s.T.Get(
			"%s may come back",
			s.T.Count(max(0, s.returnable)),
		) + "  " + names.Outbound(
			s.order,
		) + "  " + heading
	}
	return balanceView{heading: heading, deltas: s.deltas()}
}

// returnSteps returns the writes that take p back, and move it to damaged if it is.
func (c stateChange) returnSteps(t *i18n.Translator, p lotQuantity) ([]submit.Step, error) {
	in := api.ReturnStockInput{
		StockKey:     c.stockKey(),
		Quantity:     &p.quantity,
		Reason:       c.reason,
		Reference:    c.ref,
		LotID:        p.lot,
		SerialChoice: api.SerialChoice{SerialNumbers: p.serials},
	}
	if len(p.serials) == 0 {
		in.LotCode = p.lotCode
	}
	if c.state == api.QualityControl {
		in.InventoryState = api.ReturnState(c.state)
	}

	step, err := submit.NewStep(api.ReturnStock, in, t.Get("return %s %s", t.Count(p.quantity), c.item.SKU))
	if err != nil || c.state != api.Damaged {
		return []submit.Step{step}, err
	}

	move, err := c.moveStep(t, api.Available, api.Damaged, p)
	move.UsePreviousLot = p.lotCode != "" && len(p.serials) == 0
	move.DependsOnPrevious = true

	return []submit.Step{step, move}, err
}
