package dialog

import (
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Fault is an error that stays until the operator acknowledges it, or a scan to confirm.
type Fault struct {
	Text        string
	Note        string // says that the fault refused a scan
	Screen      int    // that failed; 0 is the shell
	Actions     []tui.Action
	ConfirmScan bool

	code  string // the raw scan that confirms
	onYes func() tea.Cmd
	queue []tui.FailMsg // later errors, shown one by one
}

// Active reports whether an error is shown.
func (f *Fault) Active() bool { return f.Text != "" }

// Show shows an error of a screen and reports whether it did. If an error is already
// shown, the new one waits until that one is acknowledged.
func (f *Fault) Show(screen int, text string, msg tui.FailMsg) bool {
	if f.Active() && !f.ConfirmScan {
		if f.Text != text {
			f.queue = append(f.queue, msg)
		}
		return false
	}

	*f = Fault{Text: text, Screen: screen, Actions: msg.Actions,
		ConfirmScan: msg.ConfirmScan, code: msg.Code, onYes: msg.OnYes, queue: f.queue}

	return true
}

// Acknowledge removes the error and returns the next one to show, if any.
func (f *Fault) Acknowledge() (next tui.FailMsg, ok bool) {
	queue := f.queue
	*f = Fault{}
	if len(queue) == 0 {
		return next, false
	}
	f.queue = queue[1:]
	return queue[0], true
}

// Answer removes the request to confirm a scan. If raw is that scan, it returns what to
// run.
func (f *Fault) Answer(raw string) (onYes func() tea.Cmd) {
	if f.code == raw {
		onYes = f.onYes
	}
	*f = Fault{queue: f.queue}
	return onYes
}

// Detach keeps the error of a closed screen, without the actions of that screen. It
// removes a request to confirm a scan.
func (f *Fault) Detach() {
	if f.ConfirmScan {
		*f = Fault{queue: f.queue}
		return
	}
	f.Screen, f.Actions = 0, nil
}

// View paints the error in the place of the question. hints are its actions with their
// keys.
func (f *Fault) View(style widget.Theme, t *i18n.Translator, size tui.Size, hints []string) []string {
	color, glyph := style.Error.Reverse(true), "!" // a bar, to be seen from afar
	if f.ConfirmScan {
		color, glyph = style.Warning, "~"
	}

	margin := " "
	if size.Small() {
		margin = ""
	}

	var lines []string
	for i, line := range widget.Wrap(f.Text, size.Width-2-len(margin)) {
		lead := "  "
		if i == 0 {
			lead = glyph + " "
		}
		lines = append(lines, margin+color.Render(lead+line))
	}

	hint := "enter" + " " + t.Get("continue")
	if f.ConfirmScan {
		hint = t.Get("Scan it again to confirm, or press enter to skip it.")
		if size.Small() { // the footer has the key
			hint = t.Get("Scan it again to confirm")
		}
	}

	switch {
	case size.Small() && f.ConfirmScan:
		for _, line := range widget.Wrap(hint, max(1, size.Width-2)) {
			lines = append(lines, "  "+style.Strong.Render(line))
		}
	case !size.Small():
		for _, h := range hints {
			hint += "      " + h
		}
		lines = append(lines, margin+"  "+style.Strong.Render(widget.Clip(hint, size.Width-2-len(margin))))
	}

	if f.Note != "" {
		for _, line := range widget.Wrap(f.Note, size.Width-2-len(margin)) {
			lines = append(lines, margin+"  "+style.Warning.Render(line))
		}
	}

	return lines
}
