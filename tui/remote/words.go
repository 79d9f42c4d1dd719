package remote

//go:generate go run bincard/tui/words/gen

// What is said of sessions over a network.
var (
	onlyTerminal = "This is the terminal alone: no command runs here. Log on without one, or with the word plain for a dialogue of lines."
	full         = "All seats are taken. Try again in a moment, or ask who could log off."
	warnIdle     = "Nobody seems to be here: the session ends in a moment. Press a key to stay."
	byeIdle      = "Ended, as nobody was there. What was counted is kept: log on again."
	byeElsewhere = "Ended, as you logged on elsewhere. What was counted is there."
	byeEnding    = "The terminal is being restarted. What was counted is kept: log on again in a moment."
)
