package strays

//go:generate go run bincard/tui/words/gen

// What the screen is called and says.
var (
	nameScreen   = "Unknown codes"
	aboutScreen  = "Codes scanned in this shift that were not found"
	emptyList    = "All codes scanned in this shift are known."
	noCodes      = "There are no unknown codes"
	columnCode   = "code"
	columnTimes  = "times"
	columnWhere  = "where"
	columnFirst  = "first"
	columnLast   = "last"
	writtenWords = "Wrote %s to %s"
	notWritten   = "Cannot write the list: %v. Try again."
)

// What actions are called, and what they are for.
var (
	labelProduct = "create product"
	shortProduct = "product"
	helpProduct  = "Create a product with this barcode"
	labelCopy    = "copy"
	shortCopy    = "copy"
	helpCopy     = "Copy the code"
	labelExport  = "export"
	shortExport  = "file"
	helpExport   = "Write the list as a CSV file"
	labelForget  = "discard"
	shortForget  = "discard"
	helpForget   = "Remove the code from this list"
)
