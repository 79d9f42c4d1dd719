package drafts_test

import (
	"bincard/tui"
	"bincard/tui/tuitest"
	"testing"

	"bincard/tui/drafts"

	"github.com/stretchr/testify/require"
)

func TestRenamed_FindsDraftsOfOldRoutes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored := drafts.InFolder(dir)
	require.NoError(t, stored.Save(tui.Draft{Route: "arrive/TR-1", Data: []byte("12")}))
	renamed := drafts.Renamed(drafts.InFolder(dir))
	d, ok, err := renamed.Load("receive-transfer/TR-1", "")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "12", string(d.Data))
	routes := tuitest.DraftRoutes(t, renamed)
	require.Equal(t, []string{"receive-transfer/TR-1"}, routes)

	require.NoError(t, renamed.Save(tui.Draft{Route: "receive-transfer/TR-1", Data: []byte("24")}))
	routes = tuitest.DraftRoutes(t, stored)
	require.Equal(t, []string{"receive-transfer/TR-1"}, routes)

	require.NoError(t, stored.Save(tui.Draft{Route: "arrive/TR-1", Data: []byte("12")}))
	routes = tuitest.DraftRoutes(t, renamed)
	require.Equal(t, []string{"receive-transfer/TR-1"}, routes)
	require.NoError(t, renamed.Discard("receive-transfer/TR-1", ""))
	routes = tuitest.DraftRoutes(t, stored)
	require.Empty(t, routes)
}
