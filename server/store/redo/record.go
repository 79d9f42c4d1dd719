package redo

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
)

// A record begins with a head: magic, the sum of all that follows it, the salt
// and the number of its generation, its own number, and how long the payload
// is. The payload begins with its kind.
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
	kindBegin   = 'b' // the first one of a generation; how large the file is follows
	kindChanges = 'c' // what Append was given
	kindGrown   = 'g' // how large the file has become follows
	kindEnd     = 'e' // the last one; the salt of the next generation follows
)

// noteSize is how large a record of a kind with one number is.
const noteSize = headSize + 1 + 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A record is one as it stands in a file.
type record struct {
	salt, gen uint64
	seq       uint32
	payload   []byte
}

// sealHeader fills in the head of a record whose payload is in place.
func sealHeader(data []byte, salt, gen uint64, seq uint32) {
	copy(data, magic)
	binary.LittleEndian.PutUint64(data[atSalt:], salt)
	binary.LittleEndian.PutUint64(data[atGen:], gen)
	binary.LittleEndian.PutUint32(data[atSeq:], seq)
	binary.LittleEndian.PutUint32(data[atLength:], uint32(len(data)-headSize))
	binary.LittleEndian.PutUint32(data[atSum:], crc32.Checksum(data[atSalt:], castagnoli))
}

// readHeader reads the head of a record, of which nothing is proven yet.
func readHeader(data []byte) (r record, length int, ok bool) {
	if len(data) < headSize || !bytes.HasPrefix(data, magic) {
		return r, 0, false
	}
	r = record{salt: binary.LittleEndian.Uint64(data[atSalt:]), gen: binary.LittleEndian.Uint64(data[atGen:]), seq: binary.LittleEndian.Uint32(data[atSeq:])}
	length = int(binary.LittleEndian.Uint32(data[atLength:]))
	return r, length, length > 0 && length <= len(data)-headSize
}

// readRecord reads the record that data begins with.
func readRecord(data []byte) (r record, ok bool) {
	r, length, ok := readHeader(data)
	if !ok || crc32.Checksum(data[atSalt:headSize+length], castagnoli) != binary.LittleEndian.Uint32(data[atSum:]) {
		return r, false
	}
	r.payload = data[headSize : headSize+length : headSize+length]
	return r, true
}

// search finds a whole record anywhere in data for which want holds, of its
// head alone.
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

// newSalt is a number that no generation had.
func newSalt() uint64 {
	for {
		if salt := rand.Uint64(); salt != 0 {
			return salt
		}
	}
}
