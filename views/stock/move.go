package stock

import (
	"context"
	"fmt"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Move makes the screen that moves stock from one state to another.
func Move(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &move{balanceScreen: newBalanceScreen(site, env, "move", "Move")}, nil
	}
}

type move struct {
	balanceScreen
}

func (s *move) Init(tui.Env) tea.Cmd {
	if s.choices.From == "" {
		s.choices.From, s.choices.To = string(api.Available), string(api.Damaged)
	}
	return s.run(s)
}

func (s *move) from() api.State { return api.State(s.choices.From) }
func (s *move) to() api.State   { return api.State(s.choices.To) }

// setLines puts the item on the count panel: as many as stand in the state they leave.
func (s *move) setLines() {
	s.panel.SetLines(&dock.Line{Key: s.item.ID.String(), Item: s.item, Pending: s.stateQuantity(s.from()), PendingWord: fmt.Sprintf(saidHere, s.from().Title())})
}

func (s *move) deltas() []delta {
	n, q := s.panel.Line().Count.Quantity, s.balance.Quantities
	return []delta{{s.from(), q.Of(s.from()), q.Of(s.from()) - n}, {s.to(), q.Of(s.to()), q.Of(s.to()) + n}}
}

// immovable returns why stock of a state cannot be moved by hand, or "".
func immovable(state api.State) string {
	if slices.Contains((api.MovableState("")).Values(), string(state)) {
		return ""
	}
	switch state {
	case api.OnHand:
		return isAll
	case api.Incoming:
		return notHereYet
	}
	return heldByOrders
}

func (s *move) prepareSteps(lines []dock.Line) func(context.Context) ([]dock.Step, error) {
	c, from, to := stateChange{stockItem: s.stockItem, reason: s.choices.Reason}, s.from(), s.to()
	s.lastDeltas, s.reversing = nil, false
	return func(ctx context.Context) ([]dock.Step, error) {
		p, err := countedQuantity(ctx, s.site, lines[0], false)
		if err != nil {
			return nil, err
		}
		step, err := c.moveStep(from, to, p)
		return []dock.Step{step}, err
	}
}

// onBooked takes the balance as the move left it, and prepares the way back, lot
// by lot as the service took them.
func (s *move) onBooked(_ dock.Step, res *api.Response) {
	out, ok := res.Output.(*api.StockResult)
	if !ok {
		return
	}
	s.balance, s.lot = out.Balance, lotStock{}
	s.addDeltas(out.Movements)
	defer s.setLines()
	if s.reversal = nil; s.reversing {
		return
	}
	s.reversal = &reversal{toast: fmt.Sprintf(saidIsAsItWas, s.item.SKU, deltasText(reversed(s.lastDeltas)))}
	c := stateChange{stockItem: s.stockItem, reason: undoReason(s.choices.Reason)}
	var total int64
	for _, p := range lotQuantities(out.Movements, s.to()) {
		step, err := c.moveStep(s.to(), s.from(), p)
		if err != nil {
			s.reversal.unavailable = err.Error()
		}
		s.reversal.steps = append(s.reversal.steps, step)
		total += p.quantity
	}
	s.reversal.text = fmt.Sprintf(saidUndoBack, widget.Count(total))
}

func (s *move) question(small bool) string {
	l := s.panel.Line()
	switch {
	case l.Pending == 0 && small:
		return fmt.Sprintf(saidNoneOfState, s.from().Title())
	case l.Pending == 0:
		return fmt.Sprintf(noneThere, s.from().Title())
	case !small && !l.BySerial() && l.Remaining() > 0:
		return askScan
	}
	return ""
}

func (s *move) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	cmd, _ := s.update(msg)
	return s, cmd
}

func (s *move) Actions() []tui.Action {
	if !s.hasStock() || s.panel.Modal() {
		return s.commonActions()
	}
	total := widget.Count(s.panel.Total())
	label := fmt.Sprintf(labelMoveTo, total, s.to().Title())
	actions := []tui.Action{s.bookAction(label, fmt.Sprintf(shortMoveBy, total), api.MoveStock.Spec, s.confirm)}
	actions = append(actions, s.undoActions()...)
	actions = append(actions, s.panelActions("dock.all")...)
	actions = append(actions,
		tui.Action{ID: "move.from", Keys: []string{"f3"}, Label: labelFrom, Help: helpFrom, Disabled: s.notEditable,
			Run: func() tea.Cmd { return s.askState(askFrom, s.to(), func(x api.State) { s.choices.From = string(x) }) }},
		tui.Action{ID: "move.to", Keys: []string{"f4"}, Label: labelTo, Help: helpTo, Disabled: s.notEditable,
			Run: func() tea.Cmd { return s.askState(askTo, s.from(), func(x api.State) { s.choices.To = string(x) }) }})
	return append(actions, s.commonActions()...)
}

// askState asks for a state; those that cannot be moved are there with the reason.
// Choosing the state at the other end turns the move round.
func (s *move) askState(question string, other api.State, set func(api.State)) tea.Cmd {
	options := make([]string, len(api.States))
	for i, state := range api.States {
		options[i] = stateLine(state, s.stateQuantity(state), immovable(state))
	}
	return tui.Choose(tui.Choice{Text: question, Options: options, OnChoice: func(i int) tea.Cmd {
		state := api.States[i]
		if why := immovable(state); why != "" {
			return tui.Fail(fmt.Errorf(cannotMove, state.Title(), why))
		}
		return s.changeChoice(func() {
			if state == other {
				s.choices.From, s.choices.To = s.choices.To, s.choices.From
				return
			}
			set(state)
		})
	}})
}

// confirm asks for the reason where there is none, then whether to do it.
func (s *move) confirm() tea.Cmd {
	l := s.panel.Line()
	if l.Count.Lot != "" && !s.lot.known && s.site.Supports(api.ListLots.Spec) {
		return tui.Fail(fmt.Errorf(lotReading, l.Count.Lot))
	}
	return s.withReason(func() tea.Cmd {
		lot := ""
		if l.Count.Lot != "" {
			lot = fmt.Sprintf(saidLot, l.Count.Lot)
		}
		text := fmt.Sprintf(askMove, widget.Count(l.Count.Quantity), s.item.SKU, s.location.Code, deltasText(s.deltas()), lot, s.choices.Reason)
		return tui.Confirm(tui.Question{Text: text, Yes: "move", OnYes: s.panel.Book})
	})
}

func (s *move) View(size tui.Size) string {
	if !s.hasStock() {
		return s.loadingView(size)
	}
	return s.view(size, balanceView{heading: s.from().Title() + " → " + s.to().Title(), deltas: s.deltas(), pairs: s.details(size)})
}
