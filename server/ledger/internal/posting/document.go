package posting

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// NewID returns the id of a resource that the write creates. It derives from the
// idempotency key, so that an offline terminal can predict it.
func (c *Tx) NewID(kind string) api.ID {
	return journal.Derive(c.Partition, kind, []byte(c.Request.IdempotencyKey))
}

// SetDocument stores in the journal entry the resource that the write created or changed.
func (c *Tx) SetDocument(resource any) (err error) {
	c.Entry.Document, err = json.Marshal(resource, json.Deterministic(true))
	return err
}

// SetReference sets the reference of the movements: the given one, or else the
// document itself.
func (c *Tx) SetReference(kind, id, docKind string, docID api.ID) {
	if c.Entry.ReferenceType, c.Entry.ReferenceID = kind, id; kind == "" && id == "" {
		c.Entry.ReferenceType, c.Entry.ReferenceID = docKind, docID.String()
	}
}

// CheckVersion checks the version that the caller expects, if any.
func (c *Tx) CheckVersion(version int64) error {
	c.versionChecked = true
	want := strings.TrimSpace(c.Request.IfMatch)
	if want == "" || want == "*" || want == fmt.Sprintf("%q", fmt.Sprint(version)) {
		return nil
	}
	return api.Fail(api.VersionConflict, api.Details{"version": version, "requested": want},
		"The resource is at version %d, not %s; it changed since you read it. Read it again, then retry.", version,
		want)
}

// RequestedKey returns the stock key of a request, whose balance must have the version
// that the caller expects, if any.
func (c *Tx) RequestedKey(in api.StockKey) (stored.StockKey, error) {
	at, err := c.StockKeyOf(in)
	if err != nil {
		return at, err
	}
	return at, c.MatchBalance(at)
}

// MatchBalance checks the version of a balance that the caller expects, if any.
func (c *Tx) MatchBalance(at stored.StockKey) error {
	if c.Request.IfMatch == "" {
		return nil
	}
	b, err := c.BalanceAt(at)
	if err != nil {
		return err
	}
	return c.CheckVersion(b.Version)
}

// RejectVersion rejects If-Match on an operation that checks no version.
func (c *Tx) RejectVersion() error {
	if c.Request.IfMatch == "" || c.versionChecked {
		return nil
	}
	return api.Fail(api.VersionConflict, api.Details{"requested": c.Request.IfMatch},
		"If-Match does not apply to this operation. Omit the header; the Idempotency-Key prevents duplicates.")
}

// TimeOr returns t, or &other when t is nil.
func TimeOr(t *time.Time, other time.Time) *time.Time {
	if t != nil {
		return t
	}
	return &other
}

// WithLastChange adds who changed a document last, and when, to the details of an error. A
// replica may lack the entry; the details then say nothing of it.
func (c *Tx) WithLastChange(last uint64, details api.Details) api.Details {
	if e, err := c.EntryAt(last); err == nil {
		by := e.Actor
		if e.Operator != nil {
			by = *e.Operator
		}
		details["changedBy"], details["changedAt"] = by.Label, e.At.UTC().Format(time.RFC3339)
	}

	return details
}

// SaveDocument writes the row of a document, and its state to the journal entry.
func SaveDocument[T any, P journal.DocumentRow[T]](
	c *Tx,
	t *store.Table[T],
	kind journal.DocumentKind,
	id api.ID,
	doc P,
) error {
	doc.Rev().Last = c.Entry.Seq
	state, err := journal.MutableState(doc)
	if err != nil {
		return err
	}

	c.Entry.DocumentRef = journal.DocumentRef{Kind: kind, ID: id, State: state}
	if doc.Rev().Seq != c.Entry.Seq {
		return t.Put(c.Writer, doc)
	}

	c.Entry.DocumentRef.Created, c.Entry.DocumentRef.Sum = true, journal.SumOf(doc)

	return t.Insert(c.Writer, doc)
}
