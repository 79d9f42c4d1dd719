package apitest

import (
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
)

var inboundTests = []test{
	{"create inbound", inboundCreated},
	{"receive inbound in parts", inboundReceived},
	{"cancel delivery", inboundCancelled},
	{"close inbound short", inboundClosed},
	{"receive inbound: over-receipt", inboundOverReceived},
	{"ended inbound rejects changes", inboundEnded},
	{"inbound: If-Match", inboundVersion},
	{"list inbounds: filters", inboundsListed},
	{"operator is recorded", inboundOperator},
}

func inboundCreated(k *fixture) {
	expected := k.Now().Add(48 * time.Hour)
	out := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 24, SupplierName: "Mill",
		SupplierReference: "S-9", ExternalOrderType: "po", ExternalOrderID: "PO-1", Reference: api.Reference{ReferenceType: "order", ReferenceID: "R-1"},
		ExpectedAt: &expected, Metadata: api.Metadata(`{"dock":3}`), InboundDetails: api.InboundDetails{Carrier: "Nord Freight"}})
	in := out.Inbound
	require.Equal(k, "Nord Freight", in.Carrier)
	require.Equal(k, api.InboundExpected, in.Status)
	require.EqualValues(k, 24, in.ExpectedQuantity)
	require.Zero(k, in.ReceivedQuantity)
	require.EqualValues(k, 1, in.Version)
	require.Equal(k, k.Orgs[0].DefaultOwnerID, in.OwnerID)
	require.Equal(k, k.Orgs[0].DefaultChannelID, in.ChannelID)
	require.Equal(k, expected, *in.ExpectedAt)
	require.Equal(k, k.Now(), in.CreatedAt)
	require.Equal(k, &api.ProductRef{ID: k.oats, Name: "Product OAT-1L", SKU: "OAT-1L"}, in.Product)
	require.Equal(k, &api.PlaceRef{ID: k.wh, Name: "Location WH-1", Code: "WH-1", Type: "warehouse"}, in.Location)
	require.NotNil(k, in.Owner)
	require.NotNil(k, in.Channel)
	require.Equal(k, api.APIKey, in.Actor.Type)
	require.Equal(k, []api.InboundLine{{ProductID: k.oats, LocationID: k.wh, OwnerID: in.OwnerID, ChannelID: in.ChannelID, ExpectedQuantity: 24}}, in.Lines)

	require.Equal(k, []string{"inbound_expect incoming +24"}, legs(out.Movements))
	m := out.Movements[0]
	require.Equal(k, []any{int64(0), int64(24), "order", "R-1"}, []any{m.BalanceBefore, m.BalanceAfter, m.ReferenceType, m.ReferenceID})
	require.Equal(k, []api.Serial{}, m.Serials)
	require.Equal(k, api.Quantities{Incoming: 24}, out.Balance.Quantities)
	require.EqualValues(k, 1, out.Balance.Version)
	require.Equal(k, in.Product, out.Balance.Product)
	require.Equal(k, k.text(in), k.text(do(k, api.GetInbound, api.InboundInput{InboundID: in.ID})))

	plain := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 1})
	require.Equal(k, plain.Inbound.ID.String(), plain.Movements[0].ReferenceID, "the default reference is the inbound")
	require.Equal(k, "inbound", plain.Movements[0].ReferenceType)
	require.EqualValues(k, 2, plain.Balance.Version)
	require.NotContains(k, k.text(plain), "carrier")
}

func inboundReceived(k *fixture) {
	in := k.inbound(k.oats, 10)
	k.Advance(time.Hour)
	came := k.Now().Add(-20 * time.Minute)
	out := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 4, Reason: "first truck", ReceivedAt: &came, Metadata: api.Metadata(`{"seal":"x"}`)})
	require.Equal(k, []string{"inbound_receive incoming -4", "inbound_receive onHand +4", "inbound_receive available +4"}, legs(out.Movements))
	require.Equal(k, api.InboundPartiallyReceived, out.Inbound.Status)
	require.EqualValues(k, 4, out.Inbound.ReceivedQuantity)
	require.EqualValues(k, 2, out.Inbound.Version)
	require.Equal(k, came, *out.Inbound.ReceivedAt, "the given time of receipt is used")
	require.Equal(k, k.Now(), out.Movements[0].CreatedAt, "a movement is dated by the clock")
	require.Equal(k, "first truck", out.Movements[1].Reason)
	require.JSONEq(k, `{"seal":"x"}`, string(out.Movements[1].Metadata))
	require.Equal(k, api.Quantities{OnHand: 4, Available: 4, Incoming: 6}, out.Balance.Quantities)

	e := mustFail(k, api.QuantityExceedsPending, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 7})
	k.requireDetails(e, "pending", 6, "requested", 7, "tolerance", 0, "most", 6)
	out = do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 6})
	require.Equal(k, api.InboundReceived, out.Inbound.Status)
	require.Equal(k, k.Now(), *out.Inbound.ReceivedAt)
	require.Equal(k, api.Quantities{OnHand: 10, Available: 10}, k.quantities(k.oats, k.wh))
}

