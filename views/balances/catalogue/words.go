package catalogue

//go:generate go run bincard/tui/words/gen

// What is said.
var (
	saidCheckTheLabelOr     = "Check the label, or type part of the name."
	saidThisLabelNamesNo    = "This label names no product and no location. Scan the product's label."
	saidIsNotKnownHere      = "%s is not known here. %s"
	saidThisServiceHasNo    = "This service has no list of barcodes: type the SKU or the code of the location."
	saidNamesNoBalanceWrite = "%q names no balance: write SKU@LOCATION, like OAT-1L@WH-1."
	saidThereIsNoProduct    = "There is no product %s. Search for it in the stock."
	saidThereNeverWasAny    = "There never was any %s at %s: nothing is to be explained."
)
