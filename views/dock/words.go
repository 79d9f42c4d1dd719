package dock

//go:generate go run bincard/tui/words/gen

import "bincard/server/api"

// What the bench asks, and in a few words on small screens.
var (
	askSending     = "sending…"
	askNoAnswer    = "no answer: enter"
	askNotSent     = "not sent: enter"
	askSendingOf   = "Sending: %s"
	askNoAnswerFor = "No answer yet for: %s. enter sends it again"
	askNotSentYet  = "Not sent yet: enter tries again"
	askMark        = "scan damaged piece"
	askMarkPiece   = "Scan the serial number of the damaged piece"
	askSerial      = "scan serial number"
	askSerialOf    = "Scan the serial number of %s"
	askScan        = "scan or number"
	askSerials     = "Scan the serial number of each piece"
	askLot         = "Scan the lot, or type it with F7"
	askFewer       = "Too many: only %s are %s. Type how many, or +"
	askBook        = "All is counted: enter to %s"
	askBookOver    = "%s: enter to %s"
	overWithin     = "%s over, within %d %%"
	pendingAtMost  = "pending (at most %s, with %d %% more)"
	askGoodsByLot  = "Scan a box, a piece or a lot, or type a number"
	askGoods       = "Scan a box or a piece, or type a number"
	askDamaged     = "How many of the %s are damaged?"
	askForget      = "Perhaps it was booked all the same: compare what is received with the goods first. Forget this booking?"
	askAgain       = "No answer yet: enter sends it again"
	askRetry       = "enter tries again"
	askTarget      = "What do you want to do?"
	askPlace       = "Where do you work?"
	hintLot        = "scan it, or type it"
	hintNoLot      = "scan it, or F7"
	askAbroad      = "This is at %s, and you stand at %s. Book it there?"
	askShelf       = "The books say %s of %s are at %s. How many are there really, counted ones and all?"
	askEmpty       = "The books say no %s is left at %s. Is the shelf empty now?"
	askLeft        = "How many of %s are left at %s?"
	answerEmpty    = "it is empty"
	answerNotEmpty = "some are left"
)

// What actions are called, and in a word on small screens.
var (
	labelLeaveLot    = "leave the lot"
	shortBack        = "back"
	labelMarked      = "no more damaged"
	shortDone        = "done"
	labelAgain       = "send again"
	shortAgain       = "again"
	labelAll         = "all %s"
	shortAll         = "all"
	labelDamaged     = "damaged"
	shortDamaged     = "ds"
	labelLot         = "lot"
	labelFilter      = "filter"
	labelAllAgain    = "all again"
	labelReload      = "read anew"
	labelRetry       = "try again"
	labelLeave       = "leave it as it is"
	shortLeave       = "leave"
	labelInsist      = "keep it anyway: the goods have moved"
	shortInsist      = "keep"
	labelGiveUp      = "give it up"
	shortGiveUp      = "drop"
	labelSave        = "save"
	labelMakeProduct = "make the product"
	shortProduct     = "product"
	labelPlace       = "place"
	labelOver        = "%s came over: count them too"
	shortOver        = "over"
	labelBookFirst   = "%s the %s, then count this lot"
	labelUndo        = "take the last scan back"
	labelThere       = "work at %s"
	labelShelf       = "count the shelf"
	shortShelf       = "shelf"
	labelUnknown     = "unknown codes"
	shortUnknown     = "codes"
)

// What actions are for.
var (
	helpBook        = "Send what is counted to the books"
	helpAll         = "Count all that is pending"
	helpDamaged     = "Say how many of the counted are damaged"
	helpLot         = "Type the lot and the day it ends"
	helpFilter      = "Show only what holds the text typed"
	helpReload      = "Read the list anew"
	helpAllAgain    = "Show all again"
	helpLeave       = "End this booking without the steps that were refused"
	helpInsist      = "Save it although it looks wrong here; the service decides when it hears of it"
	helpGiveUp      = "Forget a booking that brought no answer; it may have been booked all the same"
	helpSave        = "Make the document as the form says"
	helpMakeProduct = "Make a product of this code first"
	helpPlace       = "Choose the place where you work"
	helpOver        = "Take in what came beside the document, as stock without one"
	helpBookFirst   = "Book what is counted of the other lot, then count this scan"
	helpUndo        = "Take the last scan or number back, one after the other"
	helpThere       = "Make it the place where you work"
	helpShelf       = "Say how many there really are, when the books are wrong"
	helpUnknown     = "The codes of this shift that nobody knows"
)

