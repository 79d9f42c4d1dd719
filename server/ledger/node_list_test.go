package ledger_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

func TestListNodes_DropsTheOneSeenLongestAgo(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 31, 14, 0, 0, 0, time.UTC)
	l := ledger.New(store.NewMemory(), ledger.Options{Now: func() time.Time { return now }})
	t.Cleanup(l.Close)
	org, err := l.CreateOrganization(t.Context(), "Harbour Goods")
	require.NoError(t, err)
	svc := api.As(l, api.Caller{Organization: org.ID, Environment: api.Live, Scopes: []api.Scope{api.Admin, api.InventoryRead}}, "")
	limit := int64(100)
	report := func(label string) {
		_, err := api.ListChanges.Call(t.Context(), svc, api.ListChangesInput{}, api.ReportedBy(api.NodeReport{ID: uuid.New(), Label: label, Kind: api.NodeEdge, Version: "1"}))
		require.NoError(t, err)
		now = now.Add(time.Second)
	}
	list := func() (labels []string) {
		for in := (api.ListNodesInput{Page: api.Page{Limit: &limit}}); ; {
			page, err := api.ListNodes.Call(t.Context(), svc, in)
			require.NoError(t, err)
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
