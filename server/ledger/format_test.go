package ledger_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/ledger/internal/stored"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
	"bincard/server/store/wire"
)

func setFormat(t *testing.T, st store.Store, format uint64, writer string) {
	t.Helper()
	require.NoError(t, st.Update(t.Context(), store.Partition{}, func(tx store.Tx) error {
		var f wire.Fields
		f.Text(1, &writer)
		return tx.Put("meta", []byte("format"), f.Append(binary.AppendUvarint(nil, format), nil))
	}))
}

func formatOf(t *testing.T, st store.Store) (format uint64, rest []byte) {
	t.Helper()
	require.NoError(t, st.View(t.Context(), store.Partition{}, func(r store.Reader) error {
		data, err := r.Get("meta", []byte("format"))
		n := 0
		format, n = binary.Uvarint(data)
		rest = append([]byte(nil), data[max(n, 0):]...)
		return err
	}))
	return format, rest
}

// checkFormat checks the format, and updates the store like a write of the ledger.
func checkFormat(t *testing.T, st store.Store, version string) error {
	t.Helper()
	st, err := ledger.CheckFormat(t.Context(), st, version)
	if err != nil {
		return err
	}
	return st.Update(t.Context(), store.Partition{}, func(store.Tx) error { return nil })
}

// Reading data of an older format leaves it to the version that wrote it.
func TestCheckFormat_ReadingKeepsFormat3(t *testing.T) {
	t.Parallel()
	w := worldWithStock(t)
	setFormat(t, w.Store, 3, "")
	st, err := ledger.CheckFormat(t.Context(), w.Store, "1.0")
	require.NoError(t, err)
	format, _ := formatOf(t, st)
	require.EqualValues(t, 3, format)
}

func TestCheckFormat_RecordsFormatOfNewData(t *testing.T) {
	t.Parallel()
	st := store.NewMemory()
	require.NoError(t, checkFormat(t, st, "1.0"))
	format, rest := formatOf(t, st)
	require.EqualValues(t, ledger.Format, format)
	require.Contains(t, string(rest), "1.0")
	require.NoError(t, checkFormat(t, st, "1.1"), "its own data")
	_, again := formatOf(t, st)
	require.Equal(t, rest, again, "the row is written only when the format changes")
}

func worldWithStock(t *testing.T) *ledgertest.World {
	w := ledgertest.Open(t)
	w.Stock(w.Product("OAT-1L", api.TrackNone).ID, w.Location("WH-1").ID, 1)
	return w
}

func TestCheckFormat_RaisesFormat3(t *testing.T) {
	t.Parallel()
	w := worldWithStock(t)
	setFormat(t, w.Store, 3, "")
	require.NoError(t, checkFormat(t, w.Store, "1.0"))
	format, _ := formatOf(t, w.Store)
	require.EqualValues(t, ledger.Format, format)
}

func TestUpgrade_RecordsFormatOnce(t *testing.T) {
	t.Parallel()
	w := worldWithStock(t)
	setFormat(t, w.Store, 3, "")
	st, err := ledger.CheckFormat(t.Context(), w.Store, "1.0")
	require.NoError(t, err)
	l := ledger.New(st, ledger.Options{Now: w.Clock.Now})
	defer l.Close()
	for _, want := range []uint64{3, ledger.Format} {
		before, err := l.Upgrade(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, before)
		format, _ := formatOf(t, w.Store)
		require.EqualValues(t, ledger.Format, format)
	}
}

func TestCheckFormat_RejectsNewer(t *testing.T) {
	t.Parallel()
	w := worldWithStock(t)
	setFormat(t, w.Store, ledger.Format+1, "2.7")
	err := checkFormat(t, w.Store, "1.0")
	var refused *ledger.FormatError
	require.ErrorAs(t, err, &refused)
	require.ErrorContains(t, err, "version 2.7")
	require.ErrorContains(t, err, "version 1.0")
	require.ErrorContains(t, err, "Nothing was changed")
	format, _ := formatOf(t, w.Store)
	require.EqualValues(t, ledger.Format+1, format)
}

