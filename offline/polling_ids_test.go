package offline_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A foreignService gives its inbounds and balances ids of its own, lists the
// oldest first, and accepts no page size or status.
type foreignService struct{ api.Service }

func foreignID(id api.ID) api.ID {
	for i := range id {
		id[i] ^= 0x5a
	}
	return id
}

func (a foreignService) Do(ctx context.Context, req *api.Request) (*api.Response, error) {
	r := *req
	switch in := req.Input.(type) {
	case *api.ReceiveInboundInput:
		remote := *in
		remote.InboundID = foreignID(in.InboundID)
		r.Input = &remote
	case *api.ExplainBalanceInput:
		r.Input = &api.ExplainBalanceInput{BalanceID: foreignID(in.BalanceID)}
	case *api.ListTransfersInput:
		if in.Limit != nil || in.Status != "" {
			return nil, api.Fail(api.ValidationError, nil, "There is no such parameter.")
		}
	case *api.ReportMovementsInput:
		if in.Cursor != "" {
			return nil, api.Fail(api.InvalidCursor, nil, "There is one page.")
		}
	}
	res, err := a.Service.Do(ctx, &r)
	if err != nil {
		return nil, err
	}
	switch out := res.Output.(type) {
	case *api.InboundResult:
		out.Inbound.ID, out.Balance.ID = foreignID(out.Inbound.ID), foreignID(out.Balance.ID)
	case *api.List[api.Inbound]:
		for i := range out.Items {
			out.Items[i].ID = foreignID(out.Items[i].ID)
		}
	case *api.List[api.SnapshotRow]:
		for i := range out.Items {
			out.Items[i].ID = foreignID(out.Items[i].ID)
		}
	case *api.Explanation:
		out.Balance.ID = foreignID(out.Balance.ID)
	case *api.List[api.MovementRow]:
		slices.Reverse(out.Items)
	}
	return res, nil
}

// TestPolling_MapsLocalIDsToRemoteIDs creates and receives an inbound offline,
// before a service with ids of its own.
func TestPolling_MapsLocalIDsToRemoteIDs(t *testing.T) {
	t.Parallel()
	d := openPollingFixture(t)
	oats, location := d.world.Product("OAT-1L", api.TrackNone), d.world.Location("WH-1")
	d.world.Stock(oats.ID, location.ID, 20)
	d.link.svc = foreignService{documentedService{d.world.Ledger}}
	d.open()
	d.waitRead()
	id := d.stock(oats.ID, location.ID).ID
	d.link.cut.Store(true)
	created, err := api.CreateInbound.Call(t.Context(), d.svc, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10})
	require.NoError(t, err)
	require.Equal(t, id, created.Balance.ID)
	_, err = api.ReceiveInbound.Call(t.Context(), d.svc, api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 4})
	require.NoError(t, err)
	require.EqualValues(t, 24, d.stock(oats.ID, location.ID).OnHand)
	d.link.cut.Store(false)
	d.waitConfirmed()
	for _, op := range d.Operations() {
		require.Equal(t, outbox.Done, op.State, "%+v", op.Refusal)
	}
	again, err := api.ReceiveInbound.Call(t.Context(), d.svc, api.ReceiveInboundInput{InboundID: created.Inbound.ID, Quantity: 5})
	require.NoError(t, err, "the local id remains valid")
	require.EqualValues(t, 9, again.Inbound.ReceivedQuantity)
	d.stop()
	d.open()
	d.waitConfirmed()
	list, err := api.ListInbounds.Call(t.Context(), d.svc, api.ListInboundsInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.EqualValues(t, 9, list.Items[0].ReceivedQuantity)
	require.EqualValues(t, 29, d.stock(oats.ID, location.ID).OnHand)
	remote := ledgertest.Do(d.world, api.ListInbounds, api.ListInboundsInput{}).Items
	require.Len(t, remote, 1)
	require.EqualValues(t, 9, remote[0].ReceivedQuantity)
}
