package stock

import "strings"

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askGoods  = "Scan the product, or type its SKU"
	askPlace  = "Which location? Scan it, or press F6"
	askReason = "Reason? Choose one, or type it"
	askState  = "Which state do you want to adjust?"
	askExact  = "Count what is %s: scan, or type the quantity"
	askMore   = "Scan what to add, or type how many"
	askLess   = "Scan what to remove, or type how many"
	askLot    = "Scan the lot, or press F7 to type it"
	askAdjust = "%s at %s: %s%s (%s)?"
	askFrom   = "Move from which state?"
	askTo     = "Move to which state?"
	askMove   = "Move %s %s at %s: %s%s (%s)?"
	askScan   = "Scan what to move, or type how many"
)

// helpDo describes each job, in the help of the key that does it.
var helpDo = map[string]string{
	"adjust": "Adjust the balance as shown, after you confirm",
	"move":   "Move the quantity to the other state, after you confirm",
	"kit":    "Assemble or disassemble the kits, after you confirm",
}

// Help texts of actions.
var (
	helpMode    = "Remove, add, or set the quantity"
	helpState   = "Choose the state to adjust"
	helpFrom    = "Choose the state to move stock from"
	helpTo      = "Choose the state to move stock to"
	helpReason  = "Give a reason; it is recorded with the movement"
	helpUndo    = "Reverse the last booking"
	helpExplain = "Explain this balance"
)

// The lists of reasons by job, separated by "; ".
var (
	reasonsLess  = "lost; broken; expired; internal use; sample; counting error"
	reasonsMore  = "found; received without a document; counting error"
	reasonsExact = "counted; counting error; opening stock"
	reasonsMove  = "damaged; needs inspection; passed inspection; failed inspection; on hold; correction"
	reasonsKit   = "components ordered; components returned; built for sale"
	otherWords   = "other reason…"
)

// reasons returns the list of reasons of a job.
func reasons(job string, m mode) []string {
	list := map[mode]string{less: reasonsLess, more: reasonsMore, exact: reasonsExact}[m]
	switch job {
	case "move":
		list = reasonsMove
	case "kit":
		list = reasonsKit
	}
	return strings.Split(list, "; ")
}

// modeWords are the labels of the modes.
var modeWords = map[mode]string{less: "remove", more: "add", exact: "set"}

// Why something cannot be done.
var (
	errandGoods    = "Name the item as SKU@LOCATION, or give a balance ID."
	errandPlace    = "No location for %s. Name it as SKU@LOCATION, or choose your location."
	notHere        = "The item could not be loaded. Nothing was counted: press enter to retry."
	bookFirst      = "%s counted at %s and not booked. Book them first, or type 0."
	lotUnread      = "Lot %s could not be loaded: %s"
	lotReading     = "Lot %s is still loading. Try again in a moment."
	nothingChanges = "No change: %s is already %s. Type another quantity."
	countInstead   = "%s is tracked by serial number. Add or remove serials (F3), or count the location."
	noLotsThere    = "%s stock belongs to documents and has no lot. Choose another state (F4)."
	lotWanted      = "%s is tracked by lot. Scan or type the lot (F7), then try again."
	writtenOff     = "A serial that was written off cannot be restored"
	nothingToUndo  = "Nothing to undo"
	stillSending   = "Booking in progress: wait for the answer"
	neverAny       = "Never stocked here"
	noneThere      = "Nothing is %s here. Choose another state to move from (F3)."
)

// Why stock of a state cannot be moved by hand.
var (
	heldByOrders = "orders hold it; fulfill or cancel them"
	notHereYet   = "not here yet; receive it first"
	isAll        = "it includes all states; choose one"
	cannotMove   = "%s stock cannot be moved by hand: %s."
)

// What a count asks.
var (
	askCountPlace  = "Which location? Scan it, or type its code"
	askCount       = "Scan each item, or type how many"
	askEmpty       = "No stock recorded here: scan what you find"
	askEmptyShort  = "scan what is here"
	askWhichLot    = "Which lot of %s?"
	askLotOf       = "Lot of %s"
	askRest        = "Set %s uncounted at %s to zero?"
	askBegin       = "Discard the count and start over?"
	askBook        = "Adjust %s at %s to match the count?"
	askUncounted   = "Not counted and left unchanged: %s."
	askReview      = "Check the differences. Press enter to book them."
	askSettle      = "Stock changed during the count. Recount (F3) or keep the count (F6)."
	askReviewShort = "enter to book"
	askSettleShort = "changed: F3 or F6"
	askResendShort = "no answer: enter"
	askSending     = "Booking: %s left"
	askResend      = "No answer yet. Press enter to retry."
)

// Actions of a count and their help.
var (
	labelBlind   = "blind"
	labelOpen    = "open"
	labelEmpty   = "location empty"
	labelRest    = "set rest to 0"
	helpReview   = "Compare the count with recorded stock"
	helpBlind    = "Hide or show the expected quantities"
	helpRest     = "Set everything not counted to zero"
	helpCountLot = "Choose the lot being counted"
	helpBegin    = "Discard the count and start over"
	helpBook     = "Adjust stock to match the count"
	helpStands   = "Keep the count (stock has changed since)"
	helpRecount  = "Count the selected item again"
	helpGoOn     = "Go back to counting; the count is kept"
)

