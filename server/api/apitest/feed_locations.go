package apitest

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

// followAt reads the changes of some locations from a position to the end of the feed.
func (k *fixture) followAt(locations []api.ID, after, limit int64) (list []api.Change) {
	k.Helper()
	hash := ""
	for {
		got := do(k, api.ListChanges, api.ListChangesInput{After: &after, Hash: hash, Limit: &limit, LocationsFilter: api.FilterLocations(locations)})
		require.LessOrEqual(k, int64(len(got.Items)), limit)
		require.GreaterOrEqual(k, got.Position.Seq, after)
		list = append(list, got.Items...)
		after, hash = got.Position.Seq, got.Position.Hash
		if after == got.Latest {
			require.Equal(k, got.Hash, hash)
			return list
		}
	}
}

func feedAtLocations(k *fixture) {
	start := do(k, api.ListChanges, api.ListChangesInput{}).Latest
	here := api.NewKey()
	do(k, api.AdjustStock, adjust(k.oats, k.shop, api.OnHand, 4), api.Key(here))
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 5))
	do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 20})
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.shop, DestinationLocationID: k.wh, Quantity: 3}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	do(k, api.ReceiveTransfer, api.MoveTransferInput{TransferID: tr.ID})
	do(k, api.LinkBarcode, api.LinkBarcodeInput{ProductID: k.oats, Barcode: "ABC-9"})
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1))

	for _, limit := range []int64{1, 100} {
		list := k.followAt([]api.ID{k.shop}, start, limit)
		var operations []string
		for _, c := range list {
			operations = append(operations, c.Operation)
			for _, m := range c.Movements {
				require.Equal(k, k.shop, m.LocationID)
			}

			require.Len(k, c.Stocks, len(c.Balances))
			for i, b := range c.Balances {
				require.Equal(k, k.shop, b.LocationID)
				require.Equal(k, b.ID, c.Stocks[i].Balance.ID)
			}
		}

		require.Equal(k, []string{"adjustStock", "createTransfer", "shipTransfer", "receiveTransfer", "linkBarcode"}, operations)
		require.Equal(k, here, list[0].Key)
		require.Len(k, list[2].Balances, 1)
		require.Empty(k, list[3].Balances, "the receipt changes the transfer, and stock elsewhere")
		require.Len(k, list[3].Documents, 1)
	}

	require.Len(k, k.followAt([]api.ID{k.shop, k.wh}, start, 100), 8)

	now := do(k, api.ListChanges, api.ListChangesInput{})
	require.Nil(k, now.Position, "no position without locations")
	idle := do(k, api.ListChanges, api.ListChangesInput{After: &now.Latest, LocationsFilter: api.FilterLocations([]api.ID{k.shop})})
	require.Equal(k, &api.Head{Seq: now.Latest, Hash: now.Hash}, idle.Position)
	mustFail(k, api.ChangesGone, api.ListChanges, api.ListChangesInput{After: &now.Latest, Hash: "00", LocationsFilter: api.FilterLocations([]api.ID{k.shop})})
	many := strings.TrimSuffix(strings.Repeat(k.shop.String()+",", api.MaxFilterLocations), ",")
	do(k, api.ListChanges, api.ListChangesInput{LocationsFilter: api.LocationsFilter{Locations: many}})
	for _, wrong := range []string{"SHOP-1", k.shop.String() + ",", many + "," + k.shop.String()} {
		e := mustFail(k, api.ValidationError, api.ListChanges, api.ListChangesInput{LocationsFilter: api.LocationsFilter{Locations: wrong}})
		require.Equal(k, []string{"locations"}, k.invalidFields(e))
		mustFail(k, api.ValidationError, api.GetSnapshot, api.SnapshotInput{LocationsFilter: api.LocationsFilter{Locations: wrong}})
	}
}

func snapshotAtLocations(k *fixture) {
	k.createMixed("A")
	serialized := do(k, api.CreateProduct, api.CreateProductInput{SKU: "SER", Name: "Serial", Tracking: api.TrackSerial}).ID
	receive := func(at api.ID, serial string) {
		do(k, api.ReceiveStock, api.ReceiveStockInput{StockKey: api.StockKey{ProductID: serialized, LocationID: at}, Quantity: ptr(int64(1)), Reason: "found",
			Serials: []api.SerialInput{{SerialNumber: serial}}})
	}
	receive(k.wh, "AT-WH")
	receive(k.wh, "MOVING")
	receive(k.shop, "AT-SHOP")
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: serialized, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID, SerialNumbers: []string{"MOVING"}})
	do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.shop}, ExpectedQuantity: 2})

	all := k.replica(1000, nil)
	rounds := "BCDEF"
	limited := k.limitedReplica([]api.ID{k.shop}, 2, func() {
		if rounds != "" {
			k.createMixed(rounds[:1])
			rounds = rounds[1:]
		}
	})

	require.Empty(k, rounds, "the snapshot has enough pages")
	quiet := k.limitedReplica([]api.ID{k.shop}, 1000, nil)
	limited.withoutEnded(quiet)
	for id, d := range limited.documents { // what was named once may have left since
		if _, ok := quiet.documents[id]; !ok && d.Kind == api.DocLot {
			delete(limited.documents, id)
		}
	}

	require.Equal(k, k.text(quiet.documents), k.text(limited.documents))
	require.Equal(k, quiet.balances, limited.balances)
	require.Equal(k, quiet.lots, limited.lots)

	for _, b := range quiet.balances {
		require.Equal(k, k.shop, b.LocationID)
	}

	kinds := func(r *replica) map[api.DocumentKind]int {
		n := map[api.DocumentKind]int{}
		for _, d := range r.documents {
			n[d.Kind]++
		}
		return n
	}

	after := kinds(k.replica(1000, nil))
	got := kinds(quiet)
	for _, kind := range []api.DocumentKind{api.DocProduct, api.DocLocation, api.DocOwner, api.DocChannel, api.DocTransfer} {
		require.Equal(k, after[kind], got[kind], kind)
	}

	require.Equal(k, 1, got[api.DocInbound])
	require.Zero(k, got[api.DocOutbound])
	require.Less(k, got[api.DocLot], after[api.DocLot])
	require.NotZero(k, got[api.DocLot])
	require.Equal(k, 3, kinds(all)[api.DocSerial])
	var serials []string
	for _, d := range quiet.documents {
		if d.Kind == api.DocSerial {
			serials = append(serials, k.text(d.Data))
		}
	}

	slices.Sort(serials)
	require.Len(k, serials, 2, "one is in stock, one on its way: %v", serials)
}
