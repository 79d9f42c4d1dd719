package shell

import (
	"context"
	"errors"
	"unicode/utf8"

	"bincard/tui"

	tea "github.com/charmbracelet/bubbletea"
)

// minFindRunes is the shortest text that the find dialog searches for.
const minFindRunes = 2

// foundMsg is the answer of the finder.
type foundMsg struct {
	text  string // searched for
	found []tui.Found
	err   error
}

// showFind opens the find dialog. It lists what the typed text may mean, and what is
// chosen there is handled like a scan.
func (m *Model) showFind() tea.Cmd {
	m.dialogs.ShowFind(m.topID(), m.t.Get("Scan, or type a name or number"))
	return nil
}

// search searches for the text of the find dialog, unless a search is under way: then the
// next one starts with its answer.
func (m *Model) search() tea.Cmd {
	text, open := m.dialogs.FindText()
	find := m.opts.Registry.Finder
	if !open || m.searching || find == nil {
		return nil
	}
	if utf8.RuneCountInString(text) < minFindRunes {
		m.dialogs.ShowFound("", nil, nil)
		return nil
	}
	m.searching = true
	return m.route(0, func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, m.opts.Limit)
		defer cancel()
		found, err := find(ctx, text)
		return foundMsg{text, found, err}
	})
}

// showFound shows the answer in the find dialog, and searches again if the text changed.
func (m *Model) showFound(msg foundMsg) tea.Cmd {
	m.searching = false
	text, open := m.dialogs.FindText()
	if !open {
		return nil
	}
	if errors.Is(msg.err, context.DeadlineExceeded) {
		msg.err = errors.New(m.noAnswer())
	}
	m.dialogs.ShowFound(msg.text, msg.found, msg.err)
	if text != msg.text {
		return m.search()
	}
	return nil
}
