package panel

import (
	"context"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/submit"
)

// A NewDocumentForm describes a form that creates a document of one product. Its field
// "product" is filled by scans.
type NewDocumentForm struct {
	Title string // "Receive › new"
	// Document is what it creates: "new delivery".
	Document string
	// Short is the title for small terminals; Document if empty.
	Short  string
	Prompt string // what the form is for, in one line
	Fields func(ctx context.Context) ([]widget.Field, error)
	// ItemNote returns what matters about the item: "204 available"; may be nil.
	ItemNote func(ctx context.Context, item count.Item) (string, error)
	// BuildStep returns the write for the values.
	BuildStep func(values map[string]string, item count.Item) (submit.Step, error)
	// Created returns the route of the new document and the message to show.
	Created func(res *api.Response) (route, toast string)
}
