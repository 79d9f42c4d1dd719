package journal

import (
	"bytes"
	"encoding/binary"
	"strings"

	"bincard/server/api"
)

// Contents is what Open read.
type Contents struct {
	// Records are the records in the order in which they were written.
	Records [][]byte
	// Truncated is the number of bytes of an unfinished last frame that were
	// cut off.
	Truncated int64
	// Damage lists the unreadable ranges in file order.
	Damage []Damage
}

// Damage is a range of the file without a readable frame.
type Damage struct {
	From, To int64
	// Lost is the number of frames missing there: exact before another frame, and a
	// lower bound at the end of the file.
	Lost uint64
}

func (d Damage) String() string {
	return api.Textf("bytes %d to %d are unreadable (at least %d lost)", d.From, d.To, d.Lost)
}

// A scan is what a file contains.
type scan struct {
	*Contents
	size       int    // where the next frame goes; an unfinished one follows it
	number     uint64 // of the last frame, or of those that damage replaced
	begin, end int    // of the last readable frame
}

// scanFrames reads all frames.
func scanFrames(data []byte) *scan {
	s := &scan{Contents: &Contents{}}
	for at := 0; at < len(data); {
		number, records, size, ok := parseFrame(data[at:])
		if !ok || number <= s.number {
			to := findFrame(data, at+1, s.number)
			if to < 0 {
				break
			}

			number, records, size, _ = parseFrame(data[to:])
			d := Damage{From: int64(at), To: int64(to), Lost: 1}
			if s.number > 0 {
				d.Lost = number - s.number - 1
			}

			s.Damage = append(s.Damage, d)
			at = to
		}

		s.Records = append(s.Records, records...)
		s.begin = at
		at += size
		s.end, s.number = at, number
	}

	s.size = s.end
	switch tail := data[s.end:]; {
	case len(tail) == 0:
	case isUnfinished(tail, s.number):
		s.Truncated = int64(len(tail))
	default:
		d := Damage{From: int64(s.end), To: int64(len(data)), Lost: 1}
		if s.number > 0 {
			d.Lost = uint64(max(1, bytes.Count(tail, []byte(format.Magic))))
		}
		s.Damage = append(s.Damage, d)
		s.size, s.number = len(data), s.number+d.Lost // the next scan finds the same damage
	}

	return s
}

// isUnfinished reports whether the end of a file, which has no readable frame, is the
// beginning of the one frame whose write did not finish. Whatever else is there, such as
// zeros, a complete frame with another checksum, or several frames, may have been a frame
// that Append returned for.
func isUnfinished(tail []byte, last uint64) bool {
	if len(tail) < headerSize {
		return strings.HasPrefix(format.Magic, string(tail[:min(len(tail), len(format.Magic))]))
	}
	length := int(binary.LittleEndian.Uint32(tail[format.Length:]))
	return strings.HasPrefix(string(tail[:headerSize]), format.Magic) && (last == 0 || frameNumber(tail) == last+1) &&
		length > len(tail)-headerSize && length <= 2*MaxRecord &&
		!bytes.Contains(tail[1:], []byte(format.Magic))
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
