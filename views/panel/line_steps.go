package panel

import (
	"slices"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// LineSteps returns the steps that book the counted lines of a delivery. keys are those of
// all its lines, and of returns the steps of the line at an index.
func LineSteps(t *i18n.Translator, keys []string, counted []count.Line,
	of func(i int, l count.Line) ([]submit.Step, error)) (steps []submit.Step, err error) {

	for i, key := range keys {
		for _, l := range counted {
			if l.Key != key {
				continue
			}

			more, err := of(i, l)
			if err != nil {
				return nil, err
			}
			for k := range more {
				SetLine(t, &more[k], len(keys), key, l.Item.SKU)
			}

			steps = append(steps, more...)
		}
	}

	return steps, nil
}

// SetLine makes a step that of one line, if the delivery has several.
func SetLine(t *i18n.Translator, step *submit.Step, lines int, key, sku string) {
	if lines > 1 {
		step.Line, step.Text = key, t.Get("%s (%s)", step.Text, sku)
	}
}

// LinesText says how many lines there are.
func LinesText(t *i18n.Translator, n int) string {
	return t.GetN(n, "%s line", "%s lines")
}

// LinesToGo says how many lines are to go.
func LinesToGo(t *i18n.Translator, n int) string {
	return t.GetN(n, "%s line to go", "%s lines to go")
}

// A CloseAll closes short all lines of a delivery that nothing is counted of. It asks for
// one reason, needs one approval, and closes each line once.
type CloseAll struct {
	Spec  *api.Spec // of the operation that closes a line
	Lines []int     // the lines to close
	// Approve is what a supervisor approves. Ask asks for the reason, and Done is the message
	// afterwards.
	Approve, Ask, Done string
	// Step returns the step that closes a line.
	Step func(line int, reason string) (submit.Step, error)
}

// CloseAllAction returns the action of a CloseAll with an ID. closing returns what is to be
// closed now.
func (p *CountPanel) CloseAllAction(id string, closing func() CloseAll) tui.Action {
	t, approved := p.T(), map[string]bool{}
	for _, i := range closing().Lines {
		approved[p.Lines[i].Key] = true
	}

	return tui.Action{ID: id, Key: "f10", Needs: []tui.Need{{Permission: tui.MayCloseShort}},
		Label: t.Get("close all short"), NoFooter: true,
		Help: t.Get("Close every uncounted line short. The rest is no longer expected."), Disabled: func() string {
			c := closing()
			switch {
			case !p.Site.Supports(c.Spec):
				return t.Get("This service does not close deliveries short")
			case p.Document.ClosedReason != "":
				return p.Document.ClosedReason
			case len(c.Lines) == 0:
				return t.Get("Every open line has a count")
			}

			return p.Site.MissingRights(c.Spec)
		}, Approve: func() string { return closing().Approve }, Run: func() tea.Cmd {
			onReason := func(reason string) tea.Cmd {
				c := closing()
				if slices.ContainsFunc(c.Lines, func(i int) bool { return !approved[p.Lines[i].Key] }) {
					return fail(t.Get("The delivery has more lines now. Check them, then press F10 again."))
				}

				steps, err := c.steps(reason)
				if len(c.Lines) == 0 || err != nil {
					return tui.Fail(err)
				}
				return p.Submit(c.Done, steps[0], nil, steps[1:]...)
			}

			return tui.Prompt(tui.Request{Text: closing().Ask, Check: CheckReason(t), OnText: onReason})
		}}
}

func (c CloseAll) steps(reason string) (steps []submit.Step, err error) {
	for _, line := range c.Lines {
		step, err := c.Step(line, reason)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}

	return steps, nil
}
