package shell

import (
	"cmp"
	"io"
	"log/slog"
	"os"
	"time"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/i18n"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Options configure a session. Only Registry is required.
type Options struct {
	Registry   *tui.Registry
	Start      []string          // routes to open, the last on top; home if empty
	Theme      widget.Theme      // plain if not set
	Keys       tui.Keymap        // action ID to keys
	Translator *i18n.Translator  // English if nil
	Login      tui.Login         // who may work here; anyone if not set
	Status     tui.Status        // the initial header; tui.StatusMsg changes it
	Header     func() tui.Status // called once a second for the header, if set; must not block
	Greeting   string            // a success to show at the start
	Notes      []string          // problems of the settings, shown until acknowledged
	Log        *slog.Logger      // discards if nil
	Clock      tui.Clock         // for keys, timers and waits; the machine's if nil
	Now        func() time.Time  // the time of screens; Clock's if nil

	Drafts tui.Drafts // unsent work; in memory if nil
	// DraftName names a draft for messages; by its route if nil.
	DraftName func(t *i18n.Translator, d tui.Draft) string
	// DraftPieces returns how many pieces a draft has counted; 0 if nil.
	DraftPieces func(d tui.Draft) int64
	// Presence gets what is open here, and has what is open at other terminals; may be nil.
	Presence *tui.Presence
	Session  string // file with the open routes, and begin of the names of those of operators; none if empty
	Restore  bool   // open the routes of the session file

	Silent   bool                                           // no bells
	ShowIdle bool                                           // paint a mark in the header, for drivers
	FPS      int                                            // maximum frames per second; 120 if 0
	Limit    time.Duration                                  // of Env.Do; 10 s if 0
	Input    io.Reader                                      // the terminal if nil
	Output   io.Writer                                      // os.Stdout if nil
	Copier   func(text string) (sequence string, err error) // clip.Local or clip.Remote; Remote if nil

	// OnNotice receives what the shell says, within its turn, where nothing is painted.
	OnNotice func(Notice)
	// Background wraps a command that may wait forever; drivers replace it.
	Background func(tea.Cmd) tea.Cmd
	// Work wraps the work of Env.Do; drivers hold it back.
	Work func(tea.Cmd) tea.Cmd
	// Width and Height are the terminal's size until it reports one; 80x24 if 0.
	Width, Height int
	// Program gets the running program's Send. tui.StatusMsg changes the header; a
	// message that the shell does not know reaches Update of every open screen.
	Program func(send func(tea.Msg))
	// NoSignals does not handle the signals of the process, for sessions over a network.
	NoSignals bool
}

// The marks painted in the header with Options.ShowIdle. The last digit of the number of keys
// and scans that were handled follows.
const (
	IdleMark = "·idle·"
	BusyMark = "·busy·"
	ScanMark = "·scan·" // idle, but the next key may still be taken for a part of the last scan
)

func (o Options) filled() Options {
	if o.Registry == nil {
		o.Registry = tui.NewRegistry()
	}
	if o.Theme.Name == "" {
		o.Theme = widget.PlainTheme()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = wallClock{}
	}
	if o.Drafts == nil {
		o.Drafts = drafts.InMemory()
	}

	o.Drafts = drafts.Renamed(o.Drafts)
	o.Limit = cmp.Or(o.Limit, 10*time.Second)
	o.FPS = cmp.Or(o.FPS, 120)
	if o.Output == nil {
		o.Output = os.Stdout
	}

	return o
}

// after sends a message after d.
func (o *Options) after(d time.Duration, msg tea.Msg) tea.Cmd {
	return o.Clock.Tick(d, func(time.Time) tea.Msg { return msg })
}