func inboundOverReceived(k *fixture) {
	in := k.inbound(k.oats, 30).ID
	first := k.inbound(k.oats, 30).ID
	k.setRules(api.Rules{OverReceiptPercent: 5}) // 31.5 of 30
	e := mustFail(k, api.QuantityExceedsPending, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in, Quantity: 32})
	k.requireDetails(e, "pending", 30, "requested", 32, "tolerance", 5, "most", 31)
	require.Contains(k, e.Message, "at most 31")
	out := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in, Quantity: 29})
	require.Equal(k, api.InboundPartiallyReceived, out.Inbound.Status)
	e = mustFail(k, api.QuantityExceedsPending, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in, Quantity: 3})
	k.requireDetails(e, "pending", 1, "requested", 3, "tolerance", 5, "most", 2)
	key := api.NewKey()
	last := api.ReceiveInboundInput{InboundID: in, Quantity: 2}
	out = do(k, api.ReceiveInbound, last, api.Key(key))
	require.Equal(k, []string{"inbound_receive incoming -1", "inbound_receive onHand +2", "inbound_receive available +2"}, legs(out.Movements))
	require.Equal(k, api.InboundReceived, out.Inbound.Status)
	require.EqualValues(k, 31, out.Inbound.ReceivedQuantity)
	require.Equal(k, api.Quantities{OnHand: 31, Available: 31, Incoming: 30}, out.Balance.Quantities, "the other inbound is unchanged")
	mustFail(k, api.InboundNotOpen, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in, Quantity: 1})

	k.setRules(api.Rules{OverReceiptPercent: 0})
	require.Equal(k, k.text(out), k.text(do(k, api.ReceiveInbound, last, api.Key(key))), "a replay ignores the new rule")
	e = mustFail(k, api.QuantityExceedsPending, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: first, Quantity: 31})
	k.requireDetails(e, "pending", 30, "requested", 31, "tolerance", 0, "most", 30)
	k.setRules(api.Rules{OverReceiptPercent: 100})
	all := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: first, Quantity: 60}).Inbound
	require.Equal(k, []any{api.InboundReceived, int64(60), int64(60)}, []any{all.Status, all.ReceivedQuantity, all.Lines[0].ReceivedQuantity})
	require.Equal(k, api.Quantities{OnHand: 91, Available: 91}, k.quantities(k.oats, k.wh))
}

func inboundCancelled(k *fixture) {
	in := k.inbound(k.oats, 10)
	out := do(k, api.CancelInbound, api.InboundInput{InboundID: in.ID})
	require.Equal(k, []string{"inbound_cancel incoming -10"}, legs(out.Movements))
	require.Equal(k, api.InboundCancelled, out.Inbound.Status)
	require.Equal(k, k.Now(), *out.Inbound.CancelledAt)
	require.Equal(k, api.Quantities{}, out.Balance.Quantities)

	in = k.inbound(k.oats, 10)
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1})
	mustFail(k, api.InboundAlreadyReceived, api.CancelInbound, api.InboundInput{InboundID: in.ID})
	require.Equal(k, api.Quantities{OnHand: 1, Available: 1, Incoming: 9}, k.quantities(k.oats, k.wh))
}

func inboundClosed(k *fixture) {
	in := k.inbound(k.oats, 10)
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 7})
	out := do(k, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID, Reason: "three broken"})
	require.Equal(k, []string{"inbound_close incoming -3"}, legs(out.Movements))
	require.Equal(k, "three broken", out.Movements[0].Reason)
	require.Equal(k, api.InboundClosed, out.Inbound.Status)
	require.EqualValues(k, 7, out.Inbound.ReceivedQuantity)
	require.Equal(k, k.Now(), *out.Inbound.ClosedAt)
	require.Equal(k, api.Quantities{OnHand: 7, Available: 7}, out.Balance.Quantities)
	require.Equal(k, api.InboundClosed, do(k, api.CloseInbound, api.CloseInboundInput{InboundID: k.inbound(k.oats, 2).ID}).Inbound.Status)
}

