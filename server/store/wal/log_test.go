package wal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/wal"
)

var p = store.Partition{Organization: uuid.New(), Environment: "live"}

// change returns one row with a value of the given size, or deleted if size is negative.
func change(key string, size int) []store.Changes {
	row := store.Row{Table: "t", Key: []byte(key)}
	if size >= 0 {
		row.Value = make([]byte, size)
	}
	return []store.Changes{{Partition: p, Rows: []store.Row{row}}}
}

func open(t *testing.T, dir string, at wal.Mark) *wal.Log {
	t.Helper()
	l, err := wal.Open(dir, at, wal.Options{})
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

func add(t *testing.T, l *wal.Log, keys ...string) {
	t.Helper()
	for _, key := range keys {
		_, err := l.Append(change(key, 100))
		require.NoError(t, err)
	}
}

// pending returns the pending keys of a log and its last generation.
func pending(t *testing.T, l *wal.Log) (keys []string, last uint64) {
	t.Helper()
	last, err := l.Pending(func(payload []byte) error {
		return wal.Decode(payload, func(c store.Changes) {
			require.Equal(t, p, c.Partition)
			for _, row := range c.Rows {
				keys = append(keys, string(row.Key))
			}
		})
	})
	require.NoError(t, err)
	return keys, last
}

// unmovedLog creates a log with two generations, neither of them moved.
func unmovedLog(t *testing.T) (dir string, at wal.Mark) {
	t.Helper()
	dir = t.TempDir()
	l := open(t, dir, wal.Mark{})
	require.NoError(t, l.Begin())
	at = l.Mark(0)
	add(t, l, "a", "b", "c")
	require.NoError(t, l.Begin())
	add(t, l, "d", "e", "f")
	l.Close()
	return dir, at
}

func TestPending_ReturnsAppended(t *testing.T) {
	t.Parallel()
	dir, at := unmovedLog(t)
	keys, last := pending(t, open(t, dir, at))
	require.Equal(t, []string{"a", "b", "c", "d", "e", "f"}, keys)
	require.EqualValues(t, 2, last)
}

func TestBegin_AlternatesFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir, wal.Mark{})
	require.NoError(t, l.Begin())
	for i := range uint64(6) {
		add(t, l, fmt.Sprint(i))
		require.NoError(t, l.Begin())
		require.ErrorContains(t, l.Begin(), "no free file")
		at := l.Mark(i + 1)
		require.NotZero(t, at.Next)
		l.Free(i + 1)
	}
	add(t, l, "last")
	at := l.Mark(6)
	l.Close()
	l = open(t, dir, at)
	keys, last := pending(t, l)
	require.Equal(t, []string{"last"}, keys)
	require.EqualValues(t, 7, last)

	l.Free(last)
	require.Zero(t, l.Mark(last).Next)
	require.NoError(t, l.Begin())
	add(t, l, "after")
	at = l.Mark(last)
	l.Close()
	keys, _ = pending(t, open(t, dir, at))
	require.Equal(t, []string{"after"}, keys)
}

func TestRemove(t *testing.T) {
	t.Parallel()
	dir, at := unmovedLog(t)
	l := open(t, dir, at)
	_, last := pending(t, l)
	l.Free(last)
	require.NoError(t, l.Remove())
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
	keys, last := pending(t, open(t, dir, wal.Mark{Checkpointed: last}))
	require.Empty(t, keys)
	require.Zero(t, last)
}

