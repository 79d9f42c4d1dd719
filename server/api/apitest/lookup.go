package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var lookupTests = []test{
	{"lookup: every kind", lookupKinds},
	{"lookup: GTIN lengths", lookupBarcodes},
	{"lookup: order of matches", lookupOrder},
	{"lists: part of a name or number", listsByText},
	{"lookup hides transfers without their scope", lookupScoped},
	{"get access", accessRead},
}

// matches returns the kinds and ids of the matches for a text.
func (k *fixture) matches(code string, kind api.Kind) (out []string) {
	k.Helper()
	found := do(k, api.LookUp, api.LookupInput{Code: code, Kind: kind})
	require.Equal(k, code, found.Code)
	for _, m := range found.Matches {
		out = append(out, string(m.Kind)+" "+m.ID.String())
	}
	return out
}

func lookupKinds(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	in := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 1,
		Reference: api.Reference{ReferenceID: "IN-1"}, ExternalOrderID: "PO-1", SupplierReference: "SUP-1"}).Inbound.ID
	out := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1)), Reference: api.Reference{ReferenceID: "OUT-1"}, ExternalOrderID: "SO-1"}).Outbound.ID
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1, Reference: api.Reference{ReferenceID: "TR-1"}}).Transfer.ID
	drill := k.tracked("DRILL", api.TrackSerial)
	got := k.receiveLot(drill, 1, "LOT-1", nil, "SN-1").Movements[1]
	for code, want := range map[string]string{
		"oat-1l": "product " + k.oats.String(), k.oats.String(): "product " + k.oats.String(), " WH-1 ": "location " + k.wh.String(),
		k.shop.String(): "location " + k.shop.String(), "in-1": "inbound " + in.String(), "PO-1": "inbound " + in.String(), "SUP-1": "inbound " + in.String(),
		in.String(): "inbound " + in.String(), "OUT-1": "outbound " + out.String(), "so-1": "outbound " + out.String(), out.String(): "outbound " + out.String(),
		"TR-1": "transfer " + tr.String(), tr.String(): "transfer " + tr.String(), "lot-1": "lot " + got.LotID.String(), "SN-1": "serial " + got.Serials[0].ID.String(),
	} {
		require.Equal(k, []string{want}, k.matches(code, ""), code)
	}

	require.Equal(k, "{\"code\":\"nothing\",\"matches\":[]}", k.text(do(k, api.LookUp, api.LookupInput{Code: "nothing"})))
	require.Empty(k, k.matches("WH-1", api.KindProduct))
	require.Len(k, k.matches("WH-1", api.KindLocation), 1)
	require.Len(k, k.matches("TR-1", api.KindTransfer), 1)
	require.Empty(k, k.matches("TR-1", api.KindInbound))

	m := do(k, api.LookUp, api.LookupInput{Code: "LOT-1"}).Matches[0]
	require.Equal(k, "DRILL", m.Product.SKU)
	require.Equal(k, "LOT-1", m.Lot.LotCode)
	m = do(k, api.LookUp, api.LookupInput{Code: "SN-1"}).Matches[0]
	require.Equal(k, []string{"DRILL", "SN-1"}, []string{m.Product.SKU, m.Serial.SerialNumber})
	require.Equal(k, "OAT-1L", do(k, api.LookUp, api.LookupInput{Code: "IN-1"}).Matches[0].Inbound.Product.SKU)
	require.Equal(k, k.text(do(k, api.GetTransfer, api.TransferInput{TransferID: tr})), k.text(*do(k, api.LookUp, api.LookupInput{Code: "TR-1"}).Matches[0].Transfer))
	require.Equal(k, k.text(do(k, api.GetOutbound, api.OutboundInput{OutboundID: out})), k.text(*do(k, api.LookUp, api.LookupInput{Code: "SO-1"}).Matches[0].Outbound))
	require.Equal(k, []string{"code"}, k.invalidFields(mustFail(k, api.ValidationError, api.LookUp, api.LookupInput{Code: "  "})))
}

