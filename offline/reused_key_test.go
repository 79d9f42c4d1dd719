package offline_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// Two sites use one key, each for its own work. Whether the second site first sends its
// work or first reads that of the other one, a person decides about it.
func TestSync_KeyUsedAtTwoSites(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		second    int64
		readFirst bool
	}{
		{"other work, sent first", 7, false}, {"other work, read first", 7, true},
		{"equal work, sent first", 5, false}, {"equal work, read first", 5, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			first, second := siteOf(t, w), siteOf(t, w)
			for _, n := range []*offline.Node{first, second} {
				readAll(t, w, n)
			}
			adjust := func(n *offline.Node, by int64) {
				ledgertest.Call(t, n, api.AdjustStock, adjustOf(oat.ID, wh.ID, by), api.Key("night-0"))
			}
			adjust(first, 5)
			adjust(second, test.second)
			sendAll(t, w, first)
			readAll(t, w, first)
			if test.readFirst {
				readAll(t, w, second)
			}
			sendAll(t, w, second)
			readAll(t, w, second)

			require.Equal(t, outbox.Done, first.Operation("night-0").State)
			op := second.Operation("night-0")
			require.Equal(t, outbox.Held, op.State)
			require.Equal(t, api.IdempotencyKeyReused, op.Refusal.Code)
			require.Equal(t, api.AdjustStock.Spec.ID, op.Refusal.Details["operation"])
			require.NoError(t, second.Verify(t.Context()))
			work := ledgertest.Call(t, second, api.ListWork, api.ListWorkInput{Key: "night-0"})
			theirs := work.Items[0].Recorded
			require.NotNil(t, theirs, "both sides are shown")
			require.Equal(t, api.AdjustStock.Spec.ID, theirs.Operation)
			require.Len(t, theirs.Stock, 2, "on hand and available")
			for _, x := range theirs.Stock {
				require.Equal(t, "OAT-1L@WH-1", x.SKU+"@"+x.Location)
				require.EqualValues(t, 5, x.Quantity)
			}

			ledgertest.Call(t, second, api.ReplaceWork, api.ReplaceWorkInput{Key: "night-0", Operation: op.SpecID, Target: op.Target,
				Body: op.Body}, api.Key("night-0-of-site-2"))
			sendAll(t, w, second)
			readAll(t, w, second)
			require.Equal(t, outbox.Done, second.Operation("night-0-of-site-2").State)
			list := ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: oat.ID}})
			require.Equal(t, 5+test.second, list.Items[0].OnHand)
		})
	}
}

// The directory of a node is copied, and both are used. They give equal work, and other work, the
// same key and number. A person decides about the second one, whoever of the two did it.
func TestSync_CopiedNodeUsesTheSameKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, first, second string
		later               time.Duration
		readFirst           bool
		numbersDiffer       bool
		more                int64 // than the first node's work
	}{
		{"two devices, sent first", "dock-A", "dock-B", 0, false, false, 0},
		{"two devices, read first", "dock-A", "dock-B", 0, true, false, 0},
		{"one device later, sent first", "dock", "dock", time.Second, false, false, 0},
		{"one device later, read first", "dock", "dock", time.Second, true, false, 0},
		{"another number, sent first", "dock", "dock", 0, false, true, 0},
		{"another number, read first", "dock", "dock", 0, true, true, 0},
		{"other work, sent first", "dock", "dock", 0, false, false, 2},
		{"other work, read first", "dock", "dock", 0, true, false, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			folder := &journal.Memory{}
			first := openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: folder})
			t.Cleanup(func() { require.NoError(t, first.Close()) })
			readAll(t, w, first)
			second := openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: copyJournal(t, folder)})
			t.Cleanup(func() { require.NoError(t, second.Close()) })
			readAll(t, w, second)
			adjust := func(n *offline.Node, device, key string, by int64) {
				c := callerOf(w)
				c.KeyID, c.KeyLabel = api.ID{1}, device
				ledgertest.Call(t, api.As(n, c, "Ada"), api.AdjustStock, adjustOf(oat.ID, wh.ID, by), api.Key(key))
			}
			if test.numbersDiffer {
				adjust(second, "dock", "before", 5)
			}
			adjust(first, test.first, "night-0", 5)
			w.Clock.Advance(test.later)
			adjust(second, test.second, "night-0", 5+test.more)
			w.Clock.Advance(time.Second)
			sendAll(t, w, first)
			readAll(t, w, first)
			if test.readFirst {
				readAll(t, w, second)
			}
			sendAll(t, w, second)
			readAll(t, w, second)

			require.Equal(t, outbox.Done, first.Operation("night-0").State)
			require.Equal(t, outbox.Held, second.Operation("night-0").State)
			require.Equal(t, api.IdempotencyKeyReused, second.Operation("night-0").Refusal.Code)
			require.Contains(t, second.Sync().Alarms, api.AlarmDecision)
		})
	}
}

