package audit_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// worldWithEverything returns a world with data of every kind.
func worldWithEverything(t *testing.T) *ledgertest.World {
	t.Helper()
	w := ledgertest.Open(t)
	oats, milk, drill := w.Product("OAT-1L", api.TrackNone), w.Product("MILK", api.TrackLot), w.Product("DRILL", api.TrackSerial)
	wh := w.Location("WH-1")
	for range 300 { // enough for a row with totals
		w.Stock(oats.ID, wh.ID, 2)
	}
	w.Receive(milk.ID, wh.ID, 7, "LOT-A")
	w.Receive(drill.ID, wh.ID, 2, "", "SN-1", "SN-2")
	ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: wh.ID}, ExpectedQuantity: 5, Reference: api.Reference{ReferenceID: "PO-1"}})
	eight := int64(8)
	ledgertest.Do(w, api.CreateOutbound, api.CreateOutboundInput{ProductID: oats.ID, LocationID: wh.ID, RequestedQuantity: &eight})
	tr := ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: milk.ID, SourceLocationID: wh.ID, DestinationLocationID: w.Location("SHOP").ID, Quantity: 2})
	ledgertest.Do(w, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.Transfer.ID})
	return w
}

func TestVerify(t *testing.T) {
	t.Parallel()
	w := worldWithEverything(t)
	result := w.Verify()
	require.Empty(t, result.Faults)
	require.Equal(t, 2, result.Partitions)
	require.Equal(t, 4, result.Balances)
	require.Equal(t, 5, result.Documents)
	require.Equal(t, 313, result.Records)
	require.Equal(t, 600+2*4+1+2+3, result.Movements)
}

func row(key, value []byte) ledgertest.Row { return ledgertest.Row{Key: key, Value: value} }

// A faultPlanter reads the store and returns the update that plants a fault.
type faultPlanter func(t *testing.T, w *ledgertest.World) func(store.Tx) error

func deletes(table string) faultPlanter {
	return func(t *testing.T, w *ledgertest.World) func(store.Tx) error {
		list := w.Rows(table)
		return func(tx store.Tx) error { return tx.Delete(table, list[len(list)-1].Key) }
	}
}

// writes changes the last row of a table that change changes.
func writes(table string, change func(x ledgertest.Row) ledgertest.Row) faultPlanter {
	return func(t *testing.T, w *ledgertest.World) func(store.Tx) error {
		for _, x := range slices.Backward(w.Rows(table)) {
			y := change(row(bytes.Clone(x.Key), bytes.Clone(x.Value)))
			if !bytes.Equal(x.Key, y.Key) || !bytes.Equal(x.Value, y.Value) {
				return func(tx store.Tx) error { return tx.Put(table, y.Key, y.Value) }
			}
		}
		t.Fatalf("nothing to change in %s", table)
		return nil
	}
}

// text replaces old in a JSON row.
func text(old, new string) func(ledgertest.Row) ledgertest.Row {
	return func(x ledgertest.Row) ledgertest.Row {
		return row(x.Key, bytes.Replace(x.Value, []byte(old), []byte(new), 1))
	}
}

// quantity sets a quantity of a row.
func quantity(with func(row []byte, q int64) []byte, q int64) func(ledgertest.Row) ledgertest.Row {
	return func(x ledgertest.Row) ledgertest.Row { return row(x.Key, with(x.Value, q)) }
}

// number replaces the i-th number after the first skip bytes of a compact row, if it is old.
func number(skip, i int, old, new int64) func(ledgertest.Row) ledgertest.Row {
	return func(x ledgertest.Row) ledgertest.Row {
		at := skip
		for range i {
			_, n := binary.Varint(x.Value[at:])
			at += n
		}
		current, n := binary.Varint(x.Value[at:])
		if current == old {
			x.Value = slices.Concat(x.Value[:at], binary.AppendVarint(nil, new), x.Value[at+n:])
		}
		return x
	}
}

