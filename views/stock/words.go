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
