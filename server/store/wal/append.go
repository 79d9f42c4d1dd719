package wal

import (
	"encoding/binary"
	"fmt"

	"bincard/server/store"
)

// The file grows ahead of the records to twice its size, by at least leastGrowth and at
// most mostGrowth.
const (
	leastGrowth = 64 << 10
	mostGrowth  = 1 << 20
)

// Append writes the changes and returns when they are on disk. The payload is for Decode
// and belongs to the caller. Unless the error is store.ErrUncertain, nothing was written
// and Append can be retried.
func (l *Log) Append(changes []store.Changes) (payload []byte, err error) {
	data := encode(changes)
	if err := l.write(data); err != nil {
		return nil, err
	}
	return data[headSize:], nil
}

func (l *Log) append(kind byte, number uint64) error {
	return l.write(noteRecord(kind, number))
}

// noteRecord returns a record of a kind with one number.
func noteRecord(kind byte, number uint64) []byte {
	data := make([]byte, headSize, noteSize)
	return binary.LittleEndian.AppendUint64(append(data, kind), number)
}

// write writes a record and flushes it. It leaves space for two notes, so that a
// generation can always be ended.
func (l *Log) write(data []byte) error {
	reserve := int64(2 * noteSize)
	if data[headSize] == kindEnd {
		reserve = 0
	}
	if err := l.grow(l.end + int64(len(data)) + reserve); err != nil {
		return err
	}
	if err := l.put(data); err != nil {
		return err
	}
	if err := l.flush(l.at.file); err != nil {
		return uncertainError(err)
	}

	return nil
}

// put writes a record without flushing it.
func (l *Log) put(data []byte) error {
	sealHeader(data, l.salt, l.gen, l.seq)
	if _, err := l.writeAt(l.at.file, data, l.end); err != nil {
		return err
	}
	l.seq, l.end = l.seq+1, l.end+int64(len(data))
	return nil
}

// grow writes zeros ahead, so that a full disk is noticed before a record is written. It
// flushes the new size, then records it: a file shorter than recorded was truncated.
func (l *Log) grow(need int64) error {
	if need <= l.full {
		return nil
	}

	ahead := max(need, l.full+min(max(l.full, leastGrowth), mostGrowth))
	err := l.zero(ahead)
	if err != nil && ahead > need {
		err = l.zero(need)
	}
	if err != nil {
		return err
	}
	if err := l.flush(l.at.file); err != nil {
		return uncertainError(err)
	}
	if l.end == 0 {
		return nil // the first record has the size
	}

	return l.put(noteRecord(kindGrown, uint64(l.full)))
}

func (l *Log) zero(to int64) error {
	n, err := l.writeAt(l.at.file, make([]byte, to-l.full), l.full)
	l.full += int64(n)
	l.at.size = max(l.at.size, l.full)
	return err
}

func uncertainError(err error) error {
	return fmt.Errorf("%w: %w", store.ErrUncertain, err)
}
