package home

//go:generate go run bincard/tui/words/gen

// What home asks.
var (
	askSmall      = "scan, or a digit"
	askDesk       = "Scan anything, or choose a job"
	askPlace      = "Where do you work? Scan the place, or F6"
	askUnsent     = "Go on with which?"
	askFirst      = "No %s is known yet: F7 makes the first one"
	askFirstShort = "no %s yet: F7"
	nounPlace     = "place"
	nounProduct   = "product"
)

// The jobs, and what there is to do where nothing can be counted.
var (
	jobReceive       = "Receive"
	jobShip          = "Ship"
	jobArrive        = "Arrive"
	jobFulfill       = "Fulfill"
	jobStock         = "Stock"
	jobReports       = "Reports"
	jobReservations  = "Reservations"
	jobSync          = "Sync"
	jobCorrect       = "Correct"
	hintFulfill      = "scan an order"
	hintStock        = "search the stock"
	hintReports      = "what moved"
	hintReservations = "what is held"
	hintSync         = "what waits to be sent"
	hintCorrect      = "adjust, move, count, kits"
	menuCount        = "Count this place"
	menuAdjust       = "Adjust stock"
	menuMove         = "Move stock between states"
	menuKit          = "Take kits apart, or put them together"
)

// What is counted of a job.
var (
	toldExpected    = "%s expected"
	toldDue         = "due today"
	toldToShip      = "%s to ship"
	toldPartShipped = "partly shipped"
	toldOnTheWay    = "%s on the way"
	toldPartHere    = "partly here"
	toldOpen        = "%s open"
	toldBackordered = "backordered"
	toldMovements   = "%s movements today"
	toldPending     = "%s pending"
	toldEnding      = "end within the hour"
	toldLots        = "lots end soon"
	toldLate        = "late"
	toldNothing     = "nothing waits"
	toldWait        = "%s wait"
	toldData        = "data of %s"
	toldDecide      = "to decide"
	alarmDecide     = "%s not taken by the service: press 8"
	alarmLate       = "Work is not in the service for long: press 8"
	alarmLateSince  = "Work of %s is not in the service yet: press 8"
	alarmKey        = "The service does not take the key: nothing is sent. Press 8"
	alarmDamage     = "A part of the kept work cannot be read: press 8"
	wordSince       = "since %s"
	wordNoAnswer    = "sent, no answer yet"
)

// What actions are called, and what they are for.
var (
	labelOpen   = "open"
	labelLate   = "open late"
	helpLate    = "Open the late document chosen with the arrows"
	labelUnsent = "unsent (%s)"
	shortUnsent = "unsent"
	helpUnsent  = "Go on with what was counted and not sent"
	labelCount  = "count anew"
	labelFirst  = "first %s"
	shortFirst  = "first"
	helpFirst   = "Make the first %s: nothing can be done without one"
)

// What is asked in lines.
var (
	questionScanOrNumber = "scan or number"
)

// What is counted.
var (
	nounJobs = "jobs"
	nounLow  = "low"
)

// What is said.
var (
	saidNoIsKnownYet    = "no %s is known yet: first makes it"
	saidWhereDoYouWork  = "where do you work? scan the place, or: place"
	saidLate            = "late %s: %s"
	saidBegunAndNotSent = "%s begun and not sent: unsent"
	saidCounted         = "%s counted"
	saidBalances        = "%s balances"
)
