package outbox

import (
	"hash/fnv"
	"slices"

	"bincard/server/api"
)

// documentTarget returns the id of the document that an operation is for, empty if none.
func (op *Operation) documentTarget() string {
	spec := api.FindOperation(op.SpecID)
	if spec == nil || spec.Document == "" {
		return ""
	}
	names, _ := MatchPath(spec.Path, op.Target)
	return names[string(spec.Document)+"Id"]
}

// withDocument returns a footprint with a row for the document of an operation. An
// operation that the local ledger rejects writes no rows, and yet must keep its order with
// the others on its document.
func (op *Operation) withDocument(f Footprint) Footprint {
	id := op.documentTarget()
	if id == "" {
		return f
	}
	row := fnv.New64a()
	_, _ = row.Write([]byte(id))
	f.Writes = append(slices.Clip(f.Writes), row.Sum64())
	return f
}
