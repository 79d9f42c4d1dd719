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
