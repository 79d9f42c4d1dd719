package input

import (
	"reflect"
	"runtime/debug"
	"strings"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// An Answer carries the message of a command back to its screen.
type Answer struct {
	Screen  int // its ID; 0 is the shell
	Command int // the pending command that this answers, or 0
	Msg     tea.Msg
}

// Worked is the answer of work.
type Worked struct {
	Work tui.WorkMsg
	Msg  tea.Msg
}

// Panicked says that a command panicked.
type Panicked struct {
	Cause any
	Stack []byte
}

// A Group has the commands of a tea.Batch or tea.Sequence, which the shell routes one by
// one.
type Group struct {
	Commands []tea.Cmd
	Ordered  bool
}

// A Sequence is a message and the commands that follow it.
type Sequence struct {
	First tea.Msg
	Rest  []tea.Cmd
}

// answering wraps a function so that its answer comes back to the screen, also if it panics.
func answering(screen, command int, fn func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if cause := recover(); cause != nil {
				msg = Answer{Screen: screen, Command: command, Msg: Panicked{Cause: cause, Stack: debug.Stack()}}
			}
		}()
		return Answer{Screen: screen, Command: command, Msg: Unpack(fn())}
	}
}

// Unpack turns Bubble Tea's groups of commands into a Group.
func Unpack(msg tea.Msg) tea.Msg {
	if group, ok := msg.(tea.BatchMsg); ok {
		return Group{Commands: group}
	}

	v := reflect.ValueOf(msg) // the type of tea.Sequence's message is unexported
	if v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		group := Group{Ordered: true}
		for i := range v.Len() {
			group.Commands = append(group.Commands, v.Index(i).Interface().(tea.Cmd))
		}
		return group
	}

	return msg
}

// IsTeaMsg reports whether a message is for Bubble Tea itself. Keys, the mouse and sizes
// are not.
func IsTeaMsg(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.WindowSizeMsg:
		return false
	}
	t := reflect.TypeOf(msg)
	return t != nil && strings.HasSuffix(t.PkgPath(), "charmbracelet/bubbletea")
}