func TestCheckFormat_RejectsUnmarked(t *testing.T) {
	t.Parallel()
	w := worldWithStock(t)
	require.NoError(t, w.Store.Update(t.Context(), store.Partition{}, func(tx store.Tx) error {
		return tx.Delete("meta", []byte("format"))
	}))
	var refused *ledger.FormatError
	err := checkFormat(t, w.Store, "1.0")
	require.ErrorAs(t, err, &refused)
	require.EqualValues(t, 1, refused.Format)
	require.ErrorContains(t, err, "bincard import")
}

func TestCheckFormat_Format3OnFullDisk(t *testing.T) {
	t.Parallel()
	w := worldWithStock(t)
	setFormat(t, w.Store, 3, "")
	_, err := ledger.CheckFormat(t.Context(), alwaysFails(w.Store, store.ErrFull), "1.0")
	require.NoError(t, err, "it can be read")
	format, _ := formatOf(t, w.Store)
	require.EqualValues(t, 3, format)
	require.NoError(t, checkFormat(t, w.Store, "1.0"), "the disk has space again")
	format, _ = formatOf(t, w.Store)
	require.EqualValues(t, ledger.Format, format)
}

// An interrupted update leaves the old format or the new one; both open.
func TestCheckFormat_InterruptedUpdate(t *testing.T) {
	t.Parallel()
	w := worldWithStock(t)
	setFormat(t, w.Store, 3, "")
	crash := errors.New("the power failed")
	err := checkFormat(t, alwaysFails(w.Store, crash), "1.0")
	require.Error(t, err)
	require.NoError(t, checkFormat(t, w.Store, "1.0"))
}

// Codes that an earlier version recorded with letters and accents apart, or with another white
// space, are found, and not recorded again.
func TestCodes_OfEarlierVersionAreFound(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ recorded, given string }{
		{"cafe\u0301", "caf\u00e9"}, {"cafe\u0301", "cafe\u0301"}, {"caf\u00e9\u00a01", "caf\u00e9\u00a01"},
	} {
		w := ledgertest.Open(t)
		w.Damaged = true
		product, pump, wh := w.Product("OATS", api.TrackLot), w.Product("PUMP", api.TrackSerial), w.Location("WH")
		at := store.Partition{Organization: w.Org.ID, Environment: string(api.Live)}
		lot := stored.Lot{ProductID: product.ID, Lot: api.Lot{ID: stored.LotID(at, product.ID, x.recorded), LotCode: x.recorded, Status: api.Active}}
		serial := stored.Serial{Serial: api.Serial{ID: stored.SerialID(at, pump.ID, x.recorded), SerialNumber: x.recorded, ProductID: pump.ID}}
		require.NoError(t, w.Store.Update(t.Context(), at, func(tx store.Tx) error {
			row, err := stored.Products.Get(tx, product.ID[:])
			require.NoError(t, err)
			row.SKU = x.recorded
			return errors.Join(stored.Products.Put(tx, row), stored.Lots.Insert(tx, &lot), stored.Serials.Insert(tx, &serial))
		}))

		require.Len(t, ledgertest.Call(t, w.Service, api.ListProducts, api.ListProductsInput{SKU: x.given}).Items, 1)
		_, err := api.CreateProduct.Call(t.Context(), w.Service, api.CreateProductInput{SKU: x.given, Name: "Other"}, api.Key("again"))
		require.Equal(t, api.AlreadyExists, api.AsError(err).Code)

		require.Equal(t, lot.ID, w.Receive(product.ID, wh.ID, 1, x.given).Movements[1].LotID)
		_, err = api.ReceiveStock.Call(t.Context(), w.Service, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: pump.ID, LocationID: wh.ID},
			Serials: []api.SerialInput{{SerialNumber: x.given}}}, api.Key("serial"))
		require.Equal(t, api.SerialExists, api.AsError(err).Code)
	}
}
