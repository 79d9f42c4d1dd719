package inbounds

// What the screens ask.
const (
	askList         = "Scan a document or goods, or choose one"
	askWhich        = "Which inbound?"
	askClose        = "Close %s with %s missing? Reason"
	askBookAndClose = "Book %s, then close %s with %s missing? Reason"
	askCancel       = "Cancel %s: none of the %s will come?"
)

// What actions are for.
const (
	helpOpen   = "Receive the inbound chosen"
	helpNew    = "Announce a delivery that is not on the list"
	helpClose  = "Close the inbound: what is pending will not come"
	helpCancel = "Cancel the inbound, while nothing of it was received"
)

// What is said when there is nothing, or it cannot be done.
const (
	emptyList       = "Nothing is expected here. Scan a document of another place, choose another place (F6), or announce a delivery (F3)."
	noneOfProduct   = "No inbound of %s (%s) is expected here."
	noPlace         = "Choose the place first where the goods will come (F6), then announce them."
	ended           = "This inbound is %s: %s of %s were received."
	receivedAlready = "%s were received already: close it short instead"
)

// What was done.
const (
	bookedWords = "booked %s. received %s of %s, pending %s"
)
