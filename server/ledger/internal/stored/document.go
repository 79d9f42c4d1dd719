package stored

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/store"
)

// referenceKeys returns the index keys of the names of a document.
func referenceKeys(names ...string) (keys [][]byte) {
	for _, n := range names {
		if n == "" {
			continue
		}
		k := FoldName(n)
		if !slices.ContainsFunc(keys, func(x []byte) bool { return string(x) == string(k) }) {
			keys = append(keys, k)
		}
	}

	return keys
}

// FoldName returns the case-insensitive index key of a name.
func FoldName(s string) []byte {
	h := sha256.Sum256([]byte(cases.Fold().String(strings.TrimSpace(s))))
	return h[:16]
}

// Spellings returns how a code may be recorded: clean, or as earlier versions recorded it.
func Spellings(s string) []string {
	clean := api.CleanCode(s)
	list := []string{clean}
	for _, old := range []string{strings.TrimSpace(s), norm.NFD.String(clean)} {
		if !slices.Contains(list, old) {
			list = append(list, old)
		}
	}

	return list
}

// NameKeys returns the index keys of the spellings of a name.
func NameKeys(s string) (keys [][]byte) {
	for _, name := range Spellings(s) {
		keys = append(keys, FoldName(name))
	}
	return keys
}

// MatchesID reports whether id is the wanted one; the zero id wants all.
func MatchesID(want, id api.ID) bool { return want == api.NoID || want == id }

// InTimeRange reports whether t is in [from, to).
func InTimeRange(t time.Time, from, to *time.Time) bool {
	return (from == nil || !t.Before(*from)) && (to == nil || t.Before(*to))
}

// A Document is an inbound, outbound, transfer or reservation.
type Document[T any] interface {
	*T
	// SetTenant sets the fields that follow from the partition.
	SetTenant(store.Partition)
	// IsOpen reports whether the document can still change.
	IsOpen() bool
}

// DocumentAt returns the document of a journal entry as it was after that write.
func DocumentAt[T any, P journal.DocumentRow[T]](tx *Tx, t *store.Table[T], e *journal.Entry) (P, error) {
	doc, err := t.Get(tx.Reader, e.DocumentRef.ID[:])
	if err != nil {
		return nil, err
	}
	if doc == nil {
		return nil, api.Internal(fmt.Errorf("journal entry %d changed %s %s, which is missing", e.Seq,
			journal.DocumentKindNames[e.DocumentRef.Kind], e.DocumentRef.ID))
	}
	if err := journal.ReadState(P(doc), e.DocumentRef.State); err != nil {
		return nil, fmt.Errorf("journal entry %d: %w", e.Seq, err)
	}

	return doc, nil
}
