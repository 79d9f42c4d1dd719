package goods

//go:generate go run bincard/tui/words/gen

// What actions are called.
var (
	labelMakeAProductWith  = "create product with it"
	labelOpen              = "open"
	labelNew               = "new"
	labelStock             = "stock"
	labelReadAnew          = "refresh"
	labelAllAgain          = "clear search"
	labelAnnounceADelivery = "create a delivery"
	labelShowIt            = "show it"
	labelTryAgain          = "retry"
	labelArchive           = "archive"
)

// What actions are called where there is little room.
var (
	shortMakeIt          = "create"
	shortAll             = "clear"
	shortNewProduct      = "new product"
	shortNeededForABox   = "needed for a box"
	shortAsThePiece      = "same as the unit"
	shortABoxHoldsThem   = "use a smaller unit"
	shortShow            = "show"
	shortAnnounceItEnter = "enter: delivery"
	shortAnnounce        = "delivery"
)

// What actions are for.
var (
	helpShowTheProductChosen = "Show the selected product"
	helpMakeAProductThat     = "Create a product"
	helpTheBalancesOfThe     = "Show stock of the selected product"
	helpReadTheListAnew      = "Refresh the list"
	helpEmptyTheSearch       = "Clear the search"
	helpSayThatSomeOf        = "Create an expected delivery of this product"
	helpMakeAProductWith     = "Create a product with this SKU"
	helpItsBalancesAtAll     = "Show its stock at all locations"
	helpTakeTheProductOut    = "Archive the product; its stock and history stay readable"
)

// What fields and screens are called.
var (
	fieldSku          = "SKU"
	fieldName         = "Name"
	fieldBarcode      = "Barcode"
	fieldUnit         = "Unit"
	fieldBoxOf        = "Box of"
	fieldBoxcode      = "Box code"
	fieldTracked      = "Tracked"
	fieldReorder      = "Reorder"
	fieldProducts     = "Products"
	fieldMakeAProduct = "Create a product"
	fieldProduct      = "Product"
)

// What screens are called.
var (
	nameProductsNew = "Products › new"
)

// What is asked.
var (
	askAProductAndHow          = "Product and packaging. Scan its barcodes in any field"
	askEnterAnnouncesADelivery = "Press enter to create a delivery of it"
)

// What stands in an empty field.
var (
	hintOat             = "OAT-1L"
	hintOatMilkL        = "Oat milk 1 l"
	hintScanIt          = "scan it"
	hintPiece           = "piece"
	hintIfItComesIn     = "12, if it comes in boxes"
	hintScanTheLabelOf  = "scan the label of the box"
	hintUnderThisManyIt = "low stock below this quantity"
)

// What is counted.
var (
	nounProducts = "products"
)

// What is said.
var (
	saidCheckDigitIsC          = "check digit is %c, should be %c"
	saidTheLabelCannotBe       = "Unreadable label: %s. Nothing was changed: scan it again."
	saidNamesNoProductScan     = "%s is not a product label. Scan the barcode of the product."
	saidIsNoSoundBarcode       = "%s is not a valid barcode: %w. Nothing was changed: scan it again."
	saidMadeOf                 = "Contains"
	saidByLot                  = "by lot"
	saidBySerial               = "by serial"
	saidIsNotKnownHere         = "Unknown barcode %s. Press F3 to create a product with it."
	saidScanAProductOr         = "Scan a product, or type to search"
	saidScanOrType             = "scan or type"
	saidNoProductIsKnown       = "No products yet. Press F3 or scan a barcode to create one."
	saidNothingFitsShortenWhat = "No match. Shorten the search, clear it (esc), or create a product (F3)."
	saidNothingIsOnThe         = "The list is empty"
	saidProduct                = "product %s"
	saidHowManyDoesThe         = "The quantity of the box with barcode %s is missing. Type it, or remove the barcode of the box."
	saidTheBoxAndThe           = "The box and the unit have the same barcode. Scan the label of the box, or leave it empty."
	saidItIsCountedIn          = "The unit is a box, and it comes in boxes of %s. Use the unit inside, such as piece, or clear Box of."
	saidMakeProduct            = "create product %s"
	saidHasNoPlaceBoth         = "No free field for %s: both barcodes are set. Go to the one to replace and scan again."
	saidShow                   = "show %s"
	saidIsKnownNow             = "Product %s created"
	saidEscAndF6Place          = "esc, F6 location"
	saidChooseThePlaceWhere    = "Choose your location (esc, F6), then create a delivery"
	saidChooseThePlaceFirst    = "Choose the receiving location first (F6 on the home screen)"
	saidThereIsNoProduct       = "Product %s not found. F3 creates it, esc goes back."
	saidProducts               = "Products › %s"
	saidNotReadAnew            = "Not refreshed: %s"
	saidArchive                = "archive %s"
	saidIsOutOfUse             = "%s is archived"
	saidNoAnswerCameArchive    = "No answer. Archive it again (F8); it is done only once."
	saidTakeOutOfUse           = "Archive %s (%s) permanently? Its stock and history stay readable."
	saidTheProduct             = "the product"
	nounProduct                = "product"
	saidScanNumberOrSearch     = "scan, number or search"
	saidSearch                 = "search: %s"
)

// What can be done with the stock of a product.
var (
	helpAdjust  = "Adjust its stock here"
	helpMove    = "Move its stock here between states"
	helpReserve = "Reserve some of it for a customer or order"
	helpKit     = "Assemble or disassemble kits"
)

// What is said of a service that has no catalogue.
var (
	noCatalogue = "This service has no product catalog. Products come from another system."
)
