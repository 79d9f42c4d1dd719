package ledger_test

import (
	"context"
	"crypto/sha256"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/server/store"
)

// A boundFixture has a key for each of two locations.
type boundFixture struct {
	*ledgertest.World
	mug        api.ID
	main, quay api.Place
	atMain     api.Service
	atQuay     api.Service
	key        account.APIKey // for the quay
	secret     string
}

func openBound(t *testing.T) *boundFixture {
	t.Helper()
	w := ledgertest.Open(t)
	f := &boundFixture{World: w, mug: w.Product("MUG-W", api.TrackNone).ID, main: w.Location("WH-1"), quay: w.Location("ST-1")}
	w.Stock(f.mug, f.main.ID, 30)
	w.Stock(f.mug, f.quay.ID, 4)
	secret, _ := f.create(t, "wh-1")
	f.atMain = keyed(t, w, secret)
	f.secret, f.key = f.create(t, "ST-1")
	f.atQuay = keyed(t, w, f.secret)
	return f
}

func (f *boundFixture) create(t *testing.T, code string) (string, account.APIKey) {
	t.Helper()
	secret, key, err := f.Ledger.CreateKey(t.Context(), account.KeyInput{Organization: f.Org.ID, Environment: api.Live,
		Scopes: api.Scopes, Label: "edge of " + code, Location: code})
	require.NoError(t, err)
	return secret, key
}

func (f *boundFixture) adjust(at api.Place, by int64) api.AdjustStockInput {
	return api.AdjustStockInput{StockKey: api.StockKey{ProductID: f.mug, LocationID: at.ID}, InventoryState: api.OnHand, QuantityDelta: by, Reason: "counted"}
}

func refusedAt[I, O any](t *testing.T, svc api.Service, op api.Operation[I, O], in I, words ...string) {
	t.Helper()
	_, err := op.Call(t.Context(), svc, in)
	require.True(t, api.HasCode(err, api.LocationNotAllowed), "%s: %v", op.Spec.ID, err)
	for _, w := range words {
		require.ErrorContains(t, err, w)
	}
}

func TestBoundKey_WritesOnlyAtItsLocation(t *testing.T) {
	t.Parallel()
	f := openBound(t)
	require.Equal(t, f.quay.ID, f.key.LocationID)
	require.Equal(t, "ST-1", f.key.Location)
	access := ledgertest.Call(t, f.atQuay, api.GetAccess, api.GetAccessInput{})
	require.Equal(t, &f.quay.ID, access.LocationID)
	require.Equal(t, "ST-1", access.LocationCode)

	ledgertest.Call(t, f.atQuay, api.AdjustStock, f.adjust(f.quay, 1), api.Key("a"))
	require.True(t, ledgertest.Call(t, f.atQuay, api.AdjustStock, f.adjust(f.quay, 1), api.Key("a")).Balance.OnHand == 5, "a repeat")
	refusedAt(t, f.atQuay, api.AdjustStock, f.adjust(f.main, 1), "edge of ST-1", "only at ST-1", "done at WH-1")
	refusedAt(t, f.atQuay, api.CreateLocation, api.CreateLocationInput{Code: "X", Name: "X", Type: api.Warehouse}, "all locations")

	inbound := ledgertest.Do(f.World, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: f.mug, LocationID: f.main.ID}, ExpectedQuantity: 5})
	got := api.ReceiveInboundInput{InboundID: inbound.Inbound.ID, Quantity: 5}
	refusedAt(t, f.atQuay, api.ReceiveInbound, got, "done at WH-1")
	ledgertest.Call(t, f.atMain, api.ReceiveInbound, got)
	_, err := api.ReceiveInbound.Call(t.Context(), f.atQuay, api.ReceiveInboundInput{InboundID: f.mug, Quantity: 1})
	require.True(t, api.HasCode(err, api.NotFound), "%v", err)
	require.Len(t, ledgertest.Call(t, f.atQuay, api.ListBalances, api.ListBalancesInput{}).Items, 2, "balances are not limited")
	require.Equal(t, got.InboundID, ledgertest.Call(t, f.atQuay, api.GetInbound, api.InboundInput{InboundID: got.InboundID}).ID)
}

