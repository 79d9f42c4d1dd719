package sync

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// lookEvery is how often it is looked whether anything has changed, and
	// readEvery how old what shows gets when nothing seems to have.
	lookEvery = time.Second
	readEvery = 15 * time.Second
)

// A follower keeps a screen as new as what it shows: it looks whether anything
// has changed, and has it read anew. What is being read is not asked for again
// meanwhile, however slow the line is.
type follower struct {
	site   *dock.Site
	env    tui.Env
	read   time.Time // zero before it was
	stamp  string    // of how everything stood then
	asking bool
	ended  bool // there is nothing to follow
	busy   bool
}

type (
	lookMsg  struct{}
	triedMsg struct{ err error }
)

// Busy tells whether something is being done that scans wait for.
func (f *follower) Busy() bool { return f.busy }

func (f *follower) look() tea.Cmd {
	return f.env.After(lookEvery, func(time.Time) tea.Msg { return lookMsg{} })
}

// fetch reads in the place of what is being read; whoever takes the answer tells
// answered.
func (f *follower) fetch(fn func(ctx context.Context) tea.Msg) tea.Cmd {
	f.asking = true
	return f.env.Latest("work", fn)
}

// answered takes how everything stood when it was read, or that it was not.
func (f *follower) answered(stamp string, err error) {
	if f.asking = false; err == nil {
		f.stamp, f.read = stamp, f.env.Now()
	}
}

// follows takes the messages that every screen takes the same; reload reads
// what the screen shows.
func (f *follower) follows(msg tea.Msg, reload func() tea.Cmd) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case lookMsg:
		switch {
		case f.ended:
			return nil, true
		case !f.asking && (stamp(f.site.Stands()) != f.stamp || f.env.Now().Sub(f.read) >= readEvery):
			return tea.Batch(reload(), f.look()), true
		}
		return f.look(), true
	case triedMsg:
		f.busy = false
		return tea.Batch(told(msg.err, doneTry), reload()), true
	}
	return nil, false
}

// told says that something was done, or why not.
func told(err error, words string) tea.Cmd {
	if err != nil {
		return tui.Fail(worded(err))
	}
	return tea.Batch(tui.Toast(words), tui.Accepted())
}

// try has the service tried at once.
func try(env tui.Env, site *dock.Site) tea.Cmd {
	return env.Do(func(ctx context.Context) tea.Msg {
		_, err := dock.AskNode(ctx, site, api.TrySync, api.SyncInput{})
		return triedMsg{err}
	})
}

func tryAction(off func() string, run func() tea.Cmd) tui.Action {
	return tui.Action{ID: "sync.try", Keys: []string{"f5"}, Label: labelTry, Short: shortTry, Help: helpTry, Disabled: off, Run: run}
}
