package strays

//go:generate go run bincard/tui/words/gen

// What the screen is called and says.
var (
	nameScreen   = "Unknown codes"
	aboutScreen  = "Scanned in this shift, and known to nobody"
	emptyList    = "Every code that was scanned in this shift is known."
	noCodes      = "No code is unknown"
	columnCode   = "code"
	columnTimes  = "times"
	columnWhere  = "where"
	columnFirst  = "first"
	columnLast   = "last"
	writtenWords = "%s is in %s"
	notWritten   = "The list was not written: %v. It is still here: try again."
)

// What actions are called, and what they are for.
var (
	labelProduct = "make a product of it"
	shortProduct = "product"
	helpProduct  = "Open the form of a new product with this barcode"
	labelCopy    = "copy"
	shortCopy    = "copy"
	helpCopy     = "Copy the code"
	labelExport  = "export"
	shortExport  = "file"
	helpExport   = "Write the list as a CSV file"
	labelForget  = "forget"
	shortForget  = "drop"
	helpForget   = "Take the code off the list"
)
