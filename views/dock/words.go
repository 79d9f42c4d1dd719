package dock

//go:generate go run bincard/tui/words/gen

import "bincard/server/api"

// What the bench asks, and in a few words on small screens.
var (
	askSending     = "sending…"
	askNoAnswer    = "no answer: enter"
	askNotSent     = "not sent: enter"
	askSendingOf   = "Sending: %s"
	askNoAnswerFor = "No answer yet for: %s. Press enter to retry"
	askNotSentYet  = "Not sent yet: press enter to retry"
	askMark        = "scan damaged item"
	askMarkPiece   = "Scan the serial number of the damaged item"
	askSerial      = "scan serial number"
	askSerialOf    = "Scan the serial number of %s"
	askScan        = "scan or number"
	askSerials     = "Scan each serial number"
	askLot         = "Scan the lot, or press F7 to type it"
	askFewer       = "Too many: only %s %s. Type the quantity, or +"
	askBook        = "All counted: press enter to %s"
	askBookOver    = "%s: press enter to %s"
	overWithin     = "%s over (limit %d %%)"
	pendingAtMost  = "pending (at most %s, with %d %% over)"
	askGoodsByLot  = "Scan a box, item, or lot, or type a quantity"
	askGoods       = "Scan a box or item, or type a quantity"
	askDamaged     = "How many of the %s are damaged?"
	askForget      = "This may already be booked. Check the quantity first. Discard it?"
	askAgain       = "No answer yet: enter to retry"
	askRetry       = "enter to retry"
	askTarget      = "What do you want to do?"
	askPlace       = "Where do you work?"
	hintLot        = "scan or type it"
	hintNoLot      = "scan it, or press F7"
	askAbroad      = "This is at %s, but you are at %s. Book it there?"
	askShelf       = "The ledger shows %s of %s at %s. How many are there, including those counted?"
	askEmpty       = "The ledger shows no %s left at %s. Is the shelf empty?"
	askLeft        = "How many %s are left at %s?"
	answerEmpty    = "empty"
	answerNotEmpty = "some left"
)

// What actions are called, and in a word on small screens.
var (
	labelLeaveLot    = "back"
	shortBack        = "back"
	labelMarked      = "done"
	shortDone        = "done"
	labelAgain       = "retry"
	shortAgain       = "retry"
	labelAll         = "all %s"
	shortAll         = "all"
	labelDamaged     = "damaged"
	shortDamaged     = "dm"
	labelLot         = "lot"
	labelFilter      = "filter"
	labelAllAgain    = "clear filter"
	labelReload      = "refresh"
	labelRetry       = "retry"
	labelLeave       = "skip failed steps"
	shortLeave       = "skip"
	labelInsist      = "keep anyway: items have moved"
	shortInsist      = "keep"
	labelGiveUp      = "discard"
	shortGiveUp      = "discard"
	labelSave        = "save"
	labelMakeProduct = "create product"
	shortProduct     = "product"
	labelPlace       = "location"
	labelOver        = "accept %s extra"
	shortOver        = "extra"
	labelBookFirst   = "%s %s, then count this lot"
	labelUndo        = "undo last scan"
	labelThere       = "work at %s"
	labelShelf       = "count the shelf"
	shortShelf       = "shelf"
	labelUnknown     = "unknown codes"
	shortUnknown     = "codes"
)

// What actions are for.
var (
	helpBook        = "Book the counted quantity"
	helpAll         = "Count everything pending"
	helpDamaged     = "Enter how many of the counted items are damaged"
	helpLot         = "Type the lot and its expiration date"
	helpFilter      = "Show only rows that contain the text"
	helpReload      = "Refresh the list"
	helpAllAgain    = "Show all rows"
	helpLeave       = "Finish this booking without the failed steps"
	helpInsist      = "Save it although the check here rejects it; the service decides when it syncs"
	helpGiveUp      = "Discard a booking that has no answer; it may already be booked"
	helpSave        = "Create the document from this form"
	helpMakeProduct = "Create a product for this code first"
	helpPlace       = "Choose the location where you work"
	helpOver        = "Receive the extra quantity as stock outside the document"
	helpBookFirst   = "Book the counted lot, then count this scan"
	helpUndo        = "Undo the last scan or number; repeat to go further back"
	helpThere       = "Switch to this location"
	helpShelf       = "Enter the real quantity when the ledger is wrong"
	helpUnknown     = "Show the unknown codes of this shift"
)

