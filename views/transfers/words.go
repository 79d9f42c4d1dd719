package transfers

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList         = "Scan a transfer or item, or choose one"
	askWhich        = "Which transfer?"
	askClose        = "Close %s with %s lost in transit? Reason"
	askCancelUnsent = "Cancel %s? Nothing is in transit."
	askCancel       = "Cancel %s? The %s in transit go back to %s."
)

// What actions are for.
var (
	helpOpen   = "Open the selected transfer"
	helpNew    = "Plan a transfer from here to another location"
	helpClose  = "Close the transfer: what is in transit is lost"
	helpCancel = "Cancel the transfer: what is in transit goes back"
)

// What is said when there is nothing, or it cannot be done.
var (
	nothingToShip   = "No transfers to ship from here. Scan a transfer, choose another location (F6), or plan a transfer (F3)."
	nothingComing   = "No transfers are in transit to this location. Scan a transfer, or choose another location (F6)."
	noneOfProduct   = "No transfer of %s (%s) is open here."
	noPlace         = "Choose the source location first (F6), then plan the transfer."
	noOtherPlace    = "There is no other location to ship to. Have one added first."
	makesNone       = "This service does not create transfers: they come from another system."
	ended           = "This transfer is %s: %s of %s received."
	allShipped      = "All %s shipped."
	nothingOnTheWay = "Nothing is in transit: %s of %s shipped, %s received."
)

// What was done.
var (
	closedWords    = "%s closed, %s lost"
	cancelledWords = "%s canceled"
	plannedWords   = "%s is planned: %s"
	movedWords     = "%s %s. %s of %s, pending %s"
)

// What the screens, their fields and their columns are called.
var (
	jobShip        = "Ship"
	jobArrive      = "Receive TR"
	verbShip       = "ship"
	verbReceive    = "receive"
	wordToShip     = "to ship"
	wordShipped    = "shipped"
	wordReceived   = "received"
	wordTo         = "to"
	wordFrom       = "from"
	wordOpen       = "open"
	wordMade       = "created %s"
	wordShippedAt  = "shipped %s"
	shortList      = "scan or choose"
	choiceLine     = "%s  %s  %s pending"
	titleNew       = "Ship › new"
	askNew         = "A transfer from %s to another location"
	askGoods       = "Which item on %s?"
	endedShipped   = "all shipped"
	endedEmpty     = "nothing in transit"
	columnTransfer = "transfer"
	columnProduct  = "product"
	columnSKU      = "sku"
	columnPending  = "pending"
	columnMade     = "created"
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
	reasonDamaged = "damaged in transit"
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
	saidShipATransfer    = "Ship transfer"
	saidReceiveATransfer = "Receive transfer"
)
