package tui

import (
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Speaker describes itself in words, for line mode and screen readers. The shell reads
// out the view of other screens.
type Speaker interface {
	Speech() Speech
}

// A Speech is a screen in words. Its texts have no colors and one line each, of any
// width.
type Speech struct {
	Facts     []string // the state of the screen, the most important first
	Feed      []string // the results of scans, the newest first
	FeedCount int      // how many results there were in all
	Question  string   // what to enter: "scan or number"
	// List has rows to choose by number, or is nil.
	List *Listing
	// Form is asked field by field, or nil.
	Form *widget.Form
	// Numbers says that a number is a quantity; rows are then chosen with "#".
	Numbers bool
	// Enter says that an empty line runs the action on enter, as the prompt says.
	Enter bool
	// Search says that words narrow the list.
	Search bool
}

// A Listing is a list of rows that are rendered one at a time.
type Listing struct {
	Len  int
	Noun string // what the rows are: "expected", "movements"
	More bool   // there are rows that are not loaded
	Line func(row int) string
	// Number returns the number that names a row if it is not its position; may be nil.
	Number func(row int) int
	// Select moves the cursor to a row; enter then acts on it.
	Select func(row int)
	// Activate acts on a row in place of Select and enter; may be nil. Without a command it
	// only selects the row.
	Activate func(row int) tea.Cmd
}

// NumberOf returns the number that names a row.
func (l *Listing) NumberOf(row int) int {
	if l.Number == nil {
		return row + 1
	}
	return l.Number(row)
}

// Row returns the row with a number. ok is false if no row has it.
func (l *Listing) Row(number int) (row int, ok bool) {
	if l.Number == nil {
		return number - 1, number >= 1 && number <= l.Len
	}
	for row := range l.Len {
		if l.Number(row) == number {
			return row, true
		}
	}

	return 0, false
}
