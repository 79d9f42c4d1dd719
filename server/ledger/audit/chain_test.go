package audit_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/audit"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// worldWithEntries returns a world with ten journal entries of the same size.
func worldWithEntries(t *testing.T) *ledgertest.World {
	w := ledgertest.Open(t)
	oats, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	for i := range 8 {
		ledgertest.Do(w, api.AdjustStock, api.AdjustStockInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: wh.ID},
			InventoryState: api.OnHand, QuantityDelta: 1, Reason: fmt.Sprintf("reason %d", i)})
	}
	return w
}

// damage changes the store behind the ledger and returns the faults found.
func damage(t *testing.T, w *ledgertest.World, change func(store.Tx) error) (faults []string) {
	t.Helper()
	w.Damaged = true
	require.NoError(t, w.Store.Update(t.Context(), store.Partition{Organization: w.Org.ID, Environment: "live"}, change))
	result, err := w.Ledger.Verify(t.Context())
	require.NoError(t, err)
	for _, f := range result.Faults {
		require.Equal(t, w.Org.ID, f.Organization)
		faults = append(faults, f.String())
	}
	return faults
}

func TestVerify_FindsChangedEntry(t *testing.T) {
	t.Parallel()
	for seq := 3; seq <= 10; seq++ {
		t.Run(fmt.Sprint(seq), func(t *testing.T) {
			t.Parallel()
			w := worldWithEntries(t)
			faults := damage(t, w, func(tx store.Tx) error {
				x := w.Rows("records")[seq-1]
				return tx.Put("records", x.Key, bytes.Replace(x.Value, []byte("reason"), []byte("season"), 1))
			})
			require.Len(t, faults, 1)
			require.Contains(t, faults[0], fmt.Sprintf("journal entry %d: was changed or replaced", seq))
		})
	}
}

func TestVerify_FindsSwappedEntries(t *testing.T) {
	t.Parallel()
	w := worldWithEntries(t)
	faults := damage(t, w, func(tx store.Tx) error {
		list := w.Rows("records")
		for i, from := range map[int]int{4: 6, 6: 4} { // with the numbers of their new places
			e := entryIn(t, list[from].Value)
			e.Seq = uint64(i + 1)
			if err := tx.Put("records", list[i].Key, rowOf(t, e)); err != nil {
				return err
			}
		}
		return nil
	})
	require.Contains(t, fmt.Sprint(faults), "journal entry 5: was changed or replaced")
	require.Contains(t, fmt.Sprint(faults), "journal entry 7: was changed or replaced")
}

func TestVerify_FindsRemovedEntries(t *testing.T) {
	t.Parallel()
	w := worldWithEntries(t)
	kept := head(t, w)
	faults := damage(t, w, func(tx store.Tx) error {
		list := w.Rows("records")
		return tx.Delete("records", list[9].Key)
	})
	require.Contains(t, fmt.Sprint(faults), "journal: ends at 9, but the counter is 10")
	at, err := w.Ledger.HeadsAt(t.Context(), kept.Seq)
	require.NoError(t, err)
	require.Empty(t, at, "a kept head shows that it was removed")
}

func TestHeadsAt_ProvesAKeptHead(t *testing.T) {
	t.Parallel()
	w := worldWithEntries(t)
	kept := head(t, w)
	require.EqualValues(t, 1, kept.From)
	w.Stock(w.Product("MILK", api.TrackNone).ID, w.Location("WH-2").ID, 2)
	at, err := w.Ledger.HeadsAt(t.Context(), kept.Seq)
	require.NoError(t, err)
	require.Equal(t, []audit.Head{kept}, at)
	require.NotEqual(t, kept, head(t, w))
}

// TestVerify_OlderVersionWroteBetween requires that an older version, which writes no
// hashes and leaves the one in the counter, can write between two of this version.
func TestVerify_OlderVersionWroteBetween(t *testing.T) {
	t.Parallel()
	w := worldWithEntries(t)
	list := w.Rows("records")
	p := store.Partition{Organization: w.Org.ID, Environment: "live"}
	meta := w.Rows("meta")
	oats := w.Product("MILK", api.TrackNone) // entry 11, as an older version would have it:
	require.NoError(t, w.Store.Update(t.Context(), p, func(tx store.Tx) error {
		e := entryIn(t, w.Rows("records")[10].Value)
		require.NotNil(t, e.Previous)
		e.Previous = nil
		for i, x := range w.Rows("meta") {
			if string(x.Key) == "counter" {
				old := append(bytes.Clone(x.Value[:36]), meta[i].Value[36:]...)
				if err := tx.Put("meta", x.Key, old); err != nil {
					return err
				}
			}
		}
		return tx.Put("records", journal.SeqKey(11), rowOf(t, e))
	}))
	require.Empty(t, w.Verify().Faults)
	require.EqualValues(t, 11, head(t, w).From, "an entry without a hash does not continue the chain")
	w.Stock(oats.ID, w.Location("WH-2").ID, 2)
	require.Empty(t, w.Verify().Faults)
	after := w.Rows("records")
	require.Equal(t, list, after[:10])
	hash := journal.HashOf(after[10].Value)
	require.Equal(t, hash[:], entryIn(t, after[11].Value).Previous)
	require.EqualValues(t, 11, head(t, w).From)
}

// head returns the head that Verify finds.
func head(t *testing.T, w *ledgertest.World) audit.Head {
	t.Helper()
	for _, h := range w.Verify().Heads {
		if h.Environment == api.Live && h.Organization == w.Org.ID {
			return h
		}
	}
	t.Fatal("no head")
	return audit.Head{}
}

func entryIn(t *testing.T, row []byte) *journal.Entry {
	t.Helper()
	e := new(journal.Entry)
	require.NoError(t, journal.Codec{}.Decode(row, e))
	return e
}

func rowOf(t *testing.T, e *journal.Entry) []byte {
	t.Helper()
	row, err := journal.Codec{}.Append(nil, e)
	require.NoError(t, err)
	return row
}
