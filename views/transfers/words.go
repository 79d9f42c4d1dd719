package transfers

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList         = "Scan a transfer or goods, or choose one"
	askWhich        = "Which transfer?"
	askClose        = "Close %s with %s lost on the way? Reason"
	askCancelUnsent = "Cancel %s: nothing is on the way?"
	askCancel       = "Cancel %s: the %s on the way go back to %s?"
)

// What actions are for.
var (
	helpOpen   = "Open the transfer chosen"
	helpNew    = "Plan a transfer from here to another place"
	helpClose  = "Close the transfer: what is on the way is lost"
	helpCancel = "Cancel the transfer: what is on the way goes back"
)

// What is said when there is nothing, or it cannot be done.
var (
	nothingToShip   = "Nothing is to be shipped from here. Scan a transfer, choose another place (F6), or plan a transfer (F3)."
	nothingComing   = "Nothing is on the way here. Scan a transfer, or choose another place (F6)."
	noneOfProduct   = "No transfer of %s (%s) is open here."
	noPlace         = "Choose the place first from which the goods will leave (F6), then plan the transfer."
	noOtherPlace    = "There is no other place to send goods to. Have one added first."
	makesNone       = "This service makes no transfers: they come from another system."
	ended           = "This transfer is %s: %s of %s arrived."
	allShipped      = "All %s are shipped."
	nothingOnTheWay = "Nothing is on the way: %s of %s are shipped and %s arrived."
)

// What was done.
var (
	closedWords    = "%s closed, %s lost"
	cancelledWords = "%s cancelled"
	plannedWords   = "%s is planned: %s"
	movedWords     = "%s %s. %s of %s, pending %s"
)

// What the screens, their fields and their columns are called.
var (
	jobShip        = "Ship"
	jobArrive      = "Arrive"
	verbShip       = "ship"
	verbReceive    = "receive"
	wordToShip     = "to ship"
	wordShipped    = "shipped"
	wordReceived   = "received"
	wordTo         = "to"
	wordFrom       = "from"
	wordOpen       = "open"
	wordMade       = "made %s"
	wordShippedAt  = "shipped %s"
	shortList      = "scan or choose"
	choiceLine     = "%s  %s  %s pending"
	titleNew       = "Ship › new"
	askNew         = "A transfer from %s to another place"
	askGoods       = "Which goods of %s?"
	endedShipped   = "all shipped"
	endedEmpty     = "nothing on the way"
	columnTransfer = "transfer"
	columnProduct  = "product"
	columnSKU      = "sku"
	columnPending  = "pending"
	columnMade     = "made"
	fieldProduct   = "Product"
	hintProduct    = "scan it, or type the SKU"
	fieldQuantity  = "Quantity"
	hintQuantity   = "pieces"
	fieldTo        = "To"
	fieldReference = "Reference"
)

// What actions are called.
var (
	labelOpen   = "open"
	labelNew    = "new"
	labelClose  = "close short"
	shortClose  = "short"
	labelCancel = "cancel"
)

// What is being done, and why, as it stands in the books.
var (
	stepDamaged   = "move %s to damaged"
	stepPlan      = "plan a transfer of %s"
	reasonDamaged = "damaged on the way"
)

// What fields and screens are called.
var (
	fieldPlanATransfer = "Plan a transfer"
)

// What stands in an empty field.
var (
	hintTr = "TR-311"
)

// What is said.
var (
	saidShipATransfer    = "Ship a transfer"
	saidReceiveATransfer = "Receive a transfer"
)
