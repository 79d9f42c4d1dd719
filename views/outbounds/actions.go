package outbounds

import (
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// bookAs books what is counted by a verb; enter sends, F4 picks, F5 packs.
func (s *screen) bookAs(does verb) func() tea.Cmd {
	return func() tea.Cmd {
		s.verb = does
		return s.Panel.Book()
	}
}

// handleAll picks or packs everything that can be.
func (s *screen) handleAll(op api.Operation[api.HandleOutboundInput, api.OutboundResult], words, toast string) tea.Cmd {
	step, err := dock.NewStep(op, api.HandleOutboundInput{OutboundID: s.Doc.ID}, words)
	return s.Panel.Submit(toast, step, err)
}

// fulfillPicked sends everything that was picked.
func (s *screen) fulfillPicked() tea.Cmd {
	n := s.Doc.PickedQuantity - s.Doc.FulfilledQuantity
	step, err := dock.NewStep(api.FulfillOutbound, api.FulfillOutboundInput{OutboundID: s.Doc.ID, Quantity: &n}, fmt.Sprintf(saidFulfill, widget.Count(n)))
	return s.Panel.Submit(fmt.Sprintf(saidSentOf, widget.Count(n), dock.OutboundName(s.Doc)), step, err)
}

func (s *screen) cancel() tea.Cmd {
	step, err := dock.NewStep(api.CancelOutbound, api.OutboundInput{OutboundID: s.Doc.ID}, "cancel")
	return s.Panel.Submit(fmt.Sprintf(saidCancelled, dock.OutboundName(s.Doc)), step, err)
}

// countAll counts all that is ready of every line that is not kept by serial.
func (s *screen) countAll() tea.Cmd {
	var cmds []tea.Cmd
	at := s.Panel.Current
	for i, l := range s.Panel.Lines {
		if !l.BySerial() && l.Remaining() > 0 {
			s.Panel.Current = i
			cmds = append(cmds, s.Panel.CountAll())
		}
	}
	s.Panel.Current = at
	return tea.Batch(cmds...)
}

func (s *screen) Actions() []tui.Action {
	if s.Doc == nil {
		return s.RetryActions()
	}
	actions := s.Panel.Actions()
	for i := range actions {
		if actions[i].ID == "dock.book" {
			actions[i].Run = s.bookAs(fulfilling)
		}
	}
	if s.Panel.Modal() {
		return actions
	}
	if len(s.Panel.Lines) > 1 {
		actions = append(actions, tui.Action{ID: "fulfill.all", Keys: []string{"f10"}, Label: labelAllLines, Short: shortAll, NoFooter: s.Doc.PendingFulfillmentQuantity == 0,
			Help: helpAll, Disabled: s.readyReason, Run: s.countAll})
	}
	if s.site.Supports(api.PickOutbound.Spec) {
		actions = append(actions, s.stageActions()...)
	}
	release := widget.Count(s.Doc.AllocatedQuantity - s.Doc.FulfilledQuantity)
	actions = append(actions, tui.Action{ID: "fulfill.cancel", Keys: []string{"f9"}, Supervisor: true, Label: labelCancel, Dangerous: true,
		Ask:  fmt.Sprintf(askCancel, dock.OutboundName(s.Doc), release),
		Help: helpCancel, Disabled: s.notIdleReason, Run: s.cancel})
	if len(s.Panel.Lines) > 1 {
		actions = append(actions, tui.Action{ID: "fulfill.next", Keys: []string{"down"}, Command: tui.DoNext, Label: labelNext, NoFooter: true,
			Help: helpNext, Run: func() tea.Cmd { s.moveLine(tea.KeyMsg{Type: tea.KeyDown}); return nil }})
	}
	return append(actions, s.Panel.ExceptionActions()...)
}

// stageActions are the steps before sending, where the service knows them.
func (s *screen) stageActions() []tui.Action {
	counted := s.Panel.Total()
	quantity := func(pending int64) string {
		if counted > 0 {
			return " " + widget.Count(counted)
		}
		return " " + fmt.Sprintf(saidAll, widget.Count(pending))
	}
	open := s.Doc.Progress
	picked := open.PickedQuantity - open.FulfilledQuantity
	stage := func(id, key, word string, does verb, op api.Operation[api.HandleOutboundInput, api.OutboundResult], pending int64, none string) tui.Action {
		return tui.Action{ID: "fulfill." + id, Keys: []string{key}, Label: word + quantity(pending), Short: word, NoFooter: pending == 0,
			Help: fmt.Sprintf(saidRecordWhatWasSed, word),
			Disabled: func() string {
				if s.Panel.ClosedReason == "" && pending == 0 {
					return none
				}
				return s.Panel.ClosedReason
			},
			Run: func() tea.Cmd {
				if counted > 0 {
					return s.bookAs(does)()
				}
				return s.handleAll(op, fmt.Sprintf(labelAllOfIt, word), fmt.Sprintf(saidSedAll, word, widget.Count(pending)))
			}}
	}
	return []tui.Action{
		{ID: "fulfill.allocate", Keys: []string{"f3"}, Label: fmt.Sprintf(saidAllocate, widget.Count(open.PendingAllocationQuantity)), Short: shortAlloc,
			Help: helpAllocate, NoFooter: open.PendingAllocationQuantity == 0, Disabled: func() string {
				if s.Panel.ClosedReason == "" && open.PendingAllocationQuantity == 0 {
					return allAllocated
				}
				return s.notIdleReason()
			}, Run: func() tea.Cmd { return s.handleAll(api.AllocateOutbound, "allocate", saidAllocatedWhatThereIs) }},
		stage("pick", "f4", "pick", picking, api.PickOutbound, open.PendingPickQuantity, allPicked),
		stage("pack", "f5", "pack", packing, api.PackOutbound, open.PendingPackQuantity, allPacked),
		{ID: "fulfill.picked", Keys: []string{"f8"}, Label: fmt.Sprintf(saidSendPicked, widget.Count(picked)), Short: shortSend, NoFooter: picked == 0,
			Help: helpPicked, Disabled: s.cannotFulfillPicked, Run: s.fulfillPicked},
	}
}

// cannotFulfillPicked tells why what was picked cannot be sent at once.
func (s *screen) cannotFulfillPicked() string {
	if why := s.notIdleReason(); why != "" {
		return why
	}
	var parts []lineShare
	for _, l := range lines(s.Doc) {
		parts = append(parts, lineShare{line: l, pieces: l.PickedQuantity - l.FulfilledQuantity})
	}
	if s.Doc.PickedQuantity == s.Doc.FulfilledQuantity {
		return nonePicked
	}
	if i, _, ok := firstMismatch(parts); ok {
		return fmt.Sprintf(lineByLine, i+1)
	}
	return ""
}

// notIdleReason tells why the order cannot be changed as a whole now.
func (s *screen) notIdleReason() string {
	if s.Panel.ClosedReason != "" {
		return s.Panel.ClosedReason
	}
	return s.Panel.UnbookedReason()
}

func (s *screen) readyReason() string {
	if s.Panel.ClosedReason != "" {
		return s.Panel.ClosedReason
	}
	if s.Doc.PendingFulfillmentQuantity == 0 {
		return fmt.Sprintf(saidNothingIsReady, s.hint())
	}
	return ""
}
