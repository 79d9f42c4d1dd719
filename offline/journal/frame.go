package journal

import (
	"encoding/binary"

	"bincard/server/store/wal"
	"bincard/server/store/wire"
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

var format = wal.Format{Magic: "\xb1CJ\x01", Size: headerSize, Length: 4, Sum: 16}

func encodeFrame(number uint64, records [][]byte) []byte {
	size := headerSize
	for _, r := range records {
		size += binary.MaxVarintLen32 + len(r)
	}
	data := make([]byte, headerSize, size)
	for _, r := range records {
		data = wire.AppendText(data, r)
	}
	binary.LittleEndian.PutUint64(data[8:], number)
	format.Seal(data)
	return data
}

// frameNumber returns the number in the header of a frame.
func frameNumber(header []byte) uint64 { return binary.LittleEndian.Uint64(header[8:]) }

// parseFrame reads the frame at the beginning of data. The records are slices
// of data.
func parseFrame(data []byte) (number uint64, records [][]byte, size int, ok bool) {
	frame := format.Read(data)
	if frame == nil {
		return 0, nil, 0, false
	}
	r := wire.Reader{Data: frame[headerSize:]}
	for len(r.Data) > 0 {
		records = append(records, r.Text())
	}
	return frameNumber(frame), records, len(frame), !r.Bad
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
	for {
		next := format.Find(data[at:], func(header []byte) bool { return frameNumber(header) > last })
		if next < 0 {
			return -1
		}
		at += next
		if _, _, _, ok := parseFrame(data[at:]); ok {
			return at
		}
		at++
	}
}
