package plain

//go:generate go run bincard/tui/words/gen

// What a dialogue says of itself.
var (
	saidWait     = "wait..."
	saidUnused   = "Not used: %s"
	saidTooLong  = "That was too much text for a line. Nothing was done."
	saidBreak    = "Press ctrl+c again to quit"
	saidYesNo    = "Answer yes or no."
	saidOption   = "Choose by the number before a line, or go back."
	saidNoRow    = "There is no line %d here."
	saidFault    = "Not done: acknowledge the message first (enter)"
	saidConfirm  = "Scan it again to confirm, or enter."
	saidMore     = "%d of %d%s %s: more"
	saidMoreThan = "there are more than %d %s"
)

// What it asks.
var (
	askNumber = "number"
	askYesNo  = "yes or no"
	askAnswer = "answer"
	askValue  = "answer (%s)"
	askAgain  = "again, or enter"
	askGoOn   = "enter goes on"
)

// What can be said everywhere.
var (
	helpHead  = "A line is a scan, a number, or one of these words:"
	helpBack  = "back: leave what stands here; home: leave everything"
	helpWhere = "where, or an empty line: say again where this is; more: the rest of a list"
	helpRow   = "#3: line 3 of a list; find TEXT: look anything up; =TEXT: a code that is also a word"
	helpGo    = "receive PO-1, ship TR-1, arrive TR-1, fulfill SO-1, explain SKU@PLACE, stock, movements: go there"
	helpQuit  = "quit: leave; unsent work is kept"
	helpNot   = "%s (not now: %s)"
)
