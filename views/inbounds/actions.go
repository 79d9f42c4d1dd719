package inbounds

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/panel"
	"bincard/views/submit"
)

func (s *screen) Actions() []tui.Action {
	t := s.T

	if s.Doc == nil {
		return s.RetryActions()
	}

	actions := s.Panel.Actions()
	if s.Panel.Modal() {
		return actions
	}

	in, several := s.line(), len(s.Doc.Lines) > 1
	if s.site.Supports(api.CloseInbound.Spec) {
		actions = slices.Insert(actions, min(4, len(actions)), tui.Action{
			ID:       "receive.close",
			Key:      "f5",
			Command:  tui.DoClose,
			Needs:    []tui.Need{{Permission: tui.MayCloseShort}},
			Label:    t.Get("close short"),
			Short:    t.Get("short"),
			Help:     t.Get("Close short: the rest is no longer expected"),
			Disabled: s.cannotClose,
			Approve: func() string {
				return t.Get("close %s short, %s not received", s.lineName(), t.Count(s.missingPieces()))
			},
			Run: func() tea.Cmd {
				text := t.Get("Close %s with %s missing? Reason", s.lineName(), t.Count(s.missingPieces()))
				if n := s.counted(); n > 0 {
					text = t.Get("Receive %s, then close %s with %s missing? Reason", t.Count(n), s.lineName(),
						t.Count(s.missingPieces()))
				}
				return tui.Prompt(tui.Request{Text: text, Check: panel.CheckReason(s.T), OnText: s.close})
			},
		})
	}

	cancel := t.Get("cancel the delivery")
	if several {
		cancel = t.Get("cancel the line")
	}

	actions = append(actions, panel.CancelActions(s.Env, tui.Action{
		ID:        "receive.cancel",
		Needs:     []tui.Need{{Permission: tui.MayCancel}},
		Label:     t.Get("cancel"),
		Dangerous: true,
		NoFooter:  several || in.ReceivedQuantity > 0,
		Ask:       t.Get("Cancel %s? The %s expected will be removed.", s.lineName(), t.Count(in.ExpectedQuantity)),
		Yes:       cancel,
		No:        t.Get("keep it"),
		Help:      t.Get("Cancel the delivery before anything is received"),
		Disabled:  s.cannotCancel,
		Approve:   func() string { return t.Get("cancel %s, %s expected", s.lineName(), t.Count(in.ExpectedQuantity)) },
		Run:       s.cancel,
	})...)

	if several {
		actions = append(actions, s.Panel.CloseAllAction("receive.closeall", s.closeAll),
			panel.NextLineAction(s.Panel, "receive.next"))
	}

	actions = s.Panel.WithLabels(actions, in.ID)

	return s.Panel.WithExceptions(actions)
}

// counted returns how many pieces of the current line are counted.
func (s *screen) counted() int64 {
	c := s.Panel.Line().Count
	return c.Quantity + c.OverReceipt
}

// closedText says that the current line takes nothing anymore, or returns "".
func (s *screen) closedText() string {
	if s.Panel.Document.ClosedReason != "" || s.line().Status.Open() {
		return s.Panel.Document.ClosedReason
	}
	return s.T.Get("Nothing left on %s", s.lineName())
}

func (s *screen) cannotClose() string {
	return cmp.Or(s.closedText(), s.site.MissingRights(api.CloseInbound.Spec))
}

func (s *screen) cannotCancel() string {
	t := s.T

	switch in := s.line(); {
	case in.ReceivedQuantity > 0 && in.Status.Open():
		return t.Get("%s received. Close short (F5) instead.", t.Count(in.ReceivedQuantity))
	case s.closedText() == "" && s.counted() > 0:
		return t.Get("%s counted, not recorded: press enter, or type 0", t.Count(s.counted()))
	}

	return cmp.Or(s.closedText(), s.site.MissingRights(api.CancelInbound.Spec))
}

func (s *screen) close(reason string) tea.Cmd {
	t := s.T

	toast := t.Get("%s closed, %s missing", s.lineName(), t.Count(s.missingPieces()))
	step, err := s.closeStep(s.line(), reason)
	if n := s.counted(); err == nil && n > 0 {
		return s.Panel.BookThen(t.Get("Received %s, %s", t.Count(n), toast), step)
	}
	return s.Panel.Submit(toast, step, err)
}

// closeStep returns the step that closes a line short.
func (s *screen) closeStep(in *api.Inbound, reason string) (submit.Step, error) {
	step, err := submit.NewStep(api.CloseInbound, api.CloseInboundInput{InboundID: in.ID, Reason: reason},
		s.T.Get("close short"))
	panel.SetLine(s.T, &step, len(s.Doc.Lines), in.ID.String(), sku(in))
	return step, err
}

// missingPieces returns the quantity of the current line that would be missing if it were
// closed now.
func (s *screen) missingPieces() int64 { return max(0, s.line().Pending()-s.counted()) }

// closeAll returns what closes short the open lines that nothing is counted of.
func (s *screen) closeAll() panel.CloseAll {
	t, name := s.T, deliveryName(s.Doc)
	c := panel.CloseAll{
		Spec: api.CloseInbound.Spec,
		Step: func(i int, reason string) (submit.Step, error) { return s.closeStep(&s.Doc.Lines[i], reason) },
	}
	var pieces int64
	for i := range s.Doc.Lines {
		if in := &s.Doc.Lines[i]; in.Status.Open() && s.Panel.Lines[i].Count.Empty() {
			c.Lines = append(c.Lines, i)
			pieces += in.Pending()
		}
	}

	lines := panel.LinesText(t, len(c.Lines))
	c.Approve = t.Get("close %s of %s short, %s not received", lines, name, t.Count(pieces))
	c.Ask = t.Get("Close %s of %s with %s missing? Reason", lines, name, t.Count(pieces))
	c.Done = t.Get("%s: %s closed, %s missing", name, lines, t.Count(pieces))

	return c
}

func (s *screen) cancel() tea.Cmd {
	in := s.line()
	step, err := submit.NewStep(api.CancelInbound, api.InboundInput{InboundID: in.ID}, s.T.Get("cancel"))
	panel.SetLine(s.T, &step, len(s.Doc.Lines), in.ID.String(), sku(in))
	return s.Panel.Submit(s.T.Get("%s canceled", s.lineName()), step, err)
}