// siteOf returns a new node of the service.
func siteOf(t *testing.T, w *ledgertest.World) *offline.Node {
	return siteBehind(t, w, upstream{w.Ledger, callerOf(w)})
}

// siteBehind returns a new node that reaches the service through up.
func siteBehind(t *testing.T, w *ledgertest.World, up api.Service) *offline.Node {
	set := &replicas.Memory{}
	n := openNode(t, w, offline.Config{Upstream: up, Replicas: set, Folder: &journal.Memory{}})
	t.Cleanup(func() {
		require.NoError(t, n.Close())
		require.NoError(t, set.Close())
	})
	return n
}

// sendAll sends what a node may send now.
func sendAll(t *testing.T, w *ledgertest.World, n *offline.Node) {
	t.Helper()
	for sendBatch(t, n, upstream{w.Ledger, callerOf(w)}) {
	}
}

// sendBatch sends the next batch of a node to a service, and reports whether there was one.
func sendBatch(t *testing.T, n *offline.Node, up upstream) bool {
	t.Helper()
	batch := nextBatch(t, n)
	for _, p := range batch.Requests {
		res, err := up.Do(t.Context(), p.Req)
		require.NoError(t, n.SendDone(p.Key, res, err))
	}
	return len(batch.Requests) > 0
}

func nextBatch(t *testing.T, n *offline.Node) offline.Batch {
	t.Helper()
	batch, err := n.NextBatch()
	require.NoError(t, err)
	return batch
}

// readAll reads what the service has recorded.
func readAll(t *testing.T, w *ledgertest.World, n *offline.Node) {
	t.Helper()
	readChanges(t, n, upstream{w.Ledger, callerOf(w)})
}

// readChanges reads from a service until the node waits for changes or for its connection.
func readChanges(t *testing.T, n *offline.Node, up upstream) {
	t.Helper()
	for last := false; !last; {
		req, _, err := n.NextRead(t.Context())
		require.NoError(t, err)
		if req == nil {
			return
		}
		if in, ok := req.Input.(*api.ListChangesInput); ok {
			last = *in.Wait > 0
			in.Wait = nil
		}
		res, err := up.Do(t.Context(), req)
		require.NoError(t, n.ReadDone(t.Context(), res, err))
	}
}

// An answer that says done, as a proxy may give it, is not enough: the service must
// record the work.
func TestSync_DoneButNotRecorded(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	n := siteOf(t, w)
	readAll(t, w, n)
	predicted, err := api.AdjustStock.Do(t.Context(), n, adjustOf(oat.ID, wh.ID, 5), api.Key("found"))
	require.NoError(t, err)
	nextBatch(t, n)
	require.NoError(t, n.SendDone("found", &api.Response{Output: predicted.Output}, nil))
	require.Equal(t, outbox.Done, n.Operation("found").State)
	readAll(t, w, n)
	require.Equal(t, outbox.Pending, n.Operation("found").State)
	sendAll(t, w, n)
	readAll(t, w, n)
	require.True(t, n.Operation("found").Confirmed)
	list := ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: oat.ID}})
	require.EqualValues(t, 5, list.Items[0].OnHand)
	require.NoError(t, n.Verify(t.Context()))
}

