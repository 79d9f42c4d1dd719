package stock

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Kit returns the factory of the screen that assembles and disassembles kits.
func Kit(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &kit{balanceScreen: newBalanceScreen(site, env, assembling)}, nil
	}
}

var assembling = balanceJob{
	route: "kit",
	title: i18n.Text("Kits"),
	verb:  i18n.Text("record"),
	help: i18n.Text(
		"Assemble or disassemble the kits, after you confirm. The first scan selects the kit. Each scan after that adds 1.",
	),
	instead: i18n.Text("assemble %s instead"),
	reasons: func(c choices) names.Question {
		if c.Mode == assemble {
			return names.AssemblyReasons
		}
		return names.DisassemblyReasons
	},
}

// The modes of the kit screen.
const (
	disassemble mode = "apart"
	assemble    mode = "together"
)

type kit struct {
	balanceScreen
	product        api.ID // of the loaded components
	components     []component
	componentsText string // describes the booking in progress
	taken, loose   string // the lots that went into the last kits, or the parts that have none now
}

// A component is a component of a kit and its stock at the location.
type component struct {
	item    count.Item
	perKit  int64
	balance api.Balance
}

type componentsMsg struct {
	product    api.ID
	components []component
	err        error
}

func (s *kit) Init(tui.Env) tea.Cmd { return s.run(s) }

// setLines puts the kit on the count panel. Disassembling is limited to the available
// kits. Assembling is not: the screen shows the missing components instead.
func (s *kit) setLines() {
	if s.choices.Mode == "" { // without kits, start with assembling
		s.choices.Mode = disassemble
		if s.balance.Available == 0 && s.site.Supports(api.AssembleStock.Spec) {
			s.choices.Mode = assemble
		}
	}

	s.panel.Removes = s.choices.Mode == disassemble
	s.panel.Incoming = !s.panel.Removes
	pending := int64(api.MaxQuantity)
	if s.choices.Mode == disassemble {
		pending = s.balance.Available
	}

	s.show(pending, s.T.Get("available here"))
}

// loadComponents loads the components of the kit and their stock.
func (s *kit) loadComponents() tea.Cmd {
	if !s.hasStock() {
		return nil
	}

	id, location, owner, channel := s.item.ID, s.location.ID, s.balance.OwnerID, s.balance.ChannelID

	return s.Latest("parts", func(ctx context.Context) tea.Msg {
		m := componentsMsg{product: id}
		p, err := session.Call(ctx, s.site, api.GetProduct, api.ProductInput{ProductID: id})
		if session.IsUnsupported(err) {
			return m
		}

		m.err = err
		if err == nil && len(p.Components) == 0 {
			m.err = s.T.NewError("%s is not a kit or bundle. Press esc to go back, then scan one.", p.SKU)
		}

		for _, c := range p.Components {
			part := stockItem{
				location: session.Location{ID: location},
				balance:  api.Balance{OwnerID: owner, ChannelID: channel},
			}
			part.item, err = s.site.Item(ctx, c.ProductID, nil)
			if err == nil && part.item.Tracking == api.TrackSerial {
				err = s.T.NewError(
					"%s contains %s, which is serialized: it cannot be assembled or taken apart. Scan another kit.",
					p.SKU,
					part.item.SKU,
				)
			}
			if err == nil {
				err = part.load(ctx, s.site)
			}
			if err != nil {
				m.err = err
				return m
			}

			m.components = append(m.components, component{part.item, c.Quantity, part.balance})
		}

		return m
	})
}

func (s *kit) Update(msg tea.Msg) (tui.Screen, tea.Cmd) {
	if m, ok := msg.(componentsMsg); ok {
		if m.product != s.item.ID {
			return s, nil
		}
		if m.err != nil && s.ref() == "" && s.product != m.product { // it is not selected
			s.stockItem, s.choices.Mode, s.panel.Lines = stockItem{location: s.location}, "", nil
			return s, tea.Batch(tui.Toast(""), panel.FailScan(s.site, m.err))
		}
		if m.err != nil {
			s.errText = submit.UserMessage(s.T, m.err)
			return s, tui.Bell(2)
		}

		s.product, s.components = m.product, m.components

		return s, nil
	}

	cmd := s.update(msg)
	if _, read := msg.(stockItemMsg); read {
		cmd = tea.Sequence(cmd, s.loadComponents()) // a problem of the components removes the toast
	}

	return s, cmd
}

// buildable returns how many kits can be assembled from the available components.
func (s *kit) buildable() int64 {
	n := int64(api.MaxQuantity)
	for _, c := range s.components {
		n = min(n, c.balance.Available/max(1, c.perKit))
	}
	return n
}

// shortageText lists the components missing for the counted kits, or returns "".
func (s *kit) shortageText() string {
	if s.choices.Mode != assemble {
		return ""
	}

	var missing []string
	for _, c := range s.components {
		if n := c.perKit*s.panel.Line().Count.Quantity - c.balance.Available; n > 0 {
			missing = append(missing, s.T.Count(n)+" "+c.item.SKU)
		}
	}

	return strings.Join(missing, ", ")
}