// Why something cannot be done now.
var (
	offSending     = "Still sending"
	offAbsent      = "The document is still loading"
	offWaiting     = "A booking has no answer yet: press enter"
	offNothing     = "Nothing is counted yet"
	offFull        = "Everything pending is counted"
	offEmpty       = "The list is empty"
	offUnread      = "The list is still loading"
	offUnbooked    = "%s counted but not booked: book them first, or set the count to 0"
	offUndo        = "There is no scan to undo"
	offShelf       = "This service does not support counts"
	offShelfSerial = "Serialized items are counted by serial number: use Count"
	lacksRight     = "This terminal has no permission to do that (%s)."
	noSuchPlace    = "There is no location %s. Check the code, or choose a location with F6."
	tooManyRows    = "There are too many balances to load at once. Count single products: scan one on the first screen."
)

// What is wrong with a scan, or with what was typed.
var (
	notDamaged      = "%q is not a quantity: type how many are damaged"
	notPieces       = "%q is not a quantity."
	noLotThere      = "%s contains no lot. Nothing was changed: scan the lot label, or type the lot."
	needReason      = "Enter a reason: it is saved with the document"
	atLeastOne      = "at least 1"
	notCounted      = "%s Nothing was counted."
	typedNoNumber   = "That is not a number. Press F2 to type a code."
	countOfWhat     = "No product is selected. Scan it first, or press F2 to find it."
	notHere         = "The document is still loading. Nothing was counted: scan again."
	notAnswered     = "%q has no answer yet. Nothing was counted: press enter to retry it first."
	tooMany         = "%s is too many: only %s of %s are %s. Nothing was counted."
	tooManyMore     = "%s more is too many: %s of %s are %s, and %s are already counted. Nothing was added."
	tooManySet      = "%s is too many: only %s of %s are %s. The count stays at %s."
	eachPiece       = "%s is serialized: scan each serial number. The count stays at %s."
	pieceCounted    = "Serial %s is already counted. The count stays at %s."
	pieceNotCounted = "Serial %s is not counted. Scan it first, then mark it damaged."
	pieceInStock    = "Serial %s of %s is already in stock. Nothing was counted: check the label."
	tooDamaged      = "%s damaged is more than the %s counted. Count them first."
	otherLot        = "This is lot %s, but %s of lot %s are counted. Book those first (enter), then scan it again."
	otherDay        = "This label expires %s, but the counted items expire %s. Check the labels, or correct the lot (F7)."
	lotUnknown      = "%s has no lot %s. Check the label, or correct the lot (F7)."
	namesNothing    = "%s names no product. Nothing was counted: scan the product label."
	namesNoProduct  = "%s names no product. Scan the product label."
	misreadLabel    = "Invalid label: %s. Nothing was counted: scan it again, or type the quantity."
	nothingToCount  = "There is nothing to count here."
	noSerials       = "%s is not serialized. Scan the product, or type the quantity."
	expectedGoods   = "%s is expected"
	expectedOthers  = "That is not on this list"
	unknownCode     = "%s is unknown (%s). Nothing was counted: check the label, or type the quantity."
	unknownHere     = "%s is unknown. Scan it again, or press F2 to find it."
	unknownProduct  = "There is no product %s. Check the code, or have the product added first."
	notLookedUp     = "%s was not counted. %s"
	notReady        = "The form is still loading. Nothing was changed: try again."
	notKnown        = "unknown"
	isOther         = "%s; %s. Nothing was counted."
	isSomething     = "%s is something else"
	isGoods         = "this is %s (%s)"
	isOfGoods       = "this is a %s of %s (%s)"
	isPlace         = "this is the location %s"
	isDocument      = "%s is another document"
)

// What is asked by a second scan of the same code.
var (
	doubtJoin       = "%s (%s) is not expected here."
	doubtLot        = "%s is unknown. Is it the lot?"
	doubtGoods      = "%s is unknown. Is it %s?"
	doubtGoodsNamed = "%s is unknown. Is it %s (%s)?"
	doubtEnded      = "%s expired %s."
	theseGoods      = "This item"
	theLot          = "Lot %s"
)

