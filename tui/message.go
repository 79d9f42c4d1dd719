package tui

import (
	"context"
	"errors"
	"time"

	"bincard/tui/scan"

	tea "github.com/charmbracelet/bubbletea"
)

// Open opens a route above the present screen. Opening the route on which one
// stands does nothing.
func Open(route string) tea.Cmd { return msgCmd(openMsg{route: route}) }

// Replace opens a route in the place of the present screen.
func Replace(route string) tea.Cmd { return msgCmd(openMsg{route: route, replace: true}) }

// Home closes everything above the first screen.
func Home() tea.Cmd { return msgCmd(homeMsg{}) }

// Back closes the present screen; its draft stays kept.
func Back() tea.Cmd { return msgCmd(backMsg{}) }

// Toast shows a success for a few seconds.
func Toast(text string) tea.Cmd { return msgCmd(toastMsg{text: text}) }

// Warn shows for a few seconds something that went not as wished but needs no answer.
func Warn(text string) tea.Cmd { return msgCmd(toastMsg{text: text, warn: true}) }

// Fail shows an error in the place of the question, with two bells. It stands
// until enter or esc acknowledges it; meanwhile a scan is refused audibly.
// The actions given can be done while it stands, and acknowledge it too.
// A nil error shows nothing, nor does a question that was taken back
// (context.Canceled); a limit that passed is told in words.
func Fail(err error, actions ...Action) tea.Cmd {
	if err == nil || errors.Is(err, context.Canceled) {
		return nil
	}
	return msgCmd(failMsg{text: err.Error(), err: err, actions: actions})
}

// ConfirmScan asks to scan the same code again: it is right, but was not expected.
// The same scan again runs yes; enter or esc lets it be; another scan lets it
// be and is handled as usual.
func ConfirmScan(text string, s scan.Scan, yes func() tea.Cmd) tea.Cmd {
	return msgCmd(failMsg{text: text, confirmScan: true, code: s.Raw, yes: yes})
}

// Accepted rings once, for an accepted scan.
func Accepted() tea.Cmd { return Bell(1) }

// Bell rings n times.
func Bell(n int) tea.Cmd { return msgCmd(bellMsg{n: n}) }

// Copy puts text on the clipboard of the one who sits at the terminal.
func Copy(text string) tea.Cmd { return msgCmd(copyMsg{text: text}) }

// Quit asks to leave the program, as ctrl+q does.
func Quit() tea.Cmd { return msgCmd(quitMsg{}) }

// SetStatus changes what the header says.
func SetStatus(s Status) tea.Cmd { return msgCmd(StatusMsg(s)) }

// Scanned hands the present screen a scan, as if the scanner had sent it.
func Scanned(s scan.Scan) tea.Cmd { return msgCmd(scannedMsg{scan: s}) }

// A Question is a dialog with two answers.
type Question struct {
	Text        string // "Close PO-2026-118 with 12 pieces missing?"
	Yes         string // label of enter; "yes" if empty
	No          string // label of esc; "no" if empty
	OnYes, OnNo func() tea.Cmd
}

// Confirm asks a question above the screen.
func Confirm(q Question) tea.Cmd { return msgCmd(dialogMsg{question: &q}) }

// A Request is a dialog that asks for one line of text. A scan fills it.
type Request struct {
	Text   string                  // "Reason for the adjustment"
	Value  string                  // what stands there at first
	Check  func(text string) error // refuses what cannot be used, in words; may be nil
	OnText func(text string) tea.Cmd
}

// Prompt asks for one line of text above the screen.
func Prompt(r Request) tea.Cmd { return msgCmd(dialogMsg{request: &r}) }

// A Choice is a dialog that offers a list, filtered by what is typed.
type Choice struct {
	Text     string
	Options  []string
	OnChoice func(index int) tea.Cmd
}

// Choose offers a list above the screen.
func Choose(c Choice) tea.Cmd { return msgCmd(dialogMsg{choice: &c}) }

// StatusMsg tells the shell what the header says; send it from outside with
// Program.Send, or from a screen with SetStatus.
type StatusMsg Status

// A HeaderChanger is a message to a screen after which the header says something
// else: it is asked at once (Options.Header) and not with the next second.
type HeaderChanger interface{ ChangesHeader() }

// Status is what the header says of where one stands.
type Status struct {
	Company     string
	Environment string // "LIVE", "TEST"
	Live        bool   // painted as a warning: this is not practice
	Location    string // "WH-1 Main warehouse"
	Operator    string
	Connection  string // "ONLINE 2s", "OFFLINE 3 h"
	Offline     bool
	Pending     int // commands that wait to be sent
	Refused     int // commands that the server refused
}

func msgCmd(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

type (
	openMsg struct {
		route   string
		replace bool
	}
	homeMsg  struct{}
	backMsg  struct{}
	quitMsg  struct{}
	toastMsg struct {
		text string
		warn bool
	}
	failMsg struct {
		text        string
		err         error
		actions     []Action
		confirmScan bool
		code        string
		yes         func() tea.Cmd
	}
	bellMsg    struct{ n int }
	copyMsg    struct{ text string }
	scannedMsg struct{ scan scan.Scan }
	dialogMsg  struct {
		question *Question
		request  *Request
		choice   *Choice
	}
	afterMsg struct {
		d  time.Duration
		fn func(time.Time) tea.Msg
	}
)
