package shell

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/shell/internal/dialog"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// minFindRunes is the shortest text that the find dialog searches for.
const minFindRunes = 2

// foundMsg is the answer of the finder.
type foundMsg struct {
	text   string // searched for
	found  []tui.Found
	err    error
	choose bool // ask which is meant, without the find dialog
}

// showFind opens the find dialog. It lists what the typed text may mean, and what is
// chosen there is handled like a scan.
func (m *Model) showFind() tea.Cmd {
	m.dialogs.ShowFind(m.screens.topID(), m.t.Get("Scan, or type a name or number"))
	return nil
}

// search searches for the text of the find dialog, unless a search is under way: then the
// next one starts with its answer.
func (m *Model) search() tea.Cmd {
	text, open := m.dialogs.FindText()
	if !open || m.searching || m.opts.Registry.Finder == nil {
		return nil
	}
	if utf8.RuneCountInString(text) < minFindRunes {
		m.dialogs.ShowFound("", nil, nil)
		return nil
	}
	m.searching = true
	return m.find(text, false)
}

// find runs the finder.
func (m *Model) find(text string, choose bool) tea.Cmd {
	find := m.opts.Registry.Finder
	return m.pending.Start(0, func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, m.opts.Limit)
		defer cancel()
		found, err := find(ctx, text)
		return foundMsg{text, found, err, choose}
	})
}

// showFound shows the answer in the find dialog, and searches again if the text changed.
func (m *Model) showFound(msg foundMsg) tea.Cmd {
	if msg.choose {
		return m.chooseFound(msg)
	}
	m.searching = false
	text, open := m.dialogs.FindText()
	if !open {
		return nil
	}
	if errors.Is(msg.err, context.DeadlineExceeded) {
		msg.err = errors.New(m.alerts.noAnswer())
	}
	m.dialogs.ShowFound(msg.text, msg.found, msg.err)
	if text != msg.text {
		return m.search()
	}
	return nil
}

// chooseFound handles the only result like a scan, or asks which of several is meant. A
// text without results is a code.
func (m *Model) chooseFound(msg foundMsg) tea.Cmd {
	scanned := func(code string) tea.Cmd { return m.onScan(scan.Parse(code, m.opts.screenClock().Now())) }
	switch {
	case len(msg.found) == 0 || strings.EqualFold(msg.found[0].Code, msg.text):
		return scanned(msg.text)
	case len(msg.found) == 1:
		return scanned(msg.found[0].Code)
	}
	var items []dialog.Item
	for _, f := range msg.found {
		items = append(items, dialog.Item{Label: widget.Clean(f.Label + "  " + f.Detail), Shell: true, Run: func() tea.Cmd { return scanned(f.Code) }})
	}
	m.dialogs.ShowList(m.screens.topID(), m.t.Get("Which one?"), items)
	return nil
}