// What is wrong with a document or a booking.
var (
	noDocument     = "There is no document %s. Check the number, or scan it again."
	noSuchDocument = "There is no %s %s here. Scan it again, or choose it from the list (esc)."
	notReadAnew    = "Not refreshed: %s"
	notRead        = "Not loaded: %s Press ctrl+r to retry."
	sendingAlready = "Another booking is not finished. Press enter to continue with it first."
	nothingCounted = "Nothing is counted yet: scan an item, or type the quantity."
	fewerPending   = "Only %s of %s are %s, but %s are counted. Type at most %s."
	fewSerials     = "%s of %s items have a serial number. Scan the others, or set the count to 0 and start over."
	partlyDone     = "Done: %s. Failed: %s. %s Press enter to retry."
	otherVersion   = "This draft is from another version of Bincard. Its operation %q is unknown here."
	cannot         = "This service does not support that (%s)."
	cannotPerhaps  = "Not found. The service does not support this (%s), or no longer has this document."
	noPlaces       = "There are no locations yet. Scan a location code, or ask your supervisor to add one."
)

// What was done.
var (
	bookedWords    = "booked %s"
	bookedHere     = "(saved here, waiting to sync)"
	keptAtRisk     = "kept, at risk: the service may reject it"
	bookedAfterAll = "The discarded booking went through: %s. Do not count those items again."
	doneAndLeft    = "done: %s. skipped: %s"
	shelfAgrees    = "The ledger agrees: %s of %s"
	shelfCounted   = "Corrected: %s of %s"
	stepShelf      = "count %s of %s"
	reasonShelf    = "counted at %s"
)

// Where a scan leads.
var (
	leadReceive = "Receive %s"
	leadFulfill = "Fulfill %s"
	leadShip    = "Ship %s"
	leadPlace   = "Work at %s"
	leadStockAt = "Stock of %s at %s"
	leadStock   = "Stock of %s"
	leadTrace   = "Trace lot %s"
	leadPiece   = "History of serial %s"
	leadAdjust  = "Adjust %s"
	leadMove    = "Move %s between states"
	leadReserve = "Reserve %s"
	leadCount   = "Count %s here"
	leadKit     = "Assemble or disassemble %s"
)

// The labels of a document and of what is counted of it.
var (
	wordLot          = "lot"
	wordSerials      = "serials"
	wordPending      = "pending"
	wordNow          = "now"
	wordEnds         = "expires"
	wordEndsShort    = "exp"
	wordDamaged      = "damaged"
	wordDamagedShort = "dmg"
	wordThisTime     = "This time"
	wordWhen         = "if %s"
	wordDamagedOf    = "%-14s  of the %s counted"
	wordPiece        = "piece"
	wordByLot        = "by lot"
	wordBySerial     = "by serial"
	wordSerial       = "serial"
	wordAndSerial    = "serial?"
	wordTyped        = "typed"
	wordReading      = "loading %s…"
	wordReadingList  = "loading…"
	wordForm         = "the form"
	wordMoreThan     = "more than %s"
	wordOf           = "%s of %s"
	wordAsOf         = "as of %s: %s"
	wordOver         = "over"
	wordOverOf       = "%s  not on the document"
	wordUndone       = "undone"
	wordPlace        = "location"
	wordBooked       = "booked"
	astrayShort      = "at %s, not here"
	astrayWords      = "At %s, but you are at %s: F6 to switch"
)

// What is said when a write brought no answer, by whether it can have arrived.
var (
	unreached = "The service cannot be reached. Nothing was booked; your count is kept. Retry."
	countKept = "Your count is kept."
	unknown   = "No answer came, so this may already be booked. Your count is kept. Retry: it is booked once."
	unread    = "The service cannot be reached, so this was not looked up. Retry."
)

// What is said of a job that is done in one go, from the command line.
var (
	errandUnknown = "No answer, so this may already be done: %s. Retry with the same key: it is done only once."
	errandHalf    = "Done: %s. Failed: %s. %w"
	errandSerials = "There are %s serial numbers for %s items. Give one for each item."
	errandPieces  = "%s is serialized. Give the serial number of each item."
	errandSeveral = "There are %d open documents named %s. Use one of these ids:"
)

