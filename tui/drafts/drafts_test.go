package drafts_test

import (
	"bincard/tui"
	"bincard/tui/tuitest"
	"os"
	"path/filepath"
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

// Earlier versions wrote no owner. Their files open, and are written like that where
// nobody signs in.
func TestInFolder_FileOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "499ac5831fa137a6b1a1907752f84483.draft")
	require.NoError(t, drafts.InFolder(dir).Save(tui.Draft{Route: "receive/PO-1", Data: []byte("12")}))
	files, err := filepath.Glob(filepath.Join(dir, "*.draft"))
	require.NoError(t, err)
	require.Equal(t, []string{name}, files)
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	require.JSONEq(t, `{"route":"receive/PO-1","data":"MTI="}`, string(raw))
	require.NoError(t, drafts.InFolder(dir).Save(tui.Draft{Route: "receive/PO-1", Owner: "Ada", From: "Ben", Data: []byte("13")}))
	list, err := drafts.InFolder(dir).List()
	require.NoError(t, err)
	require.Equal(t, []tui.Draft{{Route: "receive/PO-1", Data: []byte("12")}, {Route: "receive/PO-1", Owner: "Ada", From: "Ben", Data: []byte("13")}}, list)
}