// What follows such an operation is not in conflict because that is not applied meanwhile.
func TestSync_FollowsWorkNotRecorded(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh, shop := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1"), w.Location("SHOP")
	w.Stock(oat.ID, wh.ID, 10)
	transfer := ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oat.ID, SourceLocationID: wh.ID, DestinationLocationID: shop.ID, Quantity: 4}).Transfer.ID
	n := siteOf(t, w)
	readAll(t, w, n)
	shipped, err := api.ShipTransfer.Do(t.Context(), n, api.MoveTransferInput{TransferID: transfer}, api.Key("ship"))
	require.NoError(t, err)
	nextBatch(t, n)
	require.NoError(t, n.SendDone("ship", &api.Response{Output: shipped.Output}, nil)) // a proxy answers
	ledgertest.Call(t, n, api.ReceiveTransfer, api.MoveTransferInput{TransferID: transfer}, api.Key("receive"))
	readAll(t, w, n)
	require.Equal(t, outbox.Pending, n.Operation("receive").State, "%+v", n.Operation("receive").Refusal)
	sendAll(t, w, n)
	readAll(t, w, n)
	require.True(t, n.Operation("ship").Confirmed)
	require.True(t, n.Operation("receive").Confirmed)
}

// What the service rejected meanwhile because it lacks such an operation is sent again, too,
// whether or not the rejection arrives before the loss is known.
func TestSync_RejectedForWorkNotRecorded(t *testing.T) {
	t.Parallel()
	for _, knownFirst := range []bool{false, true} {
		t.Run(fmt.Sprintf("loss known first %v", knownFirst), func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			at := api.StockKey{ProductID: oat.ID, LocationID: wh.ID}
			w.Stock(oat.ID, wh.ID, 10)
			n := siteOf(t, w)
			readAll(t, w, n)
			expires := w.Clock.Now().Add(time.Hour)
			reserved, err := api.CreateReservation.Do(t.Context(), n, api.CreateReservationInput{StockKey: at, Quantity: 2, ExpiresAt: &expires}, api.Key("reserve"))
			require.NoError(t, err)
			nextBatch(t, n)
			require.NoError(t, n.SendDone("reserve", &api.Response{Output: reserved.Output}, nil)) // and then the service went back
			ledgertest.Call(t, n, api.CommitReservation, api.ReservationInput{ReservationID: reserved.DocumentID()}, api.Key("commit"))
			batch := nextBatch(t, n)
			require.Len(t, batch.Requests, 1)
			_, err = upstream{w.Ledger, callerOf(w)}.Do(t.Context(), batch.Requests[0].Req)
			require.True(t, api.HasCode(err, api.NotFound), "%v", err)
			if knownFirst {
				readAll(t, w, n)
			}
			require.NoError(t, n.SendDone("commit", nil, err))
			readAll(t, w, n)
			sendAll(t, w, n)
			readAll(t, w, n)
			require.True(t, n.Operation("reserve").Confirmed)
			require.True(t, n.Operation("commit").Confirmed, "%+v", n.Operation("commit").Refusal)
		})
	}
}

// Nor is it in conflict because what it follows may be rejected, which the service then accepts.
func TestSync_FollowsWorkAtRisk(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh, shop := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1"), w.Location("SHOP")
	w.Stock(oat.ID, wh.ID, 10)
	transfer := ledgertest.Do(w, api.CreateTransfer, api.CreateTransferInput{ProductID: oat.ID, SourceLocationID: wh.ID, DestinationLocationID: shop.ID, Quantity: 4}).Transfer.ID
	n := siteOf(t, w)
	readAll(t, w, n)
	ledgertest.Call(t, n, api.ShipTransfer, api.MoveTransferInput{TransferID: transfer}, api.Key("ship"))
	ledgertest.Call(t, n, api.ReceiveTransfer, api.MoveTransferInput{TransferID: transfer}, api.Key("receive"))
	w.Stock(oat.ID, wh.ID, -10)
	readAll(t, w, n)
	require.NotNil(t, n.Operation("ship").Risk)
	require.Equal(t, outbox.Pending, n.Operation("receive").State, "%+v", n.Operation("receive").Refusal)
	w.Stock(oat.ID, wh.ID, 10)
	sendAll(t, w, n)
	readAll(t, w, n)
	require.True(t, n.Operation("ship").Confirmed)
	require.True(t, n.Operation("receive").Confirmed)
}