// refusals are what a worker is told for each code of an error: what happened,
// with the numbers in {braces} from its details, and what to do next. Where a
// detail is missing the service's own message stands.
var refusals = map[api.Code]string{
	api.QuantityExceedsPending: "Only {pending} are pending, but {requested} were counted. Enter at most {pending}.",
	api.InboundNotOpen:         "This inbound is already {status}. Nothing was booked; your count is kept. Go back (esc) and ask who finished it.",
	api.TransferNotOpen:        "This transfer is already {status}. Nothing was booked; your count is kept. Go back (esc) and ask who finished it.",
	api.OutboundNotOpen:        "This order is already {status}. Nothing was booked; your count is kept. Go back (esc) and ask who finished it.",
	api.InboundAlreadyReceived: "{received} are already received, so this cannot be canceled. Close it short instead.",
	api.NothingPending:         "Nothing is pending: somebody else finished it. Go back (esc).",
	api.InsufficientStock:      "Only {current} are {inventoryState} here, but you need {requested}. Enter at most {current}, or find the rest.",
	api.SerialExists:           "Serial {serialNumber} is already in the ledger ({status}). Nothing was booked: check its label, set the count to 0, and scan the others again.",
	api.SerialNotAvailable:     "Serial {serialNumber} is {status} at {locationCode}, so you cannot use it here. Check its label.",
	api.SerialCountMismatch:    "There are {serials} serial numbers for {quantity} items. Scan the serial number of each item.",
	api.LotRequired:            "{sku} is tracked by lot. Scan the lot or type it (F7), then book again.",
	api.LotArchived:            "Lot {lotCode} is closed. Use another lot (F7).",
	api.StateBackedByDocuments: "Open documents hold {backed} of the {current}. Cancel or close them first.",
	api.VersionConflict:        "Somebody changed this. Check it again before you save.",
	api.InsufficientScope:      "This terminal has no permission to do that ({requiredScope}). Ask whoever manages the keys.",
	api.Unauthorized:           "The service rejects this terminal's key. Your draft is kept: ask for a new key.",
	api.PlanLimitExceeded:      "Monthly quota used up. Nothing was booked; your draft is kept. Tell your supervisor.",
	api.RateLimited:            "The service is busy. Your draft is kept: press enter again in a moment.",
	api.ProductArchived:        "{sku} is archived. Nothing was booked: ask your supervisor.",
}

// What fields and screens are called.
var (
	fieldLot     = "Lot"
	fieldEnds    = "Expires"
	fieldSerials = "Serials"
)

// What is asked in lines.
var (
	questionRetryOrBack = "retry or back"
	questionAgainOrBack = "retry or back"
)

// What is counted.
var (
	nounLines = "lines"
)

// What is said.
var (
	saidClosed              = "closed"
	saidReadyNow            = "%s  %s  ready %s  now %s"
	saidAt                  = "at %s"
	saidReady               = ": ready %s"
	saidNow                 = "now %s"
	saidLot                 = "lot %s"
	saidEnds                = "expires %s"
	saidDamaged             = "damaged %s"
	saidSerials             = "serials %s"
	saidNowAndLot           = "now %s  %s"
	saidPiece               = "serial %s"
	saidPending             = "%s %s  %s %s  pending %s"
	saidReading             = "loading"
	saidNotRead             = "not loaded: %s"
	saidNothingFits         = "no matches"
	saidFilterOrNumber      = "filter, or number"
	saidFilter              = "filter: %s"
	saidNoAnswerYetFor      = "No answer yet for: %s"
	saidScanAgainOrCorrect  = ": scan again or correct the number"
	saidNoAnswerCameIn      = "The service did not answer. Retry."
	saidTheServiceRefusedIt = "The service rejected it (%s)."
	saidRequest             = "Request %s."
)

// What is said of a clock that is wrong.
var (
	clockFast = "This machine's clock is %s fast. Times shown are the service's."
	clockSlow = "This machine's clock is %s slow. Times shown are the service's."
	shortFast = "Clock %s fast. Service time shown."
	shortSlow = "Clock %s slow. Service time shown."
	clockDay  = "1 day"
	clockDays = "%s days"
)
