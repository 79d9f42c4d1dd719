package journal

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// MaxRecord is the maximum total size of the records of one Append, in bytes.
const MaxRecord = 16 << 20

// A frame holds the records of one Append: a header, and the records, each
// after its length as a uvarint. The header is
//
//	4 bytes   the marker, whose last byte is the format version
//	4 bytes   the length of what follows the header
//	8 bytes   the frame number; numbers increase by one
//	4 bytes   CRC-32C of length, number and what follows the header
//
// in little endian.
const headerSize = 20

var (
	magic      = []byte{0xB1, 'C', 'J', 1}
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

func encodeFrame(number uint64, records [][]byte) []byte {
	size := headerSize
	for _, r := range records {
		size += binary.MaxVarintLen32 + len(r)
	}
	data := make([]byte, headerSize, size)
	for _, r := range records {
		data = binary.AppendUvarint(data, uint64(len(r)))
		data = append(data, r...)
	}
	copy(data, magic)
	binary.LittleEndian.PutUint32(data[4:], uint32(len(data)-headerSize))
	binary.LittleEndian.PutUint64(data[8:], number)
	binary.LittleEndian.PutUint32(data[16:], checksum(data))
	return data
}

func checksum(frame []byte) uint32 {
	return crc32.Update(crc32.Checksum(frame[4:16], castagnoli), castagnoli, frame[headerSize:])
}

// parseFrame reads the frame at the beginning of data. The records are slices
// of data.
func parseFrame(data []byte) (number uint64, records [][]byte, size int, ok bool) {
	if len(data) < headerSize || !bytes.HasPrefix(data, magic) {
		return 0, nil, 0, false
	}
	length := uint64(binary.LittleEndian.Uint32(data[4:]))
	if length > uint64(len(data)-headerSize) {
		return 0, nil, 0, false
	}
	size = headerSize + int(length)
	data = data[:size]
	if checksum(data) != binary.LittleEndian.Uint32(data[16:]) {
		return 0, nil, 0, false
	}
	for rest := data[headerSize:]; len(rest) > 0; {
		n, w := binary.Uvarint(rest)
		if w <= 0 || n > uint64(len(rest)-w) {
			return 0, nil, 0, false
		}
		end := w + int(n)
		records = append(records, rest[w:end:end])
		rest = rest[end:]
	}
	return binary.LittleEndian.Uint64(data[8:]), records, size, true
}

// scanFrames reads all frames. end is where the next one goes; what follows it
// is an unfinished write. last is the number of the last frame, which begins
// at begin.
func scanFrames(data []byte) (found *Contents, end, begin int, last uint64) {
	found = &Contents{}
	for at := 0; at < len(data); {
		number, records, size, ok := parseFrame(data[at:])
		if !ok || number <= last {
			to := findFrame(data, at+1, last)
			if to < 0 {
				break
			}
			number, records, size, _ = parseFrame(data[to:])
			d := Damage{From: int64(at), To: int64(to), Lost: 1}
			if last > 0 {
				d.Lost = number - last - 1
			}
			found.Damage = append(found.Damage, d)
			at = to
		}
		found.Records = append(found.Records, records...)
		begin = at
		at += size
		end, last = at, number
	}
	found.Truncated = int64(len(data) - end)
	return found, end, begin, last
}

// findFrame returns where, from at on, the next frame with a number above last
// begins, or -1.
func findFrame(data []byte, at int, last uint64) int {
	for at < len(data) {
		i := bytes.Index(data[at:], magic)
		if i < 0 {
			return -1
		}
		at += i
		if number, _, _, ok := parseFrame(data[at:]); ok && number > last {
			return at
		}
		at++
	}
	return -1
}
