package panel

import (
	"context"
	"slices"
	"strings"

	"bincard/tui"
	"bincard/tui/scan"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// Navigate goes to the only destination, or asks which one.
func Navigate(site *session.Site, destinations []session.Destination) tea.Cmd {
	open := func(d *session.Destination) tea.Cmd {
		if d.Route != "" {
			return tui.Open(d.Route)
		}
		return WorkAt(site, d.Location, tui.Toast(site.T().Get("Location: %s", d.Location.String())))
	}

	if len(destinations) == 1 && destinations[0].Route == "" {
		return open(&destinations[0])
	}

	label := func(d *session.Destination) string { return d.Label }

	return tui.Accept(Choose(site.T().Get("What do you want to do?"), destinations, label, open))
}

// WorkAt makes p the operator's location, and then runs the commands. A terminal that is
// limited to other locations has no data of p.
func WorkAt(site *session.Site, p session.Location, then ...tea.Cmd) tea.Cmd {
	if st := site.SyncStatus(); st != nil && len(st.Locations) > 0 && !slices.Contains(st.Locations, p.Code) {
		return fail(site.T().Get("%s was not chosen: this terminal works at %s only.",
			p.Code, strings.Join(st.Locations, ", ")))
	}
	site.SetLocation(p)
	return tea.Batch(append(then, tui.Accepted(), LocationChanged(p))...)
}

// A LocationChangedMsg notifies a screen that the operator's location was changed on
// it.
type LocationChangedMsg struct{ Location session.Location }

// ChangesHeader makes the shell update the header.
func (LocationChangedMsg) ChangesHeader() {}

// LocationChanged returns a command that sends a LocationChangedMsg.
func LocationChanged(p session.Location) tea.Cmd {
	return func() tea.Msg { return LocationChangedMsg{p} }
}

// ChooseLocation returns the action that asks for the operator's location. The screen
// receives a LocationChangedMsg if it was changed.
func ChooseLocation(site *session.Site, env tui.Env) tui.Action {
	t := site.T()

	return tui.Action{ID: "panel.location", Key: "f6", Label: t.Get("location"),
		Help: t.Get("Choose the location where you work"), Run: func() tea.Cmd {
			return env.Do(func(ctx context.Context) tea.Msg {
				locations, err := site.Locations(ctx)
				switch {
				case err != nil:
					return fail(submit.UserMessage(t, err))()
				case len(locations) == 0:
					return fail(t.Get(
						"There are no locations yet. Scan a location code, or ask your supervisor to add one."))()
				}

				destinations := make([]session.Destination, len(locations))
				options := make([]string, len(locations))
				for i, p := range locations {
					options[i] = p.String()
					destinations[i] = session.Destination{Label: t.Get("Work at %s", options[i]), Location: p}
				}

				return tui.Choose(tui.Choice{Text: t.Get("Where do you work?"), Options: options,
					OnChoice: func(i int) tea.Cmd { return Navigate(site, destinations[i:i+1]) }})()
			})
		}}
}

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
