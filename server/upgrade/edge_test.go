package upgrade_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/apiclient"
	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/replicas"
	"bincard/server/api"
)

// openNode opens the node in an edge's directory, with c's service as its upstream. The
// returned function closes it.
func openNode(t *testing.T, dir string, c *client) (*offline.Node, func()) {
	t.Helper()
	upstream, err := apiclient.New(apiclient.Config{URL: c.url, Key: c.key, Organization: c.org, UserAgent: "test"})
	require.NoError(t, err)
	t.Cleanup(upstream.Close)
	log := slog.New(slog.DiscardHandler)
	set, err := replicas.OpenDir(filepath.Join(dir, "bases"), log)
	require.NoError(t, err)
	require.NotNil(t, set.Current(), "the replica is preserved")
	node, trouble, err := offline.Open(t.Context(), offline.Config{Upstream: upstream, Replicas: set, Folder: journal.Dir(dir), Log: log,
		Caller: api.Caller{Organization: uuid.MustParse(c.org), Environment: api.Test, Scopes: api.Scopes, Actor: api.Actor{Type: api.User, Label: "Ada"}}})
	require.NoError(t, err)
	require.Nil(t, trouble)
	return node, func() {
		require.NoError(t, node.Close())
		require.NoError(t, set.Close())
	}
}

func states(node *offline.Node) map[string]string {
	all := map[string]string{}
	for _, it := range node.Operations() {
		all[it.Key] = string(it.State)
	}
	return all
}

func TestEdgeOfEarlierVersion_SyncsPendingWorkOnce(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		s := openServer(t, unpack(t, fixture, "ledger"))
		c := over(t, s, keysOf(t, fixture))
		dir := unpack(t, fixture, "edge")
		for range 2 { // the second time there is nothing to send
			node, closeNode := openNode(t, dir, c)
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan struct{})
			go func() { defer close(ended); node.Run(ctx) }()
			require.Eventually(t, func() bool {
				all := states(node)
				return all["edge-pending-1"] == "done" && all["edge-pending-2"] == "done" && node.Sync().State == api.SyncOnline
			}, time.Minute, 10*time.Millisecond)
			stop()
			<-ended
			all := states(node)
			require.Equal(t, "held", all["edge-held"])
			require.Equal(t, "refused", all["edge-failed"])
			require.NoError(t, node.Verify(t.Context()))
			closeNode()
		}
		times := map[string]int{}
		for after, more := int64(0), true; more; {
			text := c.send(exchange{Method: http.MethodGet, Path: fmt.Sprintf("/changes?limit=500&after=%d", after)}).Answer
			var page api.Changes
			require.NoError(t, json.Unmarshal([]byte(text), &page))
			for _, x := range page.Items {
				times[x.Key]++
				after = x.Seq
			}
			more = len(page.Items) > 0
		}
		for _, key := range []string{"edge-synced", "edge-pending-1", "edge-pending-2"} {
			require.Equal(t, 1, times[key], key)
		}
		for _, key := range []string{"edge-held", "edge-failed"} {
			require.Zero(t, times[key], key)
		}
		requireVerified(t, s)
	})
}

// The program opens the directory without a connection, lists the work for the device that
// did it, and exports it.
func TestEdgeOfEarlierVersion_StartsOffline(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		keys := keysOf(t, fixture)
		dir := unpack(t, fixture, "edge")
		edge := start(t, []string{"BINCARD_KEY=" + keys.Key}, "edge", "--upstream", keys.URL, "--org", keys.Organization, "--data", dir, "--addr", address(t))
		d := &client{t: t, url: edge.url, org: keys.Organization, key: keys.EdgeKey}
		d.awaitWork("edge-held", "held")
		d.awaitWork("edge-failed", "refused")
		d.awaitWork("edge-pending-1", "waiting", "sent")
		exported := d.send(exchange{Method: http.MethodGet, Path: "/sync/export"})
		require.Equal(t, http.StatusOK, exported.Status)
		for _, key := range []string{"edge-held", "edge-failed", "edge-pending-1", "edge-pending-2"} {
			require.True(t, strings.Contains(exported.Answer, key), key)
		}
		edge.stop()
	})
}

func TestLedgerOfEarlierVersion_Exports(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		dir := unpack(t, fixture, "ledger")
		for _, report := range []string{"movements", "snapshot"} {
			out, err := command(t, nil, "export", report, "--data", dir, "--env", "test").Output()
			require.NoError(t, err)
			require.Contains(t, string(out), "OAT-1L")
		}
		var result struct {
			Records int `json:"records"`
		}
		run(t, &result, "verify", "--data", dir, "--json")
		require.Greater(t, result.Records, 300)
	})
}
