package sync

import (
	"fmt"

	"bincard/server/api"
	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

func (s *workScreen) Actions() []tui.Action {
	if s.work == nil {
		return []tui.Action{{ID: "sync.reload", Keys: []string{"enter"}, Label: labelReload, Disabled: func() string {
			if s.unsupported {
				return s.errText
			}
			return ""
		}, Run: s.reload}}
	}
	w := s.work
	off := func(more ...func() string) func() string {
		return func() string {
			if s.busy {
				return offBusy
			}
			for _, why := range more {
				if text := why(); text != "" {
					return text
				}
			}
			return ""
		}
	}
	actions := []tui.Action{
		{ID: "sync.again", Keys: []string{"f3"}, Label: labelAgain, Help: helpAgain, Supervisor: true,
			Disabled: off(func() string {
				switch {
				case needsDecision(w):
					return ""
				case isOpen(w):
					return offWaits
				}
				return offSettled
			}), Run: s.retry},
		{ID: "sync.edit", Keys: []string{"f4"}, Label: labelEdit, Help: helpEdit, Supervisor: true,
			Disabled: off(func() string { return cannotReplace(w) }, func() string { return editReplacement{}.unavailable(w) }),
			Run:      func() tea.Cmd { s.formOpen = true; return tui.Open(routeOf(s.key, "edit")) }},
		{ID: "sync.record", Keys: []string{"f6"}, Label: labelRecord, Help: helpRecord, Supervisor: true,
			Disabled: off(func() string { return cannotReplace(w) }, func() string { return adjustReplacement{}.unavailable(w) }),
			Run:      func() tea.Cmd { s.formOpen = true; return tui.Open(routeOf(s.key, "record")) }},
		{ID: "sync.drop", Keys: []string{"f8"}, Label: labelDrop, Help: helpDrop, Supervisor: true,
			Disabled: off(func() string { return cannotReplace(w) }), Run: s.discard},
		{ID: "sync.hand", Keys: []string{"f10"}, Label: labelHand, Short: shortHand, Help: helpHand,
			Disabled: off(func() string {
				switch {
				case s.site.Exports() == "":
					return offNoFiles
				case !isOpen(w):
					return offSettled
				}
				return ""
			}), Run: func() tea.Cmd { s.busy = true; return exportWork(s.env, s.site, s.key) }},
		retryAction(off(), func() tea.Cmd { s.busy = true; return retryNow(s.env, s.site) }),
		{ID: "sync.document", Keys: []string{"enter"}, Label: labelDocument, Short: shortDocument, Help: helpDocument,
			Disabled: func() string {
				if documentRoute(w) == "" {
					return offNoDocument
				}
				return ""
			}, Run: func() tea.Cmd { return tui.Open(documentRoute(w)) }},
	}
	return actions
}

// cannotReplace tells why nothing may take the place of work, or "".
func cannotReplace(w *api.Work) string {
	switch {
	case w.State == api.WorkSent:
		return offSent
	case !isOpen(w):
		return offSettled
	}
	return ""
}

// documentRoute is where the document of work opens, "" where none does.
func documentRoute(w *api.Work) string {
	id := w.Goods.Document.String()
	if w.Goods.Document == (api.ID{}) {
		return ""
	}
	switch w.Goods.Kind {
	case api.DocInbound:
		return tui.Path("receive", id)
	case api.DocTransfer:
		if spec := api.FindOperation(w.Operation); spec != nil && spec.AtDestination {
			return tui.Path("arrive", id)
		}
		return tui.Path("ship", id)
	case api.DocOutbound:
		return tui.Path("fulfill", id)
	case api.DocReservation:
		return tui.Path("reservations", id)
	}
	return ""
}
