package tui

import (
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// A Screen is one page of the terminal. The shell calls its methods from one goroutine.
type Screen interface {
	// Init runs once, when the screen opens, with the Env that its Factory got.
	Init(env Env) tea.Cmd
	// Update handles the answers to the screen's own commands, the keys that no
	// action claims, and tea.MouseMsg relative to the screen's body.
	Update(msg tea.Msg) (Screen, tea.Cmd)
	// View paints the body: at most size.Height lines of size.Width cells. The
	// shell cuts off the rest and never wraps.
	View(size Size) string
	// Title says where the operator is, general to specific: "Receive › PO-2026-118".
	Title() string
	// Actions returns what the operator can do, the most wanted first.
	Actions() []Action
}

// A Scanner handles scans. The shell refuses scans on other screens, with two bells.
type Scanner interface {
	OnScan(s scan.Scan) tea.Cmd
}

// A Leaver can refuse to be closed, with a reason. A draft is not a reason: it is saved.
type Leaver interface {
	CanLeave() (ok bool, reason string)
}

// A DraftSaver has work that must survive a crash. The shell takes a snapshot after
// every message and saves it under the screen's route; a nil snapshot discards the saved
// one. The next screen on this route finds it in Env.Draft.
type DraftSaver interface {
	Snapshot() []byte
}

// A Routed screen has other routes for the same document.
type Routed interface {
	Routes() []string
}

// A TextInput has an input that accepts text. The keys it accepts go to Update before
// actions and the shell's "?". The method Types of widget.Question and widget.Form
// implements AcceptsKey.
type TextInput interface {
	AcceptsKey(key tea.KeyMsg) bool
}

// A Busy screen is submitting. Scans wait until it is done and are then delivered in
// order; leaving the program asks first.
type Busy interface {
	Busy() bool
}

// A ShortTitle has a shorter title for small screens. Without it the shell takes the
// part of Title after the last "›".
type ShortTitle interface {
	ShortTitle() string
}

// A Refresher reloads what may have changed. The shell calls Refresh each time the
// screen is on top again, and when the time was set.
type Refresher interface {
	Refresh() tea.Cmd
}

// A Resizer loads what only another size shows. The shell calls Resized after it painted
// the screen on top at a new size.
type Resizer interface {
	Resized() tea.Cmd
}
