package remote

//go:generate go run bincard/tui/words/gen

// What is said of sessions over a network.
var (
	onlyTerminal = "Only the terminal is available: no command runs here. Connect without a command, or with plain for line mode."
	full         = "Too many sessions. Try again in a moment, or ask someone to sign out."
	warnIdle     = "This session ends soon because it is idle. Press a key to stay."
	byeIdle      = "Session ended because it was idle. Your counts are saved: sign in again."
	byeElsewhere = "Session moved to your other terminal. Your counts are saved."
	byeEnding    = "The terminal is restarting. Your counts are saved: sign in again in a moment."
)
