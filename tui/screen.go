// Package tui is the shell of the terminal: it runs a stack of screens, hears
// the scanner, owns header, footer, help, palette and dialogs, and keeps drafts.
//
// A screen answers five questions (Screen) and, where it applies, a few more
// (Scanner, Leaver, Keeper, Typist, Worker, Short). It never touches the
// terminal, the clock or the disk: all of that comes with its Env, so that many
// sessions can run in one process. Its actions are data: footer, help, palette,
// remapped keys and the reason why something cannot be done now all come from
// them.
package tui

import (
	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// A Screen is one page of the terminal.
type Screen interface {
	// Init runs once, when the screen opens. The Env given is the one its
	// Factory got; it ends with the screen.
	Init(env Env) tea.Cmd
	// Update handles the answers of the screen's own commands, the keys no
	// action claims, and tea.MouseMsg relative to the screen's body.
	Update(msg tea.Msg) (Screen, tea.Cmd)
	// View paints the body: at most size.Height lines of size.Width cells.
	// What is larger is cut by the shell, never wrapped.
	View(size Size) string
	// Title is where one stands, general to particular: "Receive › PO-2026-118".
	Title() string
	// Actions are what can be done here, the most wanted first.
	Actions() []Action
}

// A Scanner takes scans. A screen without it refuses them, audibly.
type Scanner interface {
	OnScan(s scan.Scan) tea.Cmd
}

// A Leaver may refuse to be left, with the reason. Drafts are no reason: they are kept.
type Leaver interface {
	CanLeave() (ok bool, reason string)
}

// A DraftSaver has work that must survive a crash. The shell takes a snapshot after
// every message and keeps it on disk under the screen's route; nil means there
// is nothing to keep and drops what was kept. The next screen on this route
// finds it in Env.Draft.
type DraftSaver interface {
	Snapshot() []byte
}

// A TextInput has a focused input: it says which keys are text for it. Those go to
// Update before actions and before the shell's own "?"; widget.Question and
// widget.Form answer it with their method Types.
type TextInput interface {
	AcceptsKey(key tea.KeyMsg) bool
}

// A Busy may be busy with a submit. Scans that come meanwhile wait in order
// and are delivered afterwards; leaving asks first.
type Busy interface {
	Busy() bool
}

// A ShortTitle has a shorter title for small screens; without it the shell takes
// what stands after the last "›".
type ShortTitle interface {
	ShortTitle() string
}

// A Refresher wants to know when it is uncovered: Shown runs each time it becomes
// the top screen again, and when the time was set, to refresh what may have
// changed meanwhile.
type Refresher interface {
	Refresh() tea.Cmd
}

// Size is the room a screen has to paint, and the class of the whole terminal.
type Size struct {
	Width, Height int
	Class         Class
}

// Class is a format of terminal that screens compose themselves for.
type Class int

// The classes, small to large.
const (
	Narrow   Class = iota // from 20x16: narrow, tall
	Short                 // from 40x8: a few lines
	Standard              // from 80x24
	Wide                  // from 120x40
	Wall                  // from 200x60
)

// String names the class.
func (c Class) String() string {
	return [...]string{"wrist", "strip", "desk", "wide", "wall"}[c]
}

// ClassOf tells the class of a terminal of width cells and height lines. No
// size is refused: what fits nothing else is a wrist.
func ClassOf(width, height int) Class {
	switch {
	case width >= 180 && height >= 50:
		return Wall
	case width >= 110 && height >= 32:
		return Wide
	case width >= 72 && height >= 14:
		return Standard
	case width >= 32 && height < 14:
		return Short
	}
	return Narrow
}

// Small reports whether there is no room for words beside the essential ones.
func (s Size) Small() bool { return s.Class < Standard }