func inboundEnded(k *fixture) {
	cancelled, closed, received := k.inbound(k.oats, 1).ID, k.inbound(k.oats, 1).ID, k.inbound(k.oats, 1).ID
	do(k, api.CancelInbound, api.InboundInput{InboundID: cancelled})
	do(k, api.CloseInbound, api.CloseInboundInput{InboundID: closed})
	do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: received, Quantity: 1})
	for id, status := range map[api.ID]api.InboundStatus{cancelled: api.InboundCancelled, closed: api.InboundClosed, received: api.InboundReceived} {
		k.requireDetails(mustFail(k, api.InboundNotOpen, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: id, Quantity: 1}), "status", status)
		mustFail(k, api.InboundNotOpen, api.CloseInbound, api.CloseInboundInput{InboundID: id})
		if status != api.InboundReceived {
			k.requireDetails(mustFail(k, api.InboundNotOpen, api.CancelInbound, api.InboundInput{InboundID: id}), "status", status)
		}
	}
}

func inboundVersion(k *fixture) {
	in := k.inbound(k.oats, 10)
	e := mustFail(k, api.VersionConflict, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}, api.IfMatch(2))
	k.requireDetails(e, "version", 1)
	out := do(k, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}, api.IfMatch(1))
	require.EqualValues(k, 2, out.Inbound.Version)
	mustFail(k, api.VersionConflict, api.CloseInbound, api.CloseInboundInput{InboundID: in.ID}, api.IfMatch(1))
}

func inboundsListed(k *fixture) {
	other := k.product("MILK")
	a := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 1, ExternalOrderType: "po", ExternalOrderID: "1"}).Inbound.ID
	k.Advance(time.Minute)
	made := k.Now()
	b := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: other, LocationID: k.shop}, ExpectedQuantity: 1, ExternalOrderType: "so", ExternalOrderID: "1"}).Inbound.ID
	do(k, api.CancelInbound, api.InboundInput{InboundID: b})
	after := made.Add(time.Millisecond)
	for name, x := range map[string]struct {
		in   api.ListInboundsInput
		want []api.ID
	}{
		"all":        {api.ListInboundsInput{}, []api.ID{b, a}},
		"status":     {api.ListInboundsInput{Status: api.InboundCancelled}, []api.ID{b}},
		"product":    {api.ListInboundsInput{StockFilter: api.StockFilter{ProductID: k.oats}}, []api.ID{a}},
		"location":   {api.ListInboundsInput{StockFilter: api.StockFilter{LocationID: k.shop}}, []api.ID{b}},
		"owner":      {api.ListInboundsInput{StockFilter: api.StockFilter{OwnerID: k.Orgs[0].DefaultOwnerID}}, []api.ID{b, a}},
		"no channel": {api.ListInboundsInput{StockFilter: api.StockFilter{ChannelID: newID()}}, nil},
		"order":      {api.ListInboundsInput{ExternalOrderID: "1"}, []api.ID{b, a}},
		"order type": {api.ListInboundsInput{ExternalOrderType: "so"}, []api.ID{b}},
		"from":       {api.ListInboundsInput{CreatedFrom: &made}, []api.ID{b}},
		"to":         {api.ListInboundsInput{CreatedTo: &made}, []api.ID{a}},
		"to after":   {api.ListInboundsInput{CreatedTo: &after}, []api.ID{b, a}},
		"both":       {api.ListInboundsInput{Status: api.InboundExpected, StockFilter: api.StockFilter{ProductID: other}}, nil},
	} {
		var got []api.ID
		list := do(k, api.ListInbounds, x.in)
		for _, in := range list.Items {
			got = append(got, in.ID)
			require.NotNil(k, in.Product, name)
			require.Len(k, in.Lines, 1, name)
		}

		require.Equal(k, x.want, got, name)
		require.Nil(k, list.NextCursor, name)
	}
}

func inboundOperator(k *fixture) {
	out := do(k, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: k.oats, LocationID: k.wh}, ExpectedQuantity: 1}, api.By("Ada"))
	who := &api.Actor{Type: api.User, Label: "Ada"}
	require.Equal(k, who, out.Inbound.CreatedBy)
	require.Equal(k, who, out.Movements[0].CreatedBy)
	require.Equal(k, api.APIKey, out.Movements[0].Actor.Type)
	require.Equal(k, "api", out.Movements[0].Source)
	require.Nil(k, k.inbound(k.oats, 1).CreatedBy)
}