// A key at one end of a transfer does not change the stock of the other end.
func TestBoundKey_Transfers(t *testing.T) {
	t.Parallel()
	f := openBound(t)
	in := api.CreateTransferInput{ProductID: f.mug, SourceLocationID: f.main.ID, DestinationLocationID: f.quay.ID, Quantity: 2}
	refusedAt(t, f.atQuay, api.CreateTransfer, in, "done at WH-1")
	create := func(ship bool) api.MoveTransferInput {
		move := api.MoveTransferInput{TransferID: ledgertest.Call(t, f.atMain, api.CreateTransfer, in).Transfer.ID}
		refusedAt(t, f.atQuay, api.ShipTransfer, move, "done at WH-1")
		if ship {
			ledgertest.Call(t, f.atMain, api.ShipTransfer, move)
		}
		return move
	}
	for _, shipped := range []bool{false, true} {
		cancel := api.TransferInput{TransferID: create(shipped).TransferID}
		refusedAt(t, f.atQuay, api.CancelTransfer, cancel, "done at WH-1")
		ledgertest.Call(t, f.atMain, api.CancelTransfer, cancel)
	}
	loss := api.CloseTransferInput{TransferID: create(true).TransferID, Reason: "lost on the way"}
	refusedAt(t, f.atMain, api.CloseTransfer, loss, "done at ST-1")
	ledgertest.Call(t, f.atQuay, api.CloseTransfer, loss)
	move := create(true)
	refusedAt(t, f.atMain, api.ReceiveTransfer, move, "done at ST-1")
	ledgertest.Call(t, f.atQuay, api.ReceiveTransfer, move)
}

func TestBoundKey_AllocatesAtItsLocation(t *testing.T) {
	t.Parallel()
	f := openBound(t)
	order := func(svc api.Service, at api.Place, quantity int64) api.ID {
		in := api.CreateOutboundInput{ProductID: f.mug, LocationID: at.ID, RequestedQuantity: &quantity}
		return ledgertest.Call(t, svc, api.CreateOutbound, in).Outbound.ID
	}
	order(f.atMain, f.main, 31)
	own := order(f.atQuay, f.quay, 5)
	f.Stock(f.mug, f.main.ID, 9)
	f.Stock(f.mug, f.quay.ID, 9)

	refusedAt(t, f.atQuay, api.AllocateOutbounds, api.AllocateOutboundsInput{LocationID: f.main.ID}, "done at WH-1")
	refusedAt(t, f.atQuay, api.AllocateOutbounds, api.AllocateOutboundsInput{ProductID: f.mug}, "only at ST-1. Name that location")
	got := ledgertest.Call(t, f.atQuay, api.AllocateOutbounds, api.AllocateOutboundsInput{LocationID: f.quay.ID})
	require.Equal(t, []api.AllocatedOutbound{{ID: own, LocationID: f.quay.ID, Quantity: 1}}, got.Items)
}

// TestBoundKey_CoversEveryWrite requires that no write escapes the check.
func TestBoundKey_CoversEveryWrite(t *testing.T) {
	t.Parallel()
	f := openBound(t)
	free := []string{api.CreateProduct.Spec.ID, api.LinkBarcode.Spec.ID, api.UnlinkBarcode.Spec.ID}
	for _, spec := range api.Operations() {
		if !spec.Writes() {
			continue
		}
		req := &api.Request{Spec: spec, Input: spec.NewInput(), IdempotencyKey: api.NewKey()}
		in := reflect.ValueOf(req.Input).Elem()
		for _, name := range []string{"LocationID", "SourceLocationID", "DestinationLocationID"} {
			if field := in.FieldByName(name); field.IsValid() {
				field.Set(reflect.ValueOf(f.main.ID))
			}
		}
		req.Caller = &api.Caller{LocationID: f.quay.ID, LocationCode: "ST-1"}
		document := func(_ context.Context, _ api.DocumentKind, _ api.ID) ([]api.ID, error) {
			return []api.ID{f.main.ID, f.main.ID}, nil
		}
		kind := string(spec.Document)
		if field := in.FieldByName(strings.ToUpper(kind[:min(1, len(kind))]) + kind[min(1, len(kind)):] + "ID"); field.IsValid() {
			field.Set(reflect.ValueOf(f.mug))
		}
		err := req.CheckLocation(t.Context(), document, func(context.Context, api.ID) string { return "WH-1" })
		if spec.Scope == api.Admin || slices.Contains(free, spec.ID) {
			require.NoError(t, err, "no bound key has the scope admin, and each location may register what it receives")
			continue
		}
		require.True(t, api.HasCode(err, api.LocationNotAllowed), "%s: %v", spec.ID, err)
	}
}

