package wal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// A slot is one of the two files and the generation in it.
type slot struct {
	path    string
	file    *os.File
	size    int64
	gen     uint64 // 0 for none
	salt    uint64
	next    uint64 // the salt of the next generation, 0 if this one has not ended
	pending bool   // being written or not moved yet

	changes [][]byte // payloads not passed to Pending yet
}

// readSlot reads a file, if it exists. It ignores generations up to moved.
func readSlot(path string, moved uint64) (*slot, error) {
	s := &slot{path: path}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, &Damage{path, fmt.Errorf("it cannot be read: %w", err)}
	}

	s.size = int64(len(data))
	first, ok := readRecord(data)
	if !ok || first.seq != 0 || len(first.payload) != 1+8 || first.payload[0] != kindBegin {
		if search(data, func(r record) bool { return r.gen > moved }) {
			return s, &Damage{path, errors.New("its header is unreadable, but records follow")}
		}
		return s, nil
	}

	if first.gen <= moved {
		return s, nil
	}

	s.gen, s.salt = first.gen, first.salt
	size, err := s.read(data)
	if err == nil && uint64(len(data)) < size {
		err = fmt.Errorf("it has %d bytes, want %d", len(data), size)
	}
	if err != nil {
		return s, &Damage{path, err}
	}

	return s, nil
}

// read reads the records and returns the size of the file that they state.
func (s *slot) read(data []byte) (size uint64, err error) {
	own := func(r record) bool { return r.gen == s.gen && r.salt == s.salt }
	for seq := uint32(0); ; seq++ {
		r, ok := readRecord(data)
		if !ok || !own(r) || r.seq != seq {
			if search(data, own) {
				return 0, fmt.Errorf("record %d is unreadable, but others follow", seq)
			}
			return size, nil
		}

		switch kind, rest := r.payload[0], r.payload[1:]; {
		case kind == kindChanges:
			s.changes = append(s.changes, r.payload)
		case kind == kindEnd && len(rest) == 8:
			s.next = binary.LittleEndian.Uint64(rest)
			return size, nil
		case kind != kindBegin && kind != kindGrown || len(rest) != 8:
			return 0, fmt.Errorf("record %d has an unknown type", seq)
		default:
			size = binary.LittleEndian.Uint64(rest)
		}

		data = data[headSize+len(r.payload):]
	}
}

// open opens the file for writing and reports whether it created it.
func (s *slot) open() (created bool, err error) {
	if s.file != nil {
		return false, nil
	}
	if s.file, err = os.OpenFile(s.path, os.O_RDWR, 0); errors.Is(err, os.ErrNotExist) {
		created = true
		s.file, err = os.OpenFile(s.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		s.file = nil
		return false, err
	}

	info, err := s.file.Stat()
	if err != nil {
		return false, err
	}

	s.size = info.Size()

	return created, nil
}

// A Damage reports what is missing or unreadable in a log.
type Damage struct {
	Path string
	Err  error
}

func (d *Damage) Error() string {
	return fmt.Sprintf(
		"log %s is damaged: %v; it holds the latest acknowledged changes, which are not in the database yet; "+
			"nothing was changed; copy the whole directory, then restore a backup",
		d.Path,
		d.Err,
	)
}

func (d *Damage) Unwrap() error { return d.Err }
