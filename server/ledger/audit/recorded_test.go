package audit_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// One changed bit in a row of the catalog is found, also where no number depends on it.
func TestVerify_FindsFlippedBits(t *testing.T) {
	t.Parallel()
	for table, members := range map[string][]string{
		"products": {"name", "m", "baseUnitCode"}, "locations": {"name", "type"}, "owners": {"name"}, "channels": {"name"},
	} {
		for _, member := range members {
			t.Run(table+" "+member, func(t *testing.T) {
				t.Parallel()
				w := worldWithCatalog(t)
				faults := damage(t, w, writes(table, func(x ledgertest.Row) ledgertest.Row {
					if bytes.Contains(x.Value, []byte("CODE")) {
						flip(x.Value, member)
					}
					return x
				})(t, w))
				require.Contains(t, strings.Join(faults, "\n"), "CODE: differs from its journal entry")
			})
		}
	}
}

func TestVerify_FindsChangedScopesOfKey(t *testing.T) {
	t.Parallel()
	w := worldWithCatalog(t)
	_, err := api.CreateKey.Call(t.Context(), w.As(api.Live, api.Admin, api.InventoryRead), api.CreateKeyInput{Label: "dock", Scopes: []api.Scope{api.InventoryRead}})
	require.NoError(t, err)
	w.Damaged = true
	require.NoError(t, w.Store.Update(t.Context(), store.Partition{}, func(tx store.Tx) error {
		var key, changed []byte
		err := tx.Scan(account.Keys.Name, store.Range{}, func(k, value []byte) error {
			key, changed = bytes.Clone(k), bytes.Clone(value)
			return nil
		})
		require.NoError(t, err)
		at := bytes.Index(changed, []byte("inventory:read"))
		require.Positive(t, at)
		changed[at] ^= 1
		return tx.Put(account.Keys.Name, key, changed)
	}))
	result, err := w.Ledger.Verify(t.Context())
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(result.Faults), "differs from its journal entry")
}

func worldWithCatalog(t *testing.T) *ledgertest.World {
	t.Helper()
	w := ledgertest.Open(t)
	p := ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "CODE", Name: "Mug", Metadata: api.Metadata(`{"m":"text","n":1.5}`)})
	ledgertest.Do(w, api.CreateProduct, api.CreateProductInput{SKU: "OLD", Name: "Cup"})
	w.Location("CODE")
	w.Owner("CODE")
	w.Channel("CODE")
	w.Stock(p.ID, w.Location("WH-1").ID, 3)
	w.Verify()
	return w
}

// flip changes one bit of the first letter of a member in JSON.
func flip(row []byte, member string) {
	if _, value, ok := bytes.Cut(row, []byte(`"`+member+`":"`)); ok {
		value[0] ^= 1
	}
}
