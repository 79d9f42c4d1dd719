package outbox

// A Footprint is the hashes of the rows that an operation reads, writes and
// creates. Two operations that share a row keep their order if either writes
// it.
type Footprint struct {
	Reads, Writes, Makes []uint64
	// Shares are rows that the operation creates, and another one may create instead.
	Shares []uint64
}

// A rowSet is a set of the hashes of rows.
type rowSet map[uint64]bool

func (s rowSet) add(rows []uint64) {
	for _, r := range rows {
		s[r] = true
	}
}

func (s rowSet) overlaps(rows []uint64) bool {
	for _, r := range rows {
		if s[r] {
			return true
		}
	}

	return false
}

// touchedBy reports whether a footprint reads or writes a row of the set.
func (s rowSet) touchedBy(f *Footprint) bool { return s.overlaps(f.Reads) || s.overlaps(f.Writes) }
