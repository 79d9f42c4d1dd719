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
		return &move{work: newWork(site, env, "move", "Move")}, nil
	}
}

type move struct {
	work
}

func (s *move) Init(tui.Env) tea.Cmd {
	if s.now.From == "" {
		s.now.From, s.now.To = string(api.Available), string(api.Damaged)
	}
	return s.start(s)
}

func (s *move) from() api.State { return api.State(s.now.From) }
func (s *move) to() api.State   { return api.State(s.now.To) }

// lay puts the goods on the bench: as many as stand in the state they leave.
func (s *move) lay() {
	s.bench.SetLines(&dock.Line{Key: s.goods.ID.String(), Goods: s.goods, Pending: s.there(s.from()), Word: fmt.Sprintf(saidHere, s.from().Title())})
}

func (s *move) changes() []delta {
	n, q := s.bench.Line().Count.Now, s.balance.Quantities
	return []delta{{s.from(), q.Of(s.from()), q.Of(s.from()) - n}, {s.to(), q.Of(s.to()), q.Of(s.to()) + n}}
}

// immovable tells why stock of a state cannot be moved by hand, or "".
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

func (s *move) plan(lines []dock.Line) func(context.Context) ([]dock.Step, error) {
	c, from, to := correction{subject: s.subject, reason: s.now.Reason}, s.from(), s.to()
	s.done, s.back = nil, false
	return func(ctx context.Context) ([]dock.Step, error) {
		p, err := counted(ctx, s.site, lines[0], false)
		if err != nil {
			return nil, err
		}
		step, err := c.move(from, to, p)
		return []dock.Step{step}, err
	}
}

// booked takes the balance as the move left it, and prepares the way back, lot
// by lot as the service took them.
func (s *move) booked(_ dock.Step, res *api.Response) {
	out, ok := res.Output.(*api.StockResult)
	if !ok {
		return
	}
	s.balance, s.lot = out.Balance, held{}
	s.tell(out.Movements)
	defer s.lay()
	if s.last = nil; s.back {
		return
	}
	s.last = &reverse{toast: fmt.Sprintf(saidIsAsItWas, s.goods.SKU, telling(flip(s.done)))}
	c := correction{subject: s.subject, reason: undoing(s.now.Reason)}
	var total int64
	for _, p := range parts(out.Movements, s.to()) {
		step, err := c.move(s.to(), s.from(), p)
		if err != nil {
			s.last.no = err.Error()
		}
		s.last.steps = append(s.last.steps, step)
		total += p.n
	}
	s.last.words = fmt.Sprintf(saidUndoBack, widget.Count(total))
}

func (s *move) question(small bool) string {
	l := s.bench.Line()
	switch {
	case l.Pending == 0 && small:
		return fmt.Sprintf(saidNoneOfState, s.from().Title())
	case l.Pending == 0:
		return fmt.Sprintf(noneThere, s.from().Title())
	case !small && !l.BySerial() && l.Left() > 0:
		return askScan
	}
	return ""
}

func (s *move) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	cmd, _ := s.update(msg)
	return s, cmd
}

func (s *move) Actions() []tui.Action {
	if !s.known() || s.bench.Modal() {
		return s.common()
	}
	total := widget.Count(s.bench.Total())
	label := fmt.Sprintf(labelMoveTo, total, s.to().Title())
	actions := []tui.Action{s.enter(label, fmt.Sprintf(shortMoveBy, total), api.MoveStock.Spec, s.ask)}
	actions = append(actions, s.undoes()...)
	actions = append(actions, s.offered("dock.all")...)
	actions = append(actions,
		tui.Action{ID: "move.from", Keys: []string{"f3"}, Label: labelFrom, Help: helpFrom, Disabled: s.waits,
			Run: func() tea.Cmd { return s.choose(askFrom, s.to(), func(x api.State) { s.now.From = string(x) }) }},
		tui.Action{ID: "move.to", Keys: []string{"f4"}, Label: labelTo, Help: helpTo, Disabled: s.waits,
			Run: func() tea.Cmd { return s.choose(askTo, s.from(), func(x api.State) { s.now.To = string(x) }) }})
	return append(actions, s.common()...)
}

// choose asks for a state; those that cannot be moved are there with the reason.
// Choosing the state at the other end turns the move round.
func (s *move) choose(question string, other api.State, set func(api.State)) tea.Cmd {
	options := make([]string, len(api.States))
	for i, state := range api.States {
		options[i] = stateLine(state, s.there(state), immovable(state))
	}
	return tui.Choose(tui.Choice{Text: question, Options: options, OnChoice: func(i int) tea.Cmd {
		state := api.States[i]
		if why := immovable(state); why != "" {
			return tui.Fail(fmt.Errorf(cannotMove, state.Title(), why))
		}
		return s.alter(func() {
			if state == other {
				s.now.From, s.now.To = s.now.To, s.now.From
				return
			}
			set(state)
		})
	}})
}

// ask asks for the reason where there is none, then whether to do it.
func (s *move) ask() tea.Cmd {
	l := s.bench.Line()
	if l.Count.Lot != "" && !s.lot.known && s.site.Has(api.ListLots.Spec) {
		return tui.Fail(fmt.Errorf(lotReading, l.Count.Lot))
	}
	return s.withReason(func() tea.Cmd {
		lot := ""
		if l.Count.Lot != "" {
			lot = fmt.Sprintf(saidLot, l.Count.Lot)
		}
		text := fmt.Sprintf(askMove, widget.Count(l.Count.Now), s.goods.SKU, s.place.Code, telling(s.changes()), lot, s.now.Reason)
		return tui.Confirm(tui.Question{Text: text, Yes: "move", OnYes: s.bench.Book})
	})
}

func (s *move) View(size tui.Size) string {
	if !s.known() {
		return s.absent(size)
	}
	return s.view(size, panel{what: s.from().Title() + " → " + s.to().Title(), changes: s.changes(), pairs: s.details(size)})
}
