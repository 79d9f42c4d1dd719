package transfers

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList         = "Scan a transfer or goods, or choose one"
	askWhich        = "Which transfer?"
	askClose        = "Close %s with %s lost on the way? Reason"
	askCancelUnsent = "Cancel %s: nothing is on the way?"
	askCancel       = "Cancel %s: the %s on the way go back to %s?"
)

// What actions are for.
var (
	helpOpen   = "Open the transfer chosen"
	helpNew    = "Plan a transfer from here to another place"
	helpClose  = "Close the transfer: what is on the way is lost"
	helpCancel = "Cancel the transfer: what is on the way goes back"
)

// What is said when there is nothing, or it cannot be done.
var (
	nothingToShip   = "Nothing is to be shipped from here. Scan a transfer, choose another place (F6), or plan a transfer (F3)."
	nothingComing   = "Nothing is on the way here. Scan a transfer, or choose another place (F6)."
	noneOfProduct   = "No transfer of %s (%s) is open here."
	noPlace         = "Choose the place first from which the goods will leave (F6), then plan the transfer."
	noOtherPlace    = "There is no other place to send goods to. Have one added first."
	makesNone       = "This service makes no transfers: they come from another system."
	ended           = "This transfer is %s: %s of %s arrived."
	allShipped      = "All %s are shipped."
	nothingOnTheWay = "Nothing is on the way: %s of %s are shipped and %s arrived."
)

// What was done.
var (
	movedWords = "%s %s. %s of %s, pending %s"
)
