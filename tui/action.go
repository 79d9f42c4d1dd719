package tui

import tea "github.com/charmbracelet/bubbletea"

// An Action is something that an operator can do on a screen. The footer, the help,
// the palette, mouse targets and remapped keys all come from it.
type Action struct {
	ID       string   // stable name for remapping: "panel.record"
	Key      string   // as Bubble Tea names it: "f4", "enter", "+", "ctrl+e"; "" for none
	MoreKeys []string // that run it too
	Label    string   // for footer and palette: "receive 48"
	Short    string   // for small screens; Label if empty
	Help     string   // one sentence for the help page; Label if empty

	Dangerous bool   // the shell asks before it runs
	Ask       string // the question of a dangerous action: "Close PO-1 with 12 pieces missing?"
	// Yes and No are the labels of its answers, "cancel the delivery" and "keep it"; Label
	// and "no" if empty.
	Yes, No  string
	NoFooter bool // in help and palette only

	Command    Command // the command barcode that runs it, if any
	Supervisor bool    // needs a supervisor's approval, where operators sign in
	Needs      []Need  // needs it too if the operator's role does not allow all of them

	// Approve says what a supervisor approves: "close PO-1 short, 12 not received"; Label if
	// nil.
	Approve func() string

	Disabled func() string  // why it cannot run now, or ""; nil if it always can
	Run      func() tea.Cmd // nil only shows the keys of other actions in the footer

	// Shell marks an action of the shell itself, whose command belongs to no screen.
	// Screens leave it false.
	Shell bool
}

// Keys returns the keys that run the action unless a Keymap replaces them.
func (a Action) Keys() []string {
	if a.Key == "" {
		return nil
	}
	return append([]string{a.Key}, a.MoreKeys...)
}

// DisabledReason returns why the action cannot run now, or "".
func (a Action) DisabledReason() string {
	if a.Disabled == nil {
		return ""
	}
	return a.Disabled()
}
