package offline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A transfer created while an answer without it is on its way appears in the
// next cycle, even if later times of the service's clock were seen meanwhile.
func TestPolling_ReadsTransferCreatedBehindLateAnswer(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location, other := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1"), w.Location("WH-2")
	w.Stock(oats.ID, location.ID, 20)
	in := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: oats.ID, LocationID: location.ID}, ExpectedQuantity: 10}).Inbound
	n, served := openPolling(t, w)
	countReads(t, w, n, time.Hour, served)
	ledgertest.Do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}) // causes more reads in the same cycle
	var created api.ID
	countReads(t, w, n, 20*time.Minute, func(req *api.Request) (*api.Response, error) {
		res, err := served(req)
		if req.Spec == api.ListTransfers.Spec && created == (api.ID{}) {
			w.Clock.Advance(time.Minute)
			created = ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: location.ID,
				DestinationLocationID: other.ID, Quantity: 5}).Transfer.ID
			w.Clock.Advance(8 * time.Minute)
			w.Stock(oats.ID, location.ID, 3)
		}
		return res, err
	})
	require.NotZero(t, created)
	list, err := api.ListTransfers.Call(t.Context(), n, api.ListTransfersInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, created, list.Items[0].ID)
}
