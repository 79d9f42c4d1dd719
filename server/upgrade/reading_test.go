package upgrade_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/ledger"
)

// Commands that only read leave the data to the version that wrote it.
func TestReadingCommands_ChangeNothing(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		org, out := keysOf(t, fixture).Organization, t.TempDir()
		requireUnchanged(t, unpack(t, fixture, "ledger"), [][]string{
			{"verify", "--pages"},
			{"key", "list", "--org", org},
			{"backup", filepath.Join(out, "copy.db")},
			{"export", "movements", "--env", "test", "-o", filepath.Join(out, "movements.csv")},
			{"report", "snapshot", "--env", "test"},
		})
		requireUnchanged(t, unpack(t, fixture, "edge"), [][]string{
			{"verify"},
			{"edge", "key", "list"},
			{"status"},
			{"outbox", "list"},
		})
	})
}

// requireUnchanged runs commands on a data directory, and requires that its files stay the
// same.
func requireUnchanged(t *testing.T, dir string, commands [][]string) {
	t.Helper()
	before := contents(t, dir)
	for _, args := range commands {
		flag := "--data"
		if args[0] == "status" || args[0] == "outbox" {
			flag = "--edge"
		}
		run(t, nil, append(args, flag, dir)...)
		require.Equal(t, before, contents(t, dir), "%v", args)
	}
}

// An explicit upgrade records the format, once.
func TestUpgrade_RecordsFormat(t *testing.T) {
	t.Parallel()
	formats(t, func(t *testing.T, fixture string) {
		dir := unpack(t, fixture, "ledger")
		var result struct {
			Before uint64 `json:"before"`
			Format uint64 `json:"format"`
		}
		run(t, &result, "upgrade", "--data", dir, "--json")
		require.Contains(t, filepath.Base(fixture)+"-", fmt.Sprintf("format-%d-", result.Before))
		require.EqualValues(t, ledger.Format, result.Format)
		upgraded := contents(t, dir)
		run(t, &result, "upgrade", "--data", dir, "--json")
		require.EqualValues(t, ledger.Format, result.Before)
		require.Equal(t, upgraded, contents(t, dir))
		requireVerified(t, openServer(t, dir))
	})
}
