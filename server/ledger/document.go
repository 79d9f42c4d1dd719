package ledger

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// newID returns the id of a resource that the write creates. It derives from the
// idempotency key, so that an offline terminal can predict it.
func (c *writeTx) newID(kind string) api.ID {
	return DerivedID(c.Partition, kind, c.req.IdempotencyKey)
}

// DerivedID returns the id of a resource created with an idempotency key.
func DerivedID(p store.Partition, kind, key string) api.ID {
	return journal.Derive(p, kind, []byte(key))
}

// setDocument stores in the journal entry the resource that the write created or changed.
func (c *writeTx) setDocument(resource any) (err error) {
	c.entry.Document, err = json.Marshal(resource, json.Deterministic(true))
	return err
}

// setReference sets the reference of the movements: the given one, or else the
// document itself.
func (c *writeTx) setReference(kind, id, docKind string, docID api.ID) {
	if c.entry.ReferenceType, c.entry.ReferenceID = kind, id; kind == "" && id == "" {
		c.entry.ReferenceType, c.entry.ReferenceID = docKind, docID.String()
	}
}

// checkVersion checks the version that the caller expects, if any.
func (c *writeTx) checkVersion(version int64) error {
	c.versionChecked = true
	want := strings.TrimSpace(c.req.IfMatch)
	if want == "" || want == "*" || want == fmt.Sprintf("%q", fmt.Sprint(version)) {
		return nil
	}
	return api.Fail(api.VersionConflict, api.Details{"version": version, "requested": want},
		"The resource is at version %d, not %s; it changed since you read it. Read it again, then retry.", version, want)
}

// rejectVersion rejects If-Match on an operation that checks no version.
func (c *writeTx) rejectVersion() error {
	if c.req.IfMatch == "" || c.versionChecked {
		return nil
	}
	return api.Fail(api.VersionConflict, api.Details{"requested": c.req.IfMatch},
		"If-Match does not apply to this operation. Omit the header; the Idempotency-Key prevents duplicates.")
}

// timeOr returns t, or &other when t is nil.
func timeOr(t *time.Time, other time.Time) *time.Time {
	if t != nil {
		return t
	}
	return &other
}

// saveDocument writes the row of a document, and its state to the journal entry.
func saveDocument[T any, P journal.DocumentRow[T]](c *writeTx, t *store.Table[T], kind journal.DocumentKind, id api.ID, doc P) error {
	doc.Rev().Last = c.entry.Seq
	state, err := journal.MutableState(doc)
	if err != nil {
		return err
	}
	c.entry.DocumentRef = journal.DocumentRef{Kind: kind, ID: id, State: state}
	if doc.Rev().Seq != c.entry.Seq {
		return t.Put(c.tx, doc)
	}
	c.entry.DocumentRef.Created, c.entry.DocumentRef.Sum = true, journal.SumOf(doc)
	return t.Insert(c.tx, doc)
}
