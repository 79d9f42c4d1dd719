package inbounds

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList         = "Scan a document or goods, or choose one"
	askWhich        = "Which inbound?"
	askClose        = "Close %s with %s missing? Reason"
	askBookAndClose = "Book %s, then close %s with %s missing? Reason"
	askCancel       = "Cancel %s: none of the %s will come?"
)

// What actions are for.
var (
	helpOpen   = "Receive the inbound chosen"
	helpNew    = "Announce a delivery that is not on the list"
	helpClose  = "Close the inbound: what is pending will not come"
	helpCancel = "Cancel the inbound, while nothing of it was received"
)

// What is said when there is nothing, or it cannot be done.
var (
	emptyList       = "Nothing is expected here. Scan a document of another place, choose another place (F6), or announce a delivery (F3)."
	noneOfProduct   = "No inbound of %s (%s) is expected here."
	noPlace         = "Choose the place first where the goods will come (F6), then announce them."
	ended           = "This inbound is %s: %s of %s were received."
	receivedAlready = "%s were received already: close it short instead"
)

// What was done.
var (
	bookedWords    = "booked %s. received %s of %s, pending %s"
	bookedAnd      = "booked %s, %s"
	closedWords    = "%s closed, %s missing"
	cancelledWords = "%s cancelled"
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
	askNew         = "A delivery to %s: what is expected, and how much"
	askGoods       = "Which goods of %s?"
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
	labelNew       = "new"
	labelAnnounce  = "announce it"
	labelClose     = "close short"
	shortClose     = "short"
	labelCancel    = "cancel"
	labelElsewhere = "receive it on another inbound (%s)"
	shortElsewhere = "other"
	oneOpen        = "1 is open"
	someOpen       = "%d are open"
)

// What is being done, and why, as it stands in the books.
var (
	stepBook      = "book %s"
	stepDamaged   = "move %s to damaged"
	stepOver      = "receive %s more"
	stepAnnounce  = "announce %s"
	reasonDamaged = "damaged on receipt"
	reasonOver    = "came over on %s"
)

// What stands in an empty field.
var (
	hintPo = "PO-2026-118"
)

// What is said.
var (
	saidAnnounceADelivery = "Announce a delivery"
)
