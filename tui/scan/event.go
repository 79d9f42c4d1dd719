package scan

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Event is a key that a person pressed, or a scan.
type Event struct {
	Key  tea.KeyMsg // if Scan is nil
	Scan *Scan
	// Late says that Key is a terminator that came after the scan before it had ended in
	// silence. It belongs to that scan.
	Late bool
}

// Step is the result of a key or a tick.
type Step struct {
	Events []Event       // in the order they happened
	Wait   time.Duration // call Tick after this time; 0 needs no call
}
