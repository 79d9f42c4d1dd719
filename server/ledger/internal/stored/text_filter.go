package stored

import (
	"slices"
	"strings"

	"golang.org/x/text/cases"

	"bincard/server/api"
)

// A textFilter matches texts that contain a query, whatever their case. An empty query
// matches all.
type textFilter struct {
	fold  cases.Caser
	query string
}

func newTextFilter(query string) *textFilter {
	fold := cases.Fold()
	return &textFilter{fold, fold.String(strings.TrimSpace(query))}
}

// in reports whether one of texts contains the query.
func (f *textFilter) in(texts ...string) bool {
	return f.query == "" ||
		slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(f.fold.String(t), f.query) })
}

// inDocument reports whether the start of a document's ID, one of its references or
// another of its texts matches.
func (f *textFilter) inDocument(id api.ID, doc api.StockDocument, texts ...string) bool {
	return f.query == "" || strings.HasPrefix(id.String(), f.query) || f.in(append(doc.References(), texts...)...)
}
