package redo_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"bincard/server/store"
	"bincard/server/store/redo"
)

var p = store.Partition{Organization: uuid.New(), Environment: "live"}

// change is one row whose value is as long as told, or gone.
func change(key string, size int) []store.Changes {
	row := store.Row{Table: "t", Key: []byte(key)}
	if size >= 0 {
		row.Value = make([]byte, size)
	}
	return []store.Changes{{Partition: p, Rows: []store.Row{row}}}
}

func open(t *testing.T, dir string, at redo.Mark) *redo.Log {
	t.Helper()
	l, err := redo.Open(dir, at, redo.Options{})
	require.NoError(t, err)
	t.Cleanup(l.Close)
	return l
}

func add(t *testing.T, l *redo.Log, keys ...string) {
	t.Helper()
	for _, key := range keys {
		_, err := l.Append(change(key, 100))
		require.NoError(t, err)
	}
}

// pending is what a log has, and the generation it ends with.
func pending(t *testing.T, l *redo.Log) (keys []string, last uint64) {
	t.Helper()
	last, err := l.Pending(func(payload []byte) error {
		return redo.Decode(payload, func(c store.Changes) {
			require.Equal(t, p, c.Partition)
			for _, row := range c.Rows {
				keys = append(keys, string(row.Key))
			}
		})
	})
	require.NoError(t, err)
	return keys, last
}

// unmovedLog is a log with two generations, neither of which was moved.
func unmovedLog(t *testing.T) (dir string, at redo.Mark) {
	t.Helper()
	dir = t.TempDir()
	l := open(t, dir, redo.Mark{})
	require.NoError(t, l.Begin())
	at = l.Mark(0)
	add(t, l, "a", "b", "c")
	require.NoError(t, l.Begin())
	add(t, l, "d", "e", "f")
	l.Close()
	return dir, at
}

func TestWhatWasAppendedIsThere(t *testing.T) {
	t.Parallel()
	dir, at := unmovedLog(t)
	keys, last := pending(t, open(t, dir, at))
	require.Equal(t, []string{"a", "b", "c", "d", "e", "f"}, keys)
	require.EqualValues(t, 2, last)
}

func TestGenerationsTakeTurns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir, redo.Mark{})
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

func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	dir, at := unmovedLog(t)
	l := open(t, dir, at)
	_, last := pending(t, l)
	l.Free(last)
	require.NoError(t, l.Remove())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	keys, last := pending(t, open(t, dir, redo.Mark{Checkpointed: last}))
	require.Empty(t, keys)
	require.Zero(t, last)
}

// A record of many megabytes, and files that grow.
func TestLarge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := open(t, dir, redo.Mark{})
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
		return redo.Decode(payload, func(c store.Changes) {
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

// TestDamage hurts one of the files, and wants the words or what is left.
func TestDamage(t *testing.T) {
	t.Parallel()
	flip := func(file int, what string, off int) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, redo.Files[file])
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			at := bytes.Index(data, []byte(what)) + off
			data[at] ^= 1
			require.NoError(t, os.WriteFile(path, data, 0o600))
		}
	}
	cut := func(file int, size int64) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, redo.Files[file]), size))
		}
	}
	remove := func(file int) func(*testing.T, string) {
		return func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, redo.Files[file]))) }
	}
	for name, c := range map[string]struct {
		hurt func(t *testing.T, dir string)
		want string // of the words
		left int    // or of the six rows
	}{
		"a record":                       {flip(0, "\x01b\x65", 20), "record 2 is unreadable, but others follow", 0},
		"a record of the second":         {flip(1, "\x01d\x65", 20), "record 1 is unreadable, but others follow", 0},
		"the last record":                {flip(1, "\x01f\x65", 20), "", 5},
		"the beginning":                  {flip(0, "\xb1nR\xed", 10), "its header is unreadable, but records follow", 0},
		"the beginning of the second":    {flip(1, "\xb1nR\xed", 0), "its header is unreadable, but records follow", 0},
		"the end of the first":           {corruptEnd, "does not follow the database's", 0},
		"the first is gone":              {remove(0), "segment 1 is in neither of its files", 0},
		"the second is gone":             {remove(1), "segment 2 is in neither of its files", 0},
		"the first is empty":             {cut(0, 0), "segment 1 is in neither of its files", 0},
		"the second is cut in a record":  {cut(1, 200), "it has 200 bytes, want 65536", 0},
		"the second is cut in its zeros": {cut(1, 40000), "it has 40000 bytes, want 65536", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, at := unmovedLog(t)
			c.hurt(t, dir)
			l, err := redo.Open(dir, at, redo.Options{})
			if c.want == "" {
				require.NoError(t, err)
				defer l.Close()
				keys, _ := pending(t, l)
				require.Len(t, keys, c.left)
				return
			}
			var words *redo.Damage
			require.ErrorAs(t, err, &words)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, "copy the whole directory")
		})
	}
}

// corruptEnd flips a bit in the last record of the first generation.
func corruptEnd(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, redo.Files[0])
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	data[bytes.LastIndex(data, []byte("\xb1nR\xed"))+33] ^= 1
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

// A log is read only beside the database that it belongs to.
func TestAnotherDatabase(t *testing.T) {
	t.Parallel()
	dir, at := unmovedLog(t)
	for _, other := range []redo.Mark{{}, {Checkpointed: 1}, {Checkpointed: 0, Next: at.Next + 1}, {Checkpointed: 9, Next: at.Next}} {
		_, err := redo.Open(dir, other, redo.Options{})
		var words *redo.Damage
		require.ErrorAs(t, err, &words, "%+v", other)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("c\x00"))
	f.Add([]byte("c\x010123456789abcdef\x04live\x01\x01t\x01\x01k\x02v"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var all []store.Changes
		if redo.Decode(data, func(c store.Changes) { all = append(all, c) }) != nil {
			return
		}
		for _, c := range all {
			for _, row := range c.Rows {
				_ = append(row.Key[:len(row.Key):len(row.Key)], row.Value...)
			}
		}
	})
}
