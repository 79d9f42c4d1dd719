package plain

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"time"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// A message is what a command brought; own tells that it counted as running.
type message struct {
	msg tea.Msg
	own bool
}

// run starts commands beside the dialogue; their messages come back to it.
func (t *talk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	t.running.Add(1)
	go func() {
		select {
		case t.messages <- message{cmd(), true}:
		case <-t.over:
		}
	}()
}

// aside lets a command wait for as long as it takes without being waited for.
func (t *talk) aside(cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		t.running.Add(-1)
		defer t.running.Add(1)
		return cmd()
	}
}

// patient is a clock on which nobody waits.
type patient struct {
	t     *talk
	clock tui.Clock
}

func (p patient) Now() time.Time {
	if p.clock == nil {
		return time.Now()
	}
	return p.clock.Now()
}

func (p patient) Tick(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	if p.clock == nil {
		return p.t.aside(tea.Tick(d, fn))
	}
	return p.t.aside(p.clock.Tick(d, fn))
}

// take handles one message of the shell.
func (t *talk) take(m message) {
	if m.own {
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
	_, cmd := t.face.Model().Update(msg)
	t.run(cmd)
	t.ended = t.ended || t.face.Ended()
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

// settle waits until what the last line began is finished with. Lines that
// come meanwhile wait in order.
func (t *talk) settle(ctx context.Context, heard <-chan os.Signal) {
	begun, told := time.Now(), false
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	t.ended = t.ended || t.face.Ended()
	for !t.ended && !t.settled(time.Since(begun)) {
		select {
		case msg := <-t.messages:
			t.take(msg)
		case <-look.C:
			if !told && time.Since(begun) > saysWait {
				told = true
				t.out.line("", saidWait)
			}
		case <-heard:
			t.hangup()
		case <-ctx.Done():
			t.hangup()
		}
	}
}

func (t *talk) settled(after time.Duration) bool {
	if len(t.messages) > 0 {
		return false
	}
	patience := atMost
	if t.opts.Person {
		patience = enough
	}
	return t.running.Load() == 0 && t.face.Model().Idle() || after > patience && !t.face.Waiting()
}

// again goes on with the rest of a line, once what its beginning did asks for it.
func (t *talk) again(ctx context.Context, heard <-chan os.Signal) {
	rest, then := t.rest, t.then
	t.rest, t.then = "", nil
	if rest == "" && then == nil || t.ended {
		return
	}
	s := t.face.Standing()
	if s.Fault != "" {
		return
	}
	if then != nil {
		t.run(t.face.Turn(func() tea.Cmd { return t.face.Do(*then) }))
		t.settle(ctx, heard)
		return
	}
	if s.Dialog == nil && !s.Typing && s.Speech.Form == nil {
		t.out.line("!", fmt.Sprintf(saidUnused, rest))
		return
	}
	t.hear(line{text: rest})
	t.settle(ctx, heard)
}
