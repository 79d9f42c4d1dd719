package balances

//go:generate go run bincard/tui/words/gen

// What the chart and the ways on say.
var (
	wordDays     = "%d days"
	wordGraph    = "%s at the end of each of %d days   ← → more days or fewer, tab movements"
	shortGraph   = "%s %d days, %s to %s"
	wordExtremes = "most %s, %s   least %s, %s"
	noChart      = "No chart: the service tells no movements of these days."
	helpChart    = "How much there was day by day, in the movements' place"
	helpTrace    = "Follow the lot or the piece of this movement"
	helpLow      = "What runs short: less available than the reorder point"
	helpEnding   = "Lots that end soon, the first to end first"
	noTrace      = "This movement names no lot and no piece"
	askTrace     = "Follow which?"
)

// correctingHelp is what the ways to change a balance are for.
var correctingHelp = map[string]string{
	"adjust":  "Change a state of this balance by hand",
	"move":    "Move stock of this balance between states",
	"reserve": "Hold some of what is available for somebody",
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
	labelEnding      = "ending"
)

// What actions are called where there is little room.
var (
	shortDoc   = "doc"
	shortTurn  = "turn"
	shortAll   = "all"
	shortSome  = "some"
	shortPlace = "place"
)

// What actions are for.
var (
	helpOpenWhatTheMovement   = "Open what the movement refers to"
	helpOneState              = "Show the movements of one state"
	helpOneLot                = "Show the movements of one lot"
	helpReadEveryMovementAnd  = "Read every movement and add them up here"
	helpWhyThisBalanceIs      = "Why this balance is what it is"
	helpStopLookingAtOne      = "Stop looking at one product alone"
	helpShowOrHideBalances    = "Show or hide balances with nothing on hand"
	helpShowThisLocationAlone = "Show this location alone, or all"
)

// What columns are called.
var (
	columnWhen      = "when"
	columnOperation = "operation"
	columnChange    = "change"
	columnBefore    = "before"
	columnAfter     = "after"
	columnWhy       = "why"
	columnWho       = "who"
	columnProduct   = "product"
	columnName      = "name"
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
	saidThereAreBalancesOf       = "There are %d balances of it here. Name one by its id:"
	lineOwned                    = "%s  %s, %s: %s on hand"
	saidTheMovementsAddUp        = "the movements add up to the balance in all eight states"
	lineMovement                 = "%s  %s  %s %s  %s to %s  %s"
	titleExplain                 = "Explain › %s"
	saidTheBalanceIsNot          = "The balance is not read yet"
	noMovement                   = "There is no movement to choose"
	saidOldestFirst              = "oldest first"
	saidNewestFirst              = "newest first"
	saidLot                      = "lot %s"
	saidPiece                    = "piece %s"
	fileExplain                  = "explain %s"
	saidAllStates                = "all states"
	saidMovementsOfWhichState    = "Movements of which state?"
	saidAllLots                  = "all lots"
	saidNoneOfTheseMovements     = "None of these movements names a lot"
	saidMovementsOfWhichLot      = "Movements of which lot?"
	saidNoDocumentStandsBehind   = "No document stands behind this movement: %s"
	noMovementToCopy             = "There is no movement to copy"
	optionOwned                  = "%s, %s: %s on hand"
	saidWhoseStockThereAre       = "Whose stock? There are several balances of it here"
	saidLookingFor               = "looking for %s …"
	saidF5TriesAgain             = "%s F5 tries again."
	onlyState                    = "%s only"
	onlyLot                      = "lot %s only"
	saidUnconfirmed              = "a part is not in the service yet"
	saidMovedMeanwhileF5Reads    = "moved meanwhile: F5 reads it anew"
	saidNoMovementOfThat         = "No movement of that kind so far. Show all with F3 and F4."
	saidNothingEverMovedHere     = "Nothing ever moved here."
	saidBy                       = "by %s"
	saidPieces                   = "%d pieces: %s …"
	saidSearch                   = "search: %s"
	saidLooking                  = "looking"
	saidRefreshOrBack            = "refresh or back"
	saidMovements                = "movements"
	saidSumDiffers               = "%s: the movements add up to %s, the balance says %s"
	saidTheMovementsHereAdd      = "%s: the %s movements here add up to %s, the service says %s"
	saidF8Verify                 = "%s   F8 verify"
	saidOfMovementsBalanceIn     = "Σ of %s movements = balance ✓ in all eight states"
	saidOfMovementsBalance       = "Σ of %s movements = balance ✓"
	saidBalance                  = "Σ %s = balance ✓"
	proofBrief                   = "Σ = balance ✓"
	proofBroken                  = "Σ ≠ balance: F8"
	saidTheBalanceMovedMeanwhile = "The balance moved meanwhile: refresh (F5) and verify again"
	saidIsAndShouldBe            = "%s is %s and should be %s"
	saidByAllMovementsTell       = "%s, by all %s movements. Tell the one who runs the service: \"bincard verify\" proves the whole ledger."
	saidAddedUpHereMovements     = "Added up here: %s movements make the balance in all eight states"
	askScanOrType                = "scan or type"
	saidScanAProductOr           = "Scan a product or a place, or type to search"
	saidTheLabelCannotBe         = "The label cannot be trusted: %s. Scan it again."
	saidThereIsNoBalance         = "There is no balance to choose"
	onlyPlace                    = "only %s"
	saidAllPlaces                = "all places"
	saidInStockOnly              = "in stock only"
	saidEmptyOnesToo             = "empty ones too"
	saidAllProductsAreShown      = "All products are shown"
	saidNoPlaceIsChosen          = "No place is chosen: scan one"
	columnOnHand                 = "on hand"
	saidNothingCouldBeRead       = "Nothing could be read."
	saidNothingFitsYetLooking    = "Nothing fits yet: looking further."
	saidNothingFitsShortenWhat   = "Nothing fits. Shorten what you typed, or esc."
	saidThereWasNeverAny         = "There was never any of it here. Show all products with F3."
	saidNothingIsHereShow        = "Nothing is here. Show all places with F6, empty balances with F4."
	saidNoStockYetReceive        = "No stock yet: receive something, and it stands here."
)
