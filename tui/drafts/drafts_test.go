package drafts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/tui"
	"bincard/tui/drafts"
	"bincard/tui/tuitest"
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
	require.Equal(t, []string{"a/b", long}, tuitest.DraftRoutes(t, stored))
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

func claim(t *testing.T, dir string) (claimed string, release func()) {
	t.Helper()
	claimed, release, err := drafts.Claim(dir)
	require.NoError(t, err)
	t.Cleanup(release)
	return claimed, release
}

func TestClaim_OneFolderForEachTerminal(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "source")
	first, end := claim(t, dir)
	require.Equal(t, dir, first)
	second, endSecond := claim(t, dir)
	require.Equal(t, dir+"-2", second)
	third, endThird := claim(t, dir)
	require.Equal(t, dir+"-3", third)
	require.NoError(t, drafts.InFolder(first).Save(tui.Draft{Route: "receive/PO-1", Data: []byte("first")}))
	require.NoError(t, drafts.InFolder(second).Save(tui.Draft{Route: "receive/PO-1", Data: []byte("second")}))
	require.NoError(t, drafts.InFolder(third).Save(tui.Draft{Route: "receive/PO-2", Data: []byte("third")}))
	end()
	endThird()

	again, _ := claim(t, dir)
	require.Equal(t, dir, again)
	requireRoutes := func(folder string, want ...string) {
		t.Helper()
		require.ElementsMatch(t, want, tuitest.DraftRoutes(t, drafts.InFolder(folder)))
	}
	requireRoutes(again, "receive/PO-1", "receive/PO-2") // what the third terminal left
	requireRoutes(third)
	requireRoutes(second, "receive/PO-1")
	d, _, err := drafts.InFolder(again).Load("receive/PO-1", "")
	require.NoError(t, err)
	require.Equal(t, "first", string(d.Data))
	endSecond()
	claim(t, dir)
	requireRoutes(second, "receive/PO-1") // there is a draft of that route elsewhere
}

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
	require.Equal(t, []string{"receive-transfer/TR-1"}, tuitest.DraftRoutes(t, renamed))

	require.NoError(t, renamed.Save(tui.Draft{Route: "receive-transfer/TR-1", Data: []byte("24")}))
	require.Equal(t, []string{"receive-transfer/TR-1"}, tuitest.DraftRoutes(t, stored))

	require.NoError(t, stored.Save(tui.Draft{Route: "arrive/TR-1", Data: []byte("12")}))
	require.Equal(t, []string{"receive-transfer/TR-1"}, tuitest.DraftRoutes(t, renamed))
	require.NoError(t, renamed.Discard("receive-transfer/TR-1", ""))
	require.Empty(t, tuitest.DraftRoutes(t, stored))
}

// FuzzDraftFile checks that the file of a draft with any contents can be read or reports
// an error, and can be replaced.
func FuzzDraftFile(f *testing.F) {
	f.Add([]byte(`{"route":"receive/PO-1","data":"e30="}`))
	f.Add([]byte(`{"route":1}`))
	f.Add([]byte(`{"data":"*"}`))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		dir := t.TempDir()
		store := drafts.InFolder(dir)
		require.NoError(t, store.Save(tui.Draft{Route: "receive/PO-1", Data: []byte("{}")}))
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, files, 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, files[0].Name()), raw, 0o600))
		if _, _, err := store.Load("receive/PO-1", ""); err != nil {
			require.ErrorContains(t, err, "damaged")
		}
		_, _ = store.List()
		require.NoError(t, store.Save(tui.Draft{Route: "receive/PO-1", Data: []byte("{}")}))
		d, ok, err := store.Load("receive/PO-1", "")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, "{}", string(d.Data))
	})
}
