package tui

import (
	"context"
	"errors"

	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// Open opens a route above the present screen. It does nothing if the present screen
// has that route.
func Open(route string) tea.Cmd { return send(OpenMsg{Route: route}) }

// Opens returns what an action runs to open a route.
func Opens(route string) func() tea.Cmd { return func() tea.Cmd { return Open(route) } }

// OpenDraft opens a route with the draft of an owner. The operator takes over the draft of
// another one, after a question.
func OpenDraft(route, owner string) tea.Cmd { return send(OpenMsg{Route: route, DraftOf: owner}) }

// Replace closes the present screen and opens a route in its place.
func Replace(route string) tea.Cmd { return send(OpenMsg{Route: route, Replace: true}) }

// Redirect is Replace where the draft of the document is under another route. If it is
// another operator's and is left, the present screen closes too.
func Redirect(route string) tea.Cmd {
	return send(OpenMsg{Route: route, Replace: true, Redirect: true})
}

// Back closes the present screen. Its draft stays saved.
func Back() tea.Cmd { return send(BackMsg{}) }

// Toast shows a success for a few seconds in place of the last one; "" only removes that.
func Toast(text string) tea.Cmd { return send(ToastMsg{Text: text}) }

// Warn shows for a few seconds a problem that needs no answer.
func Warn(text string) tea.Cmd { return send(ToastMsg{Text: text, Warn: true}) }

// Fail shows an error in the place of the screen's question and rings twice. The error
// stays until enter or esc acknowledges it; until then the shell refuses scans. The
// operator can run the given actions while it stays, which also acknowledges it. Fail
// ignores a nil error and context.Canceled.
func Fail(err error, actions ...Action) tea.Cmd {
	if err == nil || errors.Is(err, context.Canceled) {
		return nil
	}
	return send(FailMsg{Text: err.Error(), Err: err, Actions: actions})
}

// ConfirmScan asks for the same code again because the first scan was valid but
// unexpected. The same scan runs yes. Enter, esc and any other scan cancel; the other
// scan is then handled as usual.
func ConfirmScan(text string, s scan.Scan, yes func() tea.Cmd) tea.Cmd {
	return send(FailMsg{Text: text, ConfirmScan: true, Code: s.Raw, OnYes: yes})
}

// Accepted rings once, for an accepted scan.
func Accepted() tea.Cmd { return Bell(1) }

// Accept is Accepted with the command that the scan means.
func Accept(then tea.Cmd) tea.Cmd { return tea.Batch(Accepted(), then) }

// Bell rings n times.
func Bell(n int) tea.Cmd { return send(BellMsg{N: n}) }

// Perform runs an action as if its key had been pressed, so that a supervisor can approve
// it. It is for actions whose needs are only known after a question.
func Perform(a Action) tea.Cmd { return send(PerformMsg{Action: a}) }

// Copy puts text on the operator's clipboard.
func Copy(text string) tea.Cmd { return send(CopyMsg{Text: text}) }

// Scanned gives the present screen a scan, as if the scanner had sent it.
func Scanned(s scan.Scan) tea.Cmd { return send(ScannedMsg{Scan: s}) }

func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
