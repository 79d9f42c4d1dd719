package apitest

import (
	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var stockTests = []test{
	{"adjust stock: every state", stockAdjusted},
	{"stock never falls below zero", stockShort},
	{"quantity too large is rejected", stockTooLarge},
	{"stock held by documents cannot be adjusted", stockHeld},
	{"move stock between states", stockMoved},
	{"movement has its reason, reference and actor", stockTraced},
	{"balance: If-Match", stockVersion},
	{"balances are separate by owner and channel", stockOwners},
}

var unitTests = []test{
	{"unit quantity must match the base quantity", unitsConverted},
}

func stockAdjusted(k *fixture) {
	for i, s := range api.States {
		p := k.product("P-" + string(s))
		up := do(k, api.AdjustStock, adjust(p, k.wh, s, 5))
		down := do(k, api.AdjustStock, adjust(p, k.wh, s, -2))
		var want api.Quantities
		want.Add(s, 3)
		switch s {
		case api.OnHand:
			want.Add(api.Available, 3)
			require.Equal(k, []string{"adjust onHand +5", "adjust available +5"}, legs(up.Movements))
			require.Equal(k, []string{"adjust onHand -2", "adjust available -2"}, legs(down.Movements))
		case api.Incoming:
			require.Equal(k, []string{"adjust incoming +5"}, legs(up.Movements))
		default:
			want.Add(api.OnHand, 3)
			require.Equal(k, []string{"adjust " + string(s) + " +5", "adjust onHand +5"}, legs(up.Movements))
		}

		require.Equal(k, want, down.Balance.Quantities, "state %d", i)
		require.True(k, want.AddsUp())
		require.EqualValues(k, 2, down.Balance.Version)
	}
}

func stockShort(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	do(k, api.MoveStock, move(k.oats, k.wh, 2, api.Available, api.Damaged))
	e := mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -4))
	k.requireDetails(e, "inventoryState", api.Available, "current", 3, "requested", 4, "productId", k.oats, "locationId", k.wh, "sku", "OAT-1L", "locationCode", "WH-1")
	require.Contains(k, e.Message, "OAT-1L at WH-1")
	k.requireDetails(mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.wh, api.Reserved, -1)), "inventoryState", api.Reserved, "current", 0)
	k.requireDetails(mustFail(k, api.InsufficientStock, api.MoveStock, move(k.oats, k.wh, 3, api.Damaged, api.Available)), "current", 2, "requested", 3)
	mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.wh, api.Incoming, -1))
	require.Equal(k, api.Quantities{OnHand: 5, Available: 3, Damaged: 2}, k.quantities(k.oats, k.wh))
	mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.shop, api.OnHand, -1))
	require.Empty(k, do(k, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{LocationID: k.shop}}).Items, "a failed write creates no balance")
}

func stockTooLarge(k *fixture) {
	k.stock(k.oats, k.wh, api.MaxQuantity)
	mustFail(k, api.QuantityTooLarge, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1))
	require.EqualValues(k, api.MaxQuantity, k.quantities(k.oats, k.wh).Available)
	e := mustFail(k, api.ValidationError, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, api.MaxQuantity+1))
	require.Equal(k, []string{"quantityDelta"}, k.invalidFields(e))
}

func stockHeld(k *fixture) {
	k.inbound(k.oats, 10)
	k.requireDetails(mustFail(k, api.StateBackedByDocuments, api.AdjustStock, adjust(k.oats, k.wh, api.Incoming, -1)),
		"inventoryState", api.Incoming, "current", 10, "requested", -1, "backed", 10)
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.Incoming, 3))
	do(k, api.AdjustStock, adjust(k.oats, k.wh, api.Incoming, -3))

	k.stock(k.oats, k.wh, 5)
	do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(4))})
	k.requireDetails(mustFail(k, api.StateBackedByDocuments, api.AdjustStock, adjust(k.oats, k.wh, api.Committed, -1)), "backed", 4)

	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1}).Transfer
	do(k, api.ShipTransfer, api.MoveTransferInput{TransferID: tr.ID})
	k.requireDetails(mustFail(k, api.StateBackedByDocuments, api.AdjustStock, adjust(k.oats, k.shop, api.Incoming, -1)), "backed", 1)
	require.Equal(k, api.Quantities{OnHand: 4, Committed: 4, Incoming: 10}, k.quantities(k.oats, k.wh))
}

func stockMoved(k *fixture) {
	k.stock(k.oats, k.wh, 100)
	states := []api.State{api.Available, api.Reserved, api.Damaged, api.QualityControl, api.SafetyStock}
	for _, s := range states {
		require.Equal(k, []string{"destinationState"}, k.invalidFields(mustFail(k, api.ValidationError, api.MoveStock, move(k.oats, k.wh, 1, s, s))))
	}

	for _, to := range states[1:] {
		out := do(k, api.MoveStock, move(k.oats, k.wh, 3, api.Available, to))
		require.Equal(k, []string{"move_state available -3", "move_state " + string(to) + " +3"}, legs(out.Movements))
		require.EqualValues(k, 100, out.Balance.OnHand)
		out = do(k, api.MoveStock, move(k.oats, k.wh, 3, to, api.Available))
		require.Equal(k, api.Quantities{OnHand: 100, Available: 100}, out.Balance.Quantities)
	}

	for _, s := range []api.State{api.OnHand, api.Committed, api.Incoming} {
		require.Equal(k, []string{"sourceState"}, k.invalidFields(mustFail(k, api.ValidationError, api.MoveStock, move(k.oats, k.wh, 1, s, api.Damaged))), s)
	}
}

