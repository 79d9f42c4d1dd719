package sync

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
	// pollInterval is how often it is looked whether anything has changed, and
	// readEvery how old what shows gets when nothing seems to have.
	pollInterval   = time.Second
	reloadInterval = 15 * time.Second
)

// A refresher keeps a screen as new as what it shows: it looks whether anything
// has changed, and has it read anew. What is being read is not asked for again
// meanwhile, however slow the line is.
type refresher struct {
	site        *dock.Site
	env         tui.Env
	loadedAt    time.Time // zero before it was
	statusKey   string    // of how everything stood then
	loading     bool
	unavailable bool // there is nothing to follow
	busy        bool
}

type (
	pollMsg    struct{}
	retriedMsg struct{ err error }
)

// Busy tells whether something is being done that scans wait for.
func (f *refresher) Busy() bool { return f.busy }

func (f *refresher) poll() tea.Cmd {
	return f.env.After(pollInterval, func(time.Time) tea.Msg { return pollMsg{} })
}

// fetch reads in the place of what is being read; whoever takes the answer tells
// answered.
func (f *refresher) fetch(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	f.loading = true
	return f.env.Latest("work", fn)
}

// loaded takes how everything stood when it was read, or that it was not.
func (f *refresher) loaded(stamp string, err error) {
	if f.loading = false; err == nil {
		f.statusKey, f.loadedAt = stamp, f.env.Now()
	}
}

// handle takes the messages that every screen takes the same; reload reads
// what the screen shows.
func (f *refresher) handle(msg tea.Msg, reload func() tea.Cmd) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case pollMsg:
		switch {
		case f.unavailable:
			return nil, true
		case !f.loading && (statusKeyOf(f.site.SyncStatus()) != f.statusKey || f.env.Now().Sub(f.loadedAt) >= reloadInterval):
			return tea.Batch(reload(), f.poll()), true
		}
		return f.poll(), true
	case retriedMsg:
		f.busy = false
		return tea.Batch(notify(f.site.T(), msg.err, f.site.T().Get("Sync started")), reload()), true
	}
	return nil, false
}

// notify says that something was done, or why not.
func notify(t *i18n.Translator, err error, words string) tea.Cmd {
	if err != nil {
		return tui.Fail(userError(t, err))
	}
	return tea.Batch(tui.Toast(words), tui.Accepted())
}

// retryNow has the service tried at once.
func retryNow(env tui.Env, site *dock.Site) tea.Cmd {
	return env.Do(func(ctx context.Context) tea.Msg {
		_, err := dock.CallNode(ctx, site, api.TrySync, api.SyncInput{})
		return retriedMsg{err}
	})
}

func retryAction(t *i18n.Translator, off func() string, run func() tea.Cmd) tui.Action {
	return tui.Action{ID: "sync.try", Keys: []string{"f5"}, Label: t.Get("sync now"), Short: t.Get("sync"), Help: t.Get("Skip the wait and sync now"), Disabled: off, Run: run}
}
