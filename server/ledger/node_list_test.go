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
	w.Service = w.As(api.Live, api.Admin, api.InventoryRead)
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
