package outbox

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/session"
	"bincard/views/submit"
)

// reloadInterval is the age at which screens reload what has not changed.
const reloadInterval = 15 * time.Second

// retriedMsg is the result of retryNow.
type retriedMsg struct {
	state api.SyncState
	err   error
}

// outdated reports whether what was loaded with a status key has changed, or is old.
func outdated(site *session.Site, statusKey string, age time.Duration) bool {
	return statusKeyOf(site.SyncStatus()) != statusKey || age >= reloadInterval
}

func (m retriedMsg) notify(t *i18n.Translator) tea.Cmd {
	if m.err == nil && m.state == api.SyncOffline {
		return tui.Toast(t.Get("Trying to connect. Work syncs when there is a connection"))
	}
	return notify(t, m.err, t.Get("Sync started"))
}

// notify shows that an action was done, or its error.
func notify(t *i18n.Translator, err error, text string) tea.Cmd {
	if err != nil {
		return tui.Fail(userError(t, err))
	}
	return tea.Batch(tui.Toast(text), tui.Accepted())
}

// userError returns err with the text that the operator reads.
func userError(t *i18n.Translator, err error) error { return errors.New(submit.UserMessage(t, err)) }

// retryNow makes the node sync at once.
func retryNow(env tui.Env, site *session.Site) tea.Cmd {
	return env.Do(func(ctx context.Context) tea.Msg {
		st, err := session.CallNode(ctx, site, api.TrySync, api.SyncInput{})
		return retriedMsg{st.State, err}
	})
}

func retryAction(t *i18n.Translator, off func() string, run func() tea.Cmd) tui.Action {
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
