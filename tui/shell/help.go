package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/widget"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
)

// showHelp opens the help page: the actions of the screen and of the shell.
func (m *Model) showHelp() tea.Cmd {
	f := m.top()
	if f == nil {
		return nil
	}
	d := &dialog{kind: helpKind, title: m.t.Get("help") + ": " + widget.Clean(f.screen.Title()), screen: m.screenID(f)}
	if m.keyConflicts != "" {
		for _, line := range strings.Split(m.keyConflicts, "; ") {
			d.help = append(d.help, helpLine{disabled: line})
		}
		d.help = append(d.help, helpLine{})
	}
	d.help = append(d.help, m.helpLines(m.actions(f))...)
	d.help = append(d.help, helpLine{}, helpLine{head: m.t.Get("Everywhere")})
	d.help = append(d.help, m.helpLines(m.globalActions())...)
	d.page = viewport.New(0, 0)
	m.dialog = d
	return nil
}

// helpLine is an entry of the help: an action, a heading, or a warning alone.
type helpLine struct{ keys, text, disabled, head string }

func (m *Model) helpLines(actions []tui.Action) (lines []helpLine) {
	for _, a := range actions {
		text := a.Help
		if text == "" {
			text = a.Label
		}
		lines = append(lines, helpLine{keys: keyNames(m.opts.Keys.KeysFor(a)), text: widget.Clean(text), disabled: widget.Clean(a.DisabledReason())})
	}
	return lines
}

// helpText wraps the help to a width. The reason of a disabled action is below its text.
func (m *Model) helpText(help []helpLine, width int) string {
	t := m.opts.Theme
	keys := 10
	if width < 40 {
		keys = 6
	}
	var out []string
	for _, h := range help {
		switch {
		case h.head != "":
			out = append(out, t.Muted.Render(h.head))
		case h.text != "":
			lead := t.Strong.Render(h.keys)
			if widget.Width(h.keys) > keys {
				out, lead = append(out, lead), ""
			}
			for _, line := range widget.Wrap(h.text, width-keys-1) {
				if h.disabled != "" {
					line = t.Muted.Render(line)
				}
				out, lead = append(out, widget.Left(lead, keys)+" "+line), ""
			}
		case h.disabled == "":
			out = append(out, "")
		}
		if h.disabled != "" {
			for i, line := range widget.Wrap(h.disabled, width-keys-3) {
				if i == 0 {
					line = t.Warn(line)
				} else {
					line = "  " + t.Warning.Render(line)
				}
				out = append(out, spaces(keys+1)+line)
			}
		}
	}
	return strings.Join(out, "\n")
}

func (m *Model) helpKey(d *dialog, k tea.KeyMsg, key string) tea.Cmd {
	switch key {
	case "esc", "enter", "?", "f1", "q":
		m.popDialog()
		return m.drain()
	}
	d.page, _ = d.page.Update(k)
	return nil
}

// keyNames formats keys for the screen: "F4 enter ctrl+p".
func keyNames(keys []string) string {
	named := make([]string, len(keys))
	for i, k := range keys {
		named[i] = keyName(k)
	}
	return strings.Join(named, " ")
}

func keyName(key string) string {
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "pgdown":
		return "PgDn"
	case "pgup":
		return "PgUp"
	}
	if len(key) > 1 && key[0] == 'f' && key[1] >= '1' && key[1] <= '9' {
		return strings.ToUpper(key)
	}
	return key
}
