package panel

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/session"
)

// A ScanLookup looks up the scans of a screen outside the update loop. Found must receive
// the messages of the screen.
type ScanLookup struct{ pending bool }

// scannedMsg is the result of a lookup.
type scannedMsg struct {
	open func() tea.Cmd
	err  error
}

// Busy reports whether a scan is being looked up; the next scan waits.
func (l *ScanLookup) Busy() bool { return l.pending }

// LookUp runs look, which returns what to do with a scan.
func (l *ScanLookup) LookUp(env tui.Env, look func(ctx context.Context) (open func() tea.Cmd, err error)) tea.Cmd {
	l.pending = true
	return env.Do(func(ctx context.Context) tea.Msg {
		open, err := look(ctx)
		return scannedMsg{open, err}
	})
}

// Resolve opens what was scanned, anywhere in the terminal.
func (l *ScanLookup) Resolve(env tui.Env, site *session.Site, got scan.Scan) tea.Cmd {
	r := count.ParseLabel(site.T(), got)
	return l.LookUp(env, func(ctx context.Context) (func() tea.Cmd, error) {
		destinations, err := site.Resolve(ctx, r)
		return func() tea.Cmd { return Navigate(site, destinations) }, err
	})
}

// Found does what a lookup found, and reports whether a message was one.
func (l *ScanLookup) Found(site *session.Site, msg tea.Msg) (cmd tea.Cmd, handled bool) {
	m, ok := msg.(scannedMsg)
	if !ok {
		return nil, false
	}
	l.pending = false
	if m.err != nil {
		return FailScan(site, m.err), true
	}
	return m.open(), true
}
