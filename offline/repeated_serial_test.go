package offline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// Two sites without a connection give the same serial number and receive it, each on its own
// inbound. A person decides about the second receipt; nothing of it is lost.
func TestSync_SerialReceivedAtTwoSites(t *testing.T) {
	t.Parallel()
	for name, readFirst := range map[string]bool{"sent first": false, "read first": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			camera, wh := w.Product("CAM-1", api.TrackSerial), w.Location("WH-1")
			inbound := func() api.ID {
				return ledgertest.Do(w, api.CreateInbound, api.CreateInboundInput{StockKey: api.StockKey{ProductID: camera.ID, LocationID: wh.ID}, ExpectedQuantity: 2}).Inbound.ID
			}
			inbounds := []api.ID{inbound(), inbound()}
			sites := []*offline.Node{siteOf(t, w), siteOf(t, w)}
			for i, n := range sites {
				readAll(t, w, n)
				_, err := api.ReceiveInbound.Call(t.Context(), n, api.ReceiveInboundInput{InboundID: inbounds[i], Quantity: 2,
					Serials: []api.SerialInput{{SerialNumber: "BC00001"}, {SerialNumber: []string{"OWN-1", "OWN-2"}[i]}}}, api.Key([]string{"first", "second"}[i]))
				require.NoError(t, err)
			}
			first, second := sites[0], sites[1]
			sendAll(t, w, first)
			readAll(t, w, first)
			if readFirst {
				readAll(t, w, second)
			}
			sendAll(t, w, second)
			readAll(t, w, second)
			require.Equal(t, outbox.Done, first.Operation("first").State)

			work, err := api.ListWork.Call(t.Context(), second, api.ListWorkInput{})
			require.NoError(t, err)
			require.Len(t, work.Items, 1)
			op := work.Items[0]
			require.Contains(t, []api.WorkState{api.WorkRefused, api.WorkHeld}, op.State)
			require.Equal(t, api.SerialExists, op.Refusal.Code)
			require.Equal(t, "BC00001", op.Refusal.Details["serialNumber"])
			require.Contains(t, op.Refusal.Message, "BC00001")
			require.Contains(t, string(op.Body), "OWN-2", "all of the receipt is kept")
			require.Zero(t, ledgertest.Do(w, api.GetInbound, api.InboundInput{InboundID: inbounds[1]}).ReceivedQuantity)

			fixed := api.ReplaceWorkInput{Key: "second", Operation: op.Operation, Target: op.Target,
				Body: []byte(`{"quantity":2,"serials":[{"serialNumber":"BC00002"},{"serialNumber":"OWN-2"}]}`)}
			_, err = api.ReplaceWork.Call(t.Context(), second, fixed, api.Key("second-again"))
			require.NoError(t, err)
			sendAll(t, w, second)
			readAll(t, w, second)
			require.Equal(t, outbox.Done, second.Operation("second-again").State)
			serials := ledgertest.Do(w, api.ListSerials, api.ListSerialsInput{ProductID: camera.ID}).Items
			require.Len(t, serials, 4)
		})
	}
}
