package stock

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// Kit makes the screen that takes kits apart and puts them together.
func Kit(site *dock.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &kit{work: newWork(site, env, "kit", "Kits")}, nil
	}
}

// The ways of a kit.
const (
	apart    mode = "apart"
	together mode = "together"
)

type kit struct {
	work
	of    api.ID // whose parts are known
	parts []component
	what  string // what the change under way does
}

// A component is what one kit is made of, and the stock of it at the place.
type component struct {
	goods   dock.Goods
	per     int64
	balance api.Balance
}

type partsMsg struct {
	of    api.ID
	parts []component
	err   error
}

func (s *kit) Init(tui.Env) tea.Cmd {
	if s.now.Mode == "" {
		s.now.Mode = apart
	}
	return s.start(s)
}

// lay puts the kit on the bench: as many can be taken apart as are available;
// what lacks to put more together is said beside the components.
func (s *kit) lay() {
	s.bench.In = s.now.Mode == together
	pending := int64(api.MaxQuantity)
	if s.now.Mode == apart {
		pending = s.balance.Available
	}
	s.bench.SetLines(&dock.Line{Key: s.goods.ID.String(), Goods: s.goods, Pending: pending, Word: availableHere})
}

// components reads what the kit is made of, and what there is of it.
func (s *kit) components() tea.Cmd {
	if !s.known() {
		return nil
	}
	id, place, owner, channel := s.goods.ID, s.place.ID, s.balance.OwnerID, s.balance.ChannelID
	return s.env.Latest("parts", func(ctx context.Context) tea.Msg {
		m := partsMsg{of: id}
		p, err := dock.Ask(ctx, s.site, api.GetProduct, api.ProductInput{ProductID: id})
		if dock.Missing(err) {
			return m
		}
		if m.err = err; err == nil && len(p.Components) == 0 {
			m.err = fmt.Errorf(noKit, p.SKU)
		}
		for _, c := range p.Components {
			part := subject{place: dock.Place{ID: place}, balance: api.Balance{OwnerID: owner, ChannelID: channel}}
			if part.goods, err = s.site.Goods(ctx, c.ProductID, nil); err == nil {
				err = part.read(ctx, s.site)
			}
			if err != nil {
				m.err = err
				return m
			}
			m.parts = append(m.parts, component{part.goods, c.Quantity, part.balance})
		}
		return m
	})
}

func (s *kit) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if m, mine := msg.(partsMsg); mine {
		if m.of != s.goods.ID {
			return s, nil
		}
		if m.err != nil {
			s.fault = dock.Words(m.err)
			return s, tui.Bell(2)
		}
		s.of, s.parts = m.of, m.parts
		return s, nil
	}
	cmd, _ := s.update(msg)
	if _, read := msg.(subjectMsg); read {
		cmd = tea.Batch(cmd, s.components())
	}
	return s, cmd
}

// possible is how many kits can be put together of what is there.
func (s *kit) possible() int64 {
	n := int64(api.MaxQuantity)
	for _, c := range s.parts {
		n = min(n, c.balance.Available/max(1, c.per))
	}
	return n
}

// short says what lacks for the kits counted, or "".
func (s *kit) short() string {
	if s.now.Mode != together {
		return ""
	}
	var lack []string
	for _, c := range s.parts {
		if n := c.per*s.bench.Line().Count.Now - c.balance.Available; n > 0 {
			lack = append(lack, widget.Count(n)+" "+c.goods.SKU)
		}
	}
	return strings.Join(lack, ", ")
}

func (s *kit) changes() []delta {
	n := s.bench.Line().Count.Now
	if s.now.Mode == apart {
		n = -n
	}
	return deltas(s.balance.Quantities, api.Available, n)[:1]
}

func (s *kit) plan(lines []dock.Line) func(context.Context) ([]dock.Step, error) {
	c, mode, at := lines[0].Count, s.now.Mode, s.subject
	reason := s.now.Reason
	s.what, s.back = fmt.Sprintf(kitDone[string(mode)], widget.Count(c.Now), s.goods.SKU), false
	return func(context.Context) ([]dock.Step, error) {
		step, err := kitStep(at, mode, c, reason)
		return []dock.Step{step}, err
	}
}

// kitStep is the write that takes kits apart or puts them together.
func kitStep(at subject, way mode, c dock.Count, reason string) (dock.Step, error) {
	owner, channel := at.whose()
	words := string(way) + ": " + widget.Count(c.Now) + " " + at.goods.SKU
	if way == apart {
		return dock.NewStep(api.DisassembleStock, api.DisassembleInput{ProductID: at.goods.ID, LocationID: at.place.ID, OwnerID: owner,
			ChannelID: channel, Quantity: c.Now, Reason: reason, SerialNumbers: c.Serials}, words)
	}
	in := api.AssembleInput{ProductID: at.goods.ID, LocationID: at.place.ID, OwnerID: owner, ChannelID: channel, Quantity: c.Now,
		Reason: reason, LotCode: c.Lot}
	if in.LotID = c.LotID; in.LotID != (api.ID{}) {
		in.LotCode = ""
	} else if !c.Ends.IsZero() && c.Lot != "" {
		in.ExpiresAt = &c.Ends
	}
	for _, serial := range c.Serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: serial})
	}
	return dock.NewStep(api.AssembleStock, in, words)
}

