package shell

import (
	"time"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
)

// dialog is above the screen and takes the keys.
type dialog struct {
	kind    dialogKind
	screen  int // that opened it; 0 is the shell
	title   string
	input   widget.Input
	items   []item
	matches []int // indices of items that match the input, best first
	cursor  int
	scroll  int
	problem string
	page    viewport.Model
	help    []helpLine // the contents of the page

	question *tui.Question
	request  *tui.Request
	guarded  bool // it opened late and ignores keys until input pauses
	below    *dialog
}

type dialogKind int

const (
	questionKind dialogKind = iota
	promptKind
	choiceKind
	findKind
	helpKind
)

// item is a line of a list.
type item struct {
	label    string
	keys     string
	disabled string // why it cannot be chosen
	run      func() tea.Cmd
	unrouted bool // run's command is the shell's, or routed already
}

const (
	quietPeriod = 400 * time.Millisecond // without input, before a late dialog accepts keys
	lateAfter   = 150 * time.Millisecond // after the key that it responds to
)

type guardEndMsg struct{}

// openDialog opens a dialog that a screen asked for.
func (m *Model) openDialog(screen int, msg tui.DialogMsg) tea.Cmd {
	d := &dialog{screen: screen}
	switch {
	case msg.Question != nil:
		d.kind, d.title, d.question = questionKind, msg.Question.Text, msg.Question
	case msg.Request != nil:
		d.kind, d.title, d.request = promptKind, msg.Request.Text, msg.Request
		d.input.Set(msg.Request.Value)
	case msg.Choice != nil:
		d.kind, d.title = choiceKind, msg.Choice.Text
		for i, option := range msg.Choice.Options {
			d.items = append(d.items, item{label: widget.Clean(option), run: func() tea.Cmd { return msg.Choice.OnChoice(i) }})
		}
	}
	d.title = widget.Clean(d.title)
	d.filter()
	return m.pushDialog(d)
}

// pushDialog puts a dialog on top. A dialog long after the last key did not respond to
// that key, so it ignores what the operator is typing meanwhile.
func (m *Model) pushDialog(d *dialog) tea.Cmd {
	d.below = m.dialog
	m.dialog = d
	now := m.opts.Clock.Now()
	if m.lastKey.IsZero() || now.Sub(m.lastKey) < lateAfter {
		return nil
	}
	d.guarded = true
	m.scans.discardKeys()
	m.lastKey = now
	return m.guardTick(quietPeriod)
}

func (m *Model) guardTick(d time.Duration) tea.Cmd {
	return m.opts.Clock.Tick(d, func(time.Time) tea.Msg { return guardEndMsg{} })
}

// unguard lets a late dialog accept keys once input has paused.
func (m *Model) unguard() tea.Cmd {
	if m.dialog == nil || !m.dialog.guarded {
		return nil
	}
	if left := quietPeriod - m.opts.Clock.Now().Sub(m.lastKey); left > 0 {
		return m.guardTick(left)
	}
	m.dialog.guarded = false
	return nil
}

// popDialog closes the dialog on top.
func (m *Model) popDialog() {
	if m.dialog != nil {
		m.dialog = m.dialog.below
	}
}

func (m *Model) dialogKey(k tea.KeyMsg, key string, quiet time.Duration) tea.Cmd {
	d := m.dialog
	if d.guarded {
		if quiet < quietPeriod {
			return nil // typed before the dialog was seen
		}
		d.guarded = false
	}
	switch d.kind {
	case questionKind:
		return m.questionKey(d, key)
	case promptKind:
		return m.promptKey(d, k, key)
	case helpKind:
		return m.helpKey(d, k, key)
	}
	return m.listKey(d, k, key)
}

func (m *Model) questionKey(d *dialog, key string) tea.Cmd {
	switch key {
	case "enter", "y":
		m.popDialog()
		return m.runFromDialog(d, d.question.OnYes)
	case "esc", "n":
		m.popDialog()
		return m.runFromDialog(d, d.question.OnNo)
	}
	return nil
}

// runFromDialog runs a dialog's answer as a command of the screen that opened it.
func (m *Model) runFromDialog(d *dialog, fn func() tea.Cmd) tea.Cmd {
	if fn == nil {
		return m.drain()
	}
	if f := m.frame(d.screen); f != nil {
		return tea.Batch(m.run(f, fn()), m.drain())
	}
	return tea.Batch(m.route(0, fn()), m.drain())
}

func (m *Model) promptKey(d *dialog, k tea.KeyMsg, key string) tea.Cmd {
	switch key {
	case "esc":
		m.popDialog()
		return m.drain()
	case "enter":
		text := d.input.Value()
		if d.request.Check != nil {
			if err := d.request.Check(text); err != nil {
				d.problem = widget.Clean(err.Error())
				return m.ring(2)
			}
		}
		m.popDialog()
		if d.request.OnText == nil {
			return m.drain()
		}
		return m.runFromDialog(d, func() tea.Cmd { return d.request.OnText(text) })
	}
	d.problem = ""
	d.input.Key(k)
	return nil
}

// dialogScan handles a scan while a dialog is open. done is false if it closed the dialog
// and the screen gets the scan.
func (m *Model) dialogScan(s scan.Scan) (cmd tea.Cmd, done bool) {
	switch d := m.dialog; d.kind {
	case promptKind:
		d.input.Set(widget.Clean(s.Text))
		return m.ring(1), true
	case questionKind:
		d.problem = m.t.Get("Scan ignored. Answer the question first")
		return m.ring(2), true
	}
	m.dialog = nil
	return nil, false
}

// Dialog returns the text of the dialog on top, or "".
func (m *Model) Dialog() string {
	if m.dialog == nil {
		return ""
	}
	return m.dialog.title
}
