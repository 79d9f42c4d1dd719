package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/widget"
)

const (
	toastDuration = 4 * time.Second
	bellInterval  = 180 * time.Millisecond // closer bells sound like one
)

type (
	toastEndMsg struct{ id int }
	nextBellMsg struct{ n int }
	copiedMsg   struct {
		sequence string
		err      error
	}
)

// alerts are the messages that the shell shows by itself: an error, a toast and bells.
type alerts struct {
	opts  *Options
	fault dialog.Fault
	toast dialog.Toast
}

// handle handles a message to the alerts and reports whether it was one. screen is the
// sender, or 0.
func (a *alerts) handle(screen int, msg tea.Msg) (cmd tea.Cmd, ok bool) {
	switch msg := msg.(type) {
	case tui.ToastMsg:
		return a.show(msg), true
	case tui.FailMsg:
		return a.fail(screen, msg), true
	case tui.BellMsg:
		return a.ring(msg.N), true
	case nextBellMsg:
		return a.ring(msg.n), true
	case tui.CopyMsg:
		return a.copy(msg.Text), true
	case copiedMsg:
		return a.copied(msg), true
	case toastEndMsg:
		a.toast.End(msg.id)
		return nil, true
	}

	return nil, false
}

func (a *alerts) notify(n Notice) {
	if a.opts.OnNotice != nil {
		a.opts.OnNotice(n)
	}
}

// ring rings n times. It writes to the terminal beside the frames, which would ring again
// with every repaint.
func (a *alerts) ring(n int) tea.Cmd {
	if n > 0 {
		a.notify(Notice{Bells: n})
	}
	if n <= 0 || a.opts.Silent {
		return nil
	}

	once := a.write("\a")
	if n == 1 {
		return once
	}

	return tea.Batch(once, a.opts.after(bellInterval, nextBellMsg{n - 1}))
}

// write sends a control sequence to the terminal once, beside the frames.
func (a *alerts) write(sequence string) tea.Cmd {
	out, log := a.opts.Output, a.opts.Log
	return func() tea.Msg {
		if _, err := io.WriteString(out, sequence); err != nil {
			log.Debug("terminal not written", "error", err)
		}
		return nil
	}
}

func (a *alerts) show(msg tui.ToastMsg) tea.Cmd {
	id := a.toast.Set(msg.Text, msg.Warn)
	kind := NoticeSuccess
	if msg.Warn {
		kind = NoticeWarning
	}
	a.notify(Notice{Kind: kind, Text: a.toast.Text})
	return a.opts.after(toastDuration, toastEndMsg{id})
}

// success shows a success for a few seconds.
func (a *alerts) success(text string) tea.Cmd { return a.show(tui.ToastMsg{Text: text}) }

// warn shows a problem that needs no answer.
func (a *alerts) warn(text string) tea.Cmd { return a.show(tui.ToastMsg{Text: text, Warn: true}) }

// refuse warns and rings twice.
func (a *alerts) refuse(text string) tea.Cmd { return tea.Batch(a.ring(2), a.warn(text)) }

// unavailable says that the screen does not have a command.
func (a *alerts) unavailable(c tui.Command) tea.Cmd {
	t := a.opts.Translator
	return a.refuse(t.Get("\"%s\" does nothing here", c.Title(t)))
}

// error shows an error of the shell.
func (a *alerts) error(text string) tea.Cmd { return a.fail(0, tui.FailMsg{Text: text}) }

// fail shows an error and rings twice. If an error is already shown, the new one waits
// until that one is acknowledged.
func (a *alerts) fail(screen int, msg tui.FailMsg) tea.Cmd {
	text := widget.Clean(msg.Text)
	if errors.Is(msg.Err, context.DeadlineExceeded) {
		text = a.noAnswer()
	}
	if text == "" {
		return nil
	}

	if a.fault.Show(screen, text, msg) {
		kind := NoticeFault
		if msg.ConfirmScan {
			kind = NoticeConfirmScan
		}
		a.notify(Notice{Kind: kind, Text: text})
		a.opts.Log.Info("shown to the operator", "error", text)
	}

	return a.ring(2)
}

func (a *alerts) noAnswer() string {
	return a.opts.Translator.Get("No answer after %d s. It may still arrive; if not, retry.",
		int(a.opts.Limit.Seconds()))
}

// acknowledge removes the current error and shows the next one.
func (a *alerts) acknowledge() tea.Cmd {
	a.toast.Clear()
	screen := a.fault.Screen
	next, ok := a.fault.Acknowledge()
	if !ok {
		return nil
	}
	return a.fail(screen, next)
}

// refuseScan says that the error has to be acknowledged before a scan.
func (a *alerts) refuseScan() tea.Cmd {
	a.fault.Note = a.opts.Translator.Get("Scan ignored. Press enter to clear the message first.")
	a.notify(Notice{Kind: NoticeRefusedScan, Text: a.fault.Note})
	return a.ring(2)
}

// showNotes shows the first problem of the settings and how many more there are; the
// settings screen lists them all.
func (a *alerts) showNotes() tea.Cmd {
	if len(a.opts.Notes) == 0 {
		return nil
	}

	t := a.opts.Translator
	text := t.Message(a.opts.Notes[0])
	if more := len(a.opts.Notes) - 1; more > 0 {
		text += " " + t.Get("And %d more. See Settings.", more)
	}

	return a.error(text)
}

// copy copies text to the clipboard of the machine or the terminal.
func (a *alerts) copy(text string) tea.Cmd {
	copier := a.opts.Copier
	if copier == nil {
		copier = RemoteCopySequence
	}
	return func() tea.Msg {
		sequence, err := copier(text)
		return copiedMsg{sequence: sequence, err: err}
	}
}

func (a *alerts) copied(msg copiedMsg) tea.Cmd {
	if msg.err != nil {
		return a.error(fmt.Sprintf(a.opts.Translator.Get("Not copied: %v"), msg.err))
	}
	cmd := a.success(a.opts.Translator.Get("Copied"))
	if msg.sequence != "" {
		cmd = tea.Batch(a.write(msg.sequence), cmd)
	}
	return cmd
}

// A Notice is something that the shell says, and how often the bell rings for it.
type Notice struct {
	Kind  NoticeKind
	Text  string
	Bells int
}

// NoticeKind is the kind of a Notice.
type NoticeKind int

// The kinds of notices.
const (
	NoticeBell        NoticeKind = iota // a bell without text
	NoticeSuccess                       // a success
	NoticeWarning                       // a problem that needs no answer
	NoticeFault                         // an error that stays until acknowledged
	NoticeConfirmScan                   // a scan that has to be repeated to count
	NoticeRefusedScan                   // a scan that was refused because of an error
)
