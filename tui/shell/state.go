package shell

import "bincard/tui"

// Idle reports whether nothing is in progress: no pending command, no partial or queued
// scan, no dialog that still ignores keys.
func (m *Model) Idle() bool {
	return m.pending.Empty() && !m.input.Collecting() && m.input.Empty() && !m.dialogs.Guarded()
}

// Route returns the route of the screen on top.
func (m *Model) Route() string {
	if s := m.screens.top(); s != nil {
		return s.env.Route.Path
	}
	return ""
}

// Routes returns the routes of all open screens, the last on top.
func (m *Model) Routes() []string {
	return m.screens.routes()
}

// Top returns the screen on top, for tests.
func (m *Model) Top() tui.Screen {
	if s := m.screens.top(); s != nil {
		return s.screen
	}
	return nil
}

// Conflicts returns the keys that have two actions on the screen on top.
func (m *Model) Conflicts() []tui.Conflict { return m.screens.conflicts() }

// Err returns the crash that ended the session, or nil.
func (m *Model) Err() error { return m.panicErr }

// Fault returns the error that is shown, or "".
func (m *Model) Fault() string { return m.alerts.fault.Text }

// Toast returns the current toast, or "".
func (m *Model) Toast() string { return m.alerts.toast.Text }

// Dialog returns the text of the dialog on top, or "".
func (m *Model) Dialog() string { return m.dialogs.Title() }
