package outbounds

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList   = "Scan an order or item, or choose one"
	askID     = "Scan or type the order id"
	askWhich  = "Which order?"
	askCancel = "Cancel %s? The %s allocated go back to the shelf."
	askAgain  = "No answer yet: enter to retry"
)

// What actions are for.
var (
	helpOpen     = "Fulfill the selected order"
	helpNew      = "Create an order"
	helpAll      = "Count everything ready on every line"
	helpAllocate = "Allocate stock that has come in for this order"
	helpPicked   = "Fulfill everything that is picked"
	helpCancel   = "Cancel what is not fulfilled, and release what is allocated"
	helpSave     = "Create the order and allocate available stock"
	helpDrop     = "Remove the selected line from the order"
)

// What is said when there is nothing, or it cannot be done.
var (
	emptyList     = "No orders to ship from this location. Scan an order, or choose another location (F6)."
	noList        = "This service does not list orders. The orders you open appear here."
	noOrder       = "There is no order to choose"
	noneOfProduct = "No order here needs %s (%s)."
	noPlace       = "Choose the source location first (F6), then create the order."
	makesNone     = "This service does not create orders: they come from another system."
	allAllocated  = "Everything is allocated"
	allPicked     = "Everything allocated is picked"
	allPacked     = "Everything picked is packed"
	nonePicked    = "Nothing picked is left to fulfill"
	lineByLine    = "Lines are fulfilled in order: pick all of line %d first"
	otherLine     = "Lines are fulfilled in order: of %s, %s would go, but %s are counted. Count everything ready of %s first (+), or pick what you have (F4)."
	notOrdered    = "%s does not contain %s. It contains %s."
	whichLine     = "%s has several lines. Name one (%s), or fulfill everything ready."
	noneReady     = "Nothing on %s is ready to fulfill."
	ended         = "This order is %s: %s of %s fulfilled."
)

// What a new order says.
var (
	orderEmpty   = "The order is empty: scan an item."
	orderBare    = "The order has no lines yet."
	orderUnsaved = "The order is empty: scan an item first"
	orderFrozen  = "The order has no answer yet. Nothing was added: press enter to retry."
	orderLost    = "No answer came, so the order may already exist. Press enter to retry: it is created once."
	orderNoLine  = "Scan the product first, then type the quantity: at least 1."
)

// What was done.
var (
	sentWords = "%s %s. %s of %s done, %s ready"
)

// What the screens are called.
var (
	labelNext   = "next line"
	helpNext    = "Go to the next line of the order"
	jobFulfill  = "Fulfill"
	verbFulfill = "fulfill"
	doneFulfill = "fulfilled"
)

// What actions are called.
var (
	labelAllLines    = "all lines"
	labelCancel      = "cancel"
	labelList        = "Fulfill outbound"
	labelNew         = "new"
	labelSendAgain   = "retry"
	labelTakeLineOut = "remove line"
)

// What actions are called where there is little room.
var (
	shortAll          = "all"
	shortAlloc        = "alloc"
	shortSend         = "fulfill"
	shortOther        = "other"
	shortScanOrChoose = "scan or choose"
	shortOut          = "del"
)

// What columns are called.
var (
	columnOrder     = "order"
	columnLeaves    = "ships"
	columnCustomer  = "customer"
	columnGoods     = "items"
	columnToSend    = "to go"
	columnReady     = "ready"
	columnStatus    = "status"
	columnProduct   = "product"
	columnName      = "name"
	columnAllocated = "allocated"
	columnNow       = "now"
	columnDone      = "done"
	columnQuantity  = "quantity"
)

// What fields and screens are called.
var (
	fieldNewOrder  = "New order"
	fieldProduct   = "Product"
	fieldQuantity  = "Quantity"
	fieldCustomer  = "Customer"
	fieldReference = "Reference"
	fieldSerials   = "Serials"
	fieldLeaves    = "Ships"
)

// What is asked in lines.
var (
	questionScanOrID    = "scan or id"
	questionAgainOrBack = "retry or back"
)

// What stands in an empty field.
var (
	hintScanItOrType    = "scan it, or type the SKU"
	hintOfTheLineMarked = "of the selected line"
	hintSo              = "SO-7781"
)

// What is counted.
var (
	nounOpen = "open"
)

// What is said.
var (
	saidFulfill              = "fulfill %s"
	saidSentOf               = "fulfilled %s of %s"
	saidCancelled            = "%s canceled"
	saidAll                  = "all %s"
	saidRecordWhatWasSed     = "Record what was %sed: the counted quantity, or all"
	labelAllOfIt             = "%s all"
	saidSedAll               = "%sed all %s"
	saidAllocate             = "allocate %s"
	saidAllocatedWhatThereIs = "allocated available stock"
	saidSendPicked           = "fulfill picked %s"
	saidNothingIsReady       = "Nothing is ready: %s"
	saidWaits                = "1 waiting"
	saidWait                 = "%d waiting"
	saidSendItOnAnother      = "use it for another order (%s)"
	saidNamesNoOrderScan     = "%s is not an order. Scan the label of the order."
	saidToSend               = "%s  %s  %s  %s to go  %s"
	saidOpenedLately         = "Recently opened"
	saidFulfillNewOrder      = "Fulfill › new order"
	saidAnOrderFromScan      = "An order from %s: scan the items, then enter the customer"
	saidPartly               = "partly %s"
	saidMakeTheOrder         = "create the order"
	saidOfAreAllocated       = "%s: %s of %s allocated"
	saidOrderLines           = "order %d lines"
	labelOrderLine           = "order 1 line"
	factOpenedLately         = "recently opened"
	saidReady                = "%s  %s  ready %s  %s"
	saidFromScanWhatIs       = "from %s: scan the items, then enter the customer; order ends it"
	saidLeaves               = "%s, ships %s"
	saidWaitForStockWhen     = "%s waiting for stock. Press F3 to allocate new stock."
	saidWaitForStock         = "%s waiting for stock."
	saidOrderedReadySent     = "%s ordered   %s ready   %s fulfilled"
	saidWaiting              = "%s waiting for stock"
	saidWhenSent             = "%s   %s  %s when done"
)
