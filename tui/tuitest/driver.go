package tuitest

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"bincard/tui"
	"bincard/tui/shell"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/stretchr/testify/require"
)

// A Driver is a simulated operator with a scanner at a shell. It is for one goroutine.
type Driver struct {
	Model *shell.Model
	Clock *Clock

	t       testing.TB
	out     bytes.Buffer
	held    []tea.Cmd
	hold    bool
	quit    bool
	jumped  time.Duration
	scanned time.Time // after the last scan
	watches chan tea.Msg
	system  []tea.Msg
}

// New starts a shell with these options at 80x24, on its own clock at Noon, and runs the
// commands of its first screens.
func New(t testing.TB, opts shell.Options) *Driver {
	t.Helper()
	d := &Driver{t: t, Clock: &Clock{now: Noon}, watches: make(chan tea.Msg, 64)}
	opts.Clock = d.Clock
	if opts.Now == nil {
		opts.Now = func() time.Time { return d.Clock.Now().Add(d.jumped) }
	}

	opts.Output = &d.out
	opts.Background = d.background
	opts.Work = d.work
	d.Model = shell.New(opts)
	d.run(d.Model.Init())
	d.Size(80, 24)

	return d
}

// Screen starts a shell with one screen, under the route "home".
func Screen(t testing.TB, factory tui.Factory) *Driver {
	t.Helper()
	return New(t, shell.Options{Registry: tui.NewRegistry().Add("home", "Home", factory)})
}

// At starts a shell with one screen under a route with parameters:
// At(t, "receive/{id}", "receive/IN-1", factory, opts). Every other route opens a blank
// screen, so that d.Model.Route() shows which route a key opened.
func At(t testing.TB, pattern, route string, factory tui.Factory, opts ...func(*shell.Options)) *Driver {
	t.Helper()
	o := shell.Options{Start: []string{route}, Registry: tui.NewRegistry().Add("home", "Home", NewBlankScreen).Add(pattern, "", factory).
		Add("{a}", "", NewBlankScreen).Add("{a}/{b}", "", NewBlankScreen).Add("{a}/{b}/{c}", "", NewBlankScreen)}
	for _, change := range opts {
		change(&o)
	}
	return New(t, o)
}

// blankScreen stands in for the screen of another job and shows its route.
type blankScreen struct{ env tui.Env }

// NewBlankScreen returns a screen that shows only its route.
func NewBlankScreen(tui.Env) (tui.Screen, error) { return &blankScreen{}, nil }

func (s *blankScreen) Init(env tui.Env) tea.Cmd             { s.env = env; return nil }
func (s *blankScreen) Update(tea.Msg) (tui.Screen, tea.Cmd) { return s, nil }
func (s *blankScreen) View(tui.Size) string                 { return "route " + s.env.Route.Path }
func (s *blankScreen) Title() string                        { return s.env.Route.Path }
func (s *blankScreen) Actions() []tui.Action                { return nil }

// background runs a command that may block forever in its own goroutine.
func (d *Driver) background(cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		go func() { d.watches <- cmd() }()
		return nil
	}
}

// Await waits for the next message of a watch (Env.Watch) and handles it.
func (d *Driver) Await() *Driver {
	d.t.Helper()
	select {
	case msg := <-d.watches:
		return d.Send(msg)
	case <-time.After(30 * time.Second):
		require.Fail(d.t, "no watch answered")
	}

	return d
}

// Size changes the size of the terminal.
func (d *Driver) Size(width, height int) *Driver {
	return d.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// Send sends the shell a message and runs all commands that follow from it.
func (d *Driver) Send(msg tea.Msg) *Driver {
	_, cmd := d.Model.Update(msg)
	d.run(cmd)
	return d
}

// Do runs a command as if the screen on top had returned it, such as tui.Open.
func (d *Driver) Do(cmd tea.Cmd) *Driver {
	d.run(cmd)
	return d
}

func (d *Driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}

	msg := cmd()
	if group, ok := commands(msg); ok {
		for _, c := range group {
			d.run(c)
		}
		return
	}

	switch {
	case msg == nil:
	case reflect.TypeOf(msg) == reflect.TypeFor[tea.QuitMsg]():
		d.quit = true
	case strings.HasSuffix(reflect.TypeOf(msg).PkgPath(), "charmbracelet/bubbletea"):
		d.system = append(d.system, msg)
		d.Send(msg)
	default:
		d.Send(msg)
	}
}

// commands returns the commands of a batch or sequence of Bubble Tea.
func commands(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}

	var group []tea.Cmd
	for i := range v.Len() {
		group = append(group, v.Index(i).Interface().(tea.Cmd))
	}

	return group, true
}

// work runs a command of Env.Do, or holds it.
func (d *Driver) work(cmd tea.Cmd) tea.Cmd {
	if !d.hold {
		return cmd
	}
	return func() tea.Msg {
		d.held = append(d.held, cmd)
		return nil
	}
}

// Hold holds the work of Env.Do and Env.Latest until Release, like a service that does not
// answer.
func (d *Driver) Hold() *Driver { d.hold = true; return d }

// Release runs the held work, oldest first, and ends Hold.
func (d *Driver) Release() *Driver {
	d.hold = false
	held := d.held
	d.held = nil
	for _, c := range held {
		d.run(c)
	}
	return d
}

// Take takes the held work away, oldest first. The test runs it with Do, in any order, or never.
func (d *Driver) Take() []tea.Cmd {
	held := d.held
	d.held = nil
	return held
}

// Jump moves the time that screens see, forward or back. Timers do not move, as when the
// clock of a machine is set.
func (d *Driver) Jump(by time.Duration) *Driver { d.jumped += by; return d }

// Advance moves the clock and fires the timers that are due, in order.
func (d *Driver) Advance(by time.Duration) *Driver {
	limit := d.Clock.Now().Add(by)
	for {
		msg, ok := d.Clock.next(limit)
		if !ok {
			return d
		}
		if msg != nil {
			d.Send(msg)
		}
	}
}

// Key presses keys by the names that actions use, 200 ms apart, so that they do not look
// like a scan: Key("f4", "enter", "ctrl+p", "7").
func (d *Driver) Key(names ...string) *Driver {
	d.t.Helper()
	for _, name := range names {
		if name == "enter" && d.Clock.Now().Equal(d.scanned) && d.Model.Fault() == "" {
			d.Advance(400 * time.Millisecond)
		}
		d.Send(KeyOf(d.t, name))
		d.Advance(200 * time.Millisecond)
	}

	return d
}

// Type types text at the pace of a person.
func (d *Driver) Type(text string) *Driver {
	d.t.Helper()
	for _, r := range text {
		d.Send(runeKey(r))
		d.Advance(200 * time.Millisecond)
	}
	return d
}

// Scan sends a code like a scanner. Key then waits until the shell accepts enter again.
func (d *Driver) Scan(code string) *Driver {
	d.Burst(code).Advance(200 * time.Millisecond)
	d.scanned = d.Clock.Now()
	return d
}

// Burst sends a code like a scanner: 2 ms per character, then enter. GS (0x1D) becomes the
// key ctrl+], as on a terminal.
func (d *Driver) Burst(code string) *Driver {
	for _, r := range code {
		d.Send(runeKey(r))
		d.Advance(2 * time.Millisecond)
	}
	return d.Send(tea.KeyMsg{Type: tea.KeyEnter})
}
