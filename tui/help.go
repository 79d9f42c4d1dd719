package tui

import (
	"strings"

	"bincard/tui/widget"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
)

// showHelp writes the help page from what can be done on the screen.
func (m *Model) showHelp() tea.Cmd {
	f := m.top()
	if f == nil {
		return nil
	}
	d := &dialog{kind: helpKind, title: m.words.Say("help") + ": " + widget.Clean(f.screen.Title()), screen: m.id(f)}
	var body []string
	if m.hint != "" {
		for _, line := range strings.Split(m.hint, "; ") {
			body = append(body, m.opts.Theme.Warn(line))
		}
		body = append(body, "")
	}
	body = append(body, m.helpLines(m.actions(f))...)
	body = append(body, "", m.opts.Theme.Muted.Render(m.words.Say("help.everywhere")))
	body = append(body, m.helpLines(m.everywhere())...)
	d.page = viewport.New(0, 0)
	d.page.SetContent(strings.Join(body, "\n"))
	m.dialog = d
	return nil
}

func (m *Model) helpLines(actions []Action) []string {
	var lines []string
	for _, a := range actions {
		text := a.Help
		if text == "" {
			text = a.Label
		}
		line := widget.Left(m.opts.Theme.Strong.Render(keyNames(m.opts.Keys.Of(a))), 10) + " " + widget.Clean(text)
		if reason := a.Off(); reason != "" {
			line = m.opts.Theme.Muted.Render(line) + "  " + m.opts.Theme.Warn(widget.Clean(reason))
		}
		lines = append(lines, line)
	}
	return lines
}

func (m *Model) helpKey(d *dialog, k tea.KeyMsg, key string) tea.Cmd {
	switch key {
	case "esc", "enter", "?", "f1", "q":
		m.lower()
		return m.drain()
	}
	d.page, _ = d.page.Update(k)
	return nil
}

// keyNames is how keys are written for people: "F4", "enter", "ctrl+p".
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
