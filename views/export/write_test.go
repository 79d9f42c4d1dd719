package export_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/views/export"
)

func TestWriteFile_WholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	write := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, wrote := io.WriteString(w, text)
			return errors.Join(wrote, err)
		}
	}
	holds := func(text string, perm fs.FileMode) {
		t.Helper()
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, text, string(data))
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, perm, info.Mode().Perm())
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			require.NotContains(t, e.Name(), ".file-", "nothing is left over")
		}
	}
	require.Error(t, export.WriteFile(nil, name, 0o644, write("half", errors.New("no more"))))
	require.NoFileExists(t, name)
	require.NoError(t, export.WriteFile(nil, name, 0o644, write("one", nil)))
	holds("one", 0o644)
	require.Error(t, export.WriteFile(nil, name, 0o600, write("half", errors.New("no more"))))
	holds("one", 0o644)
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink("file", link))
	require.NoError(t, export.WriteFile(nil, link, 0o600, write("two", nil)))
	holds("two", 0o644)
	info, err := os.Lstat(link)
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink, "a link stays one")

	require.ErrorContains(t, export.WriteFile(nil, dir, 0o600, write("x", nil)), "is a directory")
	require.NoError(t, export.WriteFile(nil, os.DevNull, 0o600, write("x", nil)))
	info, err = os.Stat(os.DevNull)
	require.NoError(t, err)
	require.False(t, info.Mode().IsRegular())
}
