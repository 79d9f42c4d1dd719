package transfers

import (
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
	id, line, e := s.Doc.ID, lines[0], s.end
	return func(ctx context.Context) ([]dock.Step, error) {
		c := line.Count
		in := api.MoveTransferInput{TransferID: id, Quantity: &c.Now, SerialNumbers: c.Serials}
		var err error
		if len(c.Serials) == 0 {
			in.LotID, err = s.site.LotID(ctx, line)
		}
		if err != nil {
			return nil, err
		}
		step, err := e.step(in, e.verb+" "+widget.Count(c.Now))
		return []dock.Step{step}, err
	}
}

func (s *screen) booked(_ dock.Step, res *api.Response) {
	if t := changed(res); t != nil {
		s.Put(t)
	}
}

func (s *screen) done(pieces int64) string {
	return fmt.Sprintf(movedWords, s.end.done, widget.Count(pieces),
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
		actions = append(actions, tui.Action{ID: s.end.id + ".close", Keys: []string{"f5"}, Label: "close short", Short: "short",
			Help: helpClose, Disabled: s.idle, Run: func() tea.Cmd {
				return tui.Prompt(tui.Request{Text: fmt.Sprintf(askClose, name, way), Check: dock.Reason, OnText: s.close})
			}})
	}
	ask := fmt.Sprintf(askCancelUnsent, name)
	if s.Doc.PendingReceiveQuantity > 0 {
		ask = fmt.Sprintf(askCancel, name, way, dock.PlaceOf(s.Doc.SourceLocation).Code)
	}
	return append(actions, tui.Action{ID: s.end.id + ".cancel", Keys: []string{"f9"}, Label: "cancel", Dangerous: true, Ask: ask,
		Help: helpCancel, Disabled: s.idle, Run: s.cancel})
}

// idle tells why the transfer cannot be ended now.
func (s *screen) idle() string {
	if s.Doc.Status != api.TransferInTransit {
		return s.Bench.Closed
	}
	return s.Bench.Unbooked()
}

func (s *screen) close(reason string) tea.Cmd {
	lost := widget.Count(s.Doc.PendingReceiveQuantity)
	step, err := dock.NewStep(api.CloseTransfer, api.CloseTransferInput{TransferID: s.Doc.ID, Reason: reason}, "close short")
	return s.Bench.Submit(dock.TransferName(s.Doc)+" closed, "+lost+" lost", step, err)
}

func (s *screen) cancel() tea.Cmd {
	step, err := dock.NewStep(api.CancelTransfer, api.TransferInput{TransferID: s.Doc.ID}, "cancel")
	return s.Bench.Submit(dock.TransferName(s.Doc)+" cancelled", step, err)
}
