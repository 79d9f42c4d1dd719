package entry

//go:generate go run bincard/tui/words/gen

// What actions are called.
var (
	labelMakeAnother = "create another"
	labelSendAgain   = "retry"
	labelChangeIt    = "change it"
	labelSave        = "save"
	labelClear       = "clear"
)

// What actions are called where there is little room.
var (
	shortAnother = "another"
	shortAgain   = "retry"
	shortChange  = "change"
)

// What actions are for.
var (
	helpTypeOnWithoutKnowing = "Edit the form, although the first one may be saved"
	helpMakeItAsThe          = "Create it as entered"
	helpEmptyTheFormAnd      = "Clear the form and discard its draft"
)

// What is asked in lines.
var (
	questionAgainOrBack = "retry or back"
)

// What is asked.
var (
	askPerhapsItWasSaved = "It may already be saved. Check the list first. Change the form?"
	askDropWhatIsTyped   = "Discard everything entered here?"
)

// What is said.
var (
	saidTakenBy          = "taken by %s"
	saidNothingWasSaved  = "%s: %s. Nothing was saved."
	saidNoAnswerYet      = "No answer yet: %s"
	saidSaveEndsIt       = "%s; type save to finish"
	saidWhatWasSentHas   = "No answer yet, so nothing was changed. Retry first (enter)."
	saidDoesNotFitThat   = "%s is not valid in that field. Nothing was changed."
	saidHereItWaitsFor   = "(saved here; waiting to sync)"
	saidWaitTheServiceIs = "Wait for the answer"
	saidIsThatOfAlready  = "%s already belongs to %s (%s). Nothing was changed."
	saidNoAnswerYetEnter = "No answer yet. Press enter to retry."
	saidNoAnswerEnter    = "no answer: enter"
)

// What is said when a write brought no answer, by whether it can have arrived.
var (
	unreached = "Nothing was saved: the service cannot be reached. Your input is kept; save again in a moment (ctrl+s)."
	unknown   = "No answer, so it may not be saved. Press enter to retry; it is created only once."
)
