package outbox_test

import (
	"testing"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
	"bincard/views/outbox"
	"bincard/views/session"

	"github.com/stretchr/testify/require"
)

// newRefusedLot returns a fixture with a rejected receipt of 5 of lot L7, whose
// inbound was closed meanwhile.
func newRefusedLot(t *testing.T) *syncFixture {
	b := newSyncFixture(t)
	b.node.Disconnect()
	_, err := api.ReceiveInbound.Call(t.Context(), b.node, api.ReceiveInboundInput{InboundID: b.in.ID, Quantity: 5, NewLot: api.NewLot{LotCode: "L7"}}, api.By("Ada"))
	require.NoError(t, err)
	ledgertest.Do(b.World, api.CloseInbound, api.CloseInboundInput{InboundID: b.in.ID})
	b.node.Connect()
	return b
}

func TestRecord_KeepsLot(t *testing.T) {
	t.Parallel()
	b := newRefusedLot(t)
	d := b.terminal("sync")
	d.Key("enter").Key("f6").Sees("adjust +5 × SOY-1L at WH-1", "lot L7")
	d.Key("enter", "enter", "enter").Sees("Replaced with")
	b.node.Sync()
	at := ledgertest.Do(b.World, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: b.Soy.ID, LocationID: b.Main.ID}}).Items[0]
	why := ledgertest.Do(b.World, api.ExplainBalance, api.ExplainBalanceInput{BalanceID: at.ID, HistoryPage: api.HistoryPage{Order: api.NewestFirst}})
	last := why.Movements[0]
	require.Equal(t, "L7", last.Lot.LotCode)
	require.EqualValues(t, 5, last.Quantity)
	require.Contains(t, last.Reason, "receive 5 × SOY-1L")
}

func TestRecord_WritesOffSerials(t *testing.T) {
	t.Parallel()
	b := newSyncFixture(t)
	site := session.NewSite(session.Options{Service: b.node})
	w := &api.Work{Key: "k", Operation: api.FulfillStock.ID, State: api.WorkRefused, Body: api.Metadata(`{"serialNumbers":["SN-1"]}`)}
	one := int64(1)
	w.Stock = api.WorkStock{ProductID: b.Soy.ID, LocationID: b.Main.ID, Quantity: &one, Serials: []string{"SN-1"}}
	in, err := outbox.Record(t.Context(), site, w, nil)
	require.NoError(t, err)
	require.Equal(t, api.WriteOffStock.ID, in.Operation)
	require.Contains(t, string(in.Body), `"serialNumbers":["SN-1"]`)
	in, err = outbox.Record(t.Context(), site, w, map[string]string{"delta": "+1"})
	require.NoError(t, err)
	require.Equal(t, api.AdjustStock.ID, in.Operation, "outgoing serials are not received")
}