// A record of several megabytes, and growing files.
func TestAppend_LargeRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir, wal.Mark{})
	require.NoError(t, l.Begin())
	at := l.Mark(0)
	for i := range 40 {
		_, err := l.Append(change(fmt.Sprint(i), i<<12))
		require.NoError(t, err)
	}
	_, err := l.Append(change("large", 9<<20))
	require.NoError(t, err)
	_, err = l.Append(change("gone", -1))
	require.NoError(t, err)
	l.Close()
	n := 0
	_, err = open(t, dir, at).Pending(func(payload []byte) error {
		return wal.Decode(payload, func(c store.Changes) {
			want := change(string(c.Rows[0].Key), n<<12)
			switch n++; n {
			case 41:
				want = change("large", 9<<20)
			case 42:
				want = change("gone", -1)
			}
			require.True(t, c.Rows[0].Value == nil == (n == 42))
			require.True(t, bytes.Equal(want[0].Rows[0].Value, c.Rows[0].Value))
		})
	})
	require.NoError(t, err)
	require.Equal(t, 42, n)
}

// The test damages one of the files; Open reports it or recovers the complete records.
func TestOpen_Damage(t *testing.T) {
	t.Parallel()
	flip := func(file int, what string, off int) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, wal.Files[file])
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			at := bytes.Index(data, []byte(what)) + off
			data[at] ^= 1
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
	}
	cut := func(file int, size int64) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, wal.Files[file]), size))
		}
	}
	remove := func(file int) func(*testing.T, string) {
		return func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, wal.Files[file]))) }
	}
	for name, c := range map[string]struct {
		damage func(t *testing.T, dir string)
		want   string // the error
		left   int    // or how many of the six rows are recovered
	}{
		"record":                             {flip(0, "\x01b\x65", 20), "record 2 is unreadable, but others follow", 0},
		"record of the second file":          {flip(1, "\x01d\x65", 20), "record 1 is unreadable, but others follow", 0},
		"last record":                        {flip(1, "\x01f\x65", 20), "", 5},
		"first header":                       {flip(0, "\xb1nR\xed", 10), "its header is unreadable, but records follow", 0},
		"first header of the second file":    {flip(1, "\xb1nR\xed", 0), "its header is unreadable, but records follow", 0},
		"end of the first file":              {corruptEnd, "does not follow the database's", 0},
		"first file missing":                 {remove(0), "segment 1 is in neither of its files", 0},
		"second file missing":                {remove(1), "segment 2 is in neither of its files", 0},
		"first file empty":                   {cut(0, 0), "segment 1 is in neither of its files", 0},
		"second file truncated in a record":  {cut(1, 200), "it has 200 bytes, want 65536", 0},
		"second file truncated in its zeros": {cut(1, 40000), "it has 40000 bytes, want 65536", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, at := unmovedLog(t)
			c.damage(t, dir)
			l, err := wal.Open(dir, at, wal.Options{})
			if c.want == "" {
				require.NoError(t, err)
				defer l.Close()
				keys, _ := pending(t, l)
				require.Len(t, keys, c.left)
				return
			}
			var damage *wal.Damage
			require.ErrorAs(t, err, &damage)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "copy the whole directory")
		})
	}
}

// corruptEnd flips a bit in the last record of the first generation.
func corruptEnd(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, wal.Files[0])
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data[bytes.LastIndex(data, []byte("\xb1nR\xed"))+33] ^= 1
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

// A log opens only with the mark of its own database.
func TestOpen_OtherDatabase(t *testing.T) {
	t.Parallel()
	dir, at := unmovedLog(t)
	for _, other := range []wal.Mark{{}, {Checkpointed: 1}, {Checkpointed: 0, Next: at.Next + 1}, {Checkpointed: 9, Next: at.Next}} {
		_, err := wal.Open(dir, other, wal.Options{})
		var damage *wal.Damage
		require.ErrorAs(t, err, &damage, "%+v", other)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("c\x00"))
	f.Add([]byte("c\x010123456789abcdef\x04live\x01\x01t\x01\x01k\x02v"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var all []store.Changes
		if wal.Decode(data, func(c store.Changes) { all = append(all, c) }) != nil {
			return
		}
		for _, c := range all {
			for _, row := range c.Rows {
				_ = append(row.Key[:len(row.Key):len(row.Key)], row.Value...)
			}
		}
	})
}
