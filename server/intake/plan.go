package intake

import (
	"context"
	"time"

	"bincard/server/api"
	"bincard/server/sheet"
)

// A Kind is what the lines of a table describe.
type Kind string

const (
	Products  Kind = "products"
	Locations Kind = "locations"
	Shelves   Kind = "shelves" // of products at locations
	Stock     Kind = "stock"
	Inbounds  Kind = "inbounds"
	Outbounds Kind = "outbounds"
	Transfers Kind = "transfers"
)

// Kinds are all kinds.
var Kinds = []Kind{Products, Locations, Shelves, Stock, Inbounds, Outbounds, Transfers}

// Documents reports whether the lines of the kind form documents, by their references.
func (k Kind) Documents() bool { return k == Inbounds || k == Outbounds || k == Transfers }

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
		return []string{
				"sku",
				"name",
			}, []string{
				"barcode",
				"unit",
				"box factor",
				"box barcode",
				"tracking",
				"reorder point",
			}

	case Locations:
		return []string{"code", "name", "type"}, nil
	case Shelves:
		return []string{"sku", "location", "shelf"}, nil
	case Inbounds:
		optional = []string{
			"sku",
			"gtin",
			"line",
			"lot",
			"batch",
			"expiry",
			"serials",
			"sscc",
			"supplier",
			"supplierReference",
			"order",
			"expectedAt",
			"owner",
			"channel",
		}

		for _, detail := range new(api.InboundDetails).Details() {
			optional = append(optional, detail.Name)
		}

		return []string{"reference", "quantity", "location"}, optional

	case Outbounds:
		return []string{
				"reference",
				"quantity",
				"location",
			}, []string{
				"sku",
				"gtin",
				"line",
				"customer",
				"order",
				"shipAt",
				"owner",
				"channel",
			}

	case Transfers:
		return []string{
				"reference",
				"quantity",
				"source",
				"destination",
			}, []string{
				"sku",
				"gtin",
				"line",
				"owner",
				"channel",
			}
	}

	return []string{"sku", "location", "quantity"}, []string{"owner", "channel", "lot", "expiry"}
}

// Options are the options of Prepare.
type Options struct {
	// Add permits opening stock on balances with stock from elsewhere.
	Add bool
	// OnlyNew imports the documents that do not exist yet even if others in the table differ
	// from the existing ones.
	OnlyNew bool
	// Change corrects the products and locations that exist and differ from their lines.
	Change bool
	// Columns says what the table's columns are by their names, as in Mapping, where they do not
	// have the names of the import.
	Columns map[string]string
	// Progress is called with the number of lines checked or applied so far;
	// it may be nil.
	Progress func(done, total int)
}

// A Plan is a checked table: its problems, and the operations to perform.
type Plan struct {
	Kind   Kind   `json:"kind"`
	Format Format `json:"form"`
	// Lines is the number of rows; Unchanged of them describe existing data,
	// Changed correct it, and Skipped have no quantity.
	Lines     int `json:"lines"`
	Unchanged int `json:"unchanged"`
	Changed   int `json:"changed,omitzero"`
	Skipped   int `json:"skipped"`
	// Documents counts the documents of the table, if its lines form documents.
	Documents *DocumentCount `json:"documents,omitzero"`
	// Problems are the first 200 problems, by line, and MoreProblems is the number of the
	// others. A plan with problems cannot be applied.
	Problems     []sheet.Problem `json:"problems"`
	MoreProblems int             `json:"moreProblems,omitzero"`

	options   Options
	batch     string // prefix of the file's idempotency keys
	table     *sheet.Table
	groups    []group // of the documents with operations, in the order of these
	stepCount int
}

// ProblemCount returns the number of all problems.
func (p *Plan) ProblemCount() int { return len(p.Problems) + p.MoreProblems }

// A step is the operation of one line, or of one document.
type step struct {
	line int
	key  string // the idempotency key
	do   func(ctx context.Context, svc api.Service, key api.Option) (*api.Response, error)
	// due is the ship date of an outbound, and stock what it allocates.
	due   time.Time
	stock []api.StockKey
	// after are the indexes of the steps that it waits for.
	after []int
}

// waitForStock makes steps that compete for stock wait for each other.
func waitForStock(steps []step) {
	last := map[api.StockKey]int{}
	for i := range steps {
		for _, key := range steps[i].stock {
			if before, ok := last[key]; ok && before != i {
				steps[i].after = append(steps[i].after, before)
			}
			last[key] = i
		}
	}
}

// Steps returns the number of operations that Apply performs.
func (p *Plan) Steps() int { return p.stepCount }
