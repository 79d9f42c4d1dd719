package ledger

import (
	"encoding/binary"
	"time"

	"bincard/server/api"
)

// A tally is the row that every write of a partition writes anew: the counter,
// and what plans limit, which so costs no row of its own.
type tally struct {
	Seq uint64
	At  time.Time
	// Month is the month of Billable, the operations that were billable in it.
	Month    month
	Billable int64
	// Products are those that are not archived.
	Products int64
}

const tallySize = 36

// A month is one of the calendar in UTC, counted from the year 0.
type month uint32

func monthOf(t time.Time) month {
	t = t.UTC()
	return month(t.Year()*12 + int(t.Month()) - 1)
}

// start is the first instant of the month.
func (m month) start() time.Time {
	return time.Date(int(m/12), time.Month(m%12+1), 1, 0, 0, 0, 0, time.UTC)
}

func (m month) String() string { return m.start().Format("2006-01") }

// billable is what is used in a month: nothing yet in one that has just begun.
func (t *tally) billable(m month) int64 {
	if m > t.Month {
		return 0
	}
	return t.Billable
}

// tally reads the row; an empty partition has an empty one.
func (rd *reading) tally() (*tally, error) {
	data, err := rd.r.Get(metaTable, counterKey)
	if err != nil || data == nil {
		return &tally{}, err
	}
	if len(data) != tallySize {
		return nil, errTruncated
	}
	return &tally{
		Seq:      binary.BigEndian.Uint64(data),
		At:       time.UnixMilli(int64(binary.BigEndian.Uint64(data[8:]))).UTC(),
		Month:    month(binary.BigEndian.Uint32(data[16:])),
		Billable: int64(binary.BigEndian.Uint64(data[20:])),
		Products: int64(binary.BigEndian.Uint64(data[28:])),
	}, nil
}

// billableSpecs are the IDs of the operations that count.
var billableSpecs = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range api.Operations() {
		if s.Billable {
			m[s.ID] = true
		}
	}
	return m
}()

// settleTally counts the write and raises the counter to its own.
func (c *change) settleTally() error {
	t, err := c.tally()
	if err != nil {
		return err
	}
	ahead := c.rec.Seq > aheadFrom
	if ahead {
		t = &tally{} // what is not confirmed counts for no plan
	}
	if m := monthOf(c.rec.At); m > t.Month {
		t.Month, t.Billable = m, 0
	}
	if !ahead {
		t.Products += c.products
	}
	if !ahead && billableSpecs[c.rec.Spec] {
		t.Billable++
	}
	var b [tallySize]byte
	binary.BigEndian.PutUint64(b[:], c.rec.Seq)
	binary.BigEndian.PutUint64(b[8:], uint64(c.rec.At.UnixMilli()))
	binary.BigEndian.PutUint32(b[16:], uint32(t.Month))
	binary.BigEndian.PutUint64(b[20:], uint64(t.Billable))
	binary.BigEndian.PutUint64(b[28:], uint64(t.Products))
	return c.tx.Put(metaTable, counterKey, b[:])
}
