package shell

import (
	"runtime/debug"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"

	"github.com/charmbracelet/x/ansi"
)

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
	l := m.layout()
	lines := []string{m.header(l)}
	if l.title {
		lines = append(lines, m.titleLine(l))
	}
	if l.rules {
		lines = append(lines, m.opts.Theme.Muted.Render(widget.Rule(l.width)))
	}
	body := m.bodyLines(l)
	if !l.rules {
		lines[0] = m.toastOver(body, lines[0], l)
	}
	lines = append(lines, body...)
	if l.rules {
		lines = append(lines, m.lowerRule(l))
	}
	lines = append(lines, l.footer...)
	return strings.Join(clamp(lines, l.width, l.height), "\n")
}

// bodyLines paints the body at its full height: the screen on top and what is above it.
func (m *Model) bodyLines(l layout) []string {
	f := m.top()
	if f == nil || l.body.Height == 0 {
		return nil
	}
	if m.loginRequired() {
		lines := fill(m.loginView(l.body), l.body.Height)
		if m.dialogTakesKeys() {
			return cover(lines, m.dialogView(l.body), -1)
		}
		return lines
	}
	if m.dialog != nil && m.dialog.coversBody() {
		return fill(m.dialogView(l.body), l.body.Height)
	}
	lines, mark := takeMarker(strings.Split(f.screen.View(l.body), "\n"))
	lines = fill(lines, l.body.Height)
	switch {
	case m.dialog != nil:
		return cover(lines, m.dialogView(l.body), mark)
	case m.fault.active():
		return cover(lines, m.faultView(l.body), mark)
	}
	return lines
}

// takeMarker removes the marker of the question and returns its line, or -1.
func takeMarker(lines []string) (clean []string, at int) {
	at = -1
	for i, line := range lines {
		if strings.Contains(line, widget.QuestionMarker) {
			lines[i] = strings.ReplaceAll(line, widget.QuestionMarker, "")
			at = i
		}
	}
	return lines, at
}

// fill cuts or extends lines to exactly n.
func fill(lines []string, n int) []string {
	if len(lines) > n {
		return lines[:n]
	}
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines
}

// cover replaces line at with the lines over. It removes empty lines below first, then
// lines at the end, so that the results of scans stay visible. If there is no such line or
// not enough room, it replaces the last lines.
func cover(lines, over []string, at int) []string {
	height := len(lines)
	if len(over) > height {
		over = over[:height]
	}
	if at < 0 || at+len(over) > height {
		at = height - len(over)
		copy(lines[at:], over)
		return lines
	}
	rest := lines[at+1:]
	for need := len(over) - 1; need > 0 && len(rest) > 0 && blank(rest[0]); need-- {
		rest = rest[1:]
	}
	out := append(append(slices.Clone(lines[:at]), over...), rest...)
	return fill(out, height)
}

func blank(line string) bool { return strings.TrimSpace(ansi.Strip(line)) == "" }

// faultView paints the error in the place of the question.
func (m *Model) faultView(size tui.Size) []string {
	t := m.opts.Theme
	style, glyph := t.Error, "!"
	if m.fault.confirmScan {
		style, glyph = t.Warning, "~"
	}
	margin := " "
	if size.Small() {
		margin = ""
	}
	var lines []string
	for i, line := range widget.Wrap(m.fault.text, size.Width-2-len(margin)) {
		lead := "  "
		if i == 0 {
			lead = glyph + " "
		}
		lines = append(lines, margin+style.Render(lead+line))
	}
	hint := "enter" + " " + m.t.Get("continue")
	if m.fault.confirmScan {
		hint = m.t.Get("scan it again to confirm")
	}
	if !size.Small() || m.fault.confirmScan {
		for _, a := range enabled(m.fault.actions) {
			hint += "      " + footerKey(m.opts.Keys.KeysFor(a), false) + withSpace(a.Label)
		}
		lines = append(lines, margin+"  "+t.Muted.Render(widget.Clip(hint, size.Width-2-len(margin))))
	}
	if m.fault.note != "" {
		for _, line := range widget.Wrap(m.fault.note, size.Width-2-len(margin)) {
			lines = append(lines, margin+"  "+t.Warning.Render(line))
		}
	}
	return lines
}

// lowerRule separates body and footer. It shows the toast or the number of waiting scans.
func (m *Model) lowerRule(l layout) string {
	if text := m.toastLine(l.width - 1); text != "" {
		return " " + text
	}
	if n := m.scans.pendingScans(); n > 0 {
		return m.opts.Theme.Pending(m.t.Get("%d scans waiting", n))
	}
	return m.opts.Theme.Muted.Render(widget.Rule(l.width))
}

// toastOver paints the toast over the last lines of a small terminal's body, below the
// question. If there is no such line, it replaces the header, which toastOver returns.
func (m *Model) toastOver(body []string, header string, l layout) string {
	if m.toast.text == "" {
		return header
	}
	free := 0
	for i := len(body) - 1; i >= 0 && !strings.Contains(body[i], theme.GlyphAsk); i-- {
		free++
	}
	most := 1
	if l.class == tui.Narrow {
		most = 3
	}
	lines := widget.Wrap(m.toast.text, max(1, l.width-2))
	if m.fault.active() || m.dialog != nil || free == 0 {
		free, most = 0, 1
	}
	if n := min(max(free, 1), most); len(lines) > n {
		lines = append(lines[:n-1], widget.Clip(strings.Join(lines[n-1:], " "), max(0, l.width-2)))
	}
	for i, line := range lines {
		switch {
		case i > 0:
			lines[i] = "  " + line
		case m.toast.warn:
			lines[i] = m.opts.Theme.Warn(line)
		default:
			lines[i] = m.opts.Theme.OK(line)
		}
	}
	if free == 0 {
		return lines[0]
	}
	copy(body[len(body)-len(lines):], lines)
	return header
}

func (m *Model) toastLine(width int) string {
	if m.toast.text == "" {
		return ""
	}
	text := widget.Clip(m.toast.text, max(0, width-2))
	if m.toast.warn {
		return m.opts.Theme.Warn(text)
	}
	return m.opts.Theme.OK(text)
}

func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }
