package upgrade_test

import (
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server"
	"bincard/server/admin"
)

// Commands that only read leave the data to the version that wrote it.
func TestDo_ReadingChangesNothing(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		dir, organization := unpack(t, fixture, "ledger"), uuid.MustParse(keysOf(t, fixture).Organization)
		sum := func() [32]byte {
			data, err := os.ReadFile(filepath.Join(dir, "ledger.db"))
			require.NoError(t, err)
			return sha256.Sum256(data)
		}
		before := sum()
		require.NoError(t, admin.Do(t.Context(), server.Config{Dir: dir}, func(a admin.Admin) error {
			result, err := a.Verify(t.Context(), true, nil)
			require.NoError(t, err)
			require.Empty(t, result.Faults)
			_, err = a.Keys(t.Context(), organization)
			require.NoError(t, err)
			return a.Backup(t.Context(), io.Discard, nil)
		}))
		require.Equal(t, before, sum())
	})
}
