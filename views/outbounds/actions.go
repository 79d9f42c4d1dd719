package outbounds

import (
	"cmp"
	"slices"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/panel"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// bookAs books the count with a verb: enter fulfills, F4 picks, F5 packs, F8 puts back.
func (s *screen) bookAs(action verb) func() tea.Cmd {
	return func() tea.Cmd {
		s.verb = action
		return s.Panel.Book()
	}
}

// handleAll picks, packs, puts back or allocates everything that in says and is possible.
func (s *screen) handleAll(
	op api.Operation[api.HandleOutboundInput, api.OutboundResult],
	in api.HandleOutboundInput,
	words, toast string,
) tea.Cmd {
	in.OutboundID = s.Doc.ID
	step, err := submit.NewStep(op, in, words)
	return s.Panel.Submit(toast, step, err)
}

// fulfillPicked fulfills everything that was picked.
func (s *screen) fulfillPicked() tea.Cmd {
	t := s.T

	n := s.Doc.PickedQuantity - s.Doc.FulfilledQuantity
	in := api.FulfillOutboundInput{OutboundID: s.Doc.ID, Quantity: &n}
	for _, l := range s.Doc.Lines {
		if picked := l.PickedQuantity - l.FulfilledQuantity; picked > 0 && len(s.Doc.Lines) > 1 {
			in.Lines = append(in.Lines, api.FulfilledLine{LineID: l.ID, Quantity: picked})
		}
	}

	step, err := submit.NewStep(api.FulfillOutbound, in, t.Get("fulfill %s", t.Count(n)))

	return s.Panel.Submit(t.Get("Fulfilled %s of %s", t.Count(n), names.Outbound(s.Doc)), step, err)
}

func (s *screen) cancel() tea.Cmd {
	step, err := submit.NewStep(api.CancelOutbound, api.OutboundInput{OutboundID: s.Doc.ID}, s.T.Get("cancel"))
	return s.Panel.Submit(s.T.Get("%s canceled", names.Outbound(s.Doc)), step, err)
}

// countAll counts everything that is ready on lines without serials.
func (s *screen) countAll() tea.Cmd {
	var cmds []tea.Cmd
	at := s.Panel.Current
	for i, l := range s.Panel.Lines {
		if !l.BySerial() && l.Remaining() > 0 {
			s.Panel.Current = i
			cmds = append(cmds, s.Panel.SetCount(l.AllOfLot(), s.T.Get("all")))
		}
	}

	s.Panel.Choose(at)

	return tea.Batch(cmds...)
}

// maxMissing is how many products incompleteText names.
const maxMissing = 3

// incompleteText asks whether to fulfill the order without what is ready and not counted,
// or returns "" if all of it is counted. The quantity of an order of one line is on the
// key's label.
func (s *screen) incompleteText() string {
	t := s.T

	if len(s.Panel.Lines) < 2 || s.Panel.Total() == 0 {
		return ""
	}

	var missing []string
	for _, l := range s.Panel.Lines {
		if n := l.Remaining(); n > 0 {
			missing = append(missing, t.Count(n)+" × "+l.Item.SKU)
		}
	}

	more := len(missing) - maxMissing
	switch {
	case len(missing) == 0:
		return ""
	case more > 0:
		missing = append(missing[:maxMissing], t.GetN(more, "%s more line", "%s more lines"))
	}

	return t.Get("Not counted: %s. Fulfill %s anyway?", strings.Join(missing, ", "), t.Count(s.Panel.Total()))
}

func (s *screen) Actions() []tui.Action {
	t := s.T

	if s.Doc == nil {
		return s.RetryActions()
	}

	actions := s.Panel.Actions()
	for i := range actions {
		if actions[i].ID == "panel.record" {
			actions[i].Run = s.bookAs(fulfilling)
			if text := s.incompleteText(); text != "" {
				actions[i].Dangerous, actions[i].Ask, actions[i].No = true, text, t.Get("count more")
			}
		}
	}

	if s.Panel.Modal() {
		return actions
	}

	var next []tui.Action // before the lot: small screens show the first ones only
	if s.site.Supports(api.PickOutbound.Spec) {
		next = s.stageActions()
	}

	if len(s.Panel.Lines) > 1 {
		next = append(next, tui.Action{
			ID:       "fulfill.lines",
			Key:      "f10",
			Label:    t.Get("all lines"),
			Short:    t.GetC("order", "whole"),
			NoFooter: s.Doc.PendingFulfillmentQuantity == 0,
			Help:     t.Get("Count everything ready on every line"),
			Disabled: s.readyReason,
			Run:      s.countAll,
		})
	}

	actions = insertBefore(actions, "panel.lot", next)
	if s.site.Supports(api.AllocateOutbound.Spec) && s.site.Supports(api.PickOutbound.Spec) {
		actions = append(actions, s.allocateAction())
	}
	if s.site.Supports(api.UnpickOutbound.Spec) {
		actions = append(actions, s.unpickAction())
	}

	actions = append(actions, panel.CancelActions(s.Env, tui.Action{
		ID:        "fulfill.cancel",
		Needs:     []tui.Need{{Permission: tui.MayCancel}},
		Label:     t.Get("cancel"),
		Dangerous: true,
		Ask:       s.cancelText(),
		Yes:       t.Get("cancel the order"),
		No:        t.Get("keep it"),
		Help:      t.Get("Cancel what is not fulfilled, and release what is allocated"),
		Disabled:  s.Panel.NotIdleReason,
		Approve: func() string {
			return t.Get("cancel %s, %s to go", names.Outbound(s.Doc),
				t.Count(s.Doc.RequestedQuantity-s.Doc.FulfilledQuantity))
		},
		Run: s.cancel,
	})...)

	if len(s.Panel.Lines) > 1 {
		actions = append(actions, panel.NextLineAction(s.Panel, "fulfill.next"))
	}

	actions = s.Panel.WithLabels(actions, s.Doc.ID)

	return s.Panel.WithExceptions(actions)
}

// stageActions returns the actions before fulfillment, which only some services
// support.
func (s *screen) stageActions() []tui.Action {
	t, open := s.T, s.Doc.Progress
	picked := open.PickedQuantity - open.FulfilledQuantity
	noPick := t.Get("Everything allocated is picked")
	if open.AllocatedQuantity == 0 {
		noPick = t.Get("Nothing is allocated yet")
	}
	noPack := cmp.Or(s.nothingPicked(), t.Get("Everything picked is packed"))

	fulfillPicked := t.Get("fulfill picked")
	if picked > 0 {
		fulfillPicked = t.Get("fulfill picked %s", t.Count(picked))
	}

	pick := s.stageAction(picking, "f4", api.PickOutbound, open.PendingPickQuantity, noPick)
	pick.Dangerous = s.Panel.Total() == 0 && s.unscanned() == nil
	pick.Ask = t.Get("Nothing is counted. Pick all %s without a scan?", t.Count(open.PendingPickQuantity))
	pick.No = t.Get("count first")

	return []tui.Action{
		pick,
		s.stageAction(packing, "f5", api.PackOutbound, open.PendingPackQuantity, noPack),
		{
			ID:       "fulfill.picked",
			Key:      "ctrl+f",
			Label:    fulfillPicked,
			Short:    t.GetC("fulfill", "outbounds"),
			NoFooter: picked == 0,
			Help:     t.Get("Fulfill everything that is picked"),
			Disabled: s.cannotFulfillPicked,
			Run:      s.fulfillPicked,
		},
	}
}

// stageAction returns an action of a stage before fulfillment. none says why it cannot run
// if nothing is pending.
func (s *screen) stageAction(
	action verb,
	key string,
	op api.Operation[api.HandleOutboundInput, api.OutboundResult],
	pending int64,
	none string,
) tui.Action {
	t, text, counted := s.T, stageTexts[action], s.Panel.Total()
	label := t.Get(text.word)
	if n := cmp.Or(counted, pending); n > 0 {
		label = t.Get(text.step, t.Count(n))
	}

	return tui.Action{
		ID:       "fulfill." + string(action),
		Key:      key,
		Label:    label,
		Short:    t.Get(text.word),
		NoFooter: pending == 0,
		Help:     t.Get(text.help),
		Disabled: func() string {
			reason := cmp.Or(s.Panel.Document.ClosedReason, panel.TypedReason(s.Panel))
			if reason == "" && pending == 0 {
				return none
			}
			return reason
		},
		Run: func() tea.Cmd {
			if counted > 0 {
				return s.bookAs(action)()
			}
			if err := s.unscanned(); action == picking && err != nil {
				return tui.Fail(err)
			}

			in := api.HandleOutboundInput{}
			if action == unpicking {
				in.LineID, in.Quantity = lineID(s.Doc, s.Panel.Line().Key), &pending
			}

			return s.handleAll(op, in, t.Get(text.all), t.Get(text.allDone, t.Count(pending)))
		},
	}
}

// unpickAction returns the action that puts back what was picked by mistake: what is counted,
// or all of the current line.
func (s *screen) unpickAction() tui.Action {
	t, l, sku := s.T, s.currentLine(), s.Panel.Line().Item.SKU
	picked := s.pickedOf(l, "")
	what := cmp.Or(s.countedItems(), t.Count(picked)+" × "+sku)
	counted := s.Panel.Total()
	if counted > 0 {
		picked = s.Doc.PickedQuantity - s.Doc.FulfilledQuantity
	}

	a := s.stageAction(unpicking, "f8", api.UnpickOutbound, picked,
		cmp.Or(s.nothingPicked(), t.Get("Nothing of %s is picked. Choose another line.", sku)))
	a.NoFooter = a.NoFooter || counted > 0 // there it would shorten what enter does
	disabled := a.Disabled
	a.Disabled = func() string { return cmp.Or(disabled(), s.notPicked()) }
	a.Dangerous, a.Yes, a.No = true, t.Get("put back"), t.Get("keep it")
	a.Ask = t.Get("Put %s back on the shelf? %s keeps what it was allocated.", what,
		names.Outbound(s.Doc))

	return a
}

// countedItems names what is counted: "5 × COF-500, 1 × CAM-1", with the lots.
func (s *screen) countedItems() string {
	var parts []string
	for _, l := range s.Panel.Lines {
		if n := l.Count.Quantity; n > 0 {
			parts = append(parts, strings.TrimSpace(s.T.Count(n)+" × "+l.Item.SKU+" "+widget.Clean(l.Count.Lot)))
		}
	}

	return strings.Join(parts, ", ")
}

// notPicked says of which line more is counted than is picked, or not of which lot, or "".
func (s *screen) notPicked() string {
	for i, l := range lines(s.Doc) {
		line := s.Panel.Lines[i]
		if picked := s.pickedOf(l, line.Count.Lot); line.Count.Quantity > picked {
			what := strings.TrimSpace(line.Item.SKU + " " + widget.Clean(line.Count.Lot))
			return s.T.Get("%s × %s picked: count no more than that", s.T.Count(picked), what)
		}
		if line.ByLot() && line.Count.Lot == "" && line.Count.Quantity > 0 && s.isPickedFromSeveral(l) {
			return s.T.Get("%s is picked from several lots. Scan the lot to put back", line.Item.SKU)
		}
	}

	return ""
}

// isPickedFromSeveral reports whether more than one lot is picked of a line and not fulfilled.
func (s *screen) isPickedFromSeveral(line api.OutboundLine) bool {
	picked := slices.DeleteFunc(slices.Clone(s.lotsOn(line)),
		func(x api.OutboundLot) bool { return x.PickedQuantity <= x.FulfilledQuantity })
	return len(picked) > 1
}

// pickedOf returns what of a line is picked and not fulfilled, of a lot unless it is "" or the
// lots are not known.
func (s *screen) pickedOf(line api.OutboundLine, lot string) (n int64) {
	lots := s.lotsOn(line)
	if lot == "" || len(lots) == 0 {
		return line.PickedQuantity - line.FulfilledQuantity
	}

	for _, x := range lots {
		if x.LotCode == lot {
			n += max(0, x.PickedQuantity-x.FulfilledQuantity)
		}
	}

	return n
}

// unscanned returns an error if an item is left to pick whose serial numbers or lot must be
// scanned.
func (s *screen) unscanned() error {
	for i, l := range lines(s.Doc) {
		item := *s.Panel.Lines[i]
		item.Count = count.Count{Quantity: l.PendingPickQuantity}
		if item.BySerial() && l.PendingPickQuantity > 0 {
			return s.T.NewError("%s is serialized. Scan each serial number, then pick.", item.Item.SKU)
		}
		if err := submit.CheckLot(s.site, &item); err != nil {
			return err
		}
	}

	return nil
}

// stageTexts are the texts of the actions before fulfillment.
var stageTexts = map[verb]stageText{
	picking: {
		word:    i18n.Text("pick"),
		step:    i18n.Text("pick %s"),
		line:    i18n.Text("pick %s × %s"),
		all:     i18n.Text("pick all"),
		allDone: i18n.Text("Picked: %s"),
		done:    i18n.Text("Picked %s: %s of %s done, %s ready"),
		help:    i18n.Text("Record what was picked: the counted quantity, or all"),
	},
	packing: {
		word:    i18n.Text("pack"),
		step:    i18n.Text("pack %s"),
		line:    i18n.Text("pack %s × %s"),
		all:     i18n.Text("pack all"),
		allDone: i18n.Text("Packed: %s"),
		done:    i18n.Text("Packed %s: %s of %s done, %s ready"),
		help:    i18n.Text("Record what was packed: the counted quantity, or all"),
	},
	unpicking: {
		word:    i18n.Text("put back"),
		step:    i18n.Text("put back %s"),
		line:    i18n.Text("put back %s × %s"),
		all:     i18n.Text("put back"),
		allDone: i18n.Text("Put back: %s"),
		done:    i18n.Text("Put back %s: %s of %s done, %s ready"),
		help:    i18n.Text("Put picked items back on the shelf: the counted quantity, or all of the line"),
	},
	fulfilling: {done: i18n.Text("Fulfilled %s: %s of %s done, %s ready")},
}

// cannotFulfillPicked returns why the picked quantity cannot be fulfilled now, or
// "".
func (s *screen) cannotFulfillPicked() string {
	return cmp.Or(s.Panel.NotIdleReason(), s.nothingPicked())
}

// nothingPicked says why nothing is picked that could be fulfilled or put back, or "".
func (s *screen) nothingPicked() string {
	if s.Doc.PickedQuantity == s.Doc.FulfilledQuantity {
		if s.Doc.PickedQuantity == 0 {
			return s.T.Get("Nothing is picked yet")
		}
		return s.T.Get("Everything picked is fulfilled")
	}

	return ""
}

func (s *screen) readyReason() string {
	if s.Panel.Document.ClosedReason != "" {
		return s.Panel.Document.ClosedReason
	}
	if s.Doc.PendingFulfillmentQuantity == 0 {
		return s.T.Get("Nothing is ready: %s", s.hint())
	}
	return ""
}

// allocateAction returns the action that allocates newly received stock.
func (s *screen) allocateAction() tui.Action {
	t, pending := s.T, s.Doc.PendingAllocationQuantity
	label := t.Get("allocate")
	if pending > 0 {
		label = t.Get("allocate %s", t.Count(pending))
	}

	return tui.Action{
		ID:       "fulfill.allocate",
		Key:      "f3",
		Label:    label,
		Short:    t.Get("alloc"),
		Help:     t.Get("Allocate newly received stock to this order"),
		NoFooter: pending == 0 || s.noneToAllocate(),
		Disabled: func() string {
			switch {
			case s.Panel.Document.ClosedReason == "" && pending == 0:
				return t.Get("Everything is allocated")
			case s.noneToAllocate():
				return cmp.Or(s.Panel.Document.ClosedReason,
					t.Get("Nothing can be allocated: none is available here. Receive stock first."))
			}

			return s.Panel.Document.ClosedReason
		},
		Run: func() tea.Cmd {
			return s.handleAll(api.AllocateOutbound, api.HandleOutboundInput{}, t.Get("allocate"),
				t.Get("allocated available stock"))
		},
	}
}

// noneToAllocate reports whether no line that waits for stock has any available here.
func (s *screen) noneToAllocate() bool {
	none := false
	for _, l := range s.Panel.Lines {
		switch {
		case l.Stock.Waiting == 0:
		case l.Stock.Free == nil || *l.Stock.Free > 0:
			return false
		default:
			none = true
		}
	}

	return none
}

// allocatable returns how much of what lines wait for is known to be available here.
func (s *screen) allocatable(lines ...*count.Line) (n int64) {
	if !s.Doc.Status.Open() || !s.site.Supports(api.AllocateOutbound.Spec) {
		return 0
	}

	taken := map[api.ID]int64{}
	for _, l := range lines {
		if l.Stock.Free != nil {
			q := min(l.Stock.Waiting, *l.Stock.Free-taken[l.Item.ID])
			n, taken[l.Item.ID] = n+q, taken[l.Item.ID]+q
		}
	}

	return n
}

// cancelText returns the question before the order is canceled.
func (s *screen) cancelText() string {
	t, p := s.T, s.Doc.Progress
	pending := t.Count(p.RequestedQuantity - p.FulfilledQuantity)
	if release := p.AllocatedQuantity - p.FulfilledQuantity; release > 0 {
		return t.Get(
			"Cancel %s? %s are still open. The allocated stock (%s) goes back to the shelf.",
			names.Outbound(s.Doc),
			pending,
			t.Count(release),
		)
	}
	return t.Get("Cancel %s? %s are still open. Nothing is allocated.", names.Outbound(s.Doc), pending)
}

// stageText has the texts of an action before fulfillment.
type stageText struct{ word, step, line, all, allDone, done, help string }