// Why something cannot be done now.
var (
	offSending     = "It is being sent"
	offAbsent      = "The document is not here yet"
	offWaiting     = "A booking waits for its answer: press enter"
	offNothing     = "Nothing is counted yet"
	offFull        = "All that is pending is counted"
	offEmpty       = "Nothing is on the list"
	offUnread      = "The list is being read: one moment"
	offUnbooked    = "%s are counted and not booked: book them first, or set it to 0"
	offUndo        = "Nothing was scanned that could be taken back"
	offShelf       = "This service takes no counts"
	offShelfSerial = "Goods kept by serial number are counted piece by piece, as stock"
	lacksRight     = "This terminal may not do that: it lacks the right %s."
	noSuchPlace    = "There is no place %s here. Check the code, or choose the place with F6."
	tooManyRows    = "There are more balances here than can be read at once. Count some products alone: scan one on the first screen."
)

// What is wrong with a scan, or with what was typed.
var (
	notDamaged      = "%q is not a number of pieces: type how many are damaged"
	notPieces       = "%q is not a number of pieces."
	noLotThere      = "%s names no lot. Nothing was changed: scan the lot's label, or type it."
	needReason      = "A reason is needed: it stays with the document"
	atLeastOne      = "at least 1"
	notCounted      = "%s Nothing was counted."
	typedNoNumber   = "What was typed is no number. Nothing was counted or booked: a code is typed after F2."
	countOfWhat     = "A number of what? Scan the goods first, or find them with F2."
	notHere         = "The document is not here yet. Nothing was counted: scan it again."
	notAnswered     = "%q has no answer yet. Nothing was counted: press enter to send it again first."
	tooMany         = "%s is too many: only %s of %s are %s. Nothing was counted."
	tooManyMore     = "%s more is too many: %s of %s are %s and %s are counted. Nothing was added."
	tooManySet      = "%s is too many: only %s of %s are %s. %s stay counted."
	eachPiece       = "%s is kept by serial number: scan each piece. %s are counted."
	pieceCounted    = "Piece %s is counted already. Nothing was added; %s are counted."
	pieceNotCounted = "Piece %s is not counted: scan it first, then call it damaged."
	pieceInStock    = "Piece %s of %s is in stock already. Nothing was counted: check the label."
	tooDamaged      = "%s damaged is more than the %s counted: count them first."
	otherLot        = "This is lot %s, and %s of lot %s are counted. Book those first (enter), then scan it again."
	otherDay        = "This label ends %s, and what is counted ends %s. Check the labels, or correct the lot (F7)."
	lotUnknown      = "%s has no lot %s in the books. Check the label, or correct the lot (F7)."
	namesNothing    = "%s says nothing of the goods. Nothing was counted: scan the label of the product."
	namesNoProduct  = "%s names no product. Scan the label of the product."
	misreadLabel    = "The label cannot be trusted: %s. Nothing was counted: scan it again, or type the number."
	nothingToCount  = "There is nothing to count here."
	noSerials       = "%s is not kept by serial number: scan the product, or type how many."
	expectedGoods   = "%s was expected"
	expectedOthers  = "That is not on this list"
	unknownCode     = "%s is not known here (%s). Nothing was counted: check the label, or type how many."
	unknownHere     = "%s is not known here. Scan it again, or look it up with F2."
	unknownProduct  = "No product is called %s. Check the code, or have the product added first."
	notLookedUp     = "%s was not counted. %s"
	notReady        = "This document is not ready for scans. Nothing was changed."
	notKnown        = "not known"
	isOther         = "%s, %s. Nothing was counted."
	isSomething     = "%s is something else"
	isGoods         = "this is %s (%s)"
	isOfGoods       = "this is a %s of %s (%s)"
	isPlace         = "this is the location %s"
	isDocument      = "%s is another document"
)