// Messages of a count.
var (
	labelLots    = "choose the lot"
	lotUnsaid    = "%s has %s lots here and this label names none. Scan a label with the lot, or choose it (F7)."
	countAbsent  = "Stock at this location is still loading. Nothing was counted: scan it again."
	countSending = "The count is being booked. Nothing was counted: press enter to continue."
	countLost    = "No answer, so the booking is not confirmed. Press enter to retry; it is booked only once."
	countNothing = "Nothing counted yet"
	countAll     = "Everything is counted"
	countAgain   = "Recount %s"
	countDone    = "%s counted: %s adjusted"
	countPartly  = "%s adjusted, %s failed. Review them."
	booksUnread  = "Stock could not be loaded, so the count cannot be compared: %s"
	noPlaceInIt  = "%s is not a location label. Scan the label of the location."
	isCounted    = "You are already counting %s"
	noLots       = "This item is not tracked by lot"
	lotNeeded    = "Type the lot, or press esc"
	otherLot     = "another lot…"
	inNoLot      = "no lot"
	firstSettle  = "%s changed during the count: recount (F3) or keep the count (F6)"
	reasonCount  = "counted"
	othersStock  = "Not counted here: %s balances of other owners"
	wasBooks     = "stock was %s when the count began, now %s"
	piecesLack   = "missing %s"
	piecesExtra  = "found %s"
)

// Verdicts on a counted line.
var (
	sayAgrees    = "matches"
	sayUnsettled = "stock changed"
	sayUncounted = "not counted"
	sayRefused   = "rejected"
)

// Messages of kits.
var (
	askApart      = "Scan kits to disassemble, or type how many"
	askTogether   = "Scan kits to assemble, or type how many"
	askShort      = "Short of %s: enough for %s (+)"
	helpWay       = "Assemble or disassemble kits"
	noKit         = "%s is not a kit or bundle. Scan one, or press esc to go back."
	noneToMake    = "Not enough components for one kit"
	availableHere = "available here"
	takenApart    = "A kit disassembled by serial number cannot be restored"
	partsUnknown  = "Components unknown"
)

// Kit modes, their confirmation, and their result.
var (
	kitWords = map[string]string{"apart": "disassemble", "together": "assemble"}
	askKit   = map[string]string{"apart": "Disassemble %s %s at %s (%s)?", "together": "Assemble %s %s at %s (%s)?"}
	kitDone  = map[string]string{"apart": "%s %s disassembled", "together": "%s %s assembled"}
)

// What actions are called.
var (
	labelState        = "state"
	labelTryAgain     = "retry"
	labelSendAgain    = "retry"
	labelReview       = "review"
	labelBeginAnew    = "restart count"
	labelCountStands  = "keep count"
	labelCountAgain   = "recount"
	labelGoOnCounting = "back to count"
	labelReadAnew     = "refresh"
	labelFrom         = "from"
	labelTo           = "to"
	labelReason       = "reason"
	labelExplain      = "explain"
)

// What actions are called where there is little room.
var (
	shortLot     = "lot"
	shortAgain   = "retry"
	shortNone    = "zero"
	shortBook    = "book"
	shortStands  = "keep"
	shortRecount = "recount"
	shortCount   = "count"
	shortOther   = "other"
	shortUndo    = "undo"
)

// What columns are called.
var (
	columnExpected = "expected"
	columnCounted  = "counted"
	columnProduct  = "product"
	columnName     = "name"
)

// What fields and screens are called.
var (
	fieldLot    = "Lot"
	fieldPieces = "Serials"
	fieldReason = "Reason"
)

// What is asked in lines.
var (
	questionRetryOrBack  = "retry or back"
	questionScanOrSku    = "scan or SKU"
	questionScanThePlace = "scan the location"
	questionScanOrCodeOf = "scan or location code"
)

// What is counted.
var (
	nounRows = "rows"
)

// What is said.
var (
	saidHere              = "%s here"
	saidIsAsItWas         = "%s restored: %s"
	saidUndo              = "undo: %s"
	saidScanOrNumberAll   = "scan or total"
	labelAdjustBy         = "adjust %s"
	saidLot               = ", lot %s"
	stepAdjust            = "adjust %s by %s"
	stepMove              = "move %s %s to %s"
	saidCount             = "Count › %s"
	stepCount             = "count %s %s"
	saidEnds              = "%s   exp %s"
	saidBookDifference    = "book 1 difference"
	saidBookDifferences   = "book %s differences"
	saidOfCounted         = "%s of %s counted"
	saidBlind             = "blind   %s"
	saidToPutRight        = "to adjust"
	saidOtherPieces       = "%s other serials"
	saidNow               = "now %3s"
	saidNoneHere          = "now none"
	saidOf                = "of %s"
	saidOfLot             = "lot %s"
	saidShortMakes        = "short: + makes %s"
	saidAll               = "all %s"
	saidReadingWhatItIs   = "loading components…"
	saidShort             = "short %s"
	saidOfAvailable       = "%s of %s  available %s"
	saidShortOf           = "short: %s"
	saidUndoBack          = "undo: %s back"
	saidNoneOfState       = "none %s: F3"
	shortMoveBy           = "move %s"
	labelMoveTo           = "move %s to %s"
	saidAt                = "at %s"
	saidOrTypeItsSku      = ", or type its SKU"
	saidTooMany           = "too many"
	saidScanItOrF7        = "scan it, or F7"
	saidEndsOn            = "exp %s"
	saidANewLot           = "new lot"
	saidNoneOfItIs        = "none in stock here"
	saidOfItHereAvailable = "%s here, %s available"
	saidReading           = "loading"
	factAt                = "%s  %s  at %s"
	saidReason            = "reason: %s"
	saidTo                = "%s to %s"
	factCounted           = "%s  %s of %s counted"
	saidCounted           = "counted %s"
	saidBooks             = "expected %s"
	saidAdjustStock       = "Adjust stock"
	saidMoveBetweenStates = "Move between states"
	saidTakeKitsApartOr   = "Assemble or disassemble kits"
	saidCountAPlace       = "Count a location"
	saidNotReadAnew       = "Not refreshed: %s"
	saidInstead           = "%s %s instead"
)
