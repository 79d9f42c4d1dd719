package shell

import (
	"strings"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
)

// showPalette lists all actions and all screens to open.
func (m *Model) showPalette() tea.Cmd {
	d := &dialog{kind: choiceKind, title: m.t.Get("Type an action or a screen"), screen: m.screenID(m.top())}
	add := func(f *frame, actions []tui.Action) {
		for _, a := range actions {
			if a.Run == nil { // it only shows the keys of other actions
				continue
			}
			d.items = append(d.items, item{label: widget.Clean(a.Label), keys: keyNames(m.opts.Keys.KeysFor(a)),
				disabled: a.DisabledReason(), unrouted: true, run: func() tea.Cmd { return m.runAction(f, a) }})
		}
	}
	f := m.top()
	if f != nil {
		add(f, m.actions(f))
	}
	for _, e := range m.opts.Registry.Entries() {
		if e.Label == "" || strings.Contains(e.Pattern, "{") {
			continue
		}
		it := item{label: m.t.Get("open %s", m.t.Get(e.Label)), unrouted: true, run: func() tea.Cmd { return m.openRoute(e.Pattern, false) }}
		if e.Denied != nil && f != nil {
			it.disabled = e.Denied(f.env)
		}
		d.items = append(d.items, it)
	}
	for _, a := range m.globalActions() {
		if a.ID != "shell.palette" {
			add(f, []tui.Action{a})
		}
	}
	d.filter()
	m.dialog = d
	return nil
}

// showFind asks for a text that the screen gets like a scan.
func (m *Model) showFind() tea.Cmd {
	m.dialog = &dialog{kind: findKind, title: m.t.Get("Scan or type anything"), screen: m.screenID(m.top())}
	return nil
}

// labels implements fuzzy.Source.
type labels []item

func (l labels) String(i int) string { return l[i].label }
func (l labels) Len() int            { return len(l) }

// filter keeps the items that match the input.
func (d *dialog) filter() {
	d.matches = d.matches[:0]
	d.cursor, d.scroll = 0, 0
	if text := strings.TrimSpace(d.input.Value()); text != "" {
		for _, match := range fuzzy.FindFrom(text, labels(d.items)) {
			d.matches = append(d.matches, match.Index)
		}
		return
	}
	for i := range d.items {
		d.matches = append(d.matches, i)
	}
}

func (m *Model) listKey(d *dialog, k tea.KeyMsg, key string) tea.Cmd {
	switch key {
	case "esc":
		m.popDialog()
		return m.drain()
	case "up", "ctrl+k":
		d.cursor = max(0, d.cursor-1)
	case "down", "ctrl+j":
		d.cursor = min(max(0, len(d.matches)-1), d.cursor+1)
	case "pgup":
		d.cursor = max(0, d.cursor-10)
	case "pgdown":
		d.cursor = min(max(0, len(d.matches)-1), d.cursor+10)
	case "enter":
		return m.runChosen(d)
	default:
		d.problem = ""
		if d.input.Key(k) {
			d.filter()
		}
	}
	return nil
}

func (m *Model) runChosen(d *dialog) tea.Cmd {
	if d.kind == findKind {
		m.popDialog()
		text := strings.TrimSpace(d.input.Value())
		if text == "" {
			return m.drain()
		}
		return m.onScan(scan.Parse(text, m.opts.screenClock().Now()))
	}
	if len(d.matches) == 0 {
		return nil
	}
	it := d.items[d.matches[d.cursor]]
	if it.disabled != "" {
		d.problem = widget.Clean(it.disabled)
		return nil
	}
	m.popDialog()
	if it.unrouted {
		return tea.Batch(it.run(), m.drain())
	}
	return m.runFromDialog(d, it.run)
}
