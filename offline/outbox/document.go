package outbox

import (
	"hash/fnv"
	"slices"

	"bincard/server/api"
)

// documentOf returns the id of the document that an operation is for, empty if none.
func documentOf(c *Capture) string {
	spec := api.FindOperation(c.SpecID)
	if spec == nil || spec.Document == "" {
		return ""
	}
	names, _ := MatchPath(spec.Path, c.Target)
	return names[string(spec.Document)+"Id"]
}

// withDocument returns a footprint with a row for the document of an operation. An
// operation that the local ledger rejects writes no rows, and yet must keep its order with
// the others on its document.
func (op *Operation) withDocument(f Footprint) Footprint {
	if op.document == "" {
		return f
	}
	row := fnv.New64a()
	_, _ = row.Write([]byte(op.document))
	f.Writes = append(slices.Clip(f.Writes), row.Sum64())
	return f
}
