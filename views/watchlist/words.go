package watchlist

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askLow       = "Available stock is below the reorder point"
	askExpiring  = "Earliest expiration first"
	askLate      = "Due and not done"
	shortLow     = "below reorder"
	shortEnds    = "first to expire"
	shortLate    = "due, not done"
	askDays      = "Lots that expire within"
	optionDays   = "%d days"
	optionAll    = "any time"
	everywhere   = "everywhere"
	onlyHere     = "only %s"
	allPlaces    = "all locations"
	allShort     = "all"
	withinDays   = "within %d days"
	whenever     = "at any time"
	noPlaceYet   = "No location selected. Scan one"
	nothingThere = "There is no row to select"
)

// What actions are for.
var (
	helpExplainLow = "Explain the balance with its movements"
	helpTrace      = "Show where the lot came from, where it is and where it went"
	helpDocument   = "Open the document"
	helpPlaces     = "Show this location or all locations"
	helpDays       = "Choose how far to look ahead"
	helpRefresh    = "Refresh the list"
)

// What is said.
var (
	emptyLow      = "Nothing is low %s. A product is low when available stock is below its reorder point."
	emptyExpiring = "No lot in stock expires %s, %s. Press F4 to look further ahead."
	emptyLate     = "Nothing is late %s."
	noReorder     = "This service does not report reorder points, so low stock is unknown."
	noLots        = "This service does not report stock by lot, so expirations are unknown."
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
	columnEnds      = "expires"
	columnName      = "name"
	columnPlace     = "location"
	columnDocument  = "document"
	columnPending   = "pending"
	columnJob       = "job"
	columnGoods     = "item"
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
	saidLotsThatEnd   = "Expiring lots"
	saidLateDocuments = "Late documents"
	saidAgo           = "! %d d ago"
	saidToday         = "! today"
	saidOnHand        = "on hand"
)
