package plain

import (
	"context"
	"os"
	"reflect"
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A message is the result of a command.
type message struct {
	msg     tea.Msg
	counted bool // the command is counted in dialog.running
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

// handle passes a message to the shell and runs the command that it returns.
func (t *dialog) handle(m message) {
	if m.counted {
		defer t.running.Add(-1)
	}
	msg := m.msg
	if msg == nil || t.ended {
		return
	}
	if cmds, ok := commands(msg); ok {
		for _, c := range cmds {
			t.run(c)
		}
		return
	}
	if _, quit := msg.(tea.QuitMsg); quit {
		t.ended = true
		return
	}
	_, cmd := t.headless.Model().Update(msg)
	t.run(cmd)
	t.ended = t.ended || t.headless.Ended()
}

// commands returns the commands of a batch or sequence of Bubble Tea.
func commands(msg tea.Msg) ([]tea.Cmd, bool) {
	v := reflect.ValueOf(msg)
	if v.Kind() != reflect.Slice || v.Type().Elem() != reflect.TypeFor[tea.Cmd]() {
		return nil, false
	}
	var group []tea.Cmd
	for i := range v.Len() {
		group = append(group, v.Index(i).Interface().(tea.Cmd))
	}
	return group, true
}

// wait waits until the work that the last line started is done. Later lines stay in the
// channel.
func (t *dialog) wait(ctx context.Context, signals <-chan os.Signal) {
	start, noted := time.Now(), false
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	t.ended = t.ended || t.headless.Ended()
	for !t.ended && !t.idle(time.Since(start)) {
		select {
		case msg := <-t.messages:
			t.handle(msg)
		case <-tick.C:
			if !noted && time.Since(start) > slowAfter {
				noted = true
				t.out.line("", t.T().Get("wait..."))
			}
		case <-signals:
			t.hangup()
		case <-ctx.Done():
			t.hangup()
		}
	}
}

// idle reports whether no work is pending that the next prompt waits for, after waiting
// this long.
func (t *dialog) idle(waited time.Duration) bool {
	if len(t.messages) > 0 {
		return false
	}
	limit := scriptWait
	if t.opts.Interactive {
		limit = interactiveWait
	}
	return t.running.Load() == 0 && t.headless.Model().Idle() || waited > limit && !t.headless.Busy()
}

// continueLine runs the rest of a line whose beginning has run: the next action, or the
// answer to what the beginning asks for.
func (t *dialog) continueLine(ctx context.Context, signals <-chan os.Signal) {
	rest, next := t.rest, t.next
	t.rest, t.next = "", nil
	if rest == "" && next == nil || t.ended {
		return
	}
	s := t.headless.State()
	if s.Fault != "" {
		return
	}
	if next != nil {
		t.run(t.headless.Protect(func() tea.Cmd { return t.headless.Do(*next) }))
		t.wait(ctx, signals)
		return
	}
	if s.Dialog == nil && !s.Typing && s.Speech.Form == nil {
		t.out.line("!", t.T().Get("Ignored: %s", rest))
		return
	}
	t.input(line{text: rest})
	t.wait(ctx, signals)
}