// A service that went back to an earlier state rejects what needs the work that it lost.
// That is sent again after what it needs; an older rejection stays.
func TestSync_RejectedByServiceThatWentBack(t *testing.T) {
	t.Parallel()
	for _, reason := range []api.GoneReason{api.GoneAhead, api.GoneDiverged} {
		t.Run(string(reason), func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			at := api.StockKey{ProductID: oat.ID, LocationID: wh.ID}
			w.Stock(oat.ID, wh.ID, 10)
			n := siteOf(t, w)
			readAll(t, w, n)
			_, err := api.AdjustStock.Call(t.Context(), n, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: -99, Reason: "lost"},
				api.Key("too-much"), api.AcceptRisk())
			require.True(t, api.HasCode(err, api.AtRisk), "%v", err)
			sendAll(t, w, n)
			require.Equal(t, outbox.Refused, n.Operation("too-much").State)
			w.Clock.Advance(time.Hour)
			expires := w.Clock.Now().Add(time.Hour)
			made := ledgertest.Call(t, n, api.CreateReservation, api.CreateReservationInput{StockKey: at, Quantity: 2, ExpiresAt: &expires}, api.Key("reserve"))
			sendAll(t, w, n)
			readAll(t, w, n)
			require.True(t, n.Operation("reserve").Confirmed)

			ledgertest.Call(t, n, api.CommitReservation, api.ReservationInput{ReservationID: made.Reservation.ID}, api.Key("commit"))
			batch := nextBatch(t, n)
			require.Len(t, batch.Requests, 1)
			require.NoError(t, n.SendDone("commit", nil, api.Fail(api.NotFound, nil, "No reservation %s.", made.Reservation.ID)))
			require.Equal(t, outbox.Refused, n.Operation("commit").State)
			_, _, err = n.NextRead(t.Context())
			require.NoError(t, err)
			require.NoError(t, n.ReadDone(t.Context(), nil, api.Fail(api.ChangesGone, api.Details{"reason": reason}, "The changes are gone.")))

			require.Equal(t, outbox.Pending, n.Operation("commit").State)
			require.Equal(t, outbox.Refused, n.Operation("too-much").State)
			batch = nextBatch(t, n)
			for _, r := range batch.Requests {
				require.NotEqual(t, "commit", r.Key, "it needs the reservation")
			}
			for _, r := range batch.Requests {
				res, err := upstream{w.Ledger, callerOf(w)}.Do(t.Context(), r.Req)
				require.NoError(t, n.SendDone(r.Key, res, err))
			}
			readAll(t, w, n)
			sendAll(t, w, n)
			readAll(t, w, n)
			require.True(t, n.Operation("commit").Confirmed)
		})
	}
}

// A service that went back has also lost what another site did. Work that needs it waits
// until that site has sent it again.
func TestSync_WaitsForWorkOfAnotherSite(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	at := api.StockKey{ProductID: oat.ID, LocationID: wh.ID}
	w.Stock(oat.ID, wh.ID, 10)
	expires := w.Clock.Now().Add(time.Hour)
	reserved := ledgertest.Do(w, api.CreateReservation, api.CreateReservationInput{StockKey: at, Quantity: 2, ExpiresAt: &expires}).Reservation.ID
	n := siteOf(t, w)
	readAll(t, w, n)
	ledgertest.Call(t, n, api.CommitReservation, api.ReservationInput{ReservationID: reserved}, api.Key("commit"))
	lost := func() {
		t.Helper()
		batch := nextBatch(t, n)
		require.Len(t, batch.Requests, 1)
		require.NoError(t, n.SendDone("commit", nil, api.Fail(api.NotFound, nil, "No reservation %s.", reserved)))
	}

	lost()
	_, _, err := n.NextRead(t.Context())
	require.NoError(t, err)
	require.NoError(t, n.ReadDone(t.Context(), nil, api.Fail(api.ChangesGone, api.Details{"reason": api.GoneAhead}, "Gone.")))
	lost()
	work := workOf(t, n, "commit")
	require.Equal(t, api.WaitOtherSite, work.Wait)
	require.Equal(t, api.NotFound, work.Refusal.Code)

	ledgertest.Call(t, n, api.AdjustStock, api.AdjustStockInput{StockKey: at, InventoryState: api.OnHand, QuantityDelta: 1,
		Reason: "found"}, api.Key("found"))
	sendAll(t, w, n)
	require.Equal(t, outbox.Done, n.Operation("found").State, "other work of the same stock does not wait")

	readAll(t, w, n)
	w.Clock.Advance(time.Minute)
	sendAll(t, w, n) // the other site has sent its work again
	readAll(t, w, n)
	require.True(t, n.Operation("commit").Confirmed, "%+v", n.Operation("commit"))
}

