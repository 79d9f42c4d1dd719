package stock

import "strings"

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askGoods  = "Scan the product, or type its SKU"
	askPlace  = "Where? Scan the place, or F6"
	askReason = "Why? Choose, or type"
	askState  = "Which state is adjusted?"
	askExact  = "Count what is %s: scan, or type how many there are"
	askMore   = "Scan what is more, or type how many"
	askLess   = "Scan what is missing, or type how many"
	askLot    = "Scan the lot, or type it with F7"
	askAdjust = "%s at %s: %s%s (%s)?"
	askFrom   = "Move from which state?"
	askTo     = "Move to which state?"
	askMove   = "Move %s %s at %s: %s%s (%s)?"
	askScan   = "Scan what moves, or type how many"
)

// What the work is for, in the help of the key that does it.
var helpDo = map[string]string{
	"adjust": "Change the balance as shown; it is asked once more",
	"move":   "Move what is counted to the other state; it is asked once more",
	"kit":    "Take the kits apart, or put them together; it is asked once more",
}

// What actions are for.
var (
	helpMode    = "Take away, add, or say how many there are"
	helpState   = "Choose the state that is adjusted"
	helpFrom    = "Choose the state that the goods are in"
	helpTo      = "Choose the state that the goods go to"
	helpReason  = "Say why; it stays with the movement"
	helpUndo    = "Do the opposite of what was done last"
	helpExplain = "Show why the balance is what it is"
)

// The short lists of reasons, by what is done; "; " stands between two.
var (
	reasonsLess  = "lost; broken; expired; taken for own use; sample; counting error"
	reasonsMore  = "found; came without a document; counting error"
	reasonsExact = "counted; counting error; opening stock"
	reasonsMove  = "broken; to be checked; checked: good; checked: not good; kept back; mistake put right"
	reasonsKit   = "ordered in parts; taken back in parts; made for sale"
	otherWords   = "other words…"
)

// reasons are the short list of a job.
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

// What a number does, as the key says that chooses it.
var modeWords = map[mode]string{less: "less", more: "more", exact: "set to"}

// What is said when there is nothing, or it cannot be done.
var (
	errandGoods    = "Name the goods: SKU@PLACE, or the id of a balance."
	errandPlace    = "Name the place of %s: SKU@PLACE, or choose where you stand."
	notHere        = "The goods could not be read. Nothing was counted: press enter to try again."
	bookFirst      = "%s are counted at %s and not booked: book them first, or type 0."
	lotUnread      = "Lot %s was not read: %s"
	lotReading     = "Lot %s is not read yet. Try again in a moment."
	nothingChanges = "Nothing changes: %s is %s already. Type another number."
	countInstead   = "%s is kept by serial number: say which pieces are more or less (F3), or count the place."
	noLotsThere    = "%s stock is held by documents and has no lot of its own: choose another state (F4)."
	lotWanted      = "%s is kept by lot. Scan the lot or type it (F7), then try again."
	writtenOff     = "A piece that was written off by its number stays so"
	nothingToUndo  = "There is nothing to take back"
	stillSending   = "Something is being sent: wait for its answer"
	neverAny       = "There never was any of it here"
	noneThere      = "Nothing is %s here: choose another state to take from (F3)."
)

// Why goods of a state cannot be moved by hand.
var (
	heldByOrders = "held by orders: fulfil or cancel those"
	notHereYet   = "not here yet: receive it"
	isAll        = "all that is here: choose a part of it"
	cannotMove   = "%s stock cannot be moved by hand: %s."
)

// What a count asks.
var (
	askCountPlace  = "Which place? Scan it, or type its code"
	askCount       = "Scan the goods one after the other, or type how many"
	askEmpty       = "The books have nothing here: scan what you find"
	askEmptyShort  = "scan what is here"
	askWhichLot    = "Which lot of %s is it?"
	askLotOf       = "Lot of %s"
	askRest        = "Is there none of the %s that are not counted at %s?"
	askBegin       = "Forget what was counted here and begin anew?"
	askBook        = "Put %s right at %s as counted?"
	askUncounted   = "%s are not counted and stay as they are."
	askReview      = "Look it through: enter books it"
	askSettle      = "It moved while you counted: count it again (F3), or the count stands (F6)"
	askReviewShort = "enter books it"
	askSettleShort = "moved: F3 or F6"
	askResendShort = "no answer: enter"
	askSending     = "Booking: %s to go"
	askResend      = "No answer yet: enter sends it again"
)

// What the actions of a count are for.
var (
	labelBlind   = "blind"
	labelOpen    = "open"
	labelEmpty   = "place is empty"
	labelRest    = "no more here"
	helpReview   = "Hold what is counted against the books"
	helpBlind    = "Hide or show what the books expect"
	helpRest     = "Say that there is none of what is not counted"
	helpCountLot = "Say which lot of these goods is counted"
	helpBegin    = "Forget the count and begin anew"
	helpBook     = "Put the books right as counted"
	helpStands   = "What was counted is so, though the books moved"
	helpRecount  = "Count the goods chosen again"
	helpGoOn     = "Go back to counting; what is counted stays"
)