func (s *kit) deltas() []delta {
	n := s.panel.Line().Count.Quantity
	if s.choices.Mode == disassemble {
		n = -n
	}
	return deltas(s.balance.Quantities, api.Available, n)[:1]
}

func (s *kit) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	c, mode, stock := lines[0].Count, s.choices.Mode, s.stockItem
	reason := s.choices.Reason
	s.componentsText = s.T.Get(kitTexts[mode].done, s.T.Count(c.Quantity), s.item.SKU)
	s.lastDeltas, s.reversing = nil, false
	shown := s.components

	return func(ctx context.Context) ([]submit.Step, error) {
		p, err := session.Call(ctx, s.site, api.GetProduct, api.ProductInput{ProductID: stock.item.ID})
		same := func(a component, b api.Component) bool { return a.item.ID == b.ProductID && a.perKit == b.Quantity }
		if err == nil && !slices.EqualFunc(shown, p.Components, same) {
			return nil, s.T.NewError("%s contains something else now. Nothing was recorded: press F5 and check.",
				stock.item.SKU)
		}

		if mode == disassemble {
			var err error
			c.LotID, err = s.site.LotID(ctx, lines[0])
			if err != nil {
				return nil, err
			}
		}

		step, err := kitStep(s.T, stock, mode, c, reason)

		return []submit.Step{step}, err
	}
}

// kitStep is the write that takes kits apart or puts them together.
// The components that kits are taken apart into return to lots.
func kitStep(
	t *i18n.Translator,
	stock stockItem,
	way mode,
	c count.Count,
	reason string,
	lots ...api.ComponentLot,
) (submit.Step, error) {
	text := t.Get(kitTexts[way].step, t.Count(c.Quantity), stock.item.SKU)
	if way == disassemble {
		return submit.NewStep(api.DisassembleStock, api.DisassembleInput{
			StockKey:      stock.stockKey(),
			Quantity:      c.Quantity,
			Reason:        reason,
			SerialNumbers: c.Serials,
			LotID:         c.LotID,
			ComponentLots: lots,
		}, text)
	}

	in := api.AssembleInput{
		StockKey: stock.stockKey(),
		Quantity: c.Quantity,
		Reason:   reason,
		NewLot:   api.NewLot{LotCode: c.Lot},
	}

	in.LotID = c.LotID
	if in.LotID != api.NoID {
		in.LotCode = ""
	} else if !c.ExpiresAt.IsZero() && c.Lot != "" {
		in.ExpiresAt = &c.ExpiresAt
	}

	for _, serial := range c.Serials {
		in.Serials = append(in.Serials, api.SerialInput{SerialNumber: serial})
	}

	return submit.NewStep(api.AssembleStock, in, text)
}

// componentLots returns the lots that an assembly of a kit took its components from.
func componentLots(moves []api.Movement, kit api.ID) (lots []api.ComponentLot) {
	for _, m := range moves {
		if isTakenFromLot(&m, kit) {
			lots = append(lots, api.ComponentLot{LotID: m.LotID, Quantity: -m.Quantity})
		}
	}

	return lots
}

// isTakenFromLot reports whether a movement takes a component of a kit from a lot.
func isTakenFromLot(m *api.Movement, kit api.ID) bool {
	return m.ProductID != kit && m.InventoryState == api.OnHand && m.LotID != api.NoID && m.Quantity < 0
}

// Booked takes the balances from the response and prepares the undo.
func (s *kit) Booked(_ submit.Step, res *api.Response) {
	t := s.T

	out, ok := res.Output.(*api.DisassembleResult)
	if !ok {
		return
	}

	for i := range s.components {
		for _, b := range out.ComponentBalances {
			if b.ProductID == s.components[i].item.ID {
				s.components[i].balance = b
			}
		}
	}

	var taken, loose []string // the service chose these lots, or none
	for _, m := range out.Movements {
		if isTakenFromLot(&m, s.item.ID) && m.Lot != nil {
			taken = append(taken, widget.Clean(m.Lot.LotCode)+" × "+t.Count(-m.Quantity))
		}
	}
	for _, c := range s.components {
		if c.item.Tracking == api.TrackLot {
			loose = append(loose, c.item.SKU)
		}
	}
	s.taken, s.loose = strings.Join(taken, ", "), ""
	if s.choices.Mode == disassemble {
		s.loose = strings.Join(loose, ", ")
	}

	reverse := map[mode]mode{disassemble: assemble, assemble: disassemble}[s.choices.Mode]
	own := slices.DeleteFunc(slices.Clone(out.Movements), func(m api.Movement) bool { return m.ProductID != s.item.ID })
	text := func(int64) string { return t.Get("undo: %s", t.Get(kitTexts[reverse].verb)) }
	s.booked(out.Balance, own, api.OnHand, text, func(c stateChange, p lotQuantity) ([]submit.Step, error) {
		if reverse == assemble && len(p.serials) > 0 {
			return nil, t.NewError("A kit disassembled by serial number cannot be restored")
		}
		s.reversal.toast = t.Get(kitTexts[reverse].done, t.Count(p.quantity), s.item.SKU)
		counted := count.Count{Quantity: p.quantity, LotID: p.lot, Serials: p.serials}
		step, err := kitStep(t, c.stockItem, reverse, counted, c.reason, componentLots(out.Movements, s.item.ID)...)
		return []submit.Step{step}, err
	})
}

