package viewtest

import (
	"context"
	"log/slog"
	"testing"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/outbox"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"

	"github.com/stretchr/testify/require"
)

// A Node is an offline node in memory, in front of a proxy. It sends and reads only in Sync.
type Node struct {
	*offline.Node
	proxy    *FaultProxy
	t        testing.TB
	world    *ledgertest.World
	journal  journal.Memory
	replicas replicas.Memory
	limit    []api.PlaceRef
}

// NewNode returns a node that has synced with the world's ledger through the proxy. It is
// limited to the given locations if there are any.
func NewNode(t testing.TB, w *ledgertest.World, proxy *FaultProxy, at ...api.Place) *Node {
	t.Helper()
	n := &Node{proxy: proxy, t: t, world: w}
	for _, p := range at {
		n.limit = append(n.limit, api.PlaceRef{ID: p.ID, Code: p.Code})
	}

	n.open()
	t.Cleanup(func() {
		require.NoError(t, n.Close())
		require.NoError(t, n.replicas.Close())
	})
	n.Sync()

	return n
}

func (n *Node) open() {
	n.t.Helper()
	node, damage, err := offline.Open(context.Background(), offline.Config{Upstream: n.proxy, Replicas: &n.replicas, Folder: &n.journal,
		NotSent: func(err error) bool { return api.AsError(err).Details["outcome"] == "not_sent" },
		Now:     n.world.Clock.Now, Log: slog.New(slog.DiscardHandler), Locations: n.limit,
		Owner: outbox.Header{Service: "https://stock.example", Organization: n.world.Org.ID.String(), Environment: string(api.Live)},
		Caller: api.Caller{Organization: n.world.Org.ID, Environment: api.Live, Scopes: api.Scopes,
			Actor: api.Actor{Type: api.APIKey, ID: "key", Label: "Dock"}}})

	require.NoError(n.t, err)
	require.Nil(n.t, damage)
	n.Node = node
}

// Restart closes the node and opens it again.
func (n *Node) Restart() {
	n.t.Helper()
	require.NoError(n.t, n.Close())
	n.open()
}

// Sync sends and reads until there is nothing left to do.
func (n *Node) Sync() {
	n.t.Helper()
	ctx := n.t.Context()
	for range 200 {
		if probe, _, _ := n.NextProbe(); probe != nil {
			_, err := n.proxy.Do(ctx, probe)
			n.ProbeDone(err)
		}

		out, err := n.NextBatch()
		require.NoError(n.t, err)
		for _, p := range out.Requests {
			res, err := n.proxy.Do(ctx, p.Req)
			require.NoError(n.t, n.SendDone(p.Key, res, err))
		}

		req, _, err := n.NextRead(ctx)
		require.NoError(n.t, err)
		if req == nil {
			if len(out.Requests) == 0 {
				return
			}
			continue
		}

		in, follows := req.Input.(*api.ListChangesInput)
		if follows {
			in.Wait = nil
		}

		res, asked := n.proxy.Do(ctx, req)
		require.NoError(n.t, n.ReadDone(ctx, res, asked))
		if follows && asked == nil && len(out.Requests) == 0 && len(res.Output.(*api.Changes).Items) == 0 {
			return
		}
	}

	require.Fail(n.t, "sync does not finish")
}

// Disconnect disconnects the service and makes the node notice it.
func (n *Node) Disconnect() {
	n.t.Helper()
	n.proxy.Down()
	n.Resume()
	n.Sync()
}

// Connect reconnects the service and syncs.
func (n *Node) Connect() {
	n.t.Helper()
	n.proxy.Up()
	n.Resume()
	n.Sync()
}
