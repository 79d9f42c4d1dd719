package reservations

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList      = "Scan an item, or choose a reservation"
	askListShort = "scan or choose"
	askWhich     = "Which reservation?"
	askCommit    = "Commit %s? %s %s stay held until they ship."
	askRelease   = "Release %s? %s %s become available again."
	askCancel    = "Cancel %s? %s %s become available again."
	askNew       = "Reserve at %s for a limited time"
	askNothing   = "Nothing left to do"
	askDo        = "Enter to commit"
	askHeld      = "Committed. Ship it, or release it (F5)."
	askHeldShort = "committed: F5 frees"
	askWait      = "No answer yet: enter retries"
)

// What actions are for.
var (
	helpOpen    = "Open the selected reservation"
	helpNew     = "Reserve stock for a customer or order"
	helpShow    = "Show pending, committed, or all reservations"
	helpCommit  = "Commit the reserved stock; it no longer expires"
	helpRelease = "Make the held stock available again"
	helpCancel  = "Cancel a mistaken reservation and free its stock"
	helpExplain = "Explain this balance"
)

// What can be shown on the list.
var (
	showPending   = "pending"
	showCommitted = "committed"
	showAll       = "all"
)

// What is said when there is nothing, or it cannot be done.
var (
	emptyPending   = "Nothing is reserved here. F3 reserves stock; F4 shows committed; F6 changes the location."
	emptyCommitted = "No committed reservations here. F4 shows all."
	emptyAll       = "No reservations here yet. F3 creates one."
	noneOf         = "No reservations of %s (%s) here."
	noPlace        = "No location chosen. Choose one (F6), then reserve."
	noSuch         = "Reservation %s not found. Choose one from the list (esc)."
	notPending     = "It is already %s"
	badSpan        = "%q is not a time. Write 30 min, 2 h, 3 days, or 2026-12-24 18:00."
	pastSpan       = "%q is in the past. Choose a later time."
	lost           = "No answer, so the change is not confirmed. Press enter to retry; it is done only once."
	endedNow       = "expired"
	available      = "%s available here"
)

// What was done.
var (
	reserved  = "%s %s reserved until %s"
	committed = "%s committed: %s %s"
	released  = "%s released: %s %s available again"
	cancelled = "%s canceled: %s %s available again"
)

// What a reservation is called in each status.
var statuses = map[string]string{
	"pending":   "reserved",
	"committed": "committed",
	"released":  "released",
	"expired":   "expired",
	"cancelled": "canceled",
}

// What actions are called.
var (
	labelOpen      = "open"
	labelReserve   = "reserve"
	labelReserveIt = "reserve it"
	labelReadAnew  = "refresh"
	labelSendAgain = "retry"
	labelTryAgain  = "retry"
	labelExplain   = "explain"
	labelFor       = "for"
	labelReserved  = "reserved"
	labelSent      = "shipped"
	labelMade      = "created"
	labelChanged   = "changed"
	labelOwner     = "owner"
)

// What actions are called where there is little room.
var (
	shortNew   = "new"
	shortAgain = "retry"
)

// What columns are called.
var (
	columnLeft        = "left"
	columnHeld        = "held"
	columnSku         = "sku"
	columnEnds        = "expires"
	columnReservation = "reservation"
	columnProduct     = "product"
	columnBy          = "by"
	columnAt          = "at"
)

// What fields and screens are called.
var (
	fieldProduct  = "Product"
	fieldQuantity = "Quantity"
	fieldHowLong  = "Expires"
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
	hintPieces       = "units"
	hintHOrMinDays   = "1 h, or 30 min, 2 days, 2026-12-24"
	hintWeb          = "web 99812"
)

// What is said.
var (
	saidReserveStock    = "Reserve stock"
	saidReserve         = "reserve %s %s"
	saidReservations    = "Reservations › %s"
	saidNotReadAnew     = "Not refreshed: %s"
	saidTheBalanceIsNot = "Balance unknown"
	saidAt              = "%s at %s"
	saidHeldUntil       = "held until"
	saidLeft            = "%s left"
	saidBy              = "%s by %s"
	saidReading         = "loading"
	factHeldAt          = "%s  %s  %s at %s"
	factBy              = "%s  by %s"
	saidDays            = "%s days"
)
