package home

//go:generate go run bincard/tui/words/gen

// What home asks.
var (
	askSmall      = "scan or pick a job"
	askDesk       = "Scan anything or choose a job"
	askPlace      = "Where do you work? Scan a location or press F6"
	askUnsent     = "Continue which draft?"
	askFirst      = "No %s yet. Press F7 to create the first one"
	askFirstShort = "add a %s: F7"
	nounPlace     = "location"
	nounProduct   = "product"
)

// The jobs, and what there is to do where nothing can be counted.
var (
	jobReceive       = "Receive inbound"
	jobShip          = "Ship transfer"
	jobArrive        = "Receive transfer"
	jobFulfill       = "Fulfill outbound"
	jobStock         = "Stock"
	jobReports       = "Reports"
	jobReservations  = "Reservations"
	jobSync          = "Sync"
	jobCorrect       = "Correct"
	shortReceive     = "Receive"
	shortShip        = "Ship"
	shortArrive      = "Receive TR"
	shortFulfill     = "Fulfill"
	hintFulfill      = "scan an order"
	hintStock        = "search stock"
	hintReports      = "stock movements"
	hintReservations = "reserved stock"
	hintSync         = "pending work"
	hintCorrect      = "adjust, move, count, kits"
	menuCount        = "Count this location"
	menuAdjust       = "Adjust stock"
	menuMove         = "Move stock between states"
	menuKit          = "Assemble or disassemble kits"
)

// What is counted of a job.
var (
	toldExpected    = "%s expected"
	toldDue         = "due today"
	toldToShip      = "%s to ship"
	toldPartShipped = "partly shipped"
	toldOnTheWay    = "%s in transit"
	toldPartHere    = "partly received"
	toldOpen        = "%s open"
	toldBackordered = "backordered"
	toldMovements   = "%s movements today"
	toldPending     = "%s pending"
	toldEnding      = "expire within 1 h"
	toldLots        = "lots expire soon"
	toldLate        = "late"
	toldNothing     = "all synced"
	toldWait        = "%s pending"
	toldData        = "data from %s"
	toldDecide      = "to decide"
	alarmDecide     = "Decisions needed in Sync: %s. Press 8."
	alarmLate       = "Some work has been waiting to sync for a long time. Press 8."
	alarmLateSince  = "Work from %s has not synced yet. Press 8."
	alarmKey        = "The service rejected the key, so nothing is sent. Press 8."
	alarmDamage     = "Some saved work cannot be read. Press 8."
	wordSince       = "since %s"
	wordNoAnswer    = "sent, no answer yet"
)

// What actions are called, and what they are for.
var (
	labelOpen   = "open"
	labelLate   = "open late"
	helpLate    = "Open the selected late document"
	labelUnsent = "unsent (%s)"
	shortUnsent = "unsent"
	helpUnsent  = "Continue a draft that was counted but not sent"
	labelCount  = "refresh"
	labelFirst  = "first %s"
	shortFirst  = "first"
	helpFirst   = "Create the first %s. You need one to start"
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
	saidNoIsKnownYet    = "no %s yet. Type first to create one"
	saidWhereDoYouWork  = "where do you work? Scan a location, or type place"
	saidLate            = "late %s: %s"
	saidBegunAndNotSent = "%s unsent: type unsent to continue"
	saidCounted         = "%s counted"
	saidBalances        = "%s balances"
)
