package dialog

import (
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/widget"
)

// View paints the body while a login is required.
func (l *Login) View(t widget.Theme, size tui.Size) []string {
	margin := ""
	if !size.Small() {
		margin = "  "
	}

	head, ask := l.texts()
	width := max(1, size.Width-len(margin)-2)
	var lines []string
	add := func(text string, paint func(string) string) {
		for _, line := range widget.Wrap(text, width) {
			lines = append(lines, margin+paint(line))
		}
	}

	if !size.Small() {
		lines = append(lines, "")
	}
	add(head, func(s string) string { return t.Strong.Render(s) })
	headEnd := len(lines)
	lines = append(lines, "")
	add(ask, once(t.Ask))
	paintInput := l.input.View
	if l.asksPIN() {
		paintInput = l.input.Masked
	}

	if last := lines[len(lines)-1]; size.Class == tui.Short {
		lines[len(lines)-1] = last + " " + paintInput(max(1, size.Width-widget.Width(last)-1))
	} else {
		lines = append(lines, margin+"  "+paintInput(width))
	}
	if l.problem != "" {
		if size.Class != tui.Short {
			lines = append(lines, "")
		}
		add(l.problem, once(t.Refused))
	}

	if len(lines) <= size.Height {
		return lines
	}

	lines = slices.Delete(lines, headEnd, headEnd+1)
	over := min(max(0, len(lines)-size.Height), headEnd-1)

	return slices.Delete(lines, headEnd-over, headEnd) // what to do stays
}

// once paints the first of some lines and indents the others.
func once(paint func(string) string) func(string) string {
	first := true
	return func(line string) string {
		if !first {
			return "  " + line
		}
		first = false
		return paint(line)
	}
}

// lockedText says who continues where the terminal is locked.
func (l *Login) lockedText() string {
	return l.t.Get("Locked. %s was signed in; nothing is lost.", widget.Clean(l.operator.Name))
}

// texts returns why a login is required and what to do.
func (l *Login) texts() (head, ask string) {
	head, ask = l.t.Get("Nobody is signed in"), l.t.Get("Scan your badge or type your name")
	switch {
	case l.approval != nil:
		head = l.t.Get("A supervisor must approve: %s", l.approval.text)
		ask = l.t.Get("Scan a supervisor's badge or type the name")
		if l.find(func(o tui.Operator) bool { return o.Supervisor }) == nil {
			ask = l.t.Get("No supervisor is set up on this terminal. Press esc to go back.")
		}

	case l.operator != nil:
		head = l.lockedText()
	}

	if l.asksPIN() {
		ask = l.t.Get("PIN of %s", widget.Clean(l.candidate.Name))
	}
	if l.switching {
		who, stays := widget.Clean(l.candidate.Name), widget.Clean(l.operator.Name)
		head = l.t.Get("%s's badge was scanned", who)
		ask = l.t.Get("Press enter to sign in, or esc to go on as %s", stays)
		if l.asksPIN() {
			ask = l.t.Get("PIN of %s to sign in, or esc to go on as %s", who, stays)
		}
	}

	return head, ask
}

// State describes the login as a dialog.
func (l *Login) State() *State {
	if l.question == nil {
		l.question = new(int)
	}
	head, text := l.texts()
	if l.operator != nil && (l.candidate == nil || l.switching) {
		text = strings.TrimSuffix(head, ".") + ". " + text
	}
	return &State{Text: text, Problem: l.problem, ID: l.question}
}

// Actions returns the actions in the footer while a login is required.
func (l *Login) Actions() []tui.Action {
	actions := []tui.Action{{Key: "enter", Label: l.t.Get("ok")}}
	if l.candidate != nil || l.approval != nil {
		actions = append(actions, tui.Action{Key: "esc", Label: l.t.Get("back")})
	}
	return append(actions, tui.Action{Key: "ctrl+q", Label: l.t.Get("quit")})
}
