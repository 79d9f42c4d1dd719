package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/offline/journal"
)

// ownerOf returns the first record, which names the owner in these tests.
func ownerOf(records [][]byte) string {
	for _, r := range records {
		if owner, ok := strings.CutPrefix(string(r), "owner "); ok {
			return owner
		}
	}
	return ""
}

type mirrored struct {
	*testing.T
	dir, mirror string
}

func newMirrored(t *testing.T) mirrored { return mirrored{t, t.TempDir(), t.TempDir()} }

func (m mirrored) config() journal.Mirror {
	return journal.Mirror{Folder: journal.Dir(m.mirror), Owner: ownerOf}
}

func (m mirrored) open() (*journal.Journal, *journal.Contents, error) {
	return journal.OpenMirrored(journal.Dir(m.dir), name, m.config())
}

// write appends records to the journal, and closes it.
func (m mirrored) write(records ...string) {
	m.Helper()
	j, _, err := m.open()
	require.NoError(m, err)
	for _, r := range records {
		require.NoError(m, j.Append([]byte(r)))
	}
	require.NoError(m, j.MirrorError())
	require.NoError(m, j.Close())
}

func (m mirrored) file() string   { return filepath.Join(m.dir, name) }
func (m mirrored) copied() string { return filepath.Join(m.mirror, name) }

func (m mirrored) requireEqualFiles() {
	m.Helper()
	require.Equal(m, read(m.T, m.file()), read(m.T, m.copied()))
}

func TestMirror_HasEveryRecord(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	j, _, err := m.open()
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, j.Append([]byte("owner A"), []byte("x")))
		m.requireEqualFiles()
	}
	require.NoError(t, j.Rewrite([]byte("owner A")))
	m.requireEqualFiles()
	require.NoError(t, j.Append([]byte("y")))
	m.requireEqualFiles()
	require.NoError(t, j.MirrorError())
	require.NoError(t, j.Close())
}

func TestMirror_RefusesAShorterJournal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		lose func(m mirrored) error
	}{
		{"missing", func(m mirrored) error { return os.Remove(m.file()) }},
		{"empty", func(m mirrored) error { return os.Truncate(m.file(), 0) }},
		{"without its last record", func(m mirrored) error {
			info, err := os.Stat(m.file())
			return errors.Join(err, os.Truncate(m.file(), info.Size()-1))
		}},
		{"damaged", func(m mirrored) error {
			data, err := os.ReadFile(m.file())
			data[30] ^= 1
			return errors.Join(err, os.WriteFile(m.file(), data, 0o600))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := newMirrored(t)
			m.write("owner A", "one", "two", "three")
			require.NoError(t, c.lose(m))
			_, _, err := m.open()
			require.ErrorAs(t, err, new(*journal.BehindError))
			_, _, err = m.open()
			require.ErrorAs(t, err, new(*journal.BehindError), "also the second time")
			found, err := journal.Restore(journal.Dir(m.dir), name, m.config())
			require.NoError(t, err)
			require.Len(t, found.Records, 4)
			m.requireEqualFiles()
			m.write("four")
			_, err = journal.Restore(journal.Dir(m.dir), name, m.config())
			require.ErrorIs(t, err, journal.ErrNotBehind)
		})
	}
}

func TestMirror_BringsAnOlderMirrorUpToDate(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	m.write("owner A", "one")
	before := read(t, m.copied())
	m.write("two", "three")
	require.NoError(t, os.WriteFile(m.copied(), before[:len(before)-3], 0o600)) // a torn write
	m.write("four")
	m.requireEqualFiles()
}

func TestMirror_OfAnotherJournalIsKept(t *testing.T) {
	t.Parallel()
	a, b := newMirrored(t), newMirrored(t)
	a.write("owner A")
	b.write("owner B", "one", "two")
	b.mirror = a.mirror
	_, _, err := b.open()
	require.ErrorIs(t, err, journal.ErrForeignMirror)
	a.requireEqualFiles()
	_, err = journal.Restore(journal.Dir(b.dir), name, a.config())
	require.ErrorIs(t, err, journal.ErrForeignMirror)
}

func TestMirror_WorkGoesOnWithoutIt(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	m.write("owner A")
	away := m.mirror + "-away"
	require.NoError(t, os.Rename(m.mirror, away))
	j, _, err := m.open()
	require.NoError(t, err)
	require.Error(t, j.MirrorError())
	require.NoError(t, j.Append([]byte("one")))
	j.RepairMirror()
	require.Error(t, j.MirrorError())
	require.NoError(t, os.Rename(away, m.mirror))
	j.RepairMirror()
	require.NoError(t, j.MirrorError())
	m.requireEqualFiles()
	require.NoError(t, j.Append([]byte("two")))
	m.requireEqualFiles()
	require.NoError(t, j.Close())
}

func TestMirror_NewJournalNeedsIt(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	m.mirror = filepath.Join(m.mirror, "missing")
	_, _, err := m.open()
	require.Error(t, err)
}
