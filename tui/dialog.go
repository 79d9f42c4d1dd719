package tui

import tea "github.com/charmbracelet/bubbletea"

// A Question is a dialog with two answers.
type Question struct {
	Text        string // "Close PO-2026-118 with 12 pieces missing?"
	Yes         string // label of enter; "yes" if empty
	YesShort    string // Yes on small screens; Yes if empty
	No          string // label of esc; "no" if empty
	OnYes, OnNo func() tea.Cmd
}

// Confirm asks a question above the screen.
func Confirm(q Question) tea.Cmd { return send(DialogMsg{Question: &q}) }

// A Request is a dialog that asks for one line of text. A scan fills it.
type Request struct {
	Text   string                  // "Reason for the adjustment"
	Value  string                  // the initial text
	Check  func(text string) error // its error is shown and keeps the dialog open; may be nil
	OnText func(text string) tea.Cmd
}

// Prompt asks for one line of text above the screen.
func Prompt(r Request) tea.Cmd { return send(DialogMsg{Request: &r}) }

// A Choice is a dialog with a list of options, filtered by what is typed.
type Choice struct {
	Text     string
	Options  []string
	OnChoice func(index int) tea.Cmd
	Numbered bool                      // the digit of an option chooses it; before enter if there is no OnText
	OnText   func(text string) tea.Cmd // takes a text that begins no option; nil if only options can be chosen
}

// Choose offers a list above the screen.
func Choose(c Choice) tea.Cmd { return send(DialogMsg{Choice: &c}) }
