package transfers

import (
	"cmp"
	"context"
	"fmt"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

// plan is the write that moves what was counted. A lot that was scanned is
// named by its id, which the service is asked for; a service that cannot say
// chooses the lot itself.
func (s *screen) plan(lines []dock.Line) func(context.Context) ([]dock.Step, error) {
	doc, line, e := *s.Doc, lines[0], s.end
	return func(ctx context.Context) ([]dock.Step, error) {
		c := line.Count
		in := api.MoveTransferInput{TransferID: doc.ID, Quantity: &c.Now, SerialNumbers: c.Serials}
		var err error
		if len(c.Serials) == 0 {
			in.LotID, err = s.site.LotID(ctx, line)
		}
		if err != nil {
			return nil, err
		}
		step, err := e.step(in, *e.verb+" "+widget.Count(c.Now))
		if err != nil || c.Damaged == 0 {
			return []dock.Step{step}, err
		}
		damaged, err := damage(&doc, c)
		return []dock.Step{step, damaged}, err
	}
}

// damage moves the damaged share of what arrived to damaged.
func damage(doc *api.Transfer, c dock.Count) (dock.Step, error) {
	move := api.MoveStockInput{ProductID: doc.ProductID, LocationID: doc.DestinationLocationID, OwnerID: doc.OwnerID,
		ChannelID: doc.ChannelID, Quantity: c.Damaged, SourceState: api.MovableState(api.Available),
		DestinationState: api.MovableState(api.Damaged), Reason: reasonDamaged, SerialNumbers: c.DamagedSerials,
		ReferenceType: "transfer", ReferenceID: doc.ID.String()}
	step, err := dock.NewStep(api.MoveStock, move, fmt.Sprintf(stepDamaged, widget.Count(c.Damaged)))
	step.Stands = true
	step.LotOf = len(c.DamagedSerials) == 0
	return step, err
}

func (s *screen) booked(_ dock.Step, res *api.Response) {
	if t := changed(res); t != nil {
		s.Put(t)
	}
}

func (s *screen) done(pieces int64) string {
	return fmt.Sprintf(movedWords, *s.end.done, widget.Count(pieces),
		widget.Count(s.end.doneOf(s.Doc)), widget.Count(s.end.wholeOf(s.Doc)), widget.Count(s.end.pendingOf(s.Doc)))
}

func (s *screen) Actions() []tui.Action {
	if s.Doc == nil {
		return s.Retry()
	}
	actions := s.Bench.Actions()
	if s.Bench.Modal() {
		return actions
	}
	name, way := dock.TransferName(s.Doc), widget.Count(s.Doc.PendingReceiveQuantity)
	if s.site.Has(api.CloseTransfer.Spec) {
		actions = append(actions, tui.Action{ID: s.end.id + ".close", Keys: []string{"f5"}, Command: tui.DoClose, Supervisor: true, Label: labelClose, Short: shortClose,
			Help: helpClose, Disabled: s.idle, Run: func() tea.Cmd {
				return tui.Prompt(tui.Request{Text: fmt.Sprintf(askClose, name, way), Check: dock.Reason, OnText: s.close})
			}})
	}
	ask := fmt.Sprintf(askCancelUnsent, name)
	if s.Doc.PendingReceiveQuantity > 0 {
		ask = fmt.Sprintf(askCancel, name, way, dock.PlaceOf(s.Doc.SourceLocation).Code)
	}
	actions = append(actions, tui.Action{ID: s.end.id + ".cancel", Keys: []string{"f9"}, Supervisor: true, Label: labelCancel, Dangerous: true, Ask: ask,
		Help: helpCancel, Disabled: s.idle, Run: s.cancel})
	return append(actions, s.Bench.Exceptions()...)
}

// idle tells why the transfer cannot be ended now.
func (s *screen) idle() string {
	if s.Doc.Status != api.TransferInTransit {
		return s.Bench.Closed
	}
	return cmp.Or(s.Bench.Unbooked(), s.site.Lacks(api.CancelTransfer.Spec))
}

func (s *screen) close(reason string) tea.Cmd {
	lost := widget.Count(s.Doc.PendingReceiveQuantity)
	step, err := dock.NewStep(api.CloseTransfer, api.CloseTransferInput{TransferID: s.Doc.ID, Reason: reason}, labelClose)
	return s.Bench.Submit(fmt.Sprintf(closedWords, dock.TransferName(s.Doc), lost), step, err)
}

func (s *screen) cancel() tea.Cmd {
	step, err := dock.NewStep(api.CancelTransfer, api.TransferInput{TransferID: s.Doc.ID}, labelCancel)
	return s.Bench.Submit(fmt.Sprintf(cancelledWords, dock.TransferName(s.Doc)), step, err)
}
