package stock

import (
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Adjust returns the factory of the screen that adjusts one state of a balance. The
// route may name the balance: SKU@LOCATION, or a balance ID.
func Adjust(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &adjust{balanceScreen: newBalanceScreen(site, env, adjusting)}, nil
	}
}

var adjusting = balanceJob{
	route: "adjust",
	title: i18n.Text("Adjust"),
	verb:  i18n.Text("adjust"),
	help: i18n.Text(
		"Adjust the balance as shown, after you confirm. The first scan selects the product. Each scan after that adds 1.",
	),
	instead:    i18n.Text("adjust %s instead"),
	permission: tui.MayAdjust,
	reasons: func(c choices) names.Question {
		switch c.Mode {
		case less:
			return names.RemovalReasons
		case more:
			return names.AdditionReasons
		}

		return names.AdjustmentReasons
	},
}

type adjust struct {
	balanceScreen
}

func (s *adjust) Init(tui.Env) tea.Cmd {
	if s.choices.From == "" {
		s.choices.From = string(api.Available)
	}
	return s.run(s)
}

func (s *adjust) state() api.State { return api.State(s.choices.From) }

// setLines puts the item on the count panel. Removing is limited to the recorded
// quantity.
func (s *adjust) setLines() {
	if s.choices.Mode == "" { // without stock, start with adding
		s.choices.Mode = less
		if s.stateQuantity(s.state()) == 0 {
			s.choices.Mode = more
		}
	}

	s.panel.Removes = s.choices.Mode == less
	s.panel.Incoming = !s.panel.Removes
	s.panel.AllowZero = s.choices.Mode == exact
	pending := int64(api.MaxQuantity)
	if s.choices.Mode == less {
		pending = s.stateQuantity(s.state())
	}

	s.show(pending, s.T.Get("%s here", names.State(s.T, s.state())))
}

// change returns the signed change counted so far.
func (s *adjust) change() int64 {
	n := s.panel.Line().Count.Quantity
	switch s.choices.Mode {
	case less:
		return -n
	case exact:
		if n == 0 && !s.panel.Line().Count.None {
			return 0
		}
		return n - s.stateQuantity(s.state())
	}

	return n
}

func (s *adjust) deltas() []delta { return deltas(s.balance.Quantities, s.state(), s.change()) }

// checkChange returns why the change cannot be made yet, or nil.
func (s *adjust) checkChange() error {
	t := s.T

	l := s.panel.Line()
	lots := l.Count.Lot != "" || len(l.Count.Serials) > 0
	switch {
	case l.Count.Lot != "" && !s.lot.known && s.site.Supports(api.ListLots.Spec):
		return t.NewError("Lot %s is still loading. Try again in a moment.", l.Count.Lot)
	case s.choices.Mode == exact && s.change() == 0:
		return t.NewError("No change: %s is already %s. Type another quantity.", names.State(s.T, s.state()),
			t.Count(s.stateQuantity(s.state())))
	case s.choices.Mode == exact && l.BySerial():
		return t.NewError("%s is serialized. Add or remove serials (F3), or count the location.",
			s.item.SKU)
	case lots && (s.state() == api.Committed || s.state() == api.Incoming):
		return t.NewError("%s stock is tied to documents, not lots. Choose another state (F4).",
			names.State(s.T, s.state()))
	case l.ByLot() && !lots && s.change() > 0 && s.state() != api.Incoming && s.site.Supports(api.ReceiveStock.Spec):
		return t.NewError("%s is tracked by lot. Scan or type the lot (F7), then try again.", s.item.SKU)
	case s.change() < 0 && s.state() != api.Committed && s.state() != api.Incoming:
		return submit.CheckLot(s.site, l)
	}

	return nil
}

// PrepareSteps returns the function that builds the writes of the change.
func (s *adjust) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	by, state, match := s.change(), s.state(), int64(0)
	if s.choices.Mode == exact {
		match = s.balance.Version
	}

	return s.prepare(lines, by > 0, func(c stateChange, p lotQuantity) ([]submit.Step, error) {
		p.quantity, c.state, c.match = max(by, -by), state, match
		return c.buildSteps(s.T, p)
	})
}

// Booked takes the balance from the response and prepares the undo.
func (s *adjust) Booked(_ submit.Step, res *api.Response) {
	t := s.T

	out, ok := res.Output.(*api.StockResult)
	if !ok {
		return
	}

	text := func(total int64) string { return t.Get("undo: %s", t.Change(-total)) }
	s.booked(out.Balance, out.Movements, s.state(), text, func(c stateChange, p lotQuantity) ([]submit.Step, error) {
		if len(p.serials) > 0 && !p.up {
			return nil, t.NewError("A serial that was written off cannot be restored")
		}
		p.up = !p.up
		return c.buildSteps(t, p)
	})
}

// reversed swaps before and after.
func reversed(list []delta) (out []delta) {
	for _, d := range list {
		out = append(out, delta{d.state, d.after, d.before})
	}
	return out
}

func undoReason(reason string) string { return names.Undo + ": " + reason }

