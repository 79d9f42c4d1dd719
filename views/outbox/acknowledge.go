package outbox

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/session"
)

// acknowledgedMsg is the result of acknowledging an alarm.
type acknowledgedMsg struct {
	done string
	err  error
}

// alarmToAcknowledge returns the alarm that a person may acknowledge, or "". Damage comes
// first.
func (s *list) alarmToAcknowledge() api.SyncAlarm {
	for _, alarm := range []api.SyncAlarm{api.AlarmDamage, api.AlarmCopy} {
		if st := s.Site.SyncStatus(); st != nil && slices.Contains(st.Alarms, alarm) {
			return alarm
		}
	}

	return ""
}

// acknowledgeAction returns the action that ends the alarm about damage or a copy.
func (s *list) acknowledgeAction(off func() string) tui.Action {
	t := s.T
	alarm := s.alarmToAcknowledge()
	a := tui.Action{
		ID:    "sync.acknowledge",
		Key:   "ctrl+a",
		Label: t.Get("acknowledge"),
		Help: t.Get(
			"Acknowledge that saved entries were damaged or lost on disk",
		),
		Supervisor: true,
		NoFooter:   alarm == "",
		Approve:    func() string { return t.Get("end the alarm about damaged entries") },
		Disabled: func() string {
			if text := off(); text != "" {
				return text
			}
			if s.alarmToAcknowledge() == "" {
				return t.Get("Nothing is damaged.")
			}
			return ""
		},
		Run: s.acknowledge,
	}

	if alarm == api.AlarmCopy {
		a.Help = t.Get("Give this data directory an id of its own, because a copy is in use")
		a.Approve = func() string { return t.Get("end the alarm about the copied directory") }
	}

	return a
}

func (s *list) acknowledge() tea.Cmd {
	t := s.T
	ask := t.Get("Did you compare recent entries with the stock? The alarm ends; lost entries are not sent.")
	done := t.Get("The damage is acknowledged")
	if s.alarmToAcknowledge() == api.AlarmCopy {
		ask = t.Get("Will both directories stay in use? This one gets its own id, and its entries are sent.")
		done = t.Get("This directory has its own id now")
	}

	return tui.Confirm(
		tui.Question{Text: ask, Yes: t.Get("end the alarm"), No: t.Get("keep it"), OnYes: func() tea.Cmd {
			s.busy = true
			by := api.ApprovedBy(s.ApprovedBy())

			return s.Do(func(ctx context.Context) tea.Msg {
				_, err := session.CallNode(ctx, s.Site, api.AcknowledgeDamage, api.SyncInput{}, by)
				if err == nil {
					_, err = s.Site.FetchSyncStatus(ctx)
				}
				return acknowledgedMsg{done, err}
			})
		}},
	)
}
