package offline_test

import (
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

// readFrom sends the node's next read to the service that answer is, which does not wait for
// changes.
func readFrom(t *testing.T, n *offline.Node, answer func(*api.Request) (*api.Response, error)) error {
	t.Helper()
	req, _, err := n.NextRead(t.Context())
	require.NoError(t, err)
	require.NotNil(t, req)
	if in, ok := req.Input.(*api.ListChangesInput); ok {
		in.Wait = nil
	}
	res, asked := answer(req)
	return n.ReadDone(t.Context(), res, asked)
}

// A replica that is older than the journal does not have the change that the service
// confirmed. The service may go back after it was asked for that change, and before the
// replica has it.
func TestNode_SendsAgainWhatTheServiceLost_WhileItsReplicaCatchesUp(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	up := upstream{w.Ledger, callerOf(w)}
	ask := func(req *api.Request) (*api.Response, error) { return up.Do(t.Context(), req) }
	folder, older := &journal.Memory{}, &replicas.Memory{}
	for _, set := range []*replicas.Memory{older, {}} { // the second replica gets the change, the first one stays older
		n := openNode(t, w, offline.Config{Replicas: set, Folder: folder})
		for !n.Ready() {
			require.NoError(t, readFrom(t, n, ask))
		}
		if set != older {
			ledgertest.Call(t, n, api.AdjustStock, adjustOf(oats.ID, location.ID, 2), api.Key("one"))
			batch := nextBatch(t, n)
			res, err := ask(batch.Requests[0].Req)
			require.NoError(t, n.SendDone("one", res, err))
			for !n.Operation("one").Confirmed {
				require.NoError(t, readFrom(t, n, ask))
			}
		}
		require.NoError(t, n.Close())
	}

	n := openNode(t, w, offline.Config{Replicas: older, Folder: folder})
	require.NoError(t, readFrom(t, n, ask))
	wentBack := func(req *api.Request) (*api.Response, error) { // to before the change of "one"
		res, err := ask(req)
		in, ok := req.Input.(*api.ListChangesInput)
		if !ok || err != nil {
			return res, err
		}
		c := *res.Output.(*api.Changes)
		lost := c.Latest
		switch {
		case *in.After >= lost:
			return nil, api.Fail(api.ChangesGone, api.Details{"reason": api.GoneAhead}, "The feed may have been restored from a backup.")
		case len(c.Items) > 0 && c.Items[len(c.Items)-1].Seq == lost:
			c.Items, c.Latest = c.Items[:len(c.Items)-1], lost-1
		}
		return &api.Response{Output: &c}, nil
	}
	for range 3 {
		require.NoError(t, readFrom(t, n, wentBack))
	}
	require.Equal(t, outbox.Pending, n.Operation("one").State)
	require.True(t, n.Operation("one").MaybeLost)
}

// A change is read once. The node learns from it that a rejected operation was recorded after
// all, even if its disk is full when the change arrives.
func TestNode_LearnsWhatTheServiceRecorded_WithAFullDisk(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oats, location := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	up := upstream{w.Ledger, callerOf(w)}
	ask := func(req *api.Request) (*api.Response, error) { return up.Do(t.Context(), req) }
	disk := newFullFolder()
	n := openNode(t, w, offline.Config{Replicas: &replicas.Memory{}, Folder: disk})
	for !n.Ready() {
		require.NoError(t, readFrom(t, n, ask))
	}
	ledgertest.Call(t, n, api.AdjustStock, adjustOf(oats.ID, location.ID, 2), api.Key("one"))
	batch := nextBatch(t, n)
	require.NoError(t, n.SendDone("one", nil, api.Fail(api.InsufficientStock, nil, "No stock.")))
	require.Equal(t, outbox.Refused, n.Operation("one").State)
	_, err := ask(batch.Requests[0].Req) // a delayed copy
	require.NoError(t, err)

	disk.fill()
	require.ErrorIs(t, readFrom(t, n, ask), errFull)
	disk.free()
	w.Clock.Advance(time.Minute)
	require.NoError(t, readFrom(t, n, ask))
	require.Equal(t, outbox.Done, n.Operation("one").State)
	require.True(t, n.Operation("one").Confirmed)
}

// A journal that is new has no epoch until the first operation is saved, which is based on
// what the replica has. A probe that only shows that the service answers does not show that
// it still has that.
func TestProbe_ShowsTheHistoryOfTheReplica(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	up := upstream{w.Ledger, callerOf(w)}
	set := &replicas.Memory{}
	n := openNode(t, w, offline.Config{Replicas: set, Folder: &journal.Memory{}})
	for !n.Ready() {
		require.NoError(t, readFrom(t, n, func(req *api.Request) (*api.Response, error) { return up.Do(t.Context(), req) }))
	}
	require.NoError(t, n.Close())

	n = openNode(t, w, offline.Config{Replicas: set, Folder: &journal.Memory{}})
	require.NoError(t, readFrom(t, n, func(*api.Request) (*api.Response, error) { return nil, errOffline }))
	w.Clock.Advance(time.Minute)
	req, _, _ := n.NextProbe()
	require.NotNil(t, req)
	require.Equal(t, api.ListChanges.Spec, req.Spec)
	in := req.Input.(*api.ListChangesInput)
	require.NotEmpty(t, in.Epoch)
	require.NotEmpty(t, in.Hash)
}
