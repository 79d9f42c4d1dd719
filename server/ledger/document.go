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

// newID is the id of what this write makes: it derives from the idempotency
// key, so a terminal that worked offline knows it before the service does.
func (c *writeTx) newID(kind string) api.ID { return DerivedID(c.p, kind, c.req.IdempotencyKey) }

// DerivedID is the id of what a write with that key makes.
func DerivedID(p store.Partition, kind, key string) api.ID { return derive(p, kind, []byte(key)) }

// setDocument notes in the record the resource that the write made or changed.
func (c *writeTx) setDocument(resource any) (err error) {
	c.entry.Document, err = json.Marshal(resource, json.Deterministic(true))
	return err
}

// setReference notes what the movements refer to: what the document says, or the
// document itself.
func (c *writeTx) setReference(kind, id, ownKind string, own api.ID) {
	if c.entry.ReferenceType, c.entry.ReferenceID = kind, id; kind == "" && id == "" {
		c.entry.ReferenceType, c.entry.ReferenceID = ownKind, own.String()
	}
}

// checkVersion holds the version that the caller expects, where it names one.
func (c *writeTx) checkVersion(version int64) error {
	c.versionChecked = true
	want := strings.TrimSpace(c.req.IfMatch)
	if want == "" || want == "*" || want == fmt.Sprintf("%q", fmt.Sprint(version)) {
		return nil
	}
	return api.Fail(api.VersionConflict, api.Details{"version": version, "requested": want},
		"The resource is at version %d, not %s; it changed since you read it. Read it again, then retry.", version, want)
}

// rejectVersion refuses a version that is expected of what has none.
func (c *writeTx) rejectVersion() error {
	if c.req.IfMatch == "" || c.versionChecked {
		return nil
	}
	return api.Fail(api.VersionConflict, api.Details{"requested": c.req.IfMatch},
		"If-Match does not apply to this operation. Omit the header; the Idempotency-Key prevents duplicates.")
}

// referenceKeys are where a document is found by what people call it.
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

// foldName is an index key for a name that people write in any case.
func foldName(s string) []byte {
	h := sha256.Sum256([]byte(cases.Fold().String(strings.TrimSpace(s))))
	return h[:16]
}

func matchesID(want, is api.ID) bool { return want == (api.ID{}) || want == is }

// inTimeRange tells whether t lies in [from, to).
func inTimeRange(t time.Time, from, to *time.Time) bool {
	return (from == nil || !t.Before(*from)) && (to == nil || t.Before(*to))
}

// timeOr is the instant given, or the other one.
func timeOr(t *time.Time, other time.Time) *time.Time {
	if t != nil {
		return t
	}
	return &other
}
