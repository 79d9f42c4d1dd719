package tui

import (
	"context"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// envelope brings what a command answered back to the screen that asked.
type envelope struct {
	screen int // owner.id; 0 is the shell itself
	flight int // which command under way this ends; 0 is none
	msg    tea.Msg
}

// answer is what Env.Do and Env.Latest return inside an envelope.
type answer struct {
	slot string
	seq  int
	msg  tea.Msg
}

// workMsg asks the shell to run what Env.Do was given.
type workMsg struct {
	ctx   context.Context
	limit time.Duration
	fn    func(context.Context) tea.Msg
	slot  string
	seq   int
	rest  []tea.Cmd // of a sequence: what follows the answer
}

// watchMsg asks the shell to run a command that is not counted.
type watchMsg struct {
	fn func(context.Context) tea.Msg
}

// crashMsg is a command that panicked.
type crashMsg struct {
	cause any
	stack []byte
}

// flights counts the commands under way. It is touched only in the shell's turn.
type flights struct {
	next  int
	since map[int]flight
	cause cause // of what departs now
}

// cause is what a command belongs to, as far as the next scan is concerned.
type cause int

const (
	byItself cause = iota // the next scan need not wait for it
	opening               // a screen's first questions: scans wait
	scanned               // a scan's: scans wait, and keys that work on the goods
)

type flight struct {
	screen int
	start  time.Time
	told   bool // that it takes too long
	cause  cause
}

func (f *flights) depart(screen int, now time.Time) int {
	f.next++
	f.since[f.next] = flight{screen: screen, start: now, cause: f.cause}
	return f.next
}

// during tells the cause of what departs while fn runs.
func (f *flights) during(why cause, fn func() tea.Cmd) tea.Cmd {
	before := f.cause
	f.cause = why
	defer func() { f.cause = before }()
	return fn()
}

// behind is the strongest cause under way: a scan that is not finished with may
// end in an error, and nothing must overtake it.
func (f *flights) behind() cause {
	most := byItself
	for _, fl := range f.since {
		most = max(most, fl.cause)
	}
	return most
}

// batch carries the commands of a tea.Batch or tea.Sequence back into the
// shell's turn, where each gets its own envelope.
type batch struct {
	cmds    []tea.Cmd
	ordered bool
}

// own wraps a command of a screen so that its answer finds back.
func (m *Model) own(screen int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	id := m.flights.depart(screen, m.opts.Clock.Now())
	slow := m.watchSlow()
	run := func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = envelope{screen: screen, flight: id, msg: crashMsg{cause: cause, stack: debug.Stack()}}
			}
		}()
		return envelope{screen: screen, flight: id, msg: unpack(cmd())}
	}
	if slow == nil {
		return run
	}
	return tea.Batch(run, slow)
}

// unpack turns Bubble Tea's groups of commands into a batch of the shell's own.
func unpack(msg tea.Msg) tea.Msg {
	if group, ok := msg.(tea.BatchMsg); ok {
		return batch{cmds: group}
	}
	v := reflect.ValueOf(msg)
	if v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		b := batch{ordered: true}
		for i := range v.Len() {
			b.cmds = append(b.cmds, v.Index(i).Interface().(tea.Cmd))
		}
		return b
	}
	return msg
}

// deliver opens an envelope in the shell's turn.
func (m *Model) deliver(e envelope) tea.Cmd {
	why := m.flights.since[e.flight].cause
	delete(m.flights.since, e.flight)
	f := m.frame(e.screen)
	opened := m.flights.during(why, func() tea.Cmd { return m.open(f, e) })
	return tea.Batch(opened, m.drain())
}

