package shell

import (
	"context"
	"io"
	"log/slog"
	"os"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Options are what a session of the terminal needs. Only Registry is required;
// the zero value of everything else works.
type Options struct {
	Registry   *tui.Registry
	Start      []string          // routes to open, the last on top; home if empty
	Theme      theme.Theme       // theme.New; plain if not set
	Keys       tui.Keymap        // action ID to keys
	Translator *i18n.Translator  // English if nil
	Role       string            // for Env.Role
	Login      tui.Login         // who may work here; anybody if not set
	Status     tui.Status        // the header at first; StatusMsg changes it
	Header     func() tui.Status // asked once a second instead, if set; must not block
	Notes      []string          // what is wrong with the settings: stands until acknowledged
	Log        *slog.Logger      // discards if nil
	Clock      tui.Clock         // of keys, timers and waits: the machine's if nil
	Now        func() time.Time  // the time that screens show and go by: Clock's if nil

	Drafts  tui.Drafts // unsent work; in memory if nil
	Session string     // file that keeps the open routes; none if empty
	Restore bool       // open what the session file says

	Silent   bool                                           // no bells
	ShowIdle bool                                           // paint IdleMark or BusyMark in the header, for drivers
	FPS      int                                            // the most frames a second: 120 if 0; 60 over a network
	Limit    time.Duration                                  // of Env.Do: 10 s if 0
	Input    io.Reader                                      // the terminal if nil
	Output   io.Writer                                      // os.Stdout if nil
	Copier   func(text string) (sequence string, err error) // clip.Local or clip.Remote; Remote if nil

	// OnNotice hears what the shell says, in its turn, for faces that paint nothing.
	OnNotice func(Notice)
	// Background runs a command that may wait for ever; drivers replace it.
	Background func(tea.Cmd) tea.Cmd
	// Work runs what a screen gave Env.Do; drivers hold it back.
	Work func(tea.Cmd) tea.Cmd
	// Width and Height are the terminal's where it cannot be asked; 80x24 if 0.
	Width, Height int
	// Program gets the running program's Send: StatusMsg changes the header, any
	// message the shell does not know reaches Update of every open screen.
	Program func(send func(tea.Msg))
	// NoSignals leaves the process's signals alone, for sessions over a network.
	NoSignals bool
}

// The marks painted in the header with Options.ShowIdle.
const (
	IdleMark = "·idle·"
	BusyMark = "·busy·"
)

func (o Options) filled() Options {
	if o.Registry == nil {
		o.Registry = tui.NewRegistry()
	}
	if o.Theme.Name == "" {
		o.Theme = theme.Plain()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = wallClock{}
	}
	if o.Drafts == nil {
		o.Drafts = MemoryDrafts()
	}
	if o.Limit == 0 {
		o.Limit = 10 * time.Second
	}
	if o.FPS == 0 {
		o.FPS = 120
	}
	if o.Output == nil {
		o.Output = os.Stdout
	}
	return o
}

func (o Options) background(cmd tea.Cmd) tea.Cmd {
	if o.Background != nil {
		return o.Background(cmd)
	}
	return cmd
}

// sessionContext is the context under which a session's screens live.
func sessionContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	return context.WithCancel(ctx)
}