// A reservation that expired before the service received it needs a decision, and what
// depends on it waits for that.
func TestSync_ReservationExpiresBefore(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	w.Stock(oat.ID, wh.ID, 10)
	n := siteOf(t, w)
	readAll(t, w, n)
	expires := w.Clock.Now().Add(time.Hour)
	made := ledgertest.Call(t, n, api.CreateReservation, api.CreateReservationInput{
		StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID}, Quantity: 4, ExpiresAt: &expires}, api.Key("reserve"))
	ledgertest.Call(t, n, api.CommitReservation, api.ReservationInput{ReservationID: made.Reservation.ID}, api.Key("commit"))

	w.Clock.Advance(2 * time.Hour)
	sendAll(t, w, n)
	readAll(t, w, n)
	require.Contains(t, n.Sync().Alarms, api.AlarmDecision)
	require.Equal(t, api.ReservationTooLate, workOf(t, n, "reserve").Refusal.Code)
	require.Equal(t, api.WaitDependency, workOf(t, n, "commit").Wait)

	for _, key := range []string{"reserve", "commit"} {
		require.NoError(t, n.Discard(t.Context(), key, "Ada", "the customer is gone", false))
	}
	require.Empty(t, n.Sync().Alarms)
}

// workOf returns an operation of a node as it lists it.
func workOf(t *testing.T, n *offline.Node, key string) api.Work {
	t.Helper()
	list := ledgertest.Call(t, n, api.ListWork, api.ListWorkInput{Key: key})
	require.Len(t, list.Items, 1)
	return list.Items[0]
}

// A snapshot has no keys, but the document that another site made with the key.
func TestCreate_KeyOfADocumentInTheSnapshot(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	in := api.CreateInboundInput{StockKey: api.StockKey{ProductID: oat.ID, LocationID: wh.ID}, ExpectedQuantity: 5}
	ledgertest.Call(t, w.Service, api.CreateInbound, in, api.Key("night-0"))
	n := siteOf(t, w)
	readAll(t, w, n)
	in.ExpectedQuantity = 7
	_, err := api.CreateInbound.Call(t.Context(), n, in, api.Key("night-0"))
	require.True(t, api.HasCode(err, api.IdempotencyKeyReused), err)
	require.Nil(t, n.Operation("night-0"), "it would be received into the other site's inbound")
}

// A program uses a key at the service, and a site then uses it for work that looks the
// same. The replica was read after that and has no keys. A person decides.
func TestSync_KeyUsedByAProgramBeforeTheSnapshot(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	in := adjustOf(oat.ID, wh.ID, 5)
	ledgertest.Call(t, upstream{w.Ledger, callerOf(w)}, api.AdjustStock, in, api.Key("night-0"), api.By("Ben"))
	n := siteOf(t, w)
	readAll(t, w, n)
	ledgertest.Call(t, n, api.AdjustStock, in, api.Key("night-0"))
	sendAll(t, w, n)
	readAll(t, w, n)
	list := ledgertest.Call(t, n, api.ListWork, api.ListWorkInput{Key: "night-0"})
	require.Equal(t, api.WorkHeld, list.Items[0].State)
	require.NotNil(t, list.Items[0].Recorded)
	require.Equal(t, "Ben", list.Items[0].Recorded.Operator)
}

// A program uses the key of work that a site has not sent, for work that looks the same.
// Whether the site first sends its work or first reads that of the program, a person decides.
func TestSync_KeyUsedByAProgramForEqualWork(t *testing.T) {
	t.Parallel()
	for name, readFirst := range map[string]bool{"sent first": false, "read first": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ledgertest.Open(t)
			oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
			in := adjustOf(oat.ID, wh.ID, 5)
			n := siteOf(t, w)
			readAll(t, w, n)
			ledgertest.Call(t, n, api.AdjustStock, in, api.Key("night-0"))
			ledgertest.Call(t, upstream{w.Ledger, callerOf(w)}, api.AdjustStock, in, api.Key("night-0"), api.By("Ben"))
			if readFirst {
				readAll(t, w, n)
			}
			sendAll(t, w, n)
			readAll(t, w, n)
			op := n.Operation("night-0")
			require.Equal(t, outbox.Held, op.State)
			require.NotNil(t, op.Refusal.Recorded)
			require.Equal(t, "Ben", op.Refusal.Recorded.Operator)
		})
	}
}
