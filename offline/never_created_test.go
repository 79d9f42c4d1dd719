package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// Two sites create an inbound with one key. What the second site receives for its own inbound
// is never sent for that of the first, whatever a person decides about the second creation.
func TestSync_CreationNeverDone(t *testing.T) {
	t.Parallel()
	for name, resolve := range map[string]func(t *testing.T, n api.Service, op *outbox.Operation) error{
		"discarded": func(t *testing.T, n api.Service, op *outbox.Operation) error {
			_, err := api.DiscardWork.Call(t.Context(), n, api.DiscardWorkInput{Key: op.Key, Reason: "entered twice"}, api.Key("discard"))
			return err
		},
		"replaced": func(t *testing.T, n api.Service, op *outbox.Operation) error {
			_, err := api.ReplaceWork.Call(t.Context(), n, api.ReplaceWorkInput{Key: op.Key, Operation: op.SpecID, Target: op.Target, Body: op.Body}, api.Key("create-2"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oat, rye := w.Product("OAT-1L", api.TrackNone), w.Product("RYE-1KG", api.TrackNone)
			wh := w.Location("WH-1")
			first, second := siteOf(t, w), siteOf(t, w)
			readAll(t, w, first)
			readAll(t, w, second)
			create := func(n api.Service, product api.ID) api.ID {
				res, err := api.CreateInbound.Call(t.Context(), n, api.CreateInboundInput{
					StockKey: api.StockKey{ProductID: product, LocationID: wh.ID}, ExpectedQuantity: 8}, api.Key("create"))
				require.NoError(t, err)
				return res.Inbound.ID
			}
			id := create(first, oat.ID)
			require.Equal(t, id, create(second, rye.ID))
			_, err := api.ReceiveInbound.Call(t.Context(), second, api.ReceiveInboundInput{InboundID: id, Quantity: 3}, api.Key("receive"))
			require.NoError(t, err)
			sendAll(t, w, first)
			sendAll(t, w, second)
			creation := second.Operation("create")
			require.Equal(t, api.IdempotencyKeyReused, creation.Refusal.Code)
			readAll(t, w, second)

			require.NoError(t, resolve(t, second, creation))
			sendAll(t, w, second)
			readAll(t, w, second)
			require.Equal(t, outbox.Held, second.Operation("receive").State)
			require.ErrorContains(t, second.Retry(t.Context(), "receive", "Ada"), "was never created")
			receipt := second.Operation("receive")
			_, err = api.ReplaceWork.Call(t.Context(), second, api.ReplaceWorkInput{Key: "receive", Operation: receipt.SpecID, Target: receipt.Target, Body: receipt.Body}, api.Key("receive-2"))
			require.ErrorContains(t, err, "was never created")
			require.NoError(t, second.Verify(t.Context()))
			sendAll(t, w, second)
			theirs := ledgertest.Do(w, api.GetInbound, api.InboundInput{InboundID: id})
			require.Equal(t, oat.ID, theirs.ProductID)
			require.Zero(t, theirs.ReceivedQuantity)
			require.NoError(t, second.Discard(t.Context(), "receive", "Ada", "entered for the other inbound", false))
			require.NoError(t, second.Verify(t.Context()))
		})
	}
}
