package outbox

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// pollInterval is the interval at which screens check for changes, and
	// reloadInterval the age at which they reload without one.
	pollInterval   = time.Second
	reloadInterval = 15 * time.Second
)

// A refresher keeps a screen up to date: it checks for changes and reloads. It does
// not start another load while one is running.
type refresher struct {
	site        *dock.Site
	env         tui.Env
	loadedAt    time.Time // zero until loaded
	statusKey   string    // of the status when it was loaded
	loading     bool
	unavailable bool // there is nothing to refresh
	busy        bool
}

type (
	pollMsg    struct{}
	retriedMsg struct{ err error }
)

// Busy reports whether scans must wait for an action.
func (r *refresher) Busy() bool { return r.busy }

func (r *refresher) poll() tea.Cmd {
	return r.env.After(pollInterval, func(time.Time) tea.Msg { return pollMsg{} })
}

// fetch starts a load and cancels one that is running. The handler of the result calls
// loaded.
func (r *refresher) fetch(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	r.loading = true
	return r.env.Latest("work", fn)
}

// loaded records that a load ended, with the status key that it read.
func (r *refresher) loaded(statusKey string, err error) {
	if r.loading = false; err == nil {
		r.statusKey, r.loadedAt = statusKey, r.env.Now()
	}
}

// handle handles the messages that all screens share; handled reports whether msg was
// one of them. reload reloads the screen.
func (r *refresher) handle(msg tea.Msg, reload func() tea.Cmd) (cmd tea.Cmd, handled bool) {
	switch msg := msg.(type) {
	case pollMsg:
		switch {
		case r.unavailable:
			return nil, true
		case !r.loading && outdated(r.site, r.statusKey, r.env.Now().Sub(r.loadedAt)):
			return tea.Batch(reload(), r.poll()), true
		}
		return r.poll(), true
	case retriedMsg:
		r.busy = false
		return tea.Batch(msg.notify(r.site.T()), reload()), true
	}
	return nil, false
}

// outdated reports whether what was loaded with a status key has changed, or is old.
func outdated(site *dock.Site, statusKey string, age time.Duration) bool {
	return statusKeyOf(site.SyncStatus()) != statusKey || age >= reloadInterval
}

func (m retriedMsg) notify(t *i18n.Translator) tea.Cmd {
	return notify(t, m.err, t.Get("Sync started"))
}

// notify shows that an action was done, or its error.
func notify(t *i18n.Translator, err error, text string) tea.Cmd {
	if err != nil {
		return tui.Fail(userError(t, err))
	}
	return tea.Batch(tui.Toast(text), tui.Accepted())
}

// retryNow makes the node sync at once.
func retryNow(env tui.Env, site *dock.Site) tea.Cmd {
	return env.Do(func(ctx context.Context) tea.Msg {
		_, err := dock.CallNode(ctx, site, api.TrySync, api.SyncInput{})
		return retriedMsg{err}
	})
}

func retryAction(t *i18n.Translator, off func() string, run func() tea.Cmd) tui.Action {
	return tui.Action{ID: "sync.try", Keys: []string{"f5"}, Label: t.Get("sync now"), Short: t.Get("sync"), Help: t.Get("Skip the wait and sync now"), Disabled: off, Run: run}
}