func TestBoundKey_ReportsOnlyItsLocation(t *testing.T) {
	t.Parallel()
	f := openBound(t)
	own, other := api.StockFilter{LocationID: f.quay.ID}, api.StockFilter{LocationID: f.main.ID}
	for _, filter := range []api.StockFilter{{}, own} {
		for _, row := range ledgertest.Call(t, f.atQuay, api.ReportMovements, api.ReportMovementsInput{StockFilter: filter}).Items {
			require.Equal(t, "ST-1", row.LocationCode)
		}
		rows := ledgertest.Call(t, f.atQuay, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: filter}).Items
		require.Len(t, rows, 1)
		require.Equal(t, "ST-1", rows[0].LocationCode)
	}
	refusedAt(t, f.atQuay, api.ReportMovements, api.ReportMovementsInput{StockFilter: other}, "only at ST-1")
	refusedAt(t, f.atQuay, api.ReportSnapshot, api.ReportSnapshotInput{StockFilter: other}, "only at ST-1")

	both := api.FilterLocations([]api.ID{f.quay.ID, f.main.ID})
	refusedAt(t, f.atQuay, api.ListChanges, api.ListChangesInput{LocationsFilter: both}, "only at ST-1")
	refusedAt(t, f.atQuay, api.GetSnapshot, api.SnapshotInput{LocationsFilter: both}, "only at ST-1")
	page := ledgertest.Call(t, f.atQuay, api.GetSnapshot, api.SnapshotInput{})
	require.Len(t, page.Balances, 1)
	require.Equal(t, f.quay.ID, page.Balances[0].Balance.LocationID)
	for _, c := range ledgertest.Call(t, f.atQuay, api.ListChanges, api.ListChangesInput{}).Items {
		for _, m := range c.Movements {
			require.Equal(t, f.quay.ID, m.LocationID)
		}
	}
}

func TestBoundKey_Create(t *testing.T) {
	t.Parallel()
	f := openBound(t)
	in := account.KeyInput{Organization: f.Org.ID, Environment: api.Live, Scopes: api.Scopes, Location: "WH-9"}
	_, _, err := f.Ledger.CreateKey(t.Context(), in)
	require.EqualError(t, err, `NOT_FOUND: There is no location "WH-9" in the environment live. Check the code.`)
	in.Location, in.Environment = "ST-1", api.Test
	_, _, err = f.Ledger.CreateKey(t.Context(), in)
	require.True(t, api.HasCode(err, api.NotFound), "it is only in the other environment: %v", err)
	in.Environment, in.Scopes = api.Live, []api.Scope{api.InventoryRead, api.Admin}
	_, _, err = f.Ledger.CreateKey(t.Context(), in)
	require.ErrorContains(t, err, "must not have admin if the key is bound to a location")

	list := ledgertest.Call(t, f.As(api.Live, api.Admin), api.ListKeys, api.ListKeysInput{})
	require.ElementsMatch(t, []api.ID{f.main.ID, f.quay.ID}, []api.ID{list.Items[0].LocationID, list.Items[1].LocationID})
	f.Verify()
}

// An earlier version compares only the digest of the secret, and knows no limit.
func TestBoundKey_IsUnknownToEarlierVersions(t *testing.T) {
	t.Parallel()
	f := openBound(t)
	digest := sha256.Sum256([]byte(f.secret))
	rows := 0
	require.NoError(t, f.Store.View(t.Context(), store.Partition{}, func(r store.Reader) error {
		return account.Keys.Scan(r, store.Range{}, func(k *account.KeyRow) error {
			rows++
			require.NotEqual(t, digest[:], k.Digest)
			return nil
		})
	}))
	require.Equal(t, 2, rows)
}
