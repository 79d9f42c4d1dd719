package catalogue

//go:generate go run bincard/tui/words/gen

// What is said.
var (
	saidCheckTheLabelOr     = "Check the label, or type part of the name."
	saidThisLabelNamesNo    = "This is not a product or location label. Scan the product's label."
	saidIsNotKnownHere      = "%s was not found. %s"
	saidThisServiceHasNo    = "This service has no barcode list. Type the SKU or the location code."
	saidNamesNoBalanceWrite = "%q is not a balance. Write SKU@LOCATION, like OAT-1L@WH-1."
	saidThereIsNoProduct    = "Product %s not found. Search for it in Stock."
	saidThereNeverWasAny    = "%s was never stocked at %s, so there is nothing to explain."
)
