package session_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/views/session"
)

func TestCountRoute_NamesItsProducts(t *testing.T) {
	t.Parallel()
	require.Equal(t, "count/WH-1?skus=A,B,C", session.CountRoute("WH-1", "A", "B", "C"))
	reg := tui.NewRegistry().Add("count/{location}", "", nil)
	for _, skus := range [][]string{nil, {"A, 1"}, {"A,1", "B+2", "50% C", "D&E=F", "G/H?"}} {
		_, route, err := reg.Find(session.CountRoute("WH 1", skus...))
		require.NoError(t, err)
		got, listed := session.CountSKUs(route.Query)
		require.Equal(t, skus, got)
		require.Equal(t, skus != nil, listed)
		require.Equal(t, "WH 1", route.Param("location"))
	}
	_, route, err := reg.Find("count/WH-1?skus=A,,B,A")
	require.NoError(t, err)
	got, _ := session.CountSKUs(route.Query)
	require.Equal(t, []string{"A", "B"}, got)
}
