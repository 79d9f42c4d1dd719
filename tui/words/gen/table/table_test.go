package table_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"bincard/tui/words/gen/table"

	"github.com/stretchr/testify/require"
)

// TestTablesAreFresh holds that every words.go that is generated from has the
// table that belongs to it: run go generate ./... where one has not.
func TestTablesAreFresh(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "..")
	seen := 0
	for _, top := range []string{"tui", "views"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(root, top), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() != "words.go" {
				return err
			}
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			if !bytes.Contains(source, []byte("//go:generate go run bincard/tui/words/gen\n")) {
				return nil
			}
			seen++
			want, err := table.Of(filepath.Dir(path))
			require.NoError(t, err)
			have, err := os.ReadFile(filepath.Join(filepath.Dir(path), table.File))
			require.NoError(t, err, "run go generate in %s", filepath.Dir(path))
			require.Equal(t, string(want), string(have), "run go generate in %s", filepath.Dir(path))
			return nil
		}))
	}
	require.Positive(t, seen)
}