func (s *adjust) question(small bool) string {
	t := s.T

	l := s.panel.Line()
	switch {
	case s.choices.Mode == less && l.Pending == 0 && small:
		return t.Get("none here: F3 adds")
	case s.choices.Mode == less && l.Pending == 0:
		return s.noneText()
	case s.choices.Mode == exact && small:
		return t.Get("scan or total")
	case s.choices.Mode == exact:
		return t.Get("Count what is %s: scan, or type the quantity", names.State(s.T, s.state()))
	case s.choices.Mode == more && l.ByLot() && l.Count.Lot == "" && l.Count.Quantity > 0 && !small:
		return t.Get("Scan the lot, or press F7 to type it")
	case s.choices.Mode == more && !small && !l.BySerial():
		return t.Get("Scan what to add, or type how many")
	case s.choices.Mode == less && !small && !l.BySerial():
		return t.Get("Scan what to remove, or type how many")
	}

	return ""
}

// noneText says that there is nothing to remove.
func (s *adjust) noneText() string {
	t := s.T
	return t.Get("No %s stock here to remove. Press F3 to add, or F4 for another state.", names.State(t, s.state()))
}

func (s *adjust) actions() []tui.Action {
	t := s.T

	label, short := t.Get("adjust %s", t.Change(s.change())), t.GetC("adjust %s", "short", t.Change(s.change()))
	next := map[mode]mode{less: more, more: exact, exact: less}[s.choices.Mode]
	book := s.bookAction(label, short, api.AdjustStock.Spec, s.confirm)
	if !s.panel.HasSubmission() {
		book.Needs, book.Approve = s.needs(s.deltas(), false), func() string { return s.approveText(label) }
	}

	actions := []tui.Action{book}
	actions = append(actions, s.undoActions()...)
	if s.choices.Mode == less {
		actions = append(actions, s.allAction(t.Get("Take the whole quantity in this state"), s.noneText())...)
	}

	return append(actions,
		tui.Action{
			ID:       "adjust.mode",
			Key:      "f3",
			Label:    s.T.Get(modeWords[next]),
			Short:    shortMode(t, next),
			Help:     t.Get("Remove, add, or set the quantity"),
			Disabled: s.notEditable,
			Run:      func() tea.Cmd { return s.changeChoice(func() { s.choices.Mode = next }) },
		},
		tui.Action{
			ID:       "adjust.state",
			Key:      "f4",
			Label:    t.Get("state"),
			Help:     t.Get("Choose the state to adjust"),
			Disabled: s.notEditable,
			Run:      s.chooseState,
		})
}

// chooseState asks which state to adjust.
func (s *adjust) chooseState() tea.Cmd {
	options := make([]string, len(api.States))
	for i, state := range api.States {
		options[i] = s.stateLine(state, "")
	}

	return tui.Choose(tui.Choice{
		Text:    s.T.Get("Which state do you want to adjust?"),
		Options: options,
		OnChoice: func(i int) tea.Cmd {
			return s.changeChoice(func() { s.choices.From = string(api.States[i]) })
		},
	})
}

// stateLine describes a state in a list, with why it cannot be chosen.
func (w *balanceScreen) stateLine(state api.State, why string) string {
	t, n := w.T, w.stateQuantity(state)
	switch {
	case w.size.Class == tui.Narrow && why != "":
		return widget.Left(names.ShortState(t, state), 11) + widget.Right("-", 6)
	case w.size.Small() && why != "":
		return widget.Left(names.ShortState(t, state), 11) + widget.Right(t.Get("read-only"), 17)
	case w.size.Small():
		return widget.Left(names.ShortState(t, state), 11) + widget.Right(t.Count(n), 6)
	case why != "":
		return widget.Left(names.State(t, state), 19) + widget.Right(t.Count(n), 7) + "   " + why
	}

	return widget.Left(names.State(t, state), 19) + widget.Right(t.Count(n), 7)
}

// confirm asks for the reason if it is missing, then for confirmation.
func (s *adjust) confirm() tea.Cmd {
	if err := s.checkChange(); err != nil {
		return tui.Fail(err)
	}

	return s.withReason(func() tea.Cmd {
		t, sku, at, reason := s.T, s.item.SKU, s.location.Code, s.reasonText()
		return s.ask(t.Get("adjust"), s.deltas, func(change string) string {
			return t.Get("%s at %s: %s (%s)?", sku, at, change, reason)
		})
	})
}

func (s *adjust) content(tui.Size) balanceView {
	what := s.T.Get(modeTexts[s.choices.Mode], names.State(s.T, s.state()))
	return balanceView{heading: what, deltas: s.deltas()}
}

// modeTexts are what a mode does to a state.
var modeTexts = i18n.Texts[mode]{less: "remove %s", more: "add %s", exact: "set %s"}

// modeWords are the labels of the modes.
var modeWords = i18n.Texts[mode]{less: "remove", more: "add", exact: "set"}

// shortMode is the label of a mode on small screens.
func shortMode(t *i18n.Translator, m mode) string {
	switch m {
	case more:
		return t.GetC("add", "short")
	case exact:
		return t.GetC("set", "short")
	}

	return t.GetC("remove", "short")
}
