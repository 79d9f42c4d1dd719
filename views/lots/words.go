package lots

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askWhichLot   = "%s is a lot of several products. Which one?"
	askWhichPiece = "%s is a serial of several products. Which one?"
)

// What actions are for.
var (
	helpDocument = "Open the document of this line"
	helpExplain  = "Explain the stock at this location"
	helpTurn     = "← → switch between the steps, its sources, its stock and its recipients"
	helpOrder    = "Newest first, or oldest first"
	helpLot      = "Trace the lot of this serial"
)

// What is said.
var (
	noLot        = "Lot %s not found. Scan it again, or look in the expiring lots (ctrl+p)."
	noPiece      = "Serial %s not found. Scan it again."
	noTraces     = "This service does not trace lots or serials."
	noDocument   = "This step has no document: %s"
	noRow        = "No row is selected"
	notRead      = "It is still loading"
	noLotOfIt    = "This serial has no lot"
	looking      = "looking for %s …"
	again        = " Press F5 to retry."
	cameIn       = "received %s = here %s + shipped %s + in transit %s"
	differs      = "received %s ≠ here %s + shipped %s + in transit %s"
	notWhole     = "… loading the steps"
	emptySteps   = "No movements yet."
	emptyFrom    = "Nothing was received."
	emptyHere    = "None in stock at any location."
	emptyGone    = "Nothing was shipped."
	endedAgo     = "%d days ago"
	endsIn       = "in %d days"
	endsToday    = "today"
	endsTomorrow = "tomorrow"
	readingDocs  = "loading recipients …"
)

// What the tabs are called.
var (
	tabOfSteps = "steps"
	tabOfFrom  = "came from"
	tabOfHere  = "in stock"
	tabOfGone  = "went to"
)

// What actions are called.
var (
	labelDocument = "document"
	labelLot      = "lot"
	labelRefresh  = "refresh"
	labelCopyRow  = "copy row"
	labelEnds     = "expires"
)

// What actions are called where there is little room.
var (
	shortDoc  = "doc"
	shortTurn = "order"
)

// What columns are called.
var (
	columnWhen      = "when"
	columnOperation = "operation"
	columnPieces    = "units"
	columnFromTo    = "from → to"
	columnPlace     = "location"
	columnWho       = "by"
	columnLast      = "last"
	columnOwner     = "owner"
)

// What is said.
var (
	saidNewestFirst = "newest first"
	saidOldestFirst = "oldest first"
	saidTrace       = "trace %s"
	saidPiece       = "serial %s"
	saidCameFrom    = "%s came from"
	saidIsHere      = "%s in stock"
	saidRecall      = "%s recall"
	saidLotIs       = "lot is"
)
