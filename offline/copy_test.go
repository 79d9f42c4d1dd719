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

// openLabeled opens a node that reports to the service.
func openLabeled(t *testing.T, w *ledgertest.World, folder journal.Folder, label string) *offline.Node {
	n := openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: folder,
		Label: label, Kind: api.NodeTerminal, Version: "1"})
	t.Cleanup(func() { require.NoError(t, n.Close()) })
	return n
}

// copyJournal returns a folder with a copy of a journal.
func copyJournal(t *testing.T, folder journal.Folder) journal.Folder {
	data, err := journal.ReadFile(folder, offline.JournalName)
	require.NoError(t, err)
	copied := &journal.Memory{}
	require.NoError(t, journal.ReplaceFile(copied, offline.JournalName, data))
	return copied
}

// The directory of a node is copied, and both are used. Neither sends anything until a person
// gives one of them an id of its own. Work from before the copy is sent by both, and done once.
func TestNode_CopiedDirectory(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	oat, wh := w.Product("OAT-1L", api.TrackNone), w.Location("WH-1")
	adjust := func(n *offline.Node, key string) {
		ledgertest.Call(t, n, api.AdjustStock, adjustOf(oat.ID, wh.ID, 5), api.Key(key))
	}
	states := func(n *offline.Node) (list []outbox.State) {
		for _, op := range n.Operations() {
			list = append(list, op.State)
		}
		return list
	}
	nodes := func() []api.NodeStatus {
		list := ledgertest.Call(t, w.As(api.Live, api.Admin), api.ListNodes, api.ListNodesInput{})
		return list.Items
	}
	folder := &journal.Memory{}
	first := openLabeled(t, w, folder, "Quay")
	readAll(t, w, first)
	adjust(first, "before")
	second := openLabeled(t, w, copyJournal(t, folder), "Depot")
	readAll(t, w, second)
	both := []*offline.Node{first, second}
	adjust(first, "of-first")
	adjust(second, "of-second")
	for range 3 {
		for _, n := range both {
			readAll(t, w, n)
			w.Clock.Advance(time.Second)
		}
	}

	require.Len(t, nodes(), 1)
	require.Equal(t, []string{"Depot", "Quay"}, nodes()[0].Copies)
	for _, n := range both {
		s := n.Sync()
		require.Contains(t, s.Alarms, api.AlarmCopy)
		require.Len(t, s.Troubles, 1)
		require.Contains(t, s.Troubles[0], "Depot, Quay")
		sendAll(t, w, n)
		require.Equal(t, []outbox.State{outbox.Pending, outbox.Pending}, states(n))
	}

	late, _, err := second.NextRead(t.Context())
	require.NoError(t, err)
	answer, err := upstream{w.Ledger, callerOf(w)}.Do(t.Context(), late)
	require.NoError(t, err)
	s := ledgertest.Call(t, second, api.AcknowledgeDamage, api.SyncInput{})
	require.NotContains(t, s.Alarms, api.AlarmCopy)
	require.NoError(t, second.ReadDone(t.Context(), answer, nil))
	require.NotContains(t, second.Sync().Alarms, api.AlarmCopy, "an answer to the node under its former id")
	sendAll(t, w, second)
	require.Equal(t, []outbox.State{outbox.Done, outbox.Done}, states(second))

	w.Clock.Advance(time.Minute)
	for _, n := range both {
		readAll(t, w, n)
		require.NotContains(t, n.Sync().Alarms, api.AlarmCopy, "the other has an id of its own")
	}
	require.Len(t, nodes(), 2)
	require.Equal(t, [2]string{"Depot", "Quay"}, [2]string{nodes()[0].Label, nodes()[1].Label})
	require.Empty(t, nodes()[1].Copies)
	sendAll(t, w, first)
	adjust(first, "equal")
	w.Clock.Advance(time.Second)
	adjust(second, "equal")
	for _, n := range both {
		sendAll(t, w, n)
		readAll(t, w, n)
	}
	require.Equal(t, []outbox.State{outbox.Done, outbox.Done, outbox.Done}, states(first))
	require.Equal(t, []outbox.State{outbox.Done, outbox.Done, outbox.Held}, states(second), "equal work of two nodes")
	list := ledgertest.Do(w, api.ListBalances, api.ListBalancesInput{StockFilter: api.StockFilter{ProductID: oat.ID}})
	require.EqualValues(t, 20, list.Items[0].OnHand)
}

func TestNode_StartedAgainIsNoCopy(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	w.Product("OAT-1L", api.TrackNone)
	folder := &journal.Memory{}
	for range 4 {
		n := openNode(t, w, offline.Config{Upstream: upstream{w.Ledger, callerOf(w)}, Replicas: &replicas.Memory{}, Folder: folder,
			Label: "Quay", Kind: api.NodeEdge, Version: "1"})
		for range 3 {
			readAll(t, w, n)
			require.Empty(t, n.Sync().Alarms)
			w.Clock.Advance(time.Second)
		}
		require.NoError(t, n.Close())
	}
}
