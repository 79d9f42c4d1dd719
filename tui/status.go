package tui

// Status is what the header shows.
type Status struct {
	Company     string
	Environment string // "LIVE", "TEST"
	Live        bool   // real stock: painted as a warning
	Location    string // "WH-1 Main warehouse"
	Operator    string
	Connection  string // "ONLINE 2s", "OFFLINE 3 h"
	Short       string // the connection on small terminals; if empty, its first word
	Offline     bool
	Pending     int // operations waiting to be sent
	Refused     int // operations that the server refused
}

// StatusMsg changes the header. Send it from outside the program with Program.Send.
type StatusMsg Status

// A HeaderChanger is a message to a screen that also changes the header. The shell
// updates the header at once, not with the next second.
type HeaderChanger interface{ ChangesHeader() }
