package shell

import (
	"fmt"
	"runtime/debug"
	"strings"

	"bincard/tui"
	"bincard/tui/shell/internal/keys"
	"bincard/tui/shell/internal/paint"
	"bincard/tui/theme"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Capture is what a driver sees of a running session.
type Capture struct {
	View  string
	Route string
	Idle  bool
	Fault string // the unacknowledged error
}

// captureMsg asks for a Capture in the shell's turn.
type captureMsg struct{ reply chan<- Capture }

// CaptureTo returns a message that makes the shell send a Capture to reply, which must
// have a buffer of one.
func CaptureTo(reply chan<- Capture) tea.Msg { return captureMsg{reply: reply} }

func (m *Model) capture() Capture {
	return Capture{View: m.View(), Route: m.Route(), Idle: m.Idle(), Fault: m.alerts.fault.Text}
}

// View paints the terminal: exactly m.height lines, at most m.width wide.
func (m *Model) View() (view string) {
	defer func() {
		if cause := recover(); cause != nil {
			m.endAfterPaintPanic(cause, debug.Stack())
			view = ""
		}
	}()
	if m.ended {
		return ""
	}
	t := m.opts.Theme
	l := m.layout()
	lines := []string{m.header().Line(l.Class, l.Width)}
	if l.Title {
		lines = append(lines, " "+t.Text.Render(widget.Clip(widget.Clean(m.screens.top().screen.Title()), l.Width-1)))
	}
	if l.Rules {
		lines = append(lines, t.Muted.Render(widget.Rule(l.Width)))
	}
	body, from, to := m.bodyLines(l)
	if !l.Rules {
		m.alerts.toast.Over(t, body, l.Width, l.Class, from, to)
	}
	lines = append(lines, body...)
	if l.Rules {
		lines = append(lines, m.lowerRule(l))
	}
	lines = append(lines, l.Footer...)
	return strings.Join(paint.Clamp(lines, l.Width, l.Height), "\n")
}

func (m *Model) layout() paint.Layout {
	title := false
	if s := m.screens.top(); s != nil {
		title = s.screen.Title() != ""
	}
	small := tui.ClassOf(m.width, m.height) < tui.Standard
	footer := paint.Footer{Theme: m.opts.Theme, Keys: m.opts.Keys}
	footer.Actions, footer.Exits = m.footerActions(small)
	if small && !m.dialogs.Open() && !m.login.Required() && !m.alerts.fault.Active() && m.screens.top() != nil {
		footer.Help = m.globalActions()[1]
		footer.HelpLine = len(m.screens.list) == 1
	}
	return paint.NewLayout(m.width, m.height, title, footer)
}

func (m *Model) header() paint.Header {
	h := paint.Header{Theme: m.opts.Theme, Status: m.status, Spinner: m.pending.Spinner(), WaitingScans: m.input.Scans()}
	if s := m.screens.top(); s != nil {
		h.Title = paint.ShortTitle(s.screen)
	}
	if m.login.Enabled() {
		h.Person = m.status.Operator
	}
	if m.opts.ShowIdle {
		h.Mark = m.mark()
	}
	return h
}

// mark returns the mark for drivers.
func (m *Model) mark() string {
	mark := IdleMark
	switch {
	case !m.Idle():
		mark = BusyMark
	case m.readingScan() || m.input.Settling():
		mark = ScanMark
	}
	return fmt.Sprint(mark, m.handled%10)
}

// bodyLines paints the body at its full height: the screen on top and what is above it. The
// lines from from to to ask something.
func (m *Model) bodyLines(l paint.Layout) (lines []string, from, to int) {
	top, t, height := m.screens.top(), m.opts.Theme, l.Body.Height
	if top == nil || height == 0 {
		return nil, 0, 0
	}
	if m.login.Required() {
		lines = m.login.View(t, l.Body)
		to = len(lines)
		lines = paint.Fill(lines, height)
		if m.dialogTakesKeys() {
			return paint.Cover(lines, m.dialogs.View(t, l.Body), -1)
		}
		return lines, 0, to
	}
	if m.dialogs.CoversBody() {
		return paint.Fill(m.dialogs.View(t, l.Body), height), 0, height - 1
	}
	lines, question := paint.TakeMarker(strings.Split(top.screen.View(l.Body), "\n"))
	lines = paint.Fill(lines, height)
	switch {
	case m.dialogs.Open():
		return paint.Cover(lines, m.dialogs.View(t, l.Body), question)
	case m.alerts.fault.Active():
		var hints []string
		for _, a := range enabled(m.alerts.fault.Actions) {
			hints = append(hints, paint.Hint(m.opts.Keys, a))
		}
		return paint.Cover(lines, m.alerts.fault.View(t, m.t, l.Body, hints), question)
	}
	for i := height - 1; i >= 0; i-- {
		if strings.Contains(lines[i], theme.GlyphAsk) {
			return lines, i, i + 1
		}
	}
	return lines, 0, 0
}

// lowerRule separates body and footer. It shows the toast or the number of waiting scans.
func (m *Model) lowerRule(l paint.Layout) string {
	if text := m.alerts.toast.Line(m.opts.Theme, l.Width-1); text != "" {
		return " " + text
	}
	if n := m.input.Scans(); n > 0 {
		return m.opts.Theme.Pending(m.t.Get("%d scans waiting", n))
	}
	return m.opts.Theme.Muted.Render(widget.Rule(l.Width))
}

// footerActions returns the actions that the footer offers, and the exits that it always
// shows.
func (m *Model) footerActions(small bool) (actions, exits []tui.Action) {
	switch {
	case m.dialogTakesKeys():
		all := m.dialogs.Actions()
		return all[:len(all)-1], all[len(all)-1:]
	case m.login.Required():
		return m.login.Actions(), nil
	case m.alerts.fault.Active():
		next := tui.Action{Keys: []string{"enter"}, Label: m.t.Get("continue"), Run: m.alerts.acknowledge, Shell: true}
		if m.alerts.fault.ConfirmScan {
			next.Label, next.Short = m.t.Get("skip this scan"), m.t.Get("skip")
		}
		return append([]tui.Action{next}, enabled(m.alerts.fault.Actions)...), nil
	}
	top := m.screens.top()
	if top == nil {
		return nil, nil
	}
	actions = enabled(top.screen.Actions())
	global := m.globalActions()
	back := tui.Action{Keys: []string{"esc"}, Label: m.t.Get("back"), Run: m.screens.back, Shell: true}
	help := tui.Action{Keys: []string{"?"}, Label: m.t.Get("help"), Run: m.showHelp, Shell: true}
	if top.accepts(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'?'}}) {
		help = global[1]
		help.NoFooter = false
	}
	_, leaves := keys.ActionFor(m.opts.Keys, actions, "esc") // the screen has its own way back
	switch {
	case small && (leaves || len(m.screens.list) == 1):
		return actions, nil
	case small:
		back.Label = ""
		return actions, []tui.Action{back}
	case leaves:
		return append(actions, global[2], global[0]), []tui.Action{help}
	case len(m.screens.list) > 1:
		return append(actions, global[2], global[0]), []tui.Action{help, back}
	}
	return append(actions, global[2], global[0]), []tui.Action{help, global[5]}
}

// enabled returns the actions that can run now and belong in the footer.
func enabled(actions []tui.Action) []tui.Action {
	var list []tui.Action
	for _, a := range actions {
		if !a.NoFooter && a.DisabledReason() == "" {
			list = append(list, a)
		}
	}
	return list
}
