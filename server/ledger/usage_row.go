package ledger

import (
	"encoding/binary"
	"time"

	"bincard/server/api"
	"bincard/server/store"
)

// A usageRow is the row that every write of a partition updates: the sequence number
// of the last write, and the usage, which so needs no row of its own.
type usageRow struct {
	Seq uint64
	At  time.Time
	// Billable counts the billable operations in Month.
	Month    month
	Billable int64
	// Products counts the products that are not archived.
	Products int64

	unknown []byte // the fields that a newer version added
}

const usageRowSize = 36

// A month is a calendar month in UTC, counted from year 0.
type month uint32

func monthOf(t time.Time) month {
	t = t.UTC()
	return month(t.Year()*12 + int(t.Month()) - 1)
}

// start returns the first instant of the month.
func (m month) start() time.Time {
	return time.Date(int(m/12), time.Month(m%12+1), 1, 0, 0, 0, 0, time.UTC)
}

func (m month) String() string { return m.start().Format("2006-01") }

// billable returns the billable operations in a month, 0 in one after t.Month.
func (t *usageRow) billable(m month) int64 {
	if m > t.Month {
		return 0
	}
	return t.Billable
}

// usageRow reads the row; in an empty partition it is zero.
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

// billableSpecs are the ids of the billable operations.
var billableSpecs = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range api.Operations() {
		if s.Billable {
			m[s.ID] = true
		}
	}
	return m
}()

// saveUsage counts the write and sets the sequence number to the write's.
func (c *writeTx) saveUsage() error {
	t, err := c.usageRow()
	if err != nil {
		return err
	}
	local := c.entry.Seq > localFrom
	if local {
		t = &usageRow{} // local writes do not count
	}
	if m := monthOf(c.entry.At); m > t.Month {
		t.Month, t.Billable = m, 0
	}
	if !local {
		t.Products += c.products
	}
	if !local && billableSpecs[c.entry.Spec] {
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
