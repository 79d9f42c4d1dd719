package places

//go:generate go run bincard/tui/words/gen

// What actions are called.
var (
	labelMakeAPlaceWith = "make a place with it"
	labelWorkHere       = "work here"
	labelNew            = "new"
)

// What actions are called where there is little room.
var (
	shortScanOrChoose  = "scan or choose"
	shortMakeIt        = "make it"
	shortNewPlace      = "new place"
	shortWorkHereEnter = "work here: enter"
)

// What actions are for.
var (
	helpMakeItThePlace = "Make it the place where you work"
	helpMakeAPlaceThat = "Make a place that is not on the list"
)

// What columns are called.
var (
	columnCode   = "code"
	columnCalled = "called"
	columnKind   = "kind"
)

// What fields and screens are called.
var (
	fieldCode       = "Code"
	fieldCalled     = "Called"
	fieldKind       = "Kind"
	fieldPlaces     = "Places"
	fieldMakeAPlace = "Make a place"
)

// What screens are called.
var (
	namePlacesNew = "Places › new"
)

// What is asked.
var (
	askWhereDoYouWork   = "Where do you work? Scan the place, or choose it"
	askAPlaceWhereGoods = "A place where goods are: a warehouse, a store, or one that is none"
)

// What stands in an empty field.
var (
	hintWhAsOnIts     = "WH-1, as on its label"
	hintMainWarehouse = "Main warehouse"
)

// What is counted.
var (
	nounPlaces = "places"
)

// What is said.
var (
	saidNoPlaceIsKnown        = "No place is known yet. F3 makes the first one."
	saidYouWorkAtScan         = "You work at %s. Scan another place, or choose it"
	saidIsNotKnownHere        = "%s is not known here. F3 makes a place with this code."
	saidNothingIsOnThe        = "Nothing is on the list"
	saidPlace                 = "place %s"
	saidMakePlace             = "make place %s"
	saidNamesNoPlaceScan      = "%s names no place. Scan the label of the place."
	saidIsThereAlreadyNothing = "%s is there already (%s). Nothing was changed: scan another label."
	saidIsKnownNow            = "%s is known now"
	saidEnterWorkAtFrom       = "enter: work at %s from now on"
	saidWorkAt                = "Work at %s"
	saidYouWorkAt             = "you work at %s"
)

// What is said of a service that keeps no places.
var (
	noCatalogue = "This service keeps no places by itself: they come from another system. F6 on the first screen chooses among those it names."
)
