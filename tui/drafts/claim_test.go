package drafts_test

import (
	"bincard/tui"
	"bincard/tui/tuitest"
	"path/filepath"
	"testing"

	"bincard/tui/drafts"

	"github.com/stretchr/testify/require"
)

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
