package outbounds

//go:generate go run bincard/tui/words/gen

// What the screens ask.
var (
	askList   = "Scan an order or goods, or choose one"
	askID     = "Scan or type the outbound's id"
	askWhich  = "Which order?"
	askCancel = "Cancel %s? The %s allocated go back to the shelf."
	askAgain  = "No answer yet: enter sends it again"
)

// What actions are for.
var (
	helpOpen     = "Fulfill the order chosen"
	helpNew      = "Make an order"
	helpAll      = "Count all that is ready on every line"
	helpAllocate = "Take what has come in meanwhile for this order"
	helpPicked   = "Send everything that was picked"
	helpCancel   = "Cancel what was not sent, and release what is allocated"
	helpSave     = "Make the order and allocate what there is"
	helpDrop     = "Take the line marked out of the order"
)

// What is said when there is nothing, or it cannot be done.
var (
	emptyList     = "Nothing is to leave here. Scan an order of another place, or choose another place (F6)."
	noList        = "This service keeps no list of orders. What you open stands here afterwards."
	noOrder       = "There is no order to choose"
	noneOfProduct = "No order here waits for %s (%s)."
	noPlace       = "Choose the place first that the goods leave from (F6), then make the order."
	makesNone     = "This service takes orders from elsewhere only."
	allAllocated  = "All of it is allocated"
	allPicked     = "All that is allocated is picked"
	allPacked     = "All that is picked is packed"
	nonePicked    = "Nothing is picked that was not sent"
	lineByLine    = "An order leaves line by line: pick all of line %d first"
	otherLine     = "An order leaves line by line: of %s %s would be sent, and %s are counted. Count all that is ready of %s first (+), or pick what you have (F4)."
	notOrdered    = "%s has no %s. It has %s."
	whichLine     = "%s has several lines: say of which (%s), or send all that is ready."
	noneReady     = "Nothing of %s is ready to be sent."
	ended         = "This order is %s: %s of %s were sent."
)

// What a new order says.
var (
	orderEmpty   = "The order is empty: scan what is to leave."
	orderBare    = "Nothing is ordered yet."
	orderUnsaved = "Nothing is ordered yet: scan what is to leave"
	orderFrozen  = "The order was sent and has no answer yet. Nothing was added: press enter to send it again."
	orderLost    = "No answer came, so nobody knows whether the order was made. Press enter: it is sent again as it was, and made once."
	orderNoLine  = "Scan the product first, then type how many: at least 1."
)

// What was done.
var (
	sentWords = "%s %s. %s of %s are sent, %s ready"
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
	labelNew         = "new"
	labelSendAgain   = "send again"
	labelTakeLineOut = "take line out"
)

// What actions are called where there is little room.
var (
	shortAll          = "all"
	shortAlloc        = "alloc"
	shortSend         = "send"
	shortOther        = "other"
	shortScanOrChoose = "scan or choose"
	shortOut          = "out"
)

// What columns are called.
var (
	columnOrder     = "order"
	columnLeaves    = "leaves"
	columnCustomer  = "customer"
	columnGoods     = "goods"
	columnToSend    = "to send"
	columnReady     = "ready"
	columnStatus    = "status"
	columnProduct   = "product"
	columnName      = "name"
	columnAllocated = "allocated"
	columnNow       = "now"
	columnQuantity  = "quantity"
)

// What fields and screens are called.
var (
	fieldNewOrder  = "New order"
	fieldProduct   = "Product"
	fieldQuantity  = "Quantity"
	fieldCustomer  = "Customer"
	fieldReference = "Reference"
	fieldLeaves    = "Leaves"
)

// What is asked in lines.
var (
	questionScanOrID    = "scan or id"
	questionAgainOrBack = "again or back"
)

// What stands in an empty field.
var (
	hintScanItOrType    = "scan it, or type the SKU"
	hintOfTheLineMarked = "of the line marked"
	hintSo              = "SO-7781"
)

// What is counted.
var (
	nounOpen = "open"
)

// What is said.
var (
	saidFulfill              = "fulfill %s"
	saidSentOf               = "sent %s of %s"
	saidCancelled            = "%s cancelled"
	saidAll                  = "all %s"
	saidRecordWhatWasSed     = "Record what was %sed: what is counted, or all"
	labelAllOfIt             = "%s all"
	saidSedAll               = "%sed all %s"
	saidAllocate             = "allocate %s"
	saidAllocatedWhatThereIs = "allocated what there is"
	saidSendPicked           = "send picked %s"
	saidNothingIsReady       = "Nothing is ready: %s"
	saidWaits                = "1 waits"
	saidWait                 = "%d wait"
	saidSendItOnAnother      = "send it on another order (%s)"
	saidNamesNoOrderScan     = "%s names no order. Scan the order's own label."
	saidToSend               = "%s  %s  %s  %s to send  %s"
	saidOpenedLately         = "Opened lately"
	saidFulfillNewOrder      = "Fulfill › new order"
	saidAnOrderFromScan      = "An order from %s: scan what is to leave, then for whom"
	saidPartly               = "partly %s"
	saidMakeTheOrder         = "make the order"
	saidOfAreAllocated       = "%s: %s of %s are allocated"
	saidOrderLines           = "order %d lines"
	labelOrderLine           = "order 1 line"
	factOpenedLately         = "opened lately"
	saidReady                = "%s  %s  ready %s  %s"
	saidFromScanWhatIs       = "from %s: scan what is to leave, then for whom; order ends it"
	saidLeaves               = "%s, leaves %s"
	saidWaitForStockWhen     = "%s wait for stock. When some has come in, F3 allocates it."
	saidWaitForStock         = "%s wait for stock."
	saidOrderedReadySent     = "%s ordered   %s ready   %s sent"
	saidWaiting              = "%s wait for stock"
	saidWhenSent             = "%s   %s  %s when sent"
)
