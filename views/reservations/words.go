package reservations

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList      = "Scan goods, or choose a reservation"
	askListShort = "scan or choose"
	askWhich     = "Which reservation?"
	askCommit    = "Commit %s: %s %s for good, until they are sent?"
	askRelease   = "Release %s: %s %s are available again?"
	askCancel    = "Cancel %s: %s %s are available again?"
	askNew       = "Hold stock at %s for somebody, for a while"
	askNothing   = "Nothing more can be done with it"
	askDo        = "enter commits it"
	askHeld      = "It is committed: send it, or release it (F5)"
	askHeldShort = "committed: F5 frees"
	askWait      = "No answer yet: enter sends it again"
)

// What actions are for.
var (
	helpOpen    = "Show the reservation chosen"
	helpNew     = "Hold some stock for somebody"
	helpShow    = "Show those that wait, those that are committed, or all"
	helpCommit  = "What is reserved is committed: it no longer ends by itself"
	helpRelease = "Give back what it holds"
	helpCancel  = "It was a mistake: give back what it holds"
	helpExplain = "Show why the balance is what it is"
)

// What can be shown on the list.
var (
	showPending   = "pending"
	showCommitted = "committed"
	showAll       = "all"
)

// What is said when there is nothing, or it cannot be done.
var (
	emptyPending   = "Nothing is reserved here. F3 reserves something; F4 shows what is committed; F6 chooses another place."
	emptyCommitted = "Nothing is committed here by a reservation. F4 shows all."
	emptyAll       = "There never was a reservation here. F3 makes the first one."
	noneOf         = "Nothing of %s (%s) is reserved here."
	noPlace        = "Choose the place first where the stock is held (F6), then reserve it."
	noSuch         = "There is no reservation %s here. Choose it from the list (esc)."
	notPending     = "It is %s"
	badSpan        = "%q is no time: write 30 min, 2 h, 3 days, or 2026-12-24 18:00"
	pastSpan       = "%q is past: the time must lie ahead"
	lost           = "No answer came, so nobody knows whether it was done. Press enter to send it again: it is done once."
	endedNow       = "expired"
	available      = "%s available here"
)

// What was done.
var (
	reserved  = "%s %s are reserved until %s"
	committed = "%s is committed: %s %s"
	released  = "%s is released: %s %s are available again"
	cancelled = "%s is cancelled: %s %s are available again"
)

// What a reservation is called in each status.
var statuses = map[string]string{
	"pending":   "reserved",
	"committed": "committed",
	"released":  "released",
	"expired":   "expired",
	"cancelled": "cancelled",
}

// What actions are called.
var (
	labelOpen      = "open"
	labelReserve   = "reserve"
	labelReserveIt = "reserve it"
	labelReadAnew  = "read anew"
	labelSendAgain = "send again"
	labelTryAgain  = "try again"
	labelExplain   = "explain"
	labelFor       = "for"
	labelReserved  = "reserved"
	labelSent      = "sent"
	labelMade      = "made"
	labelChanged   = "changed"
	labelOwner     = "owner"
)

// What actions are called where there is little room.
var (
	shortNew   = "new"
	shortAgain = "again"
)

// What columns are called.
var (
	columnLeft        = "left"
	columnHeld        = "held"
	columnSku         = "sku"
	columnEnds        = "ends"
	columnReservation = "reservation"
	columnProduct     = "product"
	columnBy          = "by"
	columnAt          = "at"
)

// What fields and screens are called.
var (
	fieldProduct  = "Product"
	fieldQuantity = "Quantity"
	fieldHowLong  = "How long"
	fieldFor      = "For"
)

// What screens are called.
var (
	nameReservationsNew = "Reservations › new"
)

// What is asked in lines.
var (
	questionRetryOrBack           = "retry or back"
	questionCommitReleaseCancelOr = "commit, release, cancel or back"
)

// What stands in an empty field.
var (
	hintScanItOrType = "scan it, or type the SKU"
	hintPieces       = "pieces"
	hintHOrMinDays   = "1 h, or 30 min, 2 days, 2026-12-24"
	hintWeb          = "web 99812"
)

// What is said.
var (
	saidReserveStock    = "Reserve stock"
	saidReserve         = "reserve %s %s"
	saidReservations    = "Reservations › %s"
	saidNotReadAnew     = "Not read anew: %s"
	saidTheBalanceIsNot = "The balance is not known"
	saidAt              = "%s at %s"
	saidHeldUntil       = "held until"
	saidLeft            = "%s left"
	saidBy              = "%s by %s"
	saidReading         = "reading"
	factHeldAt          = "%s  %s  %s at %s"
	factBy              = "%s  by %s"
	saidDays            = "%s days"
)
