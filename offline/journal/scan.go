package journal

import "bincard/server/api"

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
	// Lost is the number of frames missing there, by their numbers.
	Lost uint64
}

func (d Damage) String() string {
	return api.Textf("bytes %d to %d are unreadable (%d lost)", d.From, d.To, d.Lost)
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
