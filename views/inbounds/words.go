package inbounds

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList         = "Scan a document or item, or choose one"
	askWhich        = "Which inbound?"
	askClose        = "Close %s with %s missing? Reason"
	askBookAndClose = "Book %s, then close %s with %s missing? Reason"
	askCancel       = "Cancel %s? The %s expected will not come."
)

// What actions are for.
var (
	helpOpen   = "Receive the selected inbound"
	helpNew    = "Add an expected delivery"
	helpClose  = "Close the inbound: the pending quantity will not come"
	helpCancel = "Cancel the inbound before anything is received"
)

// What is said when there is nothing, or it cannot be done.
var (
	emptyList       = "No deliveries are expected here. Scan a document, choose another location (F6), or add a delivery (F3)."
	noneOfProduct   = "No delivery of %s (%s) is expected here."
	noPlace         = "Choose the receiving location first (F6), then add the delivery."
	ended           = "This inbound is %s: %s of %s received."
	receivedAlready = "%s already received: close it short instead"
)

// What was done.
var (
	bookedWords    = "booked %s. received %s of %s, pending %s"
	bookedAnd      = "booked %s, %s"
	closedWords    = "%s closed, %s missing"
	cancelledWords = "%s canceled"
	announcedWords = "%s is expected: %s"
)

// What the screens, their fields and their columns are called.
var (
	wordJob        = "Receive"
	wordExpected   = "expected"
	wordReceived   = "received"
	wordDue        = "expected %s"
	verbBook       = "book"
	doneBook       = "booked"
	shortList      = "scan or choose"
	titleNew       = "Receive › new"
	askNew         = "A delivery to %s: enter the product and quantity"
	askGoods       = "Which item on %s?"
	choiceLine     = "%s  %s  %s pending"
	columnInbound  = "inbound"
	columnDue      = "due"
	columnProduct  = "product"
	columnSKU      = "sku"
	columnPending  = "pending"
	columnFrom     = "from"
	columnAt       = "at"
	fieldProduct   = "Product"
	hintProduct    = "scan it, or type the SKU"
	fieldQuantity  = "Quantity"
	hintQuantity   = "pieces"
	fieldReference = "Reference"
	fieldSupplier  = "Supplier"
	fieldDue       = "Expected"
)

// What actions are called.
var (
	labelOpen      = "open"
	labelList      = "Receive inbound"
	labelNew       = "new"
	labelAnnounce  = "add delivery"
	labelClose     = "close short"
	shortClose     = "short"
	labelCancel    = "cancel"
	labelElsewhere = "receive it on another inbound (%s)"
	shortElsewhere = "other"
	oneOpen        = "1 open"
	someOpen       = "%d open"
)

// What is being done, and why, as it stands in the books.
var (
	stepBook      = "book %s"
	stepDamaged   = "move %s to damaged"
	stepOver      = "receive %s more"
	stepAnnounce  = "add a delivery of %s"
	reasonDamaged = "damaged on receipt"
	reasonOver    = "over-receipt on %s"
)

// What stands in an empty field.
var (
	hintPo = "PO-2026-118"
)

// What is said.
var (
	saidAnnounceADelivery = "Add a delivery"
)
