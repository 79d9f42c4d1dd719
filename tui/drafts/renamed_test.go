package drafts_test

import (
	"testing"

	"bincard/tui/drafts"

	"github.com/stretchr/testify/require"
)

func TestRenamed_FindsDraftsOfOldRoutes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stored := drafts.InFolder(dir)
	require.NoError(t, stored.Save("arrive/TR-1", []byte("12")))
	renamed := drafts.Renamed(drafts.InFolder(dir))
	data, ok, err := renamed.Load("receive-transfer/TR-1")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "12", string(data))
	routes, err := renamed.Routes()
	require.NoError(t, err)
	require.Equal(t, []string{"receive-transfer/TR-1"}, routes)

	require.NoError(t, renamed.Save("receive-transfer/TR-1", []byte("24")))
	routes, err = stored.Routes()
	require.NoError(t, err)
	require.Equal(t, []string{"receive-transfer/TR-1"}, routes)

	require.NoError(t, stored.Save("arrive/TR-1", []byte("12")))
	routes, err = renamed.Routes()
	require.NoError(t, err)
	require.Equal(t, []string{"receive-transfer/TR-1"}, routes)
	require.NoError(t, renamed.Discard("receive-transfer/TR-1"))
	routes, err = stored.Routes()
	require.NoError(t, err)
	require.Empty(t, routes)
}
