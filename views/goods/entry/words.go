package entry

//go:generate go run bincard/tui/words/gen

// What actions are called.
var (
	labelMakeAnother = "make another"
	labelSendAgain   = "send again"
	labelChangeIt    = "change it"
	labelSave        = "save"
	labelClear       = "clear"
)

// What actions are called where there is little room.
var (
	shortAnother = "another"
	shortAgain   = "again"
	shortChange  = "change"
)

// What actions are for.
var (
	helpTypeOnWithoutKnowing = "Type on, without knowing whether the first one was saved"
	helpMakeItAsThe          = "Make it as the form says"
	helpEmptyTheFormAnd      = "Empty the form and drop its draft"
)

// What is asked in lines.
var (
	questionAgainOrBack = "again or back"
)

// What is asked.
var (
	askPerhapsItWasSaved = "Perhaps it was saved all the same: then it is on the list already. Change what is typed?"
	askDropWhatIsTyped   = "Drop what is typed here?"
)

// What is said.
var (
	saidTakenBy          = "taken by %s"
	saidNothingWasSaved  = "%s: %s. Nothing was saved."
	saidNoAnswerYet      = "No answer yet: %s"
	saidSaveEndsIt       = "%s; save ends it"
	saidWhatWasSentHas   = "What was sent has no answer yet, so nothing was changed. Send it again first (enter)."
	saidDoesNotFitThat   = "%s does not fit that field. Nothing was changed."
	saidHereItWaitsFor   = "(here; it waits for the link)"
	saidWaitTheServiceIs = "Wait: the service is being asked"
	saidIsThatOfAlready  = "%s is that of %s (%s) already. Nothing was changed."
	saidNoAnswerYetEnter = "No answer yet: enter sends it again"
	saidNoAnswerEnter    = "no answer: enter"
)

// What is said when a write brought no answer, by whether it can have arrived.
var (
	unreached = "The service cannot be reached. Nothing was saved; what you typed is kept. Save it again in a moment (ctrl+s)."
	unknown   = "No answer came, so nobody knows whether it was saved. Send it again (enter): it is made once."
)
