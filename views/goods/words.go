package goods

//go:generate go run bincard/tui/words/gen

// What actions are called.
var (
	labelMakeAProductWith  = "make a product with it"
	labelOpen              = "open"
	labelNew               = "new"
	labelStock             = "stock"
	labelReadAnew          = "read anew"
	labelAllAgain          = "all again"
	labelAnnounceADelivery = "announce a delivery"
	labelShowIt            = "show it"
	labelTryAgain          = "try again"
	labelArchive           = "archive"
)

// What actions are called where there is little room.
var (
	shortMakeIt          = "make it"
	shortAll             = "all"
	shortNewProduct      = "new product"
	shortNeededForABox   = "needed for a box"
	shortAsThePiece      = "as the piece"
	shortABoxHoldsThem   = "a box holds them"
	shortShow            = "show"
	shortAnnounceItEnter = "announce it: enter"
	shortAnnounce        = "announce"
)

// What actions are for.
var (
	helpShowTheProductChosen = "Show the product chosen"
	helpMakeAProductThat     = "Make a product that is not on the list"
	helpTheBalancesOfThe     = "The balances of the product chosen"
	helpReadTheListAnew      = "Read the list anew"
	helpEmptyTheSearch       = "Empty the search"
	helpSayThatSomeOf        = "Say that some of it will come"
	helpMakeAProductWith     = "Make a product with this SKU"
	helpItsBalancesAtAll     = "Its balances at all places"
	helpTakeTheProductOut    = "Take the product out of use; its stock stays readable"
)

// What fields and screens are called.
var (
	fieldSku          = "SKU"
	fieldName         = "Name"
	fieldBarcode      = "Barcode"
	fieldUnit         = "Unit"
	fieldBoxOf        = "Box of"
	fieldBoxcode      = "Boxcode"
	fieldTracked      = "Tracked"
	fieldReorder      = "Reorder"
	fieldProducts     = "Products"
	fieldMakeAProduct = "Make a product"
	fieldProduct      = "Product"
)

// What screens are called.
var (
	nameProductsNew = "Products › new"
)

// What is asked.
var (
	askAProductAndHow          = "A product, and how it comes. Scan its barcodes at any field"
	askEnterAnnouncesADelivery = "enter announces a delivery of it"
)

// What stands in an empty field.
var (
	hintOat             = "OAT-1L"
	hintOatMilkL        = "Oat milk 1 l"
	hintScanIt          = "scan it"
	hintPiece           = "piece"
	hintIfItComesIn     = "12, if it comes in boxes"
	hintScanTheLabelOf  = "scan the label of the box"
	hintUnderThisManyIt = "under this many it is low"
)

// What is counted.
var (
	nounProducts = "products"
)

// What is said.
var (
	saidCheckDigitIsC          = "check digit is %c, should be %c"
	saidTheLabelCannotBe       = "The label cannot be trusted: %s. Nothing was changed: scan it again."
	saidNamesNoProductScan     = "%s names no product. Scan the barcode of the product."
	saidIsNoSoundBarcode       = "%s is no sound barcode: its %w. Nothing was changed: scan it again."
	saidMadeOf                 = "Made of"
	saidByLot                  = "by lot"
	saidBySerial               = "by serial"
	saidIsNotKnownHere         = "%s is not known here. F3 makes a product with this barcode."
	saidScanAProductOr         = "Scan a product, or type to search"
	saidScanOrType             = "scan or type"
	saidNoProductIsKnown       = "No product is known yet. F3 makes the first one; a scan of its barcode begins it too."
	saidNothingFitsShortenWhat = "Nothing fits. Shorten what you typed (esc empties it), or make a product (F3)."
	saidNothingIsOnThe         = "Nothing is on the list"
	saidProduct                = "product %s"
	saidHowManyDoesThe         = "How many does the box with the barcode %s hold? Type it, or take the barcode of the box out."
	saidTheBoxAndThe           = "The box and the piece have the same barcode, so a scan could not tell them apart. Scan the label of the box, or leave it empty."
	saidItIsCountedIn          = "It is counted in boxes, and comes in boxes of %s: name what is in the box, such as piece, or leave out how many it holds."
	saidMakeProduct            = "make product %s"
	saidHasNoPlaceBoth         = "%s has no place: both barcodes are filled in. Go to the one it shall replace and scan again."
	saidShow                   = "show %s"
	saidIsKnownNow             = "%s is known now"
	saidEscAndF6Place          = "esc, and F6 place"
	saidChooseThePlaceWhere    = "Choose the place where you work (esc, F6), then announce a delivery"
	saidChooseThePlaceFirst    = "Choose the place first where the goods will come (F6 on the first screen)"
	saidThereIsNoProduct       = "There is no product %s here. F3 makes it, esc leads back."
	saidProducts               = "Products › %s"
	saidNotReadAnew            = "Not read anew: %s"
	saidArchive                = "archive %s"
	saidIsOutOfUse             = "%s is out of use"
	saidNoAnswerCameArchive    = "No answer came. Archive it again (F8): it is done once."
	saidTakeOutOfUse           = "Take %s (%s) out of use for good? Its stock and its history stay readable."
	saidTheProduct             = "the product"
	nounProduct                = "product"
	saidScanNumberOrSearch     = "scan, number or search"
	saidSearch                 = "search: %s"
)

// What can be done with the stock of a product.
var (
	helpAdjust  = "Change its stock here by hand"
	helpMove    = "Move its stock here between states"
	helpReserve = "Hold some of it for somebody"
	helpKit     = "Take its kits apart, or put them together"
)

// What is said of a service that has no catalogue.
var (
	noCatalogue = "This service keeps no products by itself: they come from another system."
)