func (m *Model) open(f *frame, e envelope) tea.Cmd {
	if f == nil && e.screen != 0 {
		return m.orphan(e)
	}
	switch msg := e.msg.(type) {
	case nil:
		return nil
	case batch:
		return m.group(e.screen, msg)
	case answer:
		if msg.slot != "" && f.owner.slots[msg.slot].seq != msg.seq {
			m.opts.Log.Debug("answer dropped: a newer question stands", "slot", msg.slot)
			return nil
		}
		return m.open(f, envelope{screen: e.screen, msg: unpack(msg.msg)})
	case crashMsg:
		return m.crash(msg.cause, msg.stack)
	case workMsg:
		why := m.flights.cause
		if msg.slot != "" {
			why = byItself
		}
		return m.flights.during(why, func() tea.Cmd { return m.work(e.screen, msg) })
	case afterMsg:
		id := e.screen
		return m.opts.Clock.Tick(msg.d, func(t time.Time) tea.Msg {
			return envelope{screen: id, msg: unpack(msg.fn(t))}
		})
	case watchMsg:
		return m.watch(f, msg)
	}
	if cmd, mine := m.command(e.screen, e.msg); mine {
		return cmd
	}
	if ofBubbleTea(e.msg) {
		return say(e.msg)
	}
	if f == nil {
		return m.handle(e.msg) // of the shell's own
	}
	return m.update(f, e.msg)
}

// orphan handles what a screen left behind when it closed: its last words are
// said, its answers are dropped.
func (m *Model) orphan(e envelope) tea.Cmd {
	switch msg := e.msg.(type) {
	case failMsg:
		if msg.doubt {
			return nil
		}
		msg.actions = nil
		return m.fail(0, msg)
	case chain, batch, toastMsg, bellMsg, copyMsg, openMsg, homeMsg, StatusMsg:
		cmd, _ := m.command(e.screen, msg)
		return cmd
	case crashMsg:
		return m.crash(msg.cause, msg.stack)
	case nil:
		return nil
	}
	m.opts.Log.Debug("answer dropped: its screen is closed", "message", fmt.Sprintf("%T", e.msg))
	return nil
}

// work starts what Env.Do was given; its answer comes back in an envelope.
func (m *Model) work(screen int, w workMsg) tea.Cmd {
	run := m.own(screen, func() tea.Msg {
		ctx, cancel := context.WithTimeout(w.ctx, w.limit)
		defer cancel()
		got := answer{slot: w.slot, seq: w.seq, msg: w.fn(ctx)}
		if len(w.rest) > 0 {
			return chain{first: got, rest: w.rest}
		}
		return got
	})
	if m.opts.Work != nil {
		return m.opts.Work(run)
	}
	return run
}

// sequel handles one message of a sequence and then the commands after it.
func (m *Model) sequel(screen int, c chain) tea.Cmd {
	if w, ok := c.first.(workMsg); ok {
		w.rest = append(w.rest, c.rest...)
		return m.open(m.frame(screen), envelope{screen: screen, msg: w})
	}
	first := m.open(m.frame(screen), envelope{screen: screen, msg: c.first})
	return tea.Batch(first, m.group(screen, batch{cmds: c.rest, ordered: true}))
}

// group runs several commands, all at once or one after the other.
func (m *Model) group(screen int, b batch) tea.Cmd {
	if !b.ordered {
		var cmds []tea.Cmd
		for _, c := range b.cmds {
			cmds = append(cmds, m.own(screen, c))
		}
		return tea.Batch(cmds...)
	}
	for i, c := range b.cmds {
		if c == nil {
			continue
		}
		rest := b.cmds[i+1:]
		return m.own(screen, func() tea.Msg {
			first := unpack(c())
			return chain{first: first, rest: rest}
		})
	}
	return nil
}

// chain is a message and the commands that follow it.
type chain struct {
	first tea.Msg
	rest  []tea.Cmd
}

func (m *Model) watch(f *frame, w watchMsg) tea.Cmd {
	ctx, id := m.ctx, 0
	if f != nil {
		ctx, id = f.owner.ctx, f.owner.id
	}
	return m.opts.background(func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = envelope{screen: id, msg: crashMsg{cause: cause, stack: debug.Stack()}}
			}
		}()
		return envelope{screen: id, msg: unpack(w.fn(ctx))}
	})
}

// ofBubbleTea tells the messages that steer the program itself: they go there
// bare. Keys and the mouse are nobody's answer and are left alone.
func ofBubbleTea(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.WindowSizeMsg:
		return false
	}
	t := reflect.TypeOf(msg)
	return t != nil && strings.HasSuffix(t.PkgPath(), "charmbracelet/bubbletea")
}