func counter(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func TestVerify_FindsFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plant faultPlanter
		want  string
	}{
		"journal entry missing": {deletes("records"), "journal: ends at 312, but the counter is 313"},
		"counter too low": {writes("meta", func(x ledgertest.Row) ledgertest.Row {
			return row(x.Key, append(counter(100), x.Value[8:]...))
		}), "ends at 313, but the counter is 100"},
		"counter too high": {writes("meta", func(x ledgertest.Row) ledgertest.Row {
			return row(x.Key, append(counter(999), x.Value[8:]...))
		}), "ends at 313, but the counter is 999"},
		"journal entry damaged": {writes("records", func(x ledgertest.Row) ledgertest.Row { return row(x.Key, x.Value[:len(x.Value)-1]) }), "journal entry 313: cannot be read"},
		"key missing":           {deletes("keys"), "idempotency key"},
		"key points nowhere":    {writes("keys", func(ledgertest.Row) ledgertest.Row { return row([]byte{1}, binary.AppendUvarint(nil, 5000)) }), "points to journal entry 5000, which is missing"},
		"history row missing":   {deletes("history"), "is missing from its history"},
		"extra history row": {writes("history", func(x ledgertest.Row) ledgertest.Row {
			return row(append(x.Key[:16:16], 0, 0, 0, 0, 0, 0, 1, 255), []byte{0})
		}), "journal entries moved it"},
		"history totals wrong": {writes("history", func(x ledgertest.Row) ledgertest.Row {
			if x.Value[0] == 1 {
				x.Value[1] ^= 2
			}
			return x
		}), "running totals in its history"},
		"quantity wrong":                           {writes("quantities", number(16, 0, 600, 601)), "OAT-1L at WH-1, on hand: balance is 601, but its movements sum to 600"},
		"held by documents wrong":                  {writes("quantities", number(16, 10, 5, 4)), "balance has 4 held by open documents, but they hold 5"},
		"lot balance missing":                      {deletes("buckets"), "lot LOT-A is missing"},
		"lot balance wrong":                        {writes("buckets", number(32, 0, 5, 6)), "lot LOT-A is 6, but its movements sum to 5"},
		"balance missing":                          {deletes("quantities"), "quantities present: false"},
		"balance key missing":                      {deletes("balances"), "stock key present: false"},
		"serial missing":                           {deletes("serials"), "DRILL at WH-1"},
		"serial in another state":                  {writes("serials", text(`"state":1`, `"state":5`)), "DRILL at WH-1, damaged: serial count is 1, but the quantity is 0"},
		"location missing":                         {deletes("locations"), "location "},
		"lot missing":                              {deletes("lots"), "MILK at WH-1: lot"},
		"index entry missing":                      {deletes("inbounds.reference"), "is missing from index reference"},
		"index entry points nowhere":               {writes("products.sku", func(ledgertest.Row) ledgertest.Row { return row([]byte("xy"), []byte{1}) }), "which is missing"},
		"index entry damaged":                      {writes("products.sku", func(x ledgertest.Row) ledgertest.Row { return row(x.Key, []byte{99}) }), "points nowhere"},
		"inbound changed":                          {writes("inbounds", quantity(withExpected, 9)), ": differs from the document that journal entry 30"},
		"outbound changed":                         {writes("outbounds", quantity(withHeld, 6)), "OAT-1L at WH-1, committed: balance has 8 held by open documents, but they hold 6"},
		"outbound line changed":                    {writes("outbounds", quantity(withHeld, 6)), "line 1 has 8 allocated and not fulfilled, but holds 6"},
		"transfer changed":                         {writes("transfers", quantity(withReceived, 1)), "MILK at SHOP, incoming: balance has 2 held by open documents, but they hold 1"},
		"document damaged":                         {writes("inbounds", func(x ledgertest.Row) ledgertest.Row { return row(x.Key, []byte("{")) }), "inbounds: row"},
		"journal entry with another balance after": {writes("records", func(x ledgertest.Row) ledgertest.Row { return row(x.Key, withBalanceAfter(x.Value)) }), "starts at"},
		"inbound quantity changed": {writes("inbounds", func(x ledgertest.Row) ledgertest.Row {
			if !bytes.Contains(x.Value, []byte("PO-1")) {
				return x
			}
			return row(x.Key, withExpected(x.Value, 9))
		}), "OAT-1L at WH-1, incoming: balance has 5 held by open documents, but they hold 9"},
		"bitmap row missing": {deletes("marks"), "does not match journal entries 1 to 256"},
		"bitmap row wrong":   {writes("marks", func(x ledgertest.Row) ledgertest.Row { return row(x.Key, []byte{7}) }), "does not match journal entries 1 to 256"},
		"extra bitmap row": {writes("marks", func(x ledgertest.Row) ledgertest.Row {
			return row(append(x.Key[:len(x.Key)-1:len(x.Key)-1], 9), []byte{7})
		}), "marks: has"},
		"document state changed": {writes("inbounds", quantity(withVersion, 7)), ": differs from the document after journal entry 3"},
		"document missing":       {deletes("outbounds"), "journal entry 310: response cannot be rendered"},
		"journal entry with another document state": {writes("records", func(x ledgertest.Row) ledgertest.Row {
			return row(x.Key, withState(x.Value, []byte{0, 2, 0, 0, 0}))
		}), "differs from the document after journal entry 313"},
		"journal entry with an invalid document state": {writes("records", func(x ledgertest.Row) ledgertest.Row { return row(x.Key, withState(x.Value, []byte{9})) }), "journal entry 313: response cannot be rendered"},
		"balance index entry missing":                  {deletes("balances.product"), "is missing from index product"},
		"counter truncated":                            {writes("meta", func(x ledgertest.Row) ledgertest.Row { return row(x.Key, x.Value[:8]) }), "counter: cannot be read"},
		"counter time wrong": {writes("meta", func(x ledgertest.Row) ledgertest.Row {
			return row(x.Key, slices.Concat(x.Value[:8], counter(7), x.Value[16:]))
		}), "but the counter is 1970"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldWithEverything(t)
			faults := damage(t, w, c.plant(t, w))
			require.Contains(t, strings.Join(faults, "\n"), c.want)
		})
	}
}

func TestVerify_FindsReservationAndTraceFaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plant faultPlanter
		want  string
	}{
		"reservation changed":     {writes("reservations", quantity(withHolding, 2)), "balance has 3 held by open documents, but they hold 2"},
		"due index entry missing": {deletes("reservations.due"), "is missing from index due"},
		"reservation missing":     {deletes("reservations"), "which is missing"},
		"lot trace missing":       {deletes("traces.lot"), "is missing from its trace"},
		"serial trace missing":    {deletes("traces.serial"), "is missing from its trace"},
		"extra trace": {writes("traces.lot", func(x ledgertest.Row) ledgertest.Row {
			return row(append(x.Key[:16:16], 0, 0, 0, 0, 0, 0, 1, 255), []byte{0})
		}), "has 2 entries; the journal requires 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oats, at := w.Product("OAT-1L", api.TrackNone).ID, w.Location("WH-1").ID
			w.Stock(oats, at, 5)
			ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: api.StockKey{ProductID: oats, LocationID: at}, Quantity: 3, ExpiresAt: new(w.Clock.Now().Add(time.Hour))})
			w.Receive(w.Product("MILK", api.TrackLot).ID, at, 2, "LOT-A")
			w.Receive(w.Product("DRILL", api.TrackSerial).ID, at, 1, "", "SN-1")
			w.Verify()
			faults := damage(t, w, c.plant(t, w))
			require.Contains(t, strings.Join(faults, "\n"), c.want)
		})
	}
}
