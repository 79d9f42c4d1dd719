package stock

import (
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Adjust makes the screen that changes one state of a balance by hand. The
// route may name it: SKU@PLACE, or the id of a balance.
func Adjust(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &adjust{work: newWork(site, env, "adjust", "Adjust")}, nil
	}
}

type adjust struct {
	work
}

func (s *adjust) Init(tui.Env) tea.Cmd {
	if s.now.From == "" {
		s.now.From = string(api.Available)
	}
	return s.start(s)
}

func (s *adjust) state() api.State { return api.State(s.now.From) }

// lay puts the goods on the bench: so many may be counted as there are, or any
// number where goods come in.
func (s *adjust) lay() {
	if s.now.Mode == "" { // where there is nothing, something was found
		if s.now.Mode = less; s.there(s.state()) == 0 {
			s.now.Mode = more
		}
	}
	s.bench.In = s.now.Mode != less
	s.bench.Nothing = s.now.Mode == exact
	pending := int64(api.MaxQuantity)
	if s.now.Mode == less {
		pending = s.there(s.state())
	}
	s.bench.SetLines(&dock.Line{Key: s.goods.ID.String(), Goods: s.goods, Pending: pending, Word: fmt.Sprintf(saidHere, s.state().Title())})
}

// by is the change as counted so far.
func (s *adjust) by() int64 {
	n := s.bench.Line().Count.Now
	switch s.now.Mode {
	case less:
		return -n
	case exact:
		if n == 0 && !s.bench.Line().Count.None {
			return 0
		}
		return n - s.there(s.state())
	}
	return n
}

func (s *adjust) changes() []delta { return deltas(s.balance.Quantities, s.state(), s.by()) }

// lacking tells why the change cannot be made yet, or nil.
func (s *adjust) lacking() error {
	l := s.bench.Line()
	lots := l.Count.Lot != "" || len(l.Count.Serials) > 0
	switch {
	case l.Count.Lot != "" && !s.lot.known && s.site.Has(api.ListLots.Spec):
		return fmt.Errorf(lotReading, l.Count.Lot)
	case s.now.Mode == exact && s.by() == 0:
		return fmt.Errorf(nothingChanges, s.state().Title(), widget.Count(s.there(s.state())))
	case s.now.Mode == exact && l.BySerial():
		return fmt.Errorf(countInstead, s.goods.SKU)
	case lots && (s.state() == api.Committed || s.state() == api.Incoming):
		return fmt.Errorf(noLotsThere, s.state().Title())
	case l.ByLot() && !lots && s.by() > 0 && s.state() != api.Incoming && s.site.Has(api.ReceiveStock.Spec):
		return fmt.Errorf(lotWanted, s.goods.SKU)
	}
	return nil
}

// plan are the writes of the change, its keys made now.
func (s *adjust) plan(lines []dock.Line) func(context.Context) ([]dock.Step, error) {
	c := correction{subject: s.subject, state: s.state(), reason: s.now.Reason}
	by := s.by()
	s.back, s.done = false, nil
	if s.now.Mode == exact {
		c.match = s.balance.Version
	}
	return func(ctx context.Context) ([]dock.Step, error) {
		p, err := counted(ctx, s.site, lines[0], by > 0)
		if err != nil {
			return nil, err
		}
		if p.n = by; by < 0 {
			p.n = -by
		}
		return c.steps(p, by > 0)
	}
}

// booked takes the balance as a write left it, and prepares how to take it back.
func (s *adjust) booked(_ dock.Step, res *api.Response) {
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
	c := correction{subject: s.subject, state: s.state(), reason: undoing(s.now.Reason)}
	up := len(out.Movements) > 0 && out.Movements[0].Quantity > 0
	if out.Movements[0].Operation == api.OpMoveState {
		up = true // the second step of goods that were brought
	}
	s.last = &reverse{toast: fmt.Sprintf(saidIsAsItWas, s.goods.SKU, telling(flip(s.done)))}
	var total int64
	for _, p := range parts(out.Movements, s.state()) {
		if len(p.serials) > 0 && !up {
			s.last.no = writtenOff
		}
		steps, err := c.steps(p, !up)
		if err != nil {
			s.last.no = err.Error()
		}
		s.last.steps = append(s.last.steps, steps...)
		total += signed(p.n, !up)
	}
	s.last.words = fmt.Sprintf(saidUndo, widget.Change(total))
}

