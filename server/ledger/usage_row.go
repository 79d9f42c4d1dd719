package ledger

import (
	"encoding/binary"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// An usageRow is the row that every write of a partition writes anew: the counter,
// and what plans limit, which so costs no row of its own.
type usageRow struct {
	Seq uint64
	At  time.Time
	// Month is the month of Billable, the operations that were billable in it.
	Month    month
	Billable int64
	// Products are those that are not archived.
	Products int64

	unknown []byte // the fields that a newer version added
}

const usageRowSize = 36

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
func (t *usageRow) billable(m month) int64 {
	if m > t.Month {
		return 0
	}
	return t.Billable
}

// usageRow reads the row; an empty partition has an empty one.
func (tx *readTx) usageRow() (*usageRow, error) {
	data, err := tx.r.Get(metaTable, counterKey)
	if err != nil || data == nil {
		return &usageRow{}, err
	}
	if len(data) < usageRowSize {
		return nil, errTruncated
	}
	added := rowReader{data: data[usageRowSize:]}
	unknown, err := added.added()
	return &usageRow{
		Seq:      binary.BigEndian.Uint64(data),
		At:       time.UnixMilli(int64(binary.BigEndian.Uint64(data[8:]))).UTC(),
		Month:    month(binary.BigEndian.Uint32(data[16:])),
		Billable: int64(binary.BigEndian.Uint64(data[20:])),
		Products: int64(binary.BigEndian.Uint64(data[28:])),
		unknown:  unknown,
	}, err
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

// saveUsage counts the write and raises the counter to its own.
func (c *writeTx) saveUsage() error {
	t, err := c.usageRow()
	if err != nil {
		return err
	}
	ahead := c.entry.Seq > localFrom
	if ahead {
		t = &usageRow{} // what is not confirmed counts for no plan
	}
	if m := monthOf(c.entry.At); m > t.Month {
		t.Month, t.Billable = m, 0
	}
	if !ahead {
		t.Products += c.products
	}
	if !ahead && billableSpecs[c.entry.Spec] {
		t.Billable++
	}
	t.Seq, t.At = c.entry.Seq, c.entry.At
	return t.put(c.tx)
}

func (t *usageRow) put(tx store.Tx) error {
	b := make([]byte, 0, usageRowSize+len(t.unknown))
	b = binary.BigEndian.AppendUint64(b, t.Seq)
	b = binary.BigEndian.AppendUint64(b, uint64(t.At.UnixMilli()))
	b = binary.BigEndian.AppendUint32(b, uint32(t.Month))
	b = binary.BigEndian.AppendUint64(b, uint64(t.Billable))
	b = binary.BigEndian.AppendUint64(b, uint64(t.Products))
	return tx.Put(metaTable, counterKey, append(b, t.unknown...))
}
