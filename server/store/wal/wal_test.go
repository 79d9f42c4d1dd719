package wal_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"bincard/server/store/wal"
)

// formats are the layouts of the two logs: the checksum before and after the
// fields of the log.
var formats = map[string]wal.Format{
	"redo":    {Magic: "\xb1nR\xed", Size: 32, Sum: 4, Length: 28},
	"journal": {Magic: "\xb1CJ\x01", Size: 20, Length: 4, Sum: 16},
}

// own is where both formats have a number of the log.
const own = 8

func sealed(f *wal.Format, number uint64, payload string) []byte {
	record := append(make([]byte, f.Size), payload...)
	binary.LittleEndian.PutUint64(record[own:], number)
	f.Seal(record)
	return record
}

// TestSeal_LayoutIsStable compares records with those of earlier versions.
func TestSeal_LayoutIsStable(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"redo":    "b16e52ed51d0bc30070000000000000000000000000000000000000004000000776f726b",
		"journal": "b1434a010400000007000000000000005ba51594776f726b",
	}
	for name, f := range formats {
		require.Equal(t, want[name], hex.EncodeToString(sealed(&f, 7, "work")), name)
	}
}

func TestRead_RejectsEveryChange(t *testing.T) {
	t.Parallel()
	for name, f := range formats {
		record := sealed(&f, 7, "some work")
		require.Equal(t, record, f.Read(append(bytes.Clone(record), "what follows"...)), name)
		for size := range record {
			require.Nil(t, f.Read(record[:size]), "%s cut to %d", name, size)
		}
		for i := range 8 * len(record) {
			damaged := bytes.Clone(record)
			damaged[i/8] ^= 1 << (i % 8)
			require.Nil(t, f.Read(damaged), "%s with another bit %d", name, i)
		}
		require.Nil(t, f.Read(sealed(&f, 7, "")), "%s without a payload", name)
	}
}

func TestFind_SkipsDamagedAndUnwanted(t *testing.T) {
	t.Parallel()
	for name, f := range formats {
		first, damaged, last := sealed(&f, 1, "first"), sealed(&f, 2, "damaged"), sealed(&f, 3, f.Magic+f.Magic)
		damaged[len(damaged)-1] ^= 1
		data := bytes.Join([][]byte{[]byte(f.Magic), first, damaged, []byte("x"), last, first[:len(first)-1]}, nil)
		find := func(number uint64) int {
			return f.Find(data, func(header []byte) bool { return binary.LittleEndian.Uint64(header[own:]) == number })
		}
		require.Equal(t, len(f.Magic), find(1), name)
		require.Equal(t, -1, find(2), name)
		require.Equal(t, len(f.Magic)+len(first)+len(damaged)+1, find(3), name)
	}
}

func FuzzFind(f *testing.F) {
	for _, format := range formats {
		record := sealed(&format, 7, "work")
		f.Add(record)
		f.Add(append([]byte("before"+format.Magic), record...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for name, format := range formats {
			at := format.Find(data, func(header []byte) bool { return len(header) == format.Size })
			for i := range data {
				if format.Read(data[i:]) != nil {
					require.Equal(t, i, at, name)
					at = -1
					break
				}
			}
			require.Equal(t, -1, at, name)
		}
	})
}

func TestFlush(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(t, err)
	require.NoError(t, wal.Flush(f))
	require.NoError(t, wal.SyncDir(dir))
	require.NoError(t, f.Close())
	require.Error(t, wal.Flush(f), "the file is closed")
	require.Error(t, wal.SyncDir(filepath.Join(dir, "none")))
}
