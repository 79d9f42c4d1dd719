package imports

import (
	"bincard/server/api"
	"bincard/tui/i18n"
)

// A kind is what a file describes.
type kind struct {
	name      string    // in routes, and of session.ImportFile
	title     string    // of the screen
	one, many string    // "1 delivery", "%s deliveries"
	list      string    // the route of the list of the documents
	create    *api.Spec // the operation that creates one
}

var kinds = []kind{
	{
		"inbounds",
		i18n.Text("Import deliveries"),
		i18n.Text("1 delivery"),
		i18n.Text("%s deliveries"),
		"receive",
		api.CreateInbound.Spec,
	},
	{
		"outbounds",
		i18n.Text("Import orders"),
		i18n.Text("1 order"),
		i18n.Text("%s orders"),
		"fulfill",
		api.CreateOutbound.Spec,
	},
	{
		"transfers",
		i18n.Text("Import transfers"),
		i18n.Text("1 transfer"),
		i18n.Text("%s transfers"),
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

// count names a number of documents.
func (k *kind) count(t *i18n.Translator, n int) string {
	if n == 1 {
		return t.Get(k.one)
	}
	return t.Get(k.many, t.Count(int64(n)))
}
