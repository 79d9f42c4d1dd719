package outbox

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
)

// acknowledgedMsg is the result of acknowledging damage.
type acknowledgedMsg struct{ err error }

// acknowledgeAction returns the action that ends the alarm about damage.
func (s *list) acknowledgeAction(off func() string) tui.Action {
	t := s.T()
	damaged := func() bool {
		st := s.Site.SyncStatus()
		return st != nil && slices.Contains(st.Alarms, api.AlarmDamage)
	}
	return tui.Action{ID: "sync.acknowledge", Keys: []string{"ctrl+a"}, Label: t.Get("acknowledge"),
		Help: t.Get("Acknowledge that saved work was damaged or lost on disk"), Supervisor: true, NoFooter: !damaged(),
		Approve: func() string { return t.Get("end the alarm about damaged work") },
		Disabled: func() string {
			if text := off(); text != "" {
				return text
			}
			if !damaged() {
				return t.Get("Nothing is damaged.")
			}
			return ""
		}, Run: s.acknowledge}
}

func (s *list) acknowledge() tea.Cmd {
	t := s.T()
	return tui.Confirm(tui.Question{Text: t.Get("Did you compare recent work with the stock? The alarm ends; lost work is not sent."),
		Yes: t.Get("end the alarm"), No: t.Get("keep it"), OnYes: func() tea.Cmd {
			s.busy = true
			by := api.ApprovedBy(s.Env.ApprovedBy())
			return s.Env.Do(func(ctx context.Context) tea.Msg {
				_, err := session.CallNode(ctx, s.Site, api.AcknowledgeDamage, api.SyncInput{}, by)
				if err == nil {
					_, err = s.Site.FetchSyncStatus(ctx)
				}
				return acknowledgedMsg{err}
			})
		}})
}