// What is asked by a second scan of the same code.
var (
	doubtJoin       = "%s (%s) is not expected here."
	doubtLot        = "%s is not known here. Is it the lot?"
	doubtGoods      = "%s is not known here. Is it %s?"
	doubtGoodsNamed = "%s is not known here. Is it %s (%s)?"
	doubtEnded      = "%s ended %s."
	theseGoods      = "These goods"
	theLot          = "Lot %s"
)

// What is wrong with a document or a booking.
var (
	noDocument     = "There is no document %s. Check the number, or scan it again."
	noSuchDocument = "There is no %s %s here. Scan it again, or choose it from the list (esc)."
	notReadAnew    = "Not read anew: %s"
	notRead        = "Not read: %s ctrl+r tries again."
	sendingAlready = "Something is being sent already: press enter to go on with that first."
	nothingCounted = "Nothing is counted yet: scan the goods, or type how many."
	fewerPending   = "Only %s of %s are %s and %s are counted: some were booked meanwhile. Type at most %s."
	fewSerials     = "%s of %s pieces have a serial number. Scan the others, or set it to 0 and begin again."
	partlyDone     = "Done: %s. Not done: %s. %s Press enter to try that again."
	otherVersion   = "The draft was made by another version of Bincard: it wants %q, which is not known here."
	cannot         = "This service cannot do that (%s)."
	cannotPerhaps  = "The service found nothing there: it cannot do that (%s), or no longer has this document."
	noPlaces       = "No place is known yet. Scan the code of a place, or ask your supervisor to add one."
)

// What was done.
var (
	bookedWords    = "booked %s"
	bookedHere     = "(here; it waits for the link)"
	keptAtRisk     = "kept, at risk: the service may refuse it"
	bookedAfterAll = "It was done after all: %s. You had given it up: count no goods a second time."
	doneAndLeft    = "done: %s. left: %s"
	shelfAgrees    = "The books agree: %s of %s"
	shelfCounted   = "Put right: there are %s of %s"
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
	leadPiece   = "History of piece %s"
	leadAdjust  = "Adjust %s"
	leadMove    = "Move %s between states"
	leadReserve = "Reserve %s"
	leadCount   = "Count %s here"
	leadKit     = "Kits of %s: apart or together"
)

// The labels of a document and of what is counted of it.
var (
	wordLot          = "lot"
	wordSerials      = "serials"
	wordPending      = "pending"
	wordNow          = "now"
	wordEnds         = "ends"
	wordDamaged      = "damaged"
	wordDamagedShort = "dam"
	wordThisTime     = "This time"
	wordWhen         = "when %s"
	wordDamagedOf    = "%-14s  of the %s, to damaged"
	wordPiece        = "piece"
	wordByLot        = "by lot"
	wordBySerial     = "by serial"
	wordSerial       = "serial"
	wordAndSerial    = "and serial?"
	wordTyped        = "typed"
	wordReading      = "reading %s…"
	wordReadingList  = "reading…"
	wordForm         = "the form"
	wordMoreThan     = "more than %s"
	wordOf           = "%s of %s"
	wordAsOf         = "as of %s: %s"
	wordOver         = "over"
	wordOverOf       = "%s  beside the document"
	wordUndone       = "taken back"
	wordPlace        = "place"
	wordBooked       = "booked"
	astrayShort      = "at %s, not here"
	astrayWords      = "At %s, and you stand at %s: F6 goes there"
)

// What is said when a write brought no answer, by whether it can have arrived.
var (
	unreached = "The service cannot be reached. Nothing was booked; your count is kept. Try again."
	countKept = "Your count is kept."
	unknown   = "No answer came, so nobody knows whether it was booked. Your count is kept. Send it again: it is booked once."
	unread    = "The service cannot be reached, so this could not be looked up. Try again."
)

