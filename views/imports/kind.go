package imports

import (
	"bincard/server/api"
	"bincard/tui/i18n"
)

// A kind is what a file describes.
type kind struct {
	name   string // in routes, and of session.ImportFile
	title  string // of the screen
	count  func(t *i18n.Translator, n int) string
	list   string    // the route of the list of the documents
	create *api.Spec // the operation that creates one
}

var kinds = []kind{
	{
		"inbounds",
		i18n.Text("Import deliveries"),
		func(t *i18n.Translator, n int) string { return t.GetN(n, "%s delivery", "%s deliveries") },
		"receive",
		api.CreateInbound.Spec,
	},
	{
		"outbounds",
		i18n.Text("Import orders"),
		func(t *i18n.Translator, n int) string { return t.GetN(n, "%s order", "%s orders") },
		"fulfill",
		api.CreateOutbound.Spec,
	},
	{
		"transfers",
		i18n.Text("Import transfers"),
		func(t *i18n.Translator, n int) string { return t.GetN(n, "%s transfer", "%s transfers") },
		"ship",
		api.CreateTransfer.Spec,
	},
}

// The texts of the progress and of the summary.
var (
	checkingText  = i18n.Text("Checking line %s of %s…")
	importingText = i18n.Text("Importing %s of %s…")
	newText       = i18n.Text("%s new")
	existingText  = i18n.Text("%s already here")
	differText    = i18n.Text("%s different")
)
