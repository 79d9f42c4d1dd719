package plain

//go:generate go run bincard/tui/words/gen

// What a dialogue says of itself.
var (
	saidWait     = "wait..."
	saidUnused   = "Ignored: %s"
	saidTooLong  = "Too much text for one line. Nothing was done."
	saidBreak    = "Press ctrl+c again to quit"
	saidYesNo    = "Answer yes or no."
	saidOption   = "Type the number of a line, or back."
	saidNoRow    = "There is no line %d."
	saidFault    = "Not done. Press enter to clear the message first"
	saidConfirm  = "Scan it again to confirm, or press enter."
	saidMore     = "%d of %d%s %s: more"
	saidMoreThan = "more than %d %s"
)

// What it asks.
var (
	askNumber = "number"
	askYesNo  = "yes or no"
	askAnswer = "answer"
	askValue  = "answer (%s)"
	askAgain  = "again, or enter"
	askGoOn   = "enter continues"
)

// What can be said everywhere.
var (
	helpHead  = "A line is a scan, a number, or one of these words:"
	helpBack  = "back: leave this screen; home: leave all screens"
	helpWhere = "where, or an empty line: repeat where you are; more: the rest of a list"
	helpRow   = "#3: line 3 of a list; find TEXT: look up anything; =TEXT: a code that is also a word"
	helpGo    = "receive PO-1, ship TR-1, arrive TR-1, fulfill SO-1, explain SKU@LOCATION, stock, movements: open a screen"
	helpQuit  = "quit: leave; unsent work is saved"
	helpNot   = "%s (not now: %s)"
)
