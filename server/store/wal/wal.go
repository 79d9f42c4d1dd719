package wal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"runtime"

	"bincard/server/store/wire"
)

// A Format is the layout of the header that every record starts with. Besides
// the magic it has the length of what follows the header, the CRC-32C of
// everything between the magic and the end of the record except the checksum
// itself, both as 4 bytes in little endian, and fields of the log.
type Format struct {
	Magic string
	Size  int // of the header
	// Length and Sum are where the header has the length and the checksum.
	Length, Sum int
}

// Seal fills in the magic, the length and the checksum of a record whose other
// fields are in place.
func (f *Format) Seal(record []byte) {
	copy(record, f.Magic)
	binary.LittleEndian.PutUint32(record[f.Length:], uint32(len(record)-f.Size))
	binary.LittleEndian.PutUint32(record[f.Sum:], f.checksum(record))
}

func (f *Format) checksum(record []byte) uint32 {
	return wire.Checksum(record[len(f.Magic):f.Sum], record[f.Sum+4:])
}

// Read returns the record at the beginning of data, or nil if there is none that is
// complete and undamaged.
func (f *Format) Read(data []byte) []byte {
	record := f.sized(data)
	if record == nil || f.checksum(record) != binary.LittleEndian.Uint32(record[f.Sum:]) {
		return nil
	}
	return record
}

// sized returns the record at the beginning of data without checking it.
func (f *Format) sized(data []byte) []byte {
	if len(data) < f.Size || string(data[:len(f.Magic)]) != f.Magic {
		return nil
	}
	length := uint64(binary.LittleEndian.Uint32(data[f.Length:]))
	if length == 0 || length > uint64(len(data)-f.Size) {
		return nil
	}
	return data[: f.Size+int(length) : f.Size+int(length)]
}

// Find returns where the first record in data begins that Read returns and whose
// header satisfies want, or -1.
func (f *Format) Find(data []byte, want func(header []byte) bool) int {
	for at := 0; ; at++ {
		i := bytes.Index(data[at:], []byte(f.Magic))
		if i < 0 {
			return -1
		}
		at += i
		if record := f.sized(data[at:]); record != nil && want(record[:f.Size]) && f.Read(record) != nil {
			return at
		}
	}
}

// SyncDir flushes a directory, which makes the creation, renaming and removal of
// its files durable. Not every system supports it.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // NTFS journals them itself
	}

	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err = d.Sync(); errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}

	return errors.Join(err, d.Close())
}
