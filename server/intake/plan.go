package intake

import (
	"context"

	"bincard/server/api"
	"bincard/server/sheet"
)

// A Kind is what the lines of a table describe.
type Kind string

const (
	Products  Kind = "products"
	Locations Kind = "locations"
	Stock     Kind = "stock"
)

// Kinds are all kinds.
var Kinds = []Kind{Products, Locations, Stock}

// A Format is where a table comes from.
type Format string

const (
	// Plain tables have the columns that Columns returns.
	Plain Format = "plain"
	// Shopify is Shopify's inventory export, imported as stock.
	Shopify Format = "shopify"
)

// Columns returns the columns that a plain table must have, and those that it
// may have.
func (k Kind) Columns() (required, optional []string) {
	switch k {
	case Products:
		return []string{"sku", "name"}, []string{"barcode", "unit", "box factor", "box barcode", "tracking", "reorder point"}
	case Locations:
		return []string{"code", "name", "type"}, nil
	}
	return []string{"sku", "location", "quantity"}, []string{"owner", "channel", "lot", "expiry"}
}

// Options are the options of Prepare.
type Options struct {
	// Add permits opening stock on balances with stock from elsewhere.
	Add bool
	// Progress is called with the number of lines checked or applied so far;
	// it may be nil.
	Progress func(done, total int)
}

// A Plan is a checked table: its problems, and the operations to perform.
type Plan struct {
	Kind   Kind   `json:"kind"`
	Format Format `json:"form"`
	// Lines is the number of rows; Unchanged of them describe existing data,
	// Skipped have no quantity.
	Lines     int `json:"lines"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
	// Problems are all problems, by line. A plan with problems cannot be
	// applied.
	Problems []sheet.Problem `json:"problems"`

	options Options
	batch   string // prefix of the file's idempotency keys
	steps   []step
}

// A step is the operation of one line.
type step struct {
	line int
	do   func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error)
}

// Steps returns the number of operations that Apply performs.
func (p *Plan) Steps() int { return len(p.steps) }
