package drafts_test

import (
	"bincard/tui"
	"bincard/tui/tuitest"
	"strings"
	"testing"

	"bincard/tui/drafts"

	"github.com/stretchr/testify/require"
)

func TestInFolder(t *testing.T) {
	t.Parallel()
	stored := drafts.InFolder(t.TempDir())
	long := "explain/" + strings.Repeat("x", 400)
	require.NoError(t, stored.Save(tui.Draft{Route: long, Data: []byte{0, 1, 2}}))
	require.NoError(t, stored.Save(tui.Draft{Route: "a/b", Data: nil}))
	d, ok, err := stored.Load(long, "")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, []byte{0, 1, 2}, d.Data)
	routes := tuitest.DraftRoutes(t, stored)
	require.Equal(t, []string{"a/b", long}, routes)
	require.NoError(t, stored.Discard(long, ""))
	require.NoError(t, stored.Discard(long, ""))
	_, ok, err = stored.Load(long, "")
	require.NoError(t, err)
	require.False(t, ok)
}
