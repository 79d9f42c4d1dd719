package places

//go:generate go run bincard/tui/words/gen

// What actions are called.
var (
	labelMakeAPlaceWith = "create location with it"
	labelWorkHere       = "work here"
	labelNew            = "new"
)

// What actions are called where there is little room.
var (
	shortScanOrChoose  = "scan or choose"
	shortMakeIt        = "create"
	shortNewPlace      = "new location"
	shortWorkHereEnter = "work here: enter"
)

// What actions are for.
var (
	helpMakeItThePlace = "Use this as your location"
	helpMakeAPlaceThat = "Create a location"
)

// What columns are called.
var (
	columnCode   = "code"
	columnCalled = "name"
	columnKind   = "type"
)

// What fields and screens are called.
var (
	fieldCode       = "Code"
	fieldCalled     = "Name"
	fieldKind       = "Type"
	fieldPlaces     = "Locations"
	fieldMakeAPlace = "Create a location"
)

// What screens are called.
var (
	namePlacesNew = "Locations › new"
)

// What is asked.
var (
	askWhereDoYouWork   = "Where do you work? Scan the location, or choose it"
	askAPlaceWhereGoods = "A location holds stock: a warehouse, a store, or a virtual one"
)

// What stands in an empty field.
var (
	hintWhAsOnIts     = "WH-1, as on its label"
	hintMainWarehouse = "Main warehouse"
)

// What is counted.
var (
	nounPlaces = "locations"
)

// What is said.
var (
	saidNoPlaceIsKnown        = "No locations yet. Press F3 to create one."
	saidYouWorkAtScan         = "You work at %s. Scan another location, or choose it"
	saidIsNotKnownHere        = "Unknown code %s. Press F3 to create a location with it."
	saidNothingIsOnThe        = "The list is empty"
	saidPlace                 = "location %s"
	saidMakePlace             = "create location %s"
	saidNamesNoPlaceScan      = "%s is not a location label. Scan the label of the location."
	saidIsThereAlreadyNothing = "%s already exists (%s). Nothing was changed: scan another label."
	saidIsKnownNow            = "Location %s created"
	saidEnterWorkAtFrom       = "Press enter to work at %s"
	saidWorkAt                = "Working at %s"
	saidYouWorkAt             = "you work at %s"
)

// What is said of a service that keeps no places.
var (
	noCatalogue = "Locations come from another system in this service. Choose yours with F6 on the home screen."
)
