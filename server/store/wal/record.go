package wal

import (
	"encoding/binary"
	"math/rand/v2"
)

// The header of a record has, after the checksum, the salt and the number of its
// generation, its own number, and the length of the payload. The payload starts with its
// kind.
const (
	headSize = 32
	atSalt   = 8
	atGen    = 16
	atSeq    = 24
)

var format = Format{Magic: "\xb1nR\xed", Size: headSize, Sum: 4, Length: 28}

const (
	kindBegin   = 'b' // first of a generation; followed by the size of the file
	kindChanges = 'c' // the changes given to Append
	kindGrown   = 'g' // followed by the new size of the file
	kindEnd     = 'e' // last of a generation; followed by the salt of the next one
)

// noteSize is the size of a record of a kind with one number.
const noteSize = headSize + 1 + 8

// A record is a record read from a file.
type record struct {
	salt, gen uint64
	seq       uint32
	payload   []byte
}

// sealHeader fills in the header of a record whose payload is in place.
func sealHeader(data []byte, salt, gen uint64, seq uint32) {
	binary.LittleEndian.PutUint64(data[atSalt:], salt)
	binary.LittleEndian.PutUint64(data[atGen:], gen)
	binary.LittleEndian.PutUint32(data[atSeq:], seq)
	format.Seal(data)
}

// readHeader reads the header of a record.
func readHeader(data []byte) record {
	return record{
		salt: binary.LittleEndian.Uint64(data[atSalt:]),
		gen:  binary.LittleEndian.Uint64(data[atGen:]),
		seq:  binary.LittleEndian.Uint32(data[atSeq:]),
	}
}

// readRecord reads the record at the start of data.
func readRecord(data []byte) (r record, ok bool) {
	data = format.Read(data)
	if data == nil {
		return r, false
	}
	r = readHeader(data)
	r.payload = data[headSize:]
	return r, true
}

// search reports whether data has a complete record anywhere whose header satisfies want.
func search(data []byte, want func(record) bool) bool {
	return format.Find(data, func(header []byte) bool { return want(readHeader(header)) }) >= 0
}

// newSalt returns a random salt that is not 0.
func newSalt() uint64 {
	for {
		if salt := rand.Uint64(); salt != 0 {
			return salt
		}
	}
}
