package offline_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// What is planned while the answer that does not have it yet is on its way shows
// with the next round, whatever else was seen of the service's clock meanwhile.
func TestWhatIsPlannedBehindALateAnswerShows(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, place, other := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1"), w.Location("WH-2")
	w.Stock(oats.ID, place.ID, 20)
	in := ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{ProductID: oats.ID, LocationID: place.ID, ExpectedQuantity: 10}).Inbound
	n, served := openPolling(t, w)
	countReads(t, w, n, time.Hour, served)
	ledgertest.Do(w, api.ReceiveInbound, api.ReceiveInboundInput{InboundID: in.ID, Quantity: 1}) // has more read in the same round
	var planned api.ID
	countReads(t, w, n, 20*time.Minute, func(req *api.Request) (*api.Response, error) {
		res, err := served(req)
		if req.Spec == api.ListTransfers.Spec && planned == (api.ID{}) {
			w.Clock.Advance(time.Minute)
			planned = ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oats.ID, SourceLocationID: place.ID,
				DestinationLocationID: other.ID, Quantity: 5}).Transfer.ID
			w.Clock.Advance(8 * time.Minute)
			w.Stock(oats.ID, place.ID, 3)
		}
		return res, err
	})
	require.NotZero(t, planned)
	list, err := api.ListTransfers.Call(t.Context(), n, api.ListTransfersInput{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, planned, list.Items[0].ID)
}
