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

// isForCreated reports whether an operation depends on another one, which creates its document.
func (b *Queue) isForCreated(op, creation *Operation) bool {
	return b.opts.CreatedID != nil && op.document != "" && slices.Contains(op.Needs, creation.Key) &&
		b.opts.CreatedID(&creation.Capture) == op.document
}

// lacksDocument reports whether the creation of an operation's document was discarded or
// replaced. If the service has a document with its id, another site created it with the same
// key: the operation is not for that one.
func (b *Queue) lacksDocument(op *Operation) bool {
	return slices.ContainsFunc(op.Needs, func(key string) bool {
		creation := b.byKey[key]
		return creation != nil && (creation.State == Discarded || creation.State == Replaced) && b.isForCreated(op, creation)
	})
}
