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

// prepareSteps is the write that moves what was counted. A lot that was scanned is
// named by its id, which the service is asked for; a service that cannot say
// chooses the lot itself.
func (s *screen) prepareSteps(lines []dock.Line) func(context.Context) ([]dock.Step, error) {
	doc, line, e := *s.Doc, lines[0], s.side
	return func(ctx context.Context) ([]dock.Step, error) {
		c := line.Count
		in := api.MoveTransferInput{TransferID: doc.ID, Quantity: &c.Quantity, SerialNumbers: c.Serials}
		var err error
		if len(c.Serials) == 0 {
			in.LotID, err = s.site.LotID(ctx, line)
		}
		if err != nil {
			return nil, err
		}
		step, err := e.buildStep(in, *e.verbWord+" "+widget.Count(c.Quantity))
		if err != nil || c.Damaged == 0 {
			return []dock.Step{step}, err
		}
		damaged, err := damageStep(&doc, c)
		return []dock.Step{step, damaged}, err
	}
}

// damageStep moves the damaged share of what arrived to damaged.
func damageStep(doc *api.Transfer, c dock.Count) (dock.Step, error) {
	move := api.MoveStockInput{ProductID: doc.ProductID, LocationID: doc.DestinationLocationID, OwnerID: doc.OwnerID,
		ChannelID: doc.ChannelID, Quantity: c.Damaged, SourceState: api.MovableState(api.Available),
		DestinationState: api.MovableState(api.Damaged), Reason: reasonDamaged, SerialNumbers: c.DamagedSerials,
		ReferenceType: "transfer", ReferenceID: doc.ID.String()}
	step, err := dock.NewStep(api.MoveStock, move, fmt.Sprintf(stepDamaged, widget.Count(c.Damaged)))
	step.DependsOnPrevious = true
	step.UsePreviousLot = len(c.DamagedSerials) == 0
	return step, err
}

func (s *screen) onBooked(_ dock.Step, res *api.Response) {
	if t := transferIn(res); t != nil {
		s.SetDoc(t)
	}
}

func (s *screen) bookedText(pieces int64) string {
	return fmt.Sprintf(movedWords, *s.side.doneWord, widget.Count(pieces),
		widget.Count(s.side.doneOf(s.Doc)), widget.Count(s.side.totalOf(s.Doc)), widget.Count(s.side.pendingOf(s.Doc)))
}

func (s *screen) Actions() []tui.Action {
	if s.Doc == nil {
		return s.RetryActions()
	}
	actions := s.Panel.Actions()
	if s.Panel.Modal() {
		return actions
	}
	name, way := dock.TransferName(s.Doc), widget.Count(s.Doc.PendingReceiveQuantity)
	if s.site.Supports(api.CloseTransfer.Spec) {
		actions = append(actions, tui.Action{ID: s.side.id + ".close", Keys: []string{"f5"}, Command: tui.DoClose, Supervisor: true, Label: labelClose, Short: shortClose,
			Help: helpClose, Disabled: s.notIdleReason, Run: func() tea.Cmd {
				return tui.Prompt(tui.Request{Text: fmt.Sprintf(askClose, name, way), Check: dock.CheckReason, OnText: s.close})
			}})
	}
	ask := fmt.Sprintf(askCancelUnsent, name)
	if s.Doc.PendingReceiveQuantity > 0 {
		ask = fmt.Sprintf(askCancel, name, way, dock.LocationOf(s.Doc.SourceLocation).Code)
	}
	actions = append(actions, tui.Action{ID: s.side.id + ".cancel", Keys: []string{"f9"}, Supervisor: true, Label: labelCancel, Dangerous: true, Ask: ask,
		Help: helpCancel, Disabled: s.notIdleReason, Run: s.cancel})
	return append(actions, s.Panel.ExceptionActions()...)
}

// notIdleReason tells why the transfer cannot be ended now.
func (s *screen) notIdleReason() string {
	if s.Doc.Status != api.TransferInTransit {
		return s.Panel.ClosedReason
	}
	return cmp.Or(s.Panel.UnbookedReason(), s.site.MissingRights(api.CancelTransfer.Spec))
}

func (s *screen) close(reason string) tea.Cmd {
	lost := widget.Count(s.Doc.PendingReceiveQuantity)
	step, err := dock.NewStep(api.CloseTransfer, api.CloseTransferInput{TransferID: s.Doc.ID, Reason: reason}, labelClose)
	return s.Panel.Submit(fmt.Sprintf(closedWords, dock.TransferName(s.Doc), lost), step, err)
}

func (s *screen) cancel() tea.Cmd {
	step, err := dock.NewStep(api.CancelTransfer, api.TransferInput{TransferID: s.Doc.ID}, labelCancel)
	return s.Panel.Submit(fmt.Sprintf(cancelledWords, dock.TransferName(s.Doc)), step, err)
}