// listsByText finds rows of each list by a part of what names them.
func listsByText(k *fixture) {
	k.stock(k.oats, k.wh, 5)
	in := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 1,
		Reference: api.Reference{ReferenceID: "PO-2026-431"}, ExternalOrderID: "EXT-77", SupplierReference: "SUP-9", SupplierName: "Nordic Foods"}).Inbound.ID
	out := do(k, api.CreateOutbound, api.CreateOutboundInput{ProductID: k.oats, LocationID: k.wh, RequestedQuantity: ptr(int64(1)),
		Reference: api.Reference{ReferenceID: "SO-2026-454"}, CustomerName: "Café Lumen"}).Outbound.ID
	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1,
		Reference: api.Reference{ReferenceID: "TR-2026-442"}}).Transfer.ID
	got := k.receiveLot(k.tracked("DRILL", api.TrackSerial), 1, "L165-C", nil, "SCA000073").Movements[1]
	text := func(query string) api.TextFilter { return api.TextFilter{Query: query} }
	inbounds := func(query string) []api.ID {
		return idsOf(do(k, api.ListInbounds, api.ListInboundsInput{TextFilter: text(query)}).Items, func(x *api.Inbound) api.ID { return x.ID })
	}
	outbounds := func(query string) []api.ID {
		return idsOf(do(k, api.ListOutbounds, api.ListOutboundsInput{TextFilter: text(query)}).Items, func(x *api.Outbound) api.ID { return x.ID })
	}
	transfers := func(query string) []api.ID {
		return idsOf(do(k, api.ListTransfers, api.ListTransfersInput{TextFilter: text(query)}).Items, func(x *api.Transfer) api.ID { return x.ID })
	}
	lots := func(query string) []api.ID {
		return idsOf(do(k, api.ListLots, api.ListLotsInput{TextFilter: text(query)}).Items, func(x *api.Lot) api.ID { return x.ID })
	}
	serials := func(query string) []api.ID {
		return idsOf(do(k, api.ListSerials, api.ListSerialsInput{TextFilter: text(query)}).Items, func(x *api.Serial) api.ID { return x.ID })
	}
	for _, x := range []struct {
		find  func(text string) []api.ID
		want  api.ID
		texts []string
	}{
		{inbounds, in, []string{"431", " po-2026 ", "ext", "sup-9", "nordic", in.String()[:8]}},
		{outbounds, out, []string{"454", "so-", "CAFÉ", out.String()}},
		{transfers, tr, []string{"442", "tr-2026-442"}},
		{lots, got.LotID, []string{"165", "l165-c"}},
		{serials, got.Serials[0].ID, []string{"73", "sca"}},
	} {
		for _, text := range x.texts {
			require.Equal(k, []api.ID{x.want}, x.find(text), text)
		}
		require.Empty(k, x.find("nothing like it"))
		require.NotEmpty(k, x.find(""))
	}
}

// idsOf returns the IDs of rows.
func idsOf[T any](rows []T, id func(*T) api.ID) (ids []api.ID) {
	for i := range rows {
		ids = append(ids, id(&rows[i]))
	}
	return ids
}

func lookupBarcodes(k *fixture) {
	p := do(k, api.CreateProduct, api.CreateProductInput{SKU: "TEA", Name: "Tea", Barcodes: []string{"036000291452", "96385074"},
		Units: []api.Unit{{UnitCode: "box", Factor: 12, Barcodes: []string{"10036000291459"}}}}).ID
	for _, code := range []string{"036000291452", "0036000291452", "00036000291452", "96385074", "00000096385074"} {
		m := do(k, api.LookUp, api.LookupInput{Code: code}).Matches
		require.Len(k, m, 1, code)
		require.Equal(k, p, m[0].ID)
		require.Nil(k, m[0].Unit, code)
	}

	m := do(k, api.LookUp, api.LookupInput{Code: "10036000291459"}).Matches[0]
	require.Equal(k, "TEA", m.Product.SKU)
	require.EqualValues(k, 12, m.Unit.Factor)
}

func lookupOrder(k *fixture) {
	lot := k.product("SAME")
	var ids []string
	for range 3 {
		ids = append(ids, "inbound "+do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 1, Reference: api.Reference{ReferenceID: "same"}}).Inbound.ID.String())
		k.Advance(time.Second)
	}

	tr := do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1, Reference: api.Reference{ReferenceID: "SAME"}}).Transfer.ID
	do(k, api.CancelTransfer, api.TransferInput{TransferID: tr})
	require.Equal(k, []string{"product " + lot.String(), ids[2], ids[1], ids[0], "transfer " + tr.String()}, k.matches("Same", ""))
}

func lookupScoped(k *fixture) {
	do(k, api.CreateTransfer, api.CreateTransferInput{ProductID: k.oats, SourceLocationID: k.wh, DestinationLocationID: k.shop, Quantity: 1, Reference: api.Reference{ReferenceID: "TR-1"}})
	require.Len(k, k.matches("TR-1", ""), 1)
	require.Empty(k, k.as(k.As(0, api.Live, api.InventoryRead)).matches("TR-1", ""))
}

func accessRead(k *fixture) {
	got := do(k.as(k.As(1, api.Test, api.InventoryRead, api.TransfersRead)), api.GetAccess, api.GetAccessInput{})
	require.Equal(k, k.Orgs[1], got.Organization)
	require.Equal(k, api.Test, got.Environment)
	require.ElementsMatch(k, []api.Scope{api.InventoryRead, api.TransfersRead}, got.Scopes)
	require.Equal(k, api.APIKey, got.Actor.Type)
	require.NotEmpty(k, got.Actor.Label)
	require.NotEmpty(k, got.Plan.Code)
}