// flip turns changes round.
func flip(list []delta) (out []delta) {
	for _, d := range list {
		out = append(out, delta{d.state, d.after, d.before})
	}
	return out
}

func undoing(reason string) string { return fmt.Sprintf(saidUndo, reason) }

func (s *adjust) question(small bool) string {
	l := s.bench.Line()
	switch {
	case s.now.Mode == exact && small:
		return saidScanOrNumberAll
	case s.now.Mode == exact:
		return fmt.Sprintf(askExact, s.state().Title())
	case s.now.Mode == more && l.ByLot() && l.Count.Lot == "" && l.Count.Now > 0 && !small:
		return askLot
	case s.now.Mode == more && !small && !l.BySerial():
		return askMore
	case s.now.Mode == less && !small && !l.BySerial():
		return askLess
	}
	return ""
}

func (s *adjust) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	cmd, _ := s.update(msg)
	return s, cmd
}

func (s *adjust) Actions() []tui.Action {
	if !s.known() || s.bench.Modal() {
		return s.common()
	}
	label := fmt.Sprintf(labelAdjustBy, widget.Change(s.by()))
	turn := map[mode]mode{less: more, more: exact, exact: less}[s.now.Mode]
	actions := []tui.Action{s.enter(label, label, api.AdjustStock.Spec, s.ask)}
	actions = append(actions, s.undoes()...)
	if s.now.Mode == less {
		actions = append(actions, s.offered("dock.all")...)
	}
	actions = append(actions,
		tui.Action{ID: "adjust.mode", Keys: []string{"f3"}, Label: modeWords[turn], Short: string(turn), Help: helpMode,
			Disabled: s.waits, Run: func() tea.Cmd { return s.alter(func() { s.now.Mode = turn }) }},
		tui.Action{ID: "adjust.state", Keys: []string{"f4"}, Label: labelState, Help: helpState, Disabled: s.waits, Run: s.chooseState})
	return append(actions, s.common()...)
}

// chooseState asks which state is adjusted.
func (s *adjust) chooseState() tea.Cmd {
	options := make([]string, len(api.States))
	for i, state := range api.States {
		options[i] = stateLine(state, s.there(state), "")
	}
	return tui.Choose(tui.Choice{Text: askState, Options: options, OnChoice: func(i int) tea.Cmd {
		return s.alter(func() { s.now.From = string(api.States[i]) })
	}})
}

// stateLine is a state as a list offers it, with why it cannot be taken.
func stateLine(state api.State, n int64, why string) string {
	line := widget.Left(state.Title(), 16) + widget.Right(widget.Count(n), 7)
	if why != "" {
		line += "   " + why
	}
	return line
}

// ask asks for the reason where there is none, then whether to do it.
func (s *adjust) ask() tea.Cmd {
	if err := s.lacking(); err != nil {
		return tui.Fail(err)
	}
	return s.withReason(func() tea.Cmd {
		lot := ""
		if code := s.bench.Line().Count.Lot; code != "" {
			lot = fmt.Sprintf(saidLot, code)
		}
		text := fmt.Sprintf(askAdjust, s.goods.SKU, s.place.Code, telling(s.changes()), lot, s.now.Reason)
		return tui.Confirm(tui.Question{Text: text, Yes: "adjust", OnYes: s.bench.Book})
	})
}

func (s *adjust) View(size tui.Size) string {
	if !s.known() {
		return s.absent(size)
	}
	what := map[mode]string{less: "less ", more: "more ", exact: "set "}[s.now.Mode] + s.state().Title()
	return s.view(size, panel{what: what, changes: s.changes(), pairs: s.details(size)})
}