func stockTraced(k *fixture) {
	in := adjust(k.oats, k.wh, api.OnHand, 4)
	in.Reason, in.ReferenceType, in.ReferenceID, in.Metadata = "found", "count", "C-7", api.Metadata(`{"bin":"A1"}`)
	out := do(k, api.AdjustStock, in, api.Key("key-1"))
	for _, m := range out.Movements {
		require.Equal(k, []string{"found", "count", "C-7", "key-1", "api"}, []string{m.Reason, m.ReferenceType, m.ReferenceID, m.IdempotencyKey, m.Source})
		require.JSONEq(k, `{"bin":"A1"}`, string(m.Metadata))
		require.Equal(k, k.Now(), m.CreatedAt)
		require.Equal(k, "OAT-1L", m.Product.SKU)
		require.Equal(k, "WH-1", m.Location.Code)
		require.NotNil(k, m.Owner)
		require.NotNil(k, m.Channel)
		require.NotEmpty(k, m.Actor.Label)
	}

	require.NotEqual(k, out.Movements[0].ID, out.Movements[1].ID)
}

func stockVersion(k *fixture) {
	k.stock(k.oats, k.wh, 4)
	k.requireDetails(mustFail(k, api.VersionConflict, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1), api.IfMatch(7)), "version", 1)
	require.EqualValues(k, 2, do(k, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, 1), api.IfMatch(1)).Balance.Version)
	mustFail(k, api.VersionConflict, api.MoveStock, move(k.oats, k.wh, 1, api.Available, api.Damaged), api.IfMatch(1))

	expect := api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 2}
	mustFail(k, api.VersionConflict, api.CreateInbound, expect, api.IfMatch(1))
	require.EqualValues(k, 3, do(k, api.CreateInbound, expect, api.IfMatch(2)).Balance.Version)
	order := api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1))}
	mustFail(k, api.VersionConflict, api.CreateOutbound, order, api.IfMatch(2))
	require.EqualValues(k, 4, do(k, api.CreateOutbound, order, api.IfMatch(3)).Balance.Version)
	none := mustFail(k, api.VersionConflict, api.CreateLocation, api.CreateLocationInput{Code: "NEW", Name: "New", Type: api.Warehouse}, api.IfMatch(1))
	require.Contains(k, none.Message, "Omit the header")
	mustFail(k, api.VersionConflict, api.ArchiveProduct, api.ProductInput{ProductID: k.oats}, api.IfMatch(1))
}

func stockOwners(k *fixture) {
	owner := do(k, api.CreateOwner, api.CreatePlaceInput{Code: "ACME", Name: "Acme", Type: "company"}).ID
	channel := do(k, api.CreateChannel, api.CreatePlaceInput{Code: "WEB", Name: "Web", Type: "web"}).ID
	in := adjust(k.oats, k.wh, api.OnHand, 3)
	in.OwnerID, in.ChannelID = owner, channel
	b := do(k, api.AdjustStock, in).Balance
	require.Equal(k, []api.ID{owner, channel}, []api.ID{b.OwnerID, b.ChannelID})
	require.Equal(k, "ACME", b.Owner.Code)
	require.Equal(k, "WEB", b.Channel.Code)
	k.stock(k.oats, k.wh, 1)
	mustFail(k, api.InsufficientStock, api.AdjustStock, adjust(k.oats, k.wh, api.OnHand, -2))
	require.Len(k, do(k, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{OwnerID: owner}}).Items, 1)
	require.Len(k, do(k, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: k.oats}}).Items, 2)
}

func unitsConverted(k *fixture) {
	p := do(k, api.CreateProduct, api.CreateProductInput{SKU: "WINE", Name: "Wine", BaseUnitCode: "bottle", Units: []api.Unit{{UnitCode: "case", Factor: 6}}}).ID
	k.stock(p, k.wh, 20)
	in := move(p, k.wh, 12, api.Available, api.Damaged)
	in.UnitCode, in.UnitQuantity = "case", ptr(int64(2))
	m := do(k, api.MoveStock, in).Movements[0]
	require.Equal(k, []any{"case", int64(2), "bottle", int64(-12)}, []any{m.UnitCode, m.UnitQuantity, m.BaseUnitCode, m.Quantity})
	in.Quantity = 5
	k.requireDetails(mustFail(k, api.UnitConversionMismatch, api.MoveStock, in), "factor", 6, "unitQuantity", 2, "quantity", 5)
	in.UnitCode = "pallet"
	mustFail(k, api.UnitConversionMismatch, api.MoveStock, in)
	in.UnitCode, in.UnitQuantity = "bottle", ptr(int64(5))
	do(k, api.MoveStock, in)
	in.UnitQuantity = nil
	require.Equal(k, []string{"unitQuantity"}, k.invalidFields(mustFail(k, api.ValidationError, api.MoveStock, in)))
}
