package balances

//go:generate go run bincard/tui/words/gen

// What the chart and the ways on say.
var (
	wordDays     = "%d days"
	wordGraph    = "%s at the end of each of %d days   ← → more or fewer days, tab movements"
	shortGraph   = "%s %d days, %s to %s"
	wordExtremes = "most %s, %s   least %s, %s"
	noChart      = "No chart: the service has no movements for these days."
	helpChart    = "Show the quantity day by day instead of the movements"
	helpTrace    = "Trace the lot or serial of this movement"
	helpLow      = "Low stock: available quantity below the reorder point"
	helpEnding   = "Expiring lots, earliest first"
	noTrace      = "This movement has no lot or serial"
	askTrace     = "Trace which?"
)

// correctingHelp is what the ways to change a balance are for.
var correctingHelp = map[string]string{
	"adjust":  "Adjust one state of this balance",
	"move":    "Move stock of this balance between states",
	"reserve": "Reserve available stock for a customer or order",
}

// What actions are called.
var (
	labelDocument    = "document"
	labelState       = "state"
	labelLot         = "lot"
	labelChart       = "chart"
	labelVerify      = "verify"
	labelTrace       = "trace"
	labelRefresh     = "refresh"
	labelCopyRow     = "copy row"
	labelOwner       = "owner"
	labelChannel     = "channel"
	labelVersion     = "version"
	labelChanged     = "changed"
	labelExplain     = "explain"
	labelAllProducts = "all products"
	labelLow         = "low"
	labelEnding      = "expiring"
)

// What actions are called where there is little room.
var (
	shortDoc    = "doc"
	shortTurn   = "order"
	shortAll    = "all"
	shortSome   = "empty"
	shortPlace  = "loc"
	shortEnding = "exp"
)

// What actions are for.
var (
	helpOpenWhatTheMovement   = "Open the document of this movement"
	helpOneState              = "Show the movements of one state"
	helpOneLot                = "Show the movements of one lot"
	helpReadEveryMovementAnd  = "Load every movement and add them up here"
	helpWhyThisBalanceIs      = "Explain this balance"
	helpStopLookingAtOne      = "Show all products again"
	helpShowOrHideBalances    = "Show or hide items with nothing on hand"
	helpShowThisLocationAlone = "Show this location only, or all"
)

// What columns are called.
var (
	columnWhen      = "when"
	columnOperation = "operation"
	columnChange    = "change"
	columnBefore    = "before"
	columnAfter     = "after"
	columnWhy       = "why"
	columnWho       = "by"
	columnProduct   = "product"
	columnName      = "name"
	columnLocation  = "location"
)

// What is asked in lines.
var (
	questionScanNumberOrSearch = "scan, number or search"
	questionScanOrNumber       = "scan or number"
)

// What is said.
var (
	saidIncoming                 = "incoming %s"
	saidOnHand                   = "on hand %s%s%s"
	saidIn                       = "in %s"
	saidThereAreBalancesOf       = "There are %d balances of it here. Name one by its ID:"
	lineOwned                    = "%s  %s, %s: %s on hand"
	saidTheMovementsAddUp        = "The movements add up to the balance in all eight states"
	lineMovement                 = "%s  %s  %s %s  %s to %s  %s"
	titleExplain                 = "Explain › %s"
	saidTheBalanceIsNot          = "The balance is still loading"
	noMovement                   = "No movement is selected"
	saidOldestFirst              = "oldest first"
	saidNewestFirst              = "newest first"
	saidLot                      = "lot %s"
	saidPiece                    = "serial %s"
	fileExplain                  = "explain %s"
	saidAllStates                = "all states"
	saidMovementsOfWhichState    = "Movements of which state?"
	saidAllLots                  = "all lots"
	saidNoneOfTheseMovements     = "None of these movements has a lot"
	saidMovementsOfWhichLot      = "Movements of which lot?"
	saidNoDocumentStandsBehind   = "This movement has no document: %s"
	noMovementToCopy             = "No movement to copy"
	optionOwned                  = "%s, %s: %s on hand"
	saidWhoseStockThereAre       = "Whose stock? It has several owners here"
	saidLookingFor               = "looking for %s …"
	saidF5TriesAgain             = "%s Press F5 to retry."
	onlyState                    = "%s only"
	onlyLot                      = "lot %s only"
	saidUnconfirmed              = "part of it is not synced yet"
	saidMovedMeanwhileF5Reads    = "balance changed: F5 refreshes"
	saidNoMovementOfThat         = "No movements match. Press F3 and F4 to show all."
	saidNothingEverMovedHere     = "No movements here yet."
	saidBy                       = "by %s"
	saidPieces                   = "%d serials: %s …"
	saidSearch                   = "search: %s"
	saidLooking                  = "searching"
	saidRefreshOrBack            = "refresh or back"
	saidMovements                = "movements"
	saidSumDiffers               = "%s: the movements add up to %s, the balance is %s"
	saidTheMovementsHereAdd      = "%s: the %s movements here add up to %s, the service reports %s"
	saidF8Verify                 = "%s   F8 verify"
	saidOfMovementsBalanceIn     = "Σ of %s movements = balance ✓ in all eight states"
	saidOfMovementsBalance       = "Σ of %s movements = balance ✓"
	saidBalance                  = "Σ %s = balance ✓"
	proofBrief                   = "Σ = balance ✓"
	proofBroken                  = "Σ ≠ balance: F8"
	saidTheBalanceMovedMeanwhile = "The balance changed during the check. Refresh (F5) and verify again."
	saidIsAndShouldBe            = "%s is %s and should be %s"
	saidByAllMovementsTell       = "%s, by all %s movements. Tell your administrator to run \"bincard verify\" on the ledger."
	saidAddedUpHereMovements     = "Verified: %s movements add up to the balance in all eight states"
	askScanOrType                = "scan or type"
	saidScanAProductOr           = "Scan a product or location, or type to search"
	saidTheLabelCannotBe         = "Unreadable label: %s. Scan it again."
	saidThereIsNoBalance         = "No item is selected"
	onlyPlace                    = "only %s"
	saidAllPlaces                = "all locations"
	saidInStockOnly              = "hide empty"
	saidEmptyOnesToo             = "show empty"
	saidAllProductsAreShown      = "All products are already shown"
	saidNoPlaceIsChosen          = "No location chosen. Scan one."
	columnOnHand                 = "on hand"
	saidNothingCouldBeRead       = "Stock could not be loaded."
	saidNothingFitsYetLooking    = "No match yet. Still searching."
	saidNothingFitsShortenWhat   = "No match. Shorten the search, or press esc."
	saidThereWasNeverAny         = "Never stocked here. Press F3 to show all products."
	saidNothingIsHereShow        = "No stock here. Show all locations (F6) or empty balances (F4)."
	saidNoStockYetReceive        = "No stock yet. Receive a delivery to see it here."
)
