package stock

import (
	"context"
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Move returns the factory of the screen that moves stock from one state to another.
func Move(site *session.Site) tui.Factory {
	return func(env tui.Env) (tui.Screen, error) {
		return &move{balanceScreen: newBalanceScreen(site, env, moving)}, nil
	}
}

var moving = balanceJob{
	route: "move",
	title: i18n.Text("Move"),
	verb:  i18n.Text("move"),
	help: i18n.Text(
		"Move the quantity to the other state, after you confirm. The first scan selects the product. Each scan after that adds 1.",
	),
	instead: i18n.Text("move %s instead"),
	reasons: func(c choices) names.Question {
		switch api.State(c.To) {
		case api.Damaged:
			return names.DamageReasons
		case api.Available:
			return names.ReleaseReasons
		}

		return names.HoldReasons
	},
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

// setLines puts the item on the count panel, limited to the quantity in the source
// state.
func (s *move) setLines() {
	s.show(s.stateQuantity(s.from()), s.T.Get("%s here", names.State(s.T, s.from())))
}

func (s *move) deltas() []delta {
	n, q := s.panel.Line().Count.Quantity, s.balance.Quantities
	return []delta{{s.from(), q.Of(s.from()), q.Of(s.from()) - n}, {s.to(), q.Of(s.to()), q.Of(s.to()) + n}}
}

// immovable returns why stock of a state cannot be moved by hand, or "".
func immovable(t *i18n.Translator, state api.State) string {
	if slices.Contains((api.MovableState("")).Values(), string(state)) {
		return ""
	}

	switch state {
	case api.OnHand:
		return t.Get("it includes all states; choose one")
	case api.Incoming:
		return t.Get("not here yet; receive it first")
	}

	return t.Get("orders hold it; fulfill or cancel them")
}

func (s *move) PrepareSteps(lines []count.Line) func(context.Context) ([]submit.Step, error) {
	return s.prepare(lines, false, s.steps(s.from(), s.to()))
}

// steps returns the function that builds the write of a move.
func (s *move) steps(from, to api.State) stepBuilder {
	return func(c stateChange, p lotQuantity) ([]submit.Step, error) {
		step, err := c.moveStep(s.T, from, to, p)
		return []submit.Step{step}, err
	}
}

// Booked takes the balance from the response and prepares the undo, for the lots
// that were moved.
func (s *move) Booked(_ submit.Step, res *api.Response) {
	if out, ok := res.Output.(*api.StockResult); ok {
		text := func(total int64) string { return s.T.Get("undo: %s back", s.T.Count(total)) }
		s.booked(out.Balance, out.Movements, s.to(), text, s.steps(s.to(), s.from()))
	}
}

func (s *move) question(small bool) string {
	t := s.T

	l := s.panel.Line()
	switch {
	case l.Pending == 0 && small:
		return t.Get("none %s: F3", names.State(s.T, s.from()))
	case l.Pending == 0:
		return s.noneText()
	case !small && !l.BySerial() && l.Remaining() > 0:
		return t.Get("Scan what to move, or type how many")
	}

	return ""
}

// noneText says that there is nothing to move.
func (s *move) noneText() string {
	t := s.T
	return t.Get("No %s stock here. Choose another state to move from (F3).", names.State(t, s.from()))
}

func (s *move) actions() []tui.Action {
	t := s.T

	total := t.Count(s.panel.Total())
	label := t.Get("move %s to %s", total, names.State(s.T, s.to()))
	actions := []tui.Action{s.bookAction(label, t.Get("move %s", total), api.MoveStock.Spec, s.confirm)}
	actions = append(actions, s.undoActions()...)
	actions = append(actions, s.allAction(t.Get("Take the whole quantity in this state"), s.noneText())...)

	return append(actions,
		tui.Action{
			ID:       "move.from",
			Key:      "f3",
			Label:    t.Get("from"),
			Help:     t.Get("Choose the state to move stock from"),
			Disabled: s.notEditable,
			Run: func() tea.Cmd {
				return s.askState(t.Get("Move from which state?"), s.to(), func(x api.State) {
					s.choices.From = string(x)
				})
			},
		},
		tui.Action{
			ID:       "move.to",
			Key:      "f4",
			Label:    t.Get("to"),
			Help:     t.Get("Choose the state to move stock to"),
			Disabled: s.notEditable,
			Run: func() tea.Cmd {
				return s.askState(t.Get("Move to which state?"), s.from(), func(x api.State) {
					s.choices.To = string(x)
				})
			},
		})
}

// askState asks for a state. States that cannot be moved are listed with the reason.
// Choosing the state at the other end swaps both.
func (s *move) askState(question string, other api.State, set func(api.State)) tea.Cmd {
	options := make([]string, len(api.States))
	for i, state := range api.States {
		options[i] = s.stateLine(state, immovable(s.T, state))
	}

	return tui.Choose(tui.Choice{Text: question, Options: options, OnChoice: func(i int) tea.Cmd {
		state := api.States[i]
		if why := immovable(s.T, state); why != "" {
			return tui.Fail(s.T.NewError("%s stock cannot be moved by hand: %s.", names.State(s.T, state),
				why))
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

// confirm asks for the reason if it is missing, then for confirmation.
func (s *move) confirm() tea.Cmd {
	t := s.T

	l := s.panel.Line()
	if l.Count.Lot != "" && !s.lot.known && s.site.Supports(api.ListLots.Spec) {
		return tui.Fail(t.NewError("Lot %s is still loading. Try again in a moment.", l.Count.Lot))
	}
	if err := submit.CheckLot(s.site, l); err != nil {
		return tui.Fail(err)
	}

	return s.withReason(func() tea.Cmd {
		n, sku, at, reason := t.Count(l.Count.Quantity), s.item.SKU, s.location.Code, s.reasonText()
		return s.ask(t.Get("move"), s.deltas, func(change string) string {
			return t.Get("Move %s %s at %s: %s (%s)?", n, sku, at, change, reason)
		})
	})
}

func (s *move) content(tui.Size) balanceView {
	return balanceView{heading: names.State(s.T, s.from()) + " → " + names.State(s.T, s.to()), deltas: s.deltas()}
}
