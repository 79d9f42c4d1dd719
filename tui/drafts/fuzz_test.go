package drafts_test

import (
	"bincard/tui"
	"os"
	"path/filepath"
	"testing"

	"bincard/tui/drafts"

	"github.com/stretchr/testify/require"
)

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
