package inbounds

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList         = "Scan a document or goods, or choose one"
	askWhich        = "Which inbound?"
	askClose        = "Close %s with %s missing? Reason"
	askBookAndClose = "Book %s, then close %s with %s missing? Reason"
	askCancel       = "Cancel %s: none of the %s will come?"
)

// What actions are for.
var (
	helpOpen   = "Receive the inbound chosen"
	helpNew    = "Announce a delivery that is not on the list"
	helpClose  = "Close the inbound: what is pending will not come"
	helpCancel = "Cancel the inbound, while nothing of it was received"
)

// What is said when there is nothing, or it cannot be done.
var (
	emptyList       = "Nothing is expected here. Scan a document of another place, choose another place (F6), or announce a delivery (F3)."
	noneOfProduct   = "No inbound of %s (%s) is expected here."
	noPlace         = "Choose the place first where the goods will come (F6), then announce them."
	ended           = "This inbound is %s: %s of %s were received."
	receivedAlready = "%s were received already: close it short instead"
)

// What was done.
var (
	bookedWords = "booked %s. received %s of %s, pending %s"
)
