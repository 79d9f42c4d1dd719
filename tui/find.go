package tui

import "context"

// A Finder returns what a text may mean, the best match first: products, locations,
// documents, lots and serials with the text in a name or number.
type Finder func(ctx context.Context, text string) ([]Found, error)

// Found is something that a Finder found.
type Found struct {
	Code   string // handled like a scan if it is chosen
	Label  string // "OAT-1L  Oat milk 1 l"
	Detail string // the kind and status: "product", "inbound, expected"
}
