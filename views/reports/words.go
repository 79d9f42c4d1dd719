package reports

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askSaved   = "Which filter?"
	askName    = "Save as: %s"
	askNewName = "New name for %s"
	askRename  = "Rename which filter?"
	askDelete  = "Delete which filter?"
	askSure    = "Delete the saved filter %s?"
	askAsOf    = "Balances as of when?"
	askInstant = "As of which date and time?"
	askForm    = "What to show. You can scan a product or a location"

	offerSave    = "… save the current one"
	offerRename  = "… rename one"
	offerDelete  = "… delete one"
	offerInstant = "another time …"
)

// What actions are for.
var (
	helpExplain  = "Explain the balance of this row"
	helpDocument = "Open the document of this movement"
	helpFilter   = "Filter by product, location, operation, state, period, owner or channel"
	helpSaved    = "Saved filters: choose, save, rename, delete"
	helpAsOf     = "Show the balances as of a date and time"
	helpTotals   = "Total all rows of the filter by operation, state, day, location or person"
	helpDay      = "← previous day, → next day"
	helpNarrow   = "Show only the rows of this line"
	helpTurn     = "← → change the grouping"
)

// What is said.
var (
	savedAs     = "Saved as %s"
	deleted     = "Deleted %s"
	nameNeeded  = "enter a name"
	nameLong    = "at most 30 characters"
	notSaved    = "Cannot save the filter: %w. Try again."
	brokenShelf = "Cannot read the saved filters: %w. Fix or delete the file \"filters.json\" in the settings folder \"saved\"."
	noDay       = "%q is not a date or time: use 2026-03-31 or 2026-03-31 14:00"
	notProduct  = "%s is not a product. Change the filter (F3)."
	notPlace    = "%s is not a location. Change the filter (F3)."
	notOwner    = "Owner %s not found. Change the filter (F3)."
	notChannel  = "Channel %s not found. Change the filter (F3)."
	noOwners    = "This service does not list owners and channels, so their codes cannot be filtered. Change the filter (F3)."
	aDocument   = "That is a document. Scan a product or a location."
	beforeFirst = "before the first day"
	notWithAsOf = "cannot be combined with As of"
	noRow       = "There is no row to select"
	noFilter    = "There is no filter to clear"
	noDocument  = "This movement has no document: %s"
	noNarrower  = "This line cannot be used as a filter"
	noLaterDay  = "This is already today"

	nothing      = "No %s, %s. F3 changes the period."
	nothingFits  = "No matching %s: %s. F3 changes the filter, F4 clears it."
	nothingRead  = "Nothing could be loaded. F3 changes the filter."
	nothingAdded = "There is nothing to total."

	adding     = "totaling … %s %s   esc stops"
	addedAll   = "all %s %s"
	addedOf    = "   in and out are units %s"
	addedSome  = "stopped after %s %s: F8 resumes"
	addedFault = "%s F8 resumes after %s %s"
)

// The spans and the stock one chooses from.
var (
	spanToday   = "today"
	spanWeek    = "last 7 days"
	spanMonth   = "last 30 days"
	spanAll     = "all time"
	spanFromTo  = "from … to"
	optionIn    = "in stock"
	optionOut   = "out of stock"
	fieldPeriod = "Period"
	fieldBegun  = "Created"
)

// What actions are called.
var (
	labelShow           = "show"
	labelLeaveTheFilter = "back"
	labelExplain        = "explain"
	labelFilter         = "filter"
	labelRefresh        = "refresh"
	labelTotals         = "totals"
	labelSaved          = "saved"
	labelClearFilter    = "clear filter"
	labelSaveFilter     = "save filter"
	labelAsOf           = "as of"
	labelDocument       = "document"
	labelDay            = "day"
	labelCopyRow        = "copy row"
	labelShowThese      = "show these"
	labelGoOn           = "resume"
	labelStop           = "stop"
	labelRows           = "rows"
)

// What actions are called where there is little room.
var (
	shortBack  = "back"
	shortClear = "clear"
	shortDoc   = "doc"
)

// What actions are for.
var (
	helpShowWhatFitsThe = "Show the matching rows"
	helpBackToTheRows   = "Back to the rows"
)

// What columns are called.
var (
	columnWhen      = "when"
	columnOperation = "operation"
	columnProduct   = "product"
	columnState     = "state"
	columnChange    = "change"
	columnAfter     = "after"
	columnPlace     = "location"
	columnPlaceCut  = "loc"
	columnName      = "name"
	columnBefore    = "before"
	columnWhy       = "why"
	columnWho       = "who"
	columnChanged   = "changed"
	columnOwner     = "owner"
)

// What fields and screens are called.
var (
	fieldProduct   = "Product"
	fieldPlace     = "Location"
	fieldOperation = "Operation"
	fieldState     = "State"
	fieldHolds     = "Stock"
	fieldAsOf      = "As of"
	fieldFrom      = "From"
	fieldTo        = "To"
	fieldOwner     = "Owner"
	fieldChannel   = "Channel"
)

// What screens are called.
var (
	nameMovements   = "Movements"
	nameByOperation = "by operation"
	nameByState     = "by state"
	nameByDay       = "by day"
	nameByPlace     = "by location"
	nameByProduct   = "by product"
	nameByPerson    = "by person"
	nameSnapshot    = "Snapshot"
	nameByOwner     = "by owner"
)

// What is asked in lines.
var (
	questionScanOrNumber = "scan or number"
)

// What stands in an empty field.
var (
	hintScanItOrType = "scan or type the SKU"
	hintPlace        = "scan or type the code"
	hintNowOr        = "now, or 2026-03-31 18:00"
	hintFrom         = "2026-03-01, or 2026-03-01 14:00"
	hintTo           = "2026-03-31, or 2026-03-31 14:00"
	hintItsCode      = "code"
)

// What is counted.
var (
	nounMovements = "movements"
	nounBalances  = "balances"
)

// What is said.
var (
	optionYesterday    = "the end of yesterday"
	optionLastWeek     = "the end of last week"
	optionLastMonth    = "the end of last month"
	optionLastYear     = "the end of last year"
	saidDays           = "%d%s days"
	saidMostOn         = "most %s on %s"
	saidTo             = "%s to %s"
	saidSince          = "since %s"
	saidUntil          = "until %s"
	saidLastDays       = "last %d days"
	saidAsOf           = "as of %s"
	saidBegun          = "created %s"
	saidOwner          = "owner %s"
	saidChannel        = "channel %s"
	saidBy             = "by %s"
	saidWhatToShowShow = "Set the filter, then type show"
	saidFilter         = "%s › filter"
	saidTotals         = "%s › totals › %s"
	saidOnHand         = "on hand"
	saidSaved          = "saved: %s"
)