// booked takes the balances as the write left them, and prepares the way back.
func (s *kit) booked(_ dock.Step, res *api.Response) {
	out, ok := res.Output.(*api.DisassembleResult)
	if !ok {
		return
	}
	s.balance, s.lot = out.Balance, held{}
	for i := range s.parts {
		for _, b := range out.ComponentBalances {
			if b.ProductID == s.parts[i].goods.ID {
				s.parts[i].balance = b
			}
		}
	}
	defer s.lay()
	if s.last = nil; s.back {
		return
	}
	way := map[mode]mode{apart: together, together: apart}[s.now.Mode]
	s.last = &reverse{words: fmt.Sprintf(saidUndo, string(way))}
	own := slices.DeleteFunc(slices.Clone(out.Movements), func(m api.Movement) bool { return m.ProductID != s.goods.ID })
	for _, p := range parts(own, api.OnHand) {
		c := dock.Count{Now: p.n, LotID: p.lot, Serials: p.serials}
		step, err := kitStep(s.subject, way, c, undoing(s.now.Reason))
		if way == together && len(p.serials) > 0 {
			s.last.no = takenApart
		}
		if err != nil {
			s.last.no = err.Error()
		}
		s.last.steps = append(s.last.steps, step)
		s.last.toast = fmt.Sprintf(kitDone[string(way)], widget.Count(p.n), s.goods.SKU)
	}
}

func (s *kit) said(n int64) string {
	if s.now.Reason = ""; s.what == "" {
		return fmt.Sprintf(kitDone[string(s.now.Mode)], widget.Count(n), s.goods.SKU)
	}
	return s.what
}

func (s *kit) question(small bool) string {
	switch {
	case s.short() != "" && small:
		return fmt.Sprintf(saidShortMakes, widget.Count(s.possible()))
	case s.short() != "":
		return fmt.Sprintf(askShort, s.short(), widget.Count(s.possible()))
	case small || s.bench.Line().BySerial():
		return ""
	case s.now.Mode == apart:
		return askApart
	}
	return askTogether
}

func (s *kit) spec() *api.Spec {
	if s.now.Mode == apart {
		return api.DisassembleStock.Spec
	}
	return api.AssembleStock.Spec
}

func (s *kit) Actions() []tui.Action {
	if !s.known() || s.bench.Modal() {
		return s.common()
	}
	turn := map[mode]mode{apart: together, together: apart}[s.now.Mode]
	total := " " + widget.Count(s.bench.Total())
	label := kitWords[string(s.now.Mode)] + total
	actions := append([]tui.Action{s.enter(label, string(s.now.Mode)+total, s.spec(), s.ask)}, s.undoes()...)
	all := s.offered("dock.all")
	if s.now.Mode == together && len(all) > 0 {
		most := s.possible()
		all[0].Label, all[0].Run = fmt.Sprintf(saidAll, widget.Count(most)), func() tea.Cmd { return s.bench.Say(most) }
		all[0].Disabled = func() string {
			if most == 0 {
				return noneToMake
			}
			return s.waits()
		}
	}
	actions = append(append(actions, all...), tui.Action{ID: "kit.way", Keys: []string{"f3"}, Label: kitWords[string(turn)], Short: string(turn), Help: helpWay,
		Disabled: s.waits, Run: func() tea.Cmd { return s.alter(func() { s.now.Mode = turn }) }})
	return append(actions, s.common()...)
}

// ask asks for the reason where there is none, then whether to do it.
func (s *kit) ask() tea.Cmd {
	l := s.bench.Line()
	switch {
	case s.short() != "":
		return tui.Fail(fmt.Errorf(askShort, s.short(), widget.Count(s.possible())))
	case s.now.Mode == together && l.ByLot() && l.Count.Lot == "":
		return tui.Fail(fmt.Errorf(lotWanted, s.goods.SKU))
	}
	return s.withReason(func() tea.Cmd {
		text := fmt.Sprintf(askKit[string(s.now.Mode)], widget.Count(l.Count.Now), s.goods.SKU, s.place.Code, s.now.Reason)
		return tui.Confirm(tui.Question{Text: text, Yes: kitWords[string(s.now.Mode)], OnYes: s.bench.Book})
	})
}
