package plain

import (
	"context"
	"os"
	"reflect"
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A message is what a command brought; own tells that it counted as running.
type message struct {
	msg     tea.Msg
	counted bool
}

// run starts commands beside the dialogue; their messages come back to it.
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

// uncounted lets a command wait for as long as it takes without being waited for.
func (t *dialog) uncounted(cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		t.running.Add(-1)
		defer t.running.Add(1)
		return cmd()
	}
}

// uncountedClock is a clock on which nobody waits.
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

// handle handles one message of the shell.
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

// commands finds the commands inside Bubble Tea's groups.
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

// wait waits until what the last line began is finished with. Lines that
// come meanwhile wait in order.
func (t *dialog) wait(ctx context.Context, heard <-chan os.Signal) {
	begun, told := time.Now(), false
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	t.ended = t.ended || t.headless.Ended()
	for !t.ended && !t.idle(time.Since(begun)) {
		select {
		case msg := <-t.messages:
			t.handle(msg)
		case <-look.C:
			if !told && time.Since(begun) > slowAfter {
				told = true
				t.out.line("", t.T().Get("wait..."))
			}
		case <-heard:
			t.hangup()
		case <-ctx.Done():
			t.hangup()
		}
	}
}

func (t *dialog) idle(after time.Duration) bool {
	if len(t.messages) > 0 {
		return false
	}
	patience := scriptWait
	if t.opts.Interactive {
		patience = interactiveWait
	}
	return t.running.Load() == 0 && t.headless.Model().Idle() || after > patience && !t.headless.Busy()
}

// continueLine goes on with the rest of a line, once what its beginning did asks for it.
func (t *dialog) continueLine(ctx context.Context, heard <-chan os.Signal) {
	rest, then := t.rest, t.next
	t.rest, t.next = "", nil
	if rest == "" && then == nil || t.ended {
		return
	}
	s := t.headless.State()
	if s.Fault != "" {
		return
	}
	if then != nil {
		t.run(t.headless.Protect(func() tea.Cmd { return t.headless.Do(*then) }))
		t.wait(ctx, heard)
		return
	}
	if s.Dialog == nil && !s.Typing && s.Speech.Form == nil {
		t.out.line("!", t.T().Get("Ignored: %s", rest))
		return
	}
	t.input(line{text: rest})
	t.wait(ctx, heard)
}