func (s *kit) BookedText(n int64) string {
	s.choices.Reason = ""
	text := cmp.Or(s.componentsText, s.T.Get(kitTexts[s.choices.Mode].done, s.T.Count(n), s.item.SKU))
	switch {
	case s.taken != "":
		return text + " (" + s.taken + ")"
	case s.loose != "":
		return s.T.Get("%s. Count the parts into their lots: %s", text, s.loose)
	}

	return text
}

func (s *kit) question(small bool) string {
	t := s.T

	switch {
	case s.shortageText() != "" && small:
		return t.Get("short: + builds %s", t.Count(s.buildable()))
	case s.shortageText() != "":
		return t.Get("Missing %s. You can build %s (press +).", s.shortageText(), t.Count(s.buildable()))
	case s.choices.Mode == disassemble && s.panel.Line().Pending == 0 && small:
		return t.Get("none here: F3")
	case s.choices.Mode == disassemble && s.panel.Line().Pending == 0:
		return s.noneText()
	case small || s.panel.Line().BySerial():
		return ""
	case s.choices.Mode == disassemble:
		return t.Get("Scan kits to disassemble, or type how many")
	}

	return t.Get("Scan kits to assemble, or type how many")
}

// noneText says that there are no kits to disassemble.
func (s *kit) noneText() string {
	return s.T.Get("No %s here to disassemble. Press F3 to assemble.", s.item.SKU)
}

func (s *kit) spec() *api.Spec {
	if s.choices.Mode == disassemble {
		return api.DisassembleStock.Spec
	}
	return api.AssembleStock.Spec
}

func (s *kit) actions() []tui.Action {
	t := s.T

	next := map[mode]mode{disassemble: assemble, assemble: disassemble}[s.choices.Mode]
	total := t.Count(s.panel.Total())
	label := t.Get(kitTexts[s.choices.Mode].label, total)
	actions := append([]tui.Action{s.bookAction(label, t.Get("record %s", total), s.spec(), s.confirm)},
		s.undoActions()...)
	all := s.allAction(t.Get("Take all kits that are available here"), s.noneText())
	if s.choices.Mode == assemble && len(all) > 0 {
		most := s.buildable()
		all[0].Help = t.Get("Assemble as many kits as the components allow")
		all[0].Label = t.Get("all %s", t.Count(most))
		all[0].Run = func() tea.Cmd { return s.panel.SetCount(most, t.Get("all")) }
		all[0].Disabled = func() string {
			if most == 0 {
				return t.Get("Not enough components for one kit")
			}
			return s.notEditable()
		}
	}

	return append(append(actions, all...), tui.Action{
		ID:       "kit.way",
		Key:      "f3",
		Label:    s.T.Get(kitTexts[next].verb),
		Help:     t.Get("Assemble or disassemble kits"),
		Disabled: s.notEditable,
		Run:      func() tea.Cmd { return s.changeChoice(func() { s.choices.Mode = next }) },
	})
}

// confirm asks for the reason if it is missing, then for confirmation.
func (s *kit) confirm() tea.Cmd {
	t := s.T

	l := s.panel.Line()
	switch {
	case s.shortageText() != "":
		return tui.Fail(t.NewError("Missing %s. You can build %s (press +).", s.shortageText(), t.Count(s.buildable())))
	case s.choices.Mode == assemble && l.ByLot() && l.Count.Lot == "":
		return tui.Fail(t.NewError("%s is tracked by lot. Scan or type the lot (F7), then try again.",
			s.item.SKU))
	}

	return s.withReason(func() tea.Cmd {
		text := s.T.Get(kitTexts[s.choices.Mode].ask, t.Count(l.Count.Quantity), s.item.SKU, s.location.Code,
			s.reasonText())
		return tui.Confirm(tui.Question{
			Text:  text,
			Yes:   s.T.Get(kitTexts[s.choices.Mode].verb),
			OnYes: s.panel.Book,
		})
	})
}

// A kitText are the texts of a mode.
type kitText struct{ verb, ask, label, step, done string }

var kitTexts = map[mode]kitText{
	disassemble: {
		verb:  i18n.Text("disassemble"),
		ask:   i18n.Text("Disassemble %s %s at %s (%s)?"),
		label: i18n.Text("disassemble %s"),
		step:  i18n.Text("disassemble %s %s"),
		done:  i18n.Text("%s %s disassembled"),
	},
	assemble: {
		verb:  i18n.Text("assemble"),
		ask:   i18n.Text("Assemble %s %s at %s (%s)?"),
		label: i18n.Text("assemble %s"),
		step:  i18n.Text("assemble %s %s"),
		done:  i18n.Text("%s %s assembled"),
	},
}
