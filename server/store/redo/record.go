package redo

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
)

// A record starts with a header: magic, the checksum of all that follows it, the salt and
// the number of its generation, its own number, and the length of the payload. The payload
// starts with its kind.
const (
	headSize = 32
	atSum    = 4
	atSalt   = 8
	atGen    = 16
	atSeq    = 24
	atLength = 28
)

var magic = []byte("\xb1nR\xed")

const (
	kindBegin   = 'b' // first of a generation; followed by the size of the file
	kindChanges = 'c' // the changes given to Append
	kindGrown   = 'g' // followed by the new size of the file
	kindEnd     = 'e' // last of a generation; followed by the salt of the next one
)

// noteSize is the size of a record of a kind with one number.
const noteSize = headSize + 1 + 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A record is a record read from a file.
type record struct {
	salt, gen uint64
	seq       uint32
	payload   []byte
}

// sealHeader fills in the header of a record whose payload is in place.
func sealHeader(data []byte, salt, gen uint64, seq uint32) {
	copy(data, magic)
	binary.LittleEndian.PutUint64(data[atSalt:], salt)
	binary.LittleEndian.PutUint64(data[atGen:], gen)
	binary.LittleEndian.PutUint32(data[atSeq:], seq)
	binary.LittleEndian.PutUint32(data[atLength:], uint32(len(data)-headSize))
	binary.LittleEndian.PutUint32(data[atSum:], crc32.Checksum(data[atSalt:], castagnoli))
}

// readHeader reads the header of a record without checking the checksum.
func readHeader(data []byte) (r record, length int, ok bool) {
	if len(data) < headSize || !bytes.HasPrefix(data, magic) {
		return r, 0, false
	}
	r = record{salt: binary.LittleEndian.Uint64(data[atSalt:]), gen: binary.LittleEndian.Uint64(data[atGen:]), seq: binary.LittleEndian.Uint32(data[atSeq:])}
	length = int(binary.LittleEndian.Uint32(data[atLength:]))
	return r, length, length > 0 && length <= len(data)-headSize
}

// readRecord reads the record at the start of data.
func readRecord(data []byte) (r record, ok bool) {
	r, length, ok := readHeader(data)
	if !ok || crc32.Checksum(data[atSalt:headSize+length], castagnoli) != binary.LittleEndian.Uint32(data[atSum:]) {
		return r, false
	}
	r.payload = data[headSize : headSize+length : headSize+length]
	return r, true
}

// search reports whether data has a complete record anywhere whose header satisfies want.
func search(data []byte, want func(record) bool) bool {
	for {
		at := bytes.Index(data, magic)
		if at < 0 {
			return false
		}
		data = data[at:]
		if r, _, ok := readHeader(data); ok && want(r) {
			if _, ok := readRecord(data); ok {
				return true
			}
		}
		data = data[1:]
	}
}

// newSalt returns a random salt that is not 0.
func newSalt() uint64 {
	for {
		if salt := rand.Uint64(); salt != 0 {
			return salt
		}
	}
}
