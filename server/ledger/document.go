package ledger

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"golang.org/x/text/cases"

	"bincard/server/api"
	"bincard/server/store"
)

// newID returns the id of a resource that the write creates. It derives from the
// idempotency key, so that an offline terminal can predict it.
func (c *writeTx) newID(kind string) api.ID { return DerivedID(c.p, kind, c.req.IdempotencyKey) }

// DerivedID returns the id of a resource created with an idempotency key.
func DerivedID(p store.Partition, kind, key string) api.ID { return derive(p, kind, []byte(key)) }

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

// referenceKeys returns the index keys of the names of a document.
func referenceKeys(names ...string) (keys [][]byte) {
	for _, n := range names {
		if n == "" {
			continue
		}
		k := foldName(n)
		if !slices.ContainsFunc(keys, func(x []byte) bool { return string(x) == string(k) }) {
			keys = append(keys, k)
		}
	}
	return keys
}

// foldName returns the case-insensitive index key of a name.
func foldName(s string) []byte {
	h := sha256.Sum256([]byte(cases.Fold().String(strings.TrimSpace(s))))
	return h[:16]
}

func matchesID(want, id api.ID) bool { return want == (api.ID{}) || want == id }

// inTimeRange reports whether t is in [from, to).
func inTimeRange(t time.Time, from, to *time.Time) bool {
	return (from == nil || !t.Before(*from)) && (to == nil || t.Before(*to))
}

// timeOr returns t, or &other when t is nil.
func timeOr(t *time.Time, other time.Time) *time.Time {
	if t != nil {
		return t
	}
	return &other
}
