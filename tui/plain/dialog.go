package plain

import (
	"io"
	"sync/atomic"
	"time"

	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/shell"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Options configures Run.
type Options struct {
	Shell shell.Options // the registry, the drafts and the rest
	In    io.Reader
	Out   io.Writer
	Width int  // of a line: 80 if 0, at least 20
	Rows  int  // the most rows of a list to write at once: 10 if 0
	Bells bool // write bells
	// Interactive says that a person is waiting: refreshes delay the next answer only
	// briefly. A script waits for all work.
	Interactive bool
	Echo        Echo
}

// dialog is the state of Run. Only the goroutine of Run uses it.
type dialog struct {
	opts     Options
	headless *shell.Headless
	out      *printer
	messages chan message
	running  atomic.Int64 // commands that will send a message soon, without timers and watches
	lines    chan line
	done     chan struct{}
	ended    bool
	now      func() time.Time // the time of screens
	arrived  time.Time        // when the line that is acted upon arrived

	notices       []shell.Notice
	bells         int
	rest          string      // the rest of a line that began with an action's word
	next          *tui.Action // runs after a number, unless that is refused
	last          lastOutput
	lastInterrupt time.Time // of ctrl+c
}

// T returns the translator of the dialog's texts.
func (t *dialog) T() *i18n.Translator { return t.opts.Shell.Translator }

func newDialog(opts Options) *dialog {
	t := &dialog{opts: opts, messages: make(chan message, 64), lines: make(chan line, 64), done: make(chan struct{})}
	if t.opts.Rows == 0 {
		t.opts.Rows = 10
	}
	if t.opts.Width == 0 {
		t.opts.Width = 80
	}

	t.out = &printer{to: opts.Out, width: max(20, t.opts.Width), echo: opts.Echo, t: t.T()}
	session := opts.Shell
	session.Silent, session.Output, session.Theme = true, io.Discard, widget.PlainTheme()
	session.Copier = func(text string) (string, error) { t.out.line("copy", text); return "", nil }
	session.OnNotice = func(v shell.Notice) {
		t.bells = max(t.bells, v.Bells)
		if v.Text != "" {
			t.notices = append(t.notices, v)
		}
	}

	if inner := opts.Shell.Program; inner != nil {
		inner(func(msg tea.Msg) {
			select {
			case t.messages <- message{msg: msg}:
			case <-t.done:
			}
		})

		session.Program = nil
	}

	session.Clock = uncountedClock{t, session.Clock}
	if t.now = session.Now; t.now == nil {
		t.now = session.Clock.Now
	}

	session.Now = func() time.Time {
		if !t.arrived.IsZero() { // lines wait for the work of those before
			return t.arrived
		}
		return t.now()
	}

	session.Background = t.uncounted
	t.headless = shell.NewHeadless(session)
	t.headless.Resize(t.out.width)

	return t
}

// A message is the result of a command.
type message struct {
	msg     tea.Msg
	counted bool // the command is counted in dialog.running
}

// lastOutput is the last output, so that only changes are written.
type lastOutput struct {
	screen    int
	facts     string
	feedCount int
	list      string
	page      int
	dialog    *shell.DialogState
	field     string
}

// hangup ends the dialog at once and saves drafts.
func (t *dialog) hangup() {
	t.headless.Protect(t.headless.Hangup)
	t.ended = true
}

// run runs a command in its own goroutine, which sends its message to the dialog.
func (t *dialog) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}

	t.running.Add(1)
	go func() {
		select {
		case t.messages <- message{cmd(), true}:
		case <-t.done:
		}
	}()
}

// uncounted returns a command that is not counted as running, for timers and watches.
func (t *dialog) uncounted(cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		t.running.Add(-1)
		defer t.running.Add(1)
		return cmd()
	}
}

// uncountedClock is a clock whose timers are not counted as running.
type uncountedClock struct {
	dialog *dialog
	clock  tui.Clock
}

func (p uncountedClock) Now() time.Time {
	if p.clock == nil {
		return time.Now()
	}
	return p.clock.Now()
}

func (p uncountedClock) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	if p.clock == nil {
		return p.dialog.uncounted(tea.Tick(d, fn))
	}
	return p.dialog.uncounted(p.clock.Tick(d, fn))
}
