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
	askAsOf    = "The balances as of when?"
	askInstant = "As of which instant?"
	askForm    = "What to show. A product or a place may be scanned"

	offerSave    = "… save the present one"
	offerRename  = "… rename one"
	offerDelete  = "… delete one"
	offerInstant = "another instant …"
)

// What actions are for.
var (
	helpExplain  = "Why the balance of this row is what it is"
	helpDocument = "Open the document behind this movement"
	helpFilter   = "Product, place, operation, state, period, owner, channel"
	helpSaved    = "Saved filters: choose, save, rename, delete"
	helpAsOf     = "The balances as they stood at an instant"
	helpTotals   = "Add all rows of the filter up: by operation, state, day, place, person"
	helpDay      = "← the day before, → the day after"
	helpNarrow   = "Show the rows of this line alone"
	helpTurn     = "← → by what it is added up"
)

// What is said.
var (
	savedAs     = "Saved as %s"
	deleted     = "Deleted %s"
	nameNeeded  = "give it a name"
	nameLong    = "at most 30 characters"
	notSaved    = "The filter was not saved: %w. Try again."
	brokenShelf = "The saved filters cannot be read: %w. Mend or remove the file \"filters.json\" in the settings' folder \"saved\"."
	noDay       = "%q is no day and no instant: write it like 2026-03-31 or 2026-03-31 14:00"
	notProduct  = "%s is no product. Change the filter (F3)."
	notPlace    = "%s is no place. Change the filter (F3)."
	notOwner    = "There is no owner %s. Change the filter (F3)."
	notChannel  = "There is no channel %s. Change the filter (F3)."
	noOwners    = "This service has no list of owners and channels, so they cannot be filtered by their codes. Change the filter (F3)."
	aDocument   = "That is a document. Scan a product or a place to filter by it."
	beforeFirst = "before the first day"
	notWithAsOf = "not with an instant: clear one of the two"
	noRow       = "There is no row to choose"
	noFilter    = "Nothing is filtered"
	noDocument  = "No document stands behind this movement: %s"
	noNarrower  = "This line cannot be filtered by"
	noLaterDay  = "This is today already"

	nothing      = "No %s, %s. F3 shows another time."
	nothingFits  = "No %s fit: %s. F3 changes the filter, F4 clears it."
	nothingRead  = "Nothing could be read. F3 changes the filter."
	nothingAdded = "Nothing to add up."

	adding     = "adding up … %s %s   esc stops"
	addedAll   = "all %s %s"
	addedOf    = "   in and out are pieces %s"
	addedSome  = "stopped after the first %s %s: F8 goes on"
	addedFault = "%s F8 goes on after %s %s"
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
	fieldBegun  = "Begun"
)

// What actions are called.
var (
	labelShow           = "show"
	labelLeaveTheFilter = "leave the filter"
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
	labelGoOn           = "go on"
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
	helpShowWhatFitsThe = "Show what fits the filter"
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
	columnPlace     = "place"
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
	fieldPlace     = "Place"
	fieldOperation = "Operation"
	fieldState     = "State"
	fieldHolds     = "Holds"
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
	nameByPlace     = "by place"
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
	hintScanItOrType = "scan it, or type the SKU"
	hintPlace        = "scan it, or type its code"
	hintNowOr        = "now, or 2026-03-31 18:00"
	hintFrom         = "2026-03-01, or 2026-03-01 14:00"
	hintTo           = "2026-03-31, or 2026-03-31 14:00"
	hintItsCode      = "its code"
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
	saidBegun          = "begun %s"
	saidOwner          = "owner %s"
	saidChannel        = "channel %s"
	saidBy             = "by %s"
	saidWhatToShowShow = "What to show: show ends it"
	saidFilter         = "%s › filter"
	saidTotals         = "%s › totals › %s"
	saidOnHand         = "on hand"
	saidSaved          = "saved: %s"
)
