package lots

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askWhichLot   = "%s is a lot of several products. Which one?"
	askWhichPiece = "%s is a piece of several products. Which one?"
)

// What actions are for.
var (
	helpDocument = "Open the document behind this line"
	helpExplain  = "Why this place holds what it holds"
	helpTurn     = "← → between the steps, where it came from, where it is and where it went"
	helpOrder    = "The last step first, or the first"
	helpLot      = "Trace the lot of this piece"
)

// What is said.
var (
	noLot        = "There is no lot %s here. Scan it again, or look for it among the lots that end (ctrl+p)."
	noPiece      = "There is no piece %s here. Scan it again."
	noTraces     = "This service keeps no traces of lots and pieces."
	noDocument   = "No document stands behind this: %s"
	noRow        = "There is no row to choose"
	notRead      = "It is not read yet"
	noLotOfIt    = "This piece belongs to no lot"
	looking      = "looking for %s …"
	again        = " F5 tries again."
	cameIn       = "came in %s = here %s + went out %s + on the way %s"
	differs      = "came in %s ≠ here %s + went out %s + on the way %s"
	notWhole     = "… the steps are being read"
	emptySteps   = "Nothing ever moved of it."
	emptyFrom    = "Nothing came in."
	emptyHere    = "Nothing is left of it at any place."
	emptyGone    = "Nothing of it went out."
	endedAgo     = "%d days ago"
	endsIn       = "in %d days"
	endsToday    = "today"
	endsTomorrow = "tomorrow"
	readingDocs  = "reading who got it …"
)

// What the tabs are called.
var (
	tabOfSteps = "steps"
	tabOfFrom  = "came from"
	tabOfHere  = "is here"
	tabOfGone  = "went to"
)

// What actions are called.
var (
	labelDocument = "document"
	labelLot      = "lot"
	labelRefresh  = "refresh"
	labelCopyRow  = "copy row"
	labelEnds     = "ends"
)

// What actions are called where there is little room.
var (
	shortDoc  = "doc"
	shortTurn = "turn"
)

// What columns are called.
var (
	columnWhen      = "when"
	columnOperation = "operation"
	columnPieces    = "pieces"
	columnFromTo    = "from → to"
	columnPlace     = "place"
	columnWho       = "who"
	columnLast      = "last"
	columnOwner     = "owner"
)

// What is said.
var (
	saidNewestFirst = "newest first"
	saidOldestFirst = "oldest first"
	saidTrace       = "trace %s"
	saidPiece       = "piece %s"
	saidCameFrom    = "%s came from"
	saidIsHere      = "%s is here"
	saidRecall      = "%s recall"
	saidLotIs       = "lot is"
)
