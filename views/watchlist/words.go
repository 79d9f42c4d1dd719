package watchlist

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askLow       = "Less is available than the reorder point"
	askExpiring  = "First to end, first to go"
	askLate      = "Due, and not done"
	shortLow     = "below reorder"
	shortEnds    = "first to end"
	shortLate    = "due, not done"
	askDays      = "Lots that end within"
	optionDays   = "%d days"
	optionAll    = "any time"
	everywhere   = "everywhere"
	onlyHere     = "only %s"
	allPlaces    = "all places"
	allShort     = "places"
	withinDays   = "within %d days"
	whenever     = "whenever"
	noPlaceYet   = "No place is chosen: scan one"
	nothingThere = "There is no row to choose"
)

// What actions are for.
var (
	helpExplainLow = "Why there is so little: the balance with its movements"
	helpTrace      = "Where the lot came from, where it is and where it went"
	helpDocument   = "Open the document"
	helpPlaces     = "Show this place alone, or all"
	helpDays       = "How far ahead to look"
	helpRefresh    = "Read it anew"
)

// What is said.
var (
	emptyLow      = "Nothing is low %s. A product is low when less is available than its reorder point."
	emptyExpiring = "No lot in stock ends %s, %s. F4 looks further ahead."
	emptyLate     = "Nothing is late %s."
	noReorder     = "This service tells no reorder points, so nothing can be called low."
	noLots        = "This service does not tell what is held by lot, so ends cannot be shown."
	here          = "at %s"
)

// What actions are called.
var (
	labelTrace   = "trace"
	labelOpen    = "open"
	labelExplain = "explain"
	labelDays    = "days"
	labelCopyRow = "copy row"
	labelRefresh = "refresh"
)

// What columns are called.
var (
	columnLeft      = "left"
	columnProduct   = "product"
	columnLot       = "lot"
	columnEnds      = "ends"
	columnName      = "name"
	columnPlace     = "place"
	columnDocument  = "document"
	columnPending   = "pending"
	columnJob       = "job"
	columnGoods     = "goods"
	columnForOrFrom = "for or from"
	columnDue       = "due"
)

// What screens are called.
var (
	nameLate = "Late"
)

// What is counted.
var (
	nounLots = "lots"
	nounLate = "late"
	nounLow  = "low"
)

// What is said.
var (
	saidLowStock      = "Low stock"
	saidLotsThatEnd   = "Lots that end"
	saidLateDocuments = "Late documents"
	saidAgo           = "! %d d ago"
	saidToday         = "! today"
	saidOnHand        = "on hand"
)
