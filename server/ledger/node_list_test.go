package ledger_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

func TestListNodes_DropsTheOneSeenLongestAgo(t *testing.T) {
	t.Parallel()
	w := ledgertest.Open(t)
	w.Service = w.As(api.Live, api.Admin, api.InventoryRead, api.InventoryWrite)
	limit := int64(100)
	report := func(label string) {
		ledgertest.Do(w, api.ListChanges, api.ListChangesInput{}, api.ReportedBy(api.NodeReport{ID: uuid.New(), Label: label, Kind: api.NodeEdge, Version: "1"}))
		w.Clock.Advance(time.Second)
	}
	list := func() (labels []string) {
		for in := (api.ListNodesInput{Page: api.Page{Limit: &limit}}); ; {
			page := ledgertest.Do(w, api.ListNodes, in)
			for _, n := range page.Items {
				labels = append(labels, n.Label)
			}
			if page.NextCursor == nil {
				return labels
			}
			in.Cursor = *page.NextCursor
		}
	}
	report("A")
	for range 999 {
		report("B")
	}
	require.Len(t, list(), 1000)
	require.Equal(t, "A", list()[0])
	report("C")
	require.Len(t, list(), 1000)
	require.Equal(t, "B", list()[0])
}

// alone returns a service of one process.
func alone(t *testing.T) (a, b *ledgertest.World) {
	w := ledgertest.Open(t)
	return w, w
}

// A key that can only read reports on a few nodes of its own. It neither changes nor removes
// the nodes of other keys.
func TestListNodes_KeyThatOnlyReads(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T) (site, reader *ledgertest.World){"one process": alone, "two processes": siblings} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site, reader := open(t)
			limit := int64(100)
			report := func(w *ledgertest.World, key byte, id api.ID, label string, scopes ...api.Scope) {
				c := api.Caller{Organization: w.Org.ID, Environment: api.Live, Scopes: scopes, KeyID: api.ID{key}, KeyLabel: "key"}
				ledgertest.Call(t, api.As(w.Ledger, c, ""), api.ListChanges, api.ListChangesInput{},
					api.ReportedBy(api.NodeReport{ID: id, Label: label, Kind: api.NodeEdge, Version: "1"}))
				w.Clock.Advance(time.Second)
			}
			labels := func() map[string]int {
				list := ledgertest.Call(t, site.As(api.Live, api.Admin), api.ListNodes, api.ListNodesInput{Page: api.Page{Limit: &limit}})
				n := map[string]int{}
				for _, x := range list.Items {
					n[x.Label]++
				}
				return n
			}
			writes, reads := []api.Scope{api.InventoryRead, api.TransfersWrite}, []api.Scope{api.InventoryRead, api.Admin}

			report(site, 1, api.ID{1}, "Quay", writes...)
			report(reader, 2, api.ID{1}, "Forged", reads...)
			require.Equal(t, map[string]int{"Quay": 1}, labels(), "the node of another key")

			report(reader, 2, api.ID{2}, "Forged", reads...)
			report(site, 1, api.ID{2}, "Depot", writes...)
			require.Equal(t, map[string]int{"Quay": 1, "Depot": 1}, labels(), "a node that a reader named first")

			for range 50 {
				report(reader, 2, uuid.New(), "Forged", reads...)
			}
			require.Equal(t, map[string]int{"Quay": 1, "Depot": 1, "Forged": 16}, labels())
			report(reader, 3, api.ID{3}, "Viewer", reads...)
			report(reader, 3, api.ID{3}, "Office", reads...)
			require.Equal(t, map[string]int{"Quay": 1, "Depot": 1, "Forged": 16, "Office": 1}, labels(), "its own node")
		})
	}
}
