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

// A key made by a command has no journal entry, and neither have the default owner and channel.
func TestVerify_FindsChangedScopesOfKey(t *testing.T) {
	t.Parallel()
	for name, create := range map[string]func(*ledgertest.World) error{
		"journal entry": func(w *ledgertest.World) error {
			_, err := api.CreateKey.Call(t.Context(), w.As(api.Live, api.Admin, api.InventoryRead), api.CreateKeyInput{Label: "dock", Scopes: []api.Scope{api.InventoryRead}})
			return err
		},
		"checksum": func(w *ledgertest.World) error {
			_, _, err := w.Ledger.CreateKey(t.Context(), account.KeyInput{Organization: w.Org.ID, Environment: api.Live, Label: "dock", Scopes: []api.Scope{api.InventoryRead}})
			return err
		},
	} {
		w := worldWithCatalog(t)
		require.NoError(t, create(w))
		w.Verify()
		require.Contains(t, flipRow(t, w, store.Partition{}, account.Keys.Name, "inventory:read"), "differs from its "+name, name)
	}
}

func TestVerify_FindsChangedLocationOfKey(t *testing.T) {
	t.Parallel()
	w := worldWithCatalog(t)
	_, key, err := w.Ledger.CreateKey(t.Context(), account.KeyInput{Organization: w.Org.ID, Environment: api.Live, Label: "dock",
		Scopes: []api.Scope{api.InventoryRead}, Location: "WH-1"})
	require.NoError(t, err)
	w.Verify()
	digits := key.LocationID.String()[len("xxxxxxxx-xxxx-"):] // the version can change; another digit can become a letter
	require.Contains(t, flipRow(t, w, store.Partition{}, account.Keys.Name, "-"+digits), "differs from its checksum")
}

func TestVerify_FindsChangedDefaults(t *testing.T) {
	t.Parallel()
	for table, text := range map[string]string{"owners": "Harbor Foods", "channels": `"Default"`} {
		w := worldWithCatalog(t)
		require.Contains(t, flipRow(t, w, store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}, table, text), "differs from its checksum", table)
	}
}

// flipRow changes one bit of a text in the row of a table that has it. It returns the faults.
func flipRow(t *testing.T, w *ledgertest.World, p store.Partition, table, text string) string {
	t.Helper()
	w.Damaged = true
	require.NoError(t, w.Store.Update(t.Context(), p, func(tx store.Tx) error {
		var key, changed []byte
		err := tx.Scan(table, store.Range{}, func(k, value []byte) error {
			if at := bytes.Index(value, []byte(text)); at >= 0 {
				key, changed = bytes.Clone(k), bytes.Clone(value)
				changed[at+1] ^= 1
			}
			return nil
		})
		require.NoError(t, err)
		require.NotNil(t, key)
		return tx.Put(table, key, changed)
	}))
	result, err := w.Ledger.Verify(t.Context())
	require.NoError(t, err)
	return fmt.Sprint(result.Faults)
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
