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
func (r *actions) showFind() tea.Cmd {
	r.dialogs.ShowFind(r.screens.topID(), r.t.Get("Scan, or type a name or number"))
	return nil
}

// search searches for the text of the find dialog, unless a search is under way: then the
// next one starts with its answer.
func (r *actions) search() tea.Cmd {
	text, open := r.dialogs.FindText()
	if !open || r.searching || r.opts.Registry.Finder == nil {
		return nil
	}
	if utf8.RuneCountInString(text) < minFindRunes {
		r.dialogs.ShowFound("", nil, nil)
		return nil
	}

	r.searching = true

	return r.find(text, false)
}

// find runs the finder.
func (r *actions) find(text string, choose bool) tea.Cmd {
	find := r.opts.Registry.Finder
	return r.pending.Start(0, func() tea.Msg {
		ctx, cancel := context.WithTimeout(r.screens.ctx, r.opts.Limit)
		defer cancel()
		found, err := find(ctx, text)
		return foundMsg{text, found, err, choose}
	})
}

// found shows the answer in the find dialog, and searches again if the text changed.
func (r *actions) found(msg foundMsg) tea.Cmd {
	if msg.choose {
		return r.chooseFound(msg)
	}

	r.searching = false
	text, open := r.dialogs.FindText()
	if !open {
		return nil
	}
	if errors.Is(msg.err, context.DeadlineExceeded) {
		msg.err = errors.New(r.alerts.noAnswer())
	}

	r.dialogs.ShowFound(msg.text, msg.found, msg.err)
	if text != msg.text {
		return r.search()
	}

	return nil
}

// chooseFound handles the only result like a scan, or asks which of several is meant. A
// text without results is a code.
func (r *actions) chooseFound(msg foundMsg) tea.Cmd {
	scanned := func(code string) tea.Cmd { return tui.Scanned(scan.Parse(code, r.opts.screenClock().Now())) }
	switch {
	case len(msg.found) == 0 || strings.EqualFold(msg.found[0].Code, msg.text):
		return scanned(msg.text)
	case len(msg.found) == 1:
		return scanned(msg.found[0].Code)
	}

	var items []dialog.Item
	for _, f := range msg.found {
		items = append(items, dialog.Item{
			Label: widget.Clean(f.Label + "  " + f.Detail),
			Shell: true,
			Run:   func() tea.Cmd { return scanned(f.Code) },
		})
	}

	r.dialogs.ShowList(r.screens.topID(), r.t.Get("Which one?"), items)

	return nil
}
