package outbox

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
)

// syncStartedMsg is the result of syncNow.
type syncStartedMsg struct {
	state api.SyncState
	err   error
}

func (m syncStartedMsg) notify(t *i18n.Translator) tea.Cmd {
	if m.err == nil && m.state == api.SyncOffline {
		return tui.Toast(t.Get("Trying to connect. Entries sync when there is a connection."))
	}
	return notify(t, m.err, t.Get("Sync started"))
}

// syncNow makes the node sync at once.
func syncNow(env tui.Env, site *session.Site) tea.Cmd {
	return env.Do(func(ctx context.Context) tea.Msg {
		st, err := session.CallNode(ctx, site, api.TrySync, api.SyncInput{})
		return syncStartedMsg{st.State, err}
	})
}

func syncNowAction(t *i18n.Translator, off func() string, run func() tea.Cmd) tui.Action {
	return tui.Action{
		ID:       "sync.try",
		Key:      "f5",
		Label:    t.Get("sync now"),
		Short:    t.Get("sync"),
		Help:     t.Get("Skip the wait and sync now"),
		Disabled: off,
		Run:      run,
	}
}
