package offline_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline"
	"bincard/offline/journal"
	"bincard/offline/replicas"
	"bincard/server/api"
	"bincard/server/ledger/ledgertest"
)

// A damagedNode opens nodes on a directory whose journal it damages in between.
type damagedNode struct {
	t   *testing.T
	w   *ledgertest.World
	dir string
}

// openDamagedNode returns the directory of a node that saved some work.
func openDamagedNode(t *testing.T) *damagedNode {
	d := &damagedNode{t, ledgertest.Open(t), t.TempDir()}
	n := d.open()
	for _, url := range []string{"https://one", "https://two", "https://three"} {
		require.NoError(t, n.SetServiceURL(url))
	}
	require.NoError(t, n.Close())
	return d
}

// open opens the node with whatever owner the journal has.
func (d *damagedNode) open() *offline.Node {
	d.t.Helper()
	n, _, err := offline.Open(d.t.Context(), offline.Config{Replicas: &replicas.Memory{}, Folder: journal.Dir(d.dir), CompactAt: 1,
		Caller: callerOf(d.w), Now: d.w.Clock.Now})
	require.NoError(d.t, err)
	d.t.Cleanup(func() { _ = n.Close() })
	return n
}

// edit changes the journal.
func (d *damagedNode) edit(change func([]byte) []byte) {
	path := filepath.Join(d.dir, offline.JournalName)
	data, err := os.ReadFile(path)
	require.NoError(d.t, err)
	require.NoError(d.t, os.WriteFile(path, change(data), 0o600))
}

// TestOpen_DamageStaysUntilAcknowledged damages a journal in several ways. Every start
// reports the damage until a person acknowledges it.
func TestOpen_DamageStaysUntilAcknowledged(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func([]byte) []byte{
		"last record": func(b []byte) []byte { b[len(b)-2] ^= 1; return b },
		"zeros":       func(b []byte) []byte { return append(b, make([]byte, 4096)...) },
		"shorter":     func(b []byte) []byte { return b[:len(b)/2] },
		"empty":       func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := openDamagedNode(t)
			d.edit(change)
			for range 3 {
				n := d.open()
				s := n.Sync()
				require.Contains(t, s.Alarms, api.AlarmDamage)
				require.NotEmpty(t, s.Troubles)
				require.NoError(t, n.SetServiceURL("https://more"))
				require.NoError(t, n.Close())
			}
			n := d.open()
			s, err := api.AcknowledgeDamage.Call(t.Context(), n, api.SyncInput{})
			require.NoError(t, err)
			require.NotContains(t, s.Alarms, api.AlarmDamage)
			require.Empty(t, s.Troubles)
			require.NoError(t, n.Close())
			require.NotContains(t, d.open().Sync().Alarms, api.AlarmDamage)
		})
	}
}

// TestOpen_UnfinishedWriteIsQuiet cuts off the end of a record that was not saved yet.
func TestOpen_UnfinishedWriteIsQuiet(t *testing.T) {
	t.Parallel()
	d := openDamagedNode(t)
	note := filepath.Join(d.dir, "journal.json")
	before, err := os.ReadFile(note)
	require.NoError(t, err)
	n := d.open()
	require.NoError(t, n.SetServiceURL("https://unfinished"))
	require.NoError(t, n.Close())
	require.NoError(t, os.WriteFile(note, before, 0o600)) // the power failed before the next note
	d.edit(func(b []byte) []byte { return b[:len(b)-3] })
	require.Empty(t, d.open().Sync().Alarms)
}

// TestOpen_OlderOrMissingNoteIsNormal opens journals of an older version, and one that
// grew after the last note.
func TestOpen_OlderOrMissingNoteIsNormal(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"older": `{"frame":1}`, "unreadable": `{"fra`, "empty": ""} {
		d := openDamagedNode(t)
		require.NoError(t, os.WriteFile(filepath.Join(d.dir, "journal.json"), []byte(text), 0o600))
		require.Empty(t, d.open().Sync().Alarms, name)
	}
	d := openDamagedNode(t)
	require.NoError(t, os.Remove(filepath.Join(d.dir, "journal.json")))
	require.Empty(t, d.open().Sync().Alarms)
}

func TestMissingWork_Plurals(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]offline.MissingWork{
		"1 saved change is missing (1 operation was pending)":     {Frames: 1, Waiting: 1},
		"1 saved change is missing (2 operations were pending)":   {Frames: 1, Waiting: 2},
		"2 saved changes are missing (1 operation was pending)":   {Frames: 2, Waiting: 1},
		"3 saved changes are missing (0 operations were pending)": {Frames: 3},
	} {
		require.Equal(t, want, m.String())
	}
}