// What a count says.
var (
	labelLots    = "choose the lot"
	lotUnsaid    = "%s can be of %s lots, and the label does not say which. Nothing was counted: scan a label with the lot, or choose it (F7)."
	countAbsent  = "The books of this place are not read yet. Nothing was counted: scan it again."
	countSending = "The count is being booked. Nothing was counted: press enter to send it on."
	countLost    = "No answer came, so nobody knows whether it was booked. Press enter to send it again: it is booked once."
	countNothing = "Nothing is counted yet"
	countAll     = "All of it is counted"
	countAgain   = "Count %s again"
	countDone    = "%s is counted: %s put right"
	countPartly  = "%s put right, %s not: look at them"
	booksUnread  = "The books could not be read, so nothing can be held against them: %s"
	noPlaceInIt  = "%s names no place. Scan the label of the place."
	isCounted    = "%s is what is counted"
	noLots       = "These goods are not kept by lot"
	lotNeeded    = "Type the lot, or esc"
	otherLot     = "another lot…"
	inNoLot      = "in no lot"
	firstSettle  = "%s moved while you counted: settle them first (F3 or F6)"
	reasonCount  = "counted"
	othersStock  = "%s balances of other owners are not counted here"
	wasBooks     = "the books had %s when the count began, now %s"
	piecesLack   = "lacking %s"
	piecesExtra  = "found %s"
)

// How it stands with what was counted.
var (
	sayAgrees    = "agrees"
	sayUnsettled = "moved meanwhile"
	sayUncounted = "not counted"
	sayRefused   = "refused"
)

// What is asked and said of kits.
var (
	askApart      = "Scan the kits that are taken apart, or type how many"
	askTogether   = "Scan the kits that are made, or type how many"
	askShort      = "Short of %s: %s can be made (+)"
	helpWay       = "Take kits apart, or put them together"
	noKit         = "%s is not made of components. Scan a kit or a bundle (esc goes back)."
	noneToMake    = "Not even one can be made of what is here"
	availableHere = "available here"
	takenApart    = "A kit that was taken apart by its number stays so"
	partsUnknown  = "What it is made of is not known here"
)

// The ways of a kit, the question before it is done, and what is said then.
var (
	kitWords = map[string]string{"apart": "take apart", "together": "put together"}
	askKit   = map[string]string{"apart": "Take %s %s apart at %s (%s)?", "together": "Put %s %s together at %s (%s)?"}
	kitDone  = map[string]string{"apart": "%s %s taken apart", "together": "%s %s put together"}
)

// What actions are called.
var (
	labelState        = "state"
	labelTryAgain     = "try again"
	labelSendAgain    = "send again"
	labelReview       = "review"
	labelBeginAnew    = "begin anew"
	labelCountStands  = "count stands"
	labelCountAgain   = "count again"
	labelGoOnCounting = "go on counting"
	labelReadAnew     = "read anew"
	labelFrom         = "from"
	labelTo           = "to"
	labelReason       = "reason"
	labelExplain      = "explain"
)

// What actions are called where there is little room.
var (
	shortLot     = "lot"
	shortAgain   = "again"
	shortNone    = "none"
	shortBook    = "book"
	shortStands  = "stands"
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
	fieldPieces = "Pieces"
	fieldReason = "Reason"
)

// What is asked in lines.
var (
	questionRetryOrBack  = "retry or back"
	questionScanOrSku    = "scan or SKU"
	questionScanThePlace = "scan the place"
	questionScanOrCodeOf = "scan or code of the place"
)

// What is counted.
var (
	nounRows = "rows"
)

// What is said.
var (
	saidHere              = "%s here"
	saidIsAsItWas         = "%s is as it was: %s"
	saidUndo              = "undo: %s"
	saidScanOrNumberAll   = "scan or number: all"
	labelAdjustBy         = "adjust %s"
	saidLot               = ", lot %s"
	stepAdjust            = "adjust %s by %s"
	stepMove              = "move %s %s to %s"
	saidCount             = "Count › %s"
	stepCount             = "count %s %s"
	saidEnds              = "%s   ends %s"
	saidBookDifference    = "book 1 difference"
	saidBookDifferences   = "book %s differences"
	saidOfCounted         = "%s of %s counted"
	saidBlind             = "blind   %s"
	saidToPutRight        = "to put right"
	saidOtherPieces       = "%s other pieces"
	saidNow               = "now %3s"
	saidNoneHere          = "none here"
	saidOf                = "of %s"
	saidOfLot             = "lot %s"
	saidShortMakes        = "short: + makes %s"
	saidAll               = "all %s"
	saidReadingWhatItIs   = "reading what it is made of…"
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
	saidEndsOn            = "ends %s"
	saidANewLot           = "a new lot"
	saidNoneOfItIs        = "none of it is here"
	saidOfItHereAvailable = "%s of it here, %s available"
	saidReading           = "reading"
	factAt                = "%s  %s  at %s"
	saidReason            = "reason: %s"
	saidTo                = "%s to %s"
	factCounted           = "%s  %s of %s counted"
	saidCounted           = "counted %s"
	saidBooks             = "books %s"
	saidAdjustStock       = "Adjust stock"
	saidMoveBetweenStates = "Move between states"
	saidTakeKitsApartOr   = "Take kits apart or put them together"
	saidCountAPlace       = "Count a place"
	saidNotReadAnew       = "Not read anew: %s"
	saidInstead           = "%s %s instead"
)