// What is said of a job that is done in one go, from the command line.
var (
	errandUnknown = "No answer came, so nobody knows whether this was done: %s. Repeat it with the same key: it is done once."
	errandHalf    = "Done: %s. Not done: %s. %w"
	errandSerials = "%s serial numbers are given for %s pieces. Give one for each piece."
	errandPieces  = "%s is kept by serial number: give the serial number of each piece."
	errandSeveral = "There are %d open documents called %s. Name one by its id:"
)

// refusals are what a worker is told for each code of an error: what happened,
// with the numbers in {braces} from its details, and what to do next. Where a
// detail is missing the service's own message stands.
var refusals = map[api.Code]string{
	api.QuantityExceedsPending: "Only {pending} are pending, and {requested} were counted: some may have been booked meanwhile. Enter at most {pending}.",
	api.InboundNotOpen:         "This inbound is {status} already: somebody else finished it. Nothing was booked; your count is kept. Go back (esc) and ask who did.",
	api.TransferNotOpen:        "This transfer is {status} already: somebody else finished it. Nothing was booked; your count is kept. Go back (esc) and ask who did.",
	api.OutboundNotOpen:        "This order is {status} already: somebody else finished it. Nothing was booked; your count is kept. Go back (esc) and ask who did.",
	api.InboundAlreadyReceived: "{received} were received already, so it cannot be cancelled. Close it short instead.",
	api.NothingPending:         "Nothing is pending any more: somebody else did it. Go back (esc).",
	api.InsufficientStock:      "Only {current} are {inventoryState} here, and {requested} were asked for. Enter at most {current}, or look where the rest is.",
	api.SerialExists:           "Piece {serialNumber} is in the books already ({status}). Nothing was booked: check its label, set it to 0 and scan the others again.",
	api.SerialNotAvailable:     "Piece {serialNumber} is {status} at {locationCode}, so it cannot be taken here. Check its label.",
	api.SerialCountMismatch:    "There are {serials} serial numbers for {quantity} pieces. Scan the serial number of each piece.",
	api.LotRequired:            "{sku} is kept by lot. Scan the lot or type it (F7), then book again.",
	api.LotArchived:            "Lot {lotCode} is closed. Take another lot (F7).",
	api.StateBackedByDocuments: "Open documents hold {backed} of the {current}. Cancel or close those first.",
	api.VersionConflict:        "Somebody changed this since it was read. Look at it again, then decide anew.",
	api.InsufficientScope:      "This terminal may not do that: it lacks the right {requiredScope}. Ask the one who manages the keys.",
	api.Unauthorized:           "The service no longer knows this terminal's key. The draft is kept: ask for a new key.",
	api.PlanLimitExceeded:      "The company's plan is used up, so nothing was booked. The draft is kept: tell your supervisor.",
	api.RateLimited:            "The service is too busy. The draft is kept: press enter again in a moment.",
	api.ProductArchived:        "{sku} was taken out of use. Nothing was booked: ask your supervisor.",
}

// What fields and screens are called.
var (
	fieldLot     = "Lot"
	fieldEnds    = "Ends"
	fieldSerials = "Serials"
)

// What is asked in lines.
var (
	questionRetryOrBack = "retry or back"
	questionAgainOrBack = "again or back"
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
	saidEnds                = "ends %s"
	saidDamaged             = "damaged %s"
	saidSerials             = "serials %s"
	saidNowAndLot           = "now %s  %s"
	saidPiece               = "piece %s"
	saidPending             = "%s %s  %s %s  pending %s"
	saidReading             = "reading"
	saidNotRead             = "not read: %s"
	saidNothingFits         = "nothing fits"
	saidFilterOrNumber      = "filter, or number"
	saidFilter              = "filter: %s"
	saidNoAnswerYetFor      = "No answer yet for: %s"
	saidScanAgainOrCorrect  = ": scan again or correct the number"
	saidNoAnswerCameIn      = "No answer came in time. Try again."
	saidTheServiceRefusedIt = "The service refused it (%s)."
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
