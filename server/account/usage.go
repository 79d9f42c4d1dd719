package account

import (
	"bytes"
	"encoding/binary"
	"time"

	"bincard/server/api"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// A UsageRow is the row that every write of a partition updates: the sequence number
// of the last write, and the usage, which so needs no row of its own.
type UsageRow struct {
	Seq uint64
	At  time.Time
	// Billable counts the billable operations in Month.
	Month    Month
	Billable int64
	// Products counts the products that are not archived.
	Products int64
	// HeadHash is the hash of the journal entry HeadSeq. An older version leaves the
	// hash of an earlier entry than Seq.
	HeadSeq  uint64
	HeadHash []byte

	unknown []byte // the fields that a newer version added
}

const usageRowSize = 36

const usageTable = "meta"

var usageKey = []byte("counter")

// LastWrite returns the sequence number and the time of the last write.
func LastWrite(r store.Reader) (seq uint64, at time.Time, err error) {
	data, err := r.Get(usageTable, usageKey)
	if err != nil || data == nil {
		return 0, time.Time{}, err
	}
	if len(data) < usageRowSize {
		return 0, time.Time{}, wire.ErrTruncated
	}

	at = time.UnixMilli(int64(binary.BigEndian.Uint64(data[8:]))).UTC()

	return binary.BigEndian.Uint64(data), at, nil
}

// A Month is a calendar month in UTC, counted from year 0.
type Month uint32

// MonthOf returns the month of a time.
func MonthOf(t time.Time) Month {
	t = t.UTC()
	return Month(t.Year()*12 + int(t.Month()) - 1)
}

// start returns the first instant of the month.
func (m Month) start() time.Time {
	return time.Date(int(m/12), time.Month(m%12+1), 1, 0, 0, 0, 0, time.UTC)
}

// String returns the month like 2026-03.
func (m Month) String() string { return m.start().Format("2006-01") }

// billable returns the billable operations in a month, 0 in one after t.Month.
func (t *UsageRow) billable(m Month) int64 {
	if m > t.Month {
		return 0
	}
	return t.Billable
}

// ReadUsage reads the row; in an empty partition it is zero.
func ReadUsage(r store.Reader) (*UsageRow, error) {
	data, err := r.Get(usageTable, usageKey)
	if err != nil || data == nil {
		return &UsageRow{}, err
	}
	if len(data) < usageRowSize {
		return nil, wire.ErrTruncated
	}

	t := &UsageRow{
		Seq:      binary.BigEndian.Uint64(data),
		At:       time.UnixMilli(int64(binary.BigEndian.Uint64(data[8:]))).UTC(),
		Month:    Month(binary.BigEndian.Uint32(data[16:])),
		Billable: int64(binary.BigEndian.Uint64(data[20:])),
		Products: int64(binary.BigEndian.Uint64(data[28:])),
	}

	t.unknown, err = t.readAdded(data[usageRowSize:])

	return t, err
}

// headTag starts the field of the head, a bytes field that all writes read: the number
// of the entry and its hash.
var headTag = []byte{1<<3 | 2, headSize}

const headSize = 8 + 24

// readAdded reads the fields that were added to the row, and returns the unknown ones.
func (t *UsageRow) readAdded(data []byte) (unknown []byte, err error) {
	if rest, ok := bytes.CutPrefix(data, headTag); ok && len(rest) >= headSize {
		t.HeadSeq, t.HeadHash = binary.BigEndian.Uint64(rest), bytes.Clone(rest[8:headSize])
		data = rest[headSize:]
	}
	if len(data) == 0 {
		return nil, nil
	}

	added := wire.Read(data)

	return added.Unknown()
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

// Billable reports whether the plan counts an operation.
func Billable(spec string) bool { return billableSpecs[spec] }

// Add counts a write: an operation, and the change in the number of active products.
func (t *UsageRow) Add(spec string, at time.Time, products int64) {
	t.StartMonth(MonthOf(at))
	t.Products += products
	if Billable(spec) {
		t.Billable++
	}
}

// StartMonth starts a new month. A clock that goes back does not restart an old one.
func (t *UsageRow) StartMonth(m Month) {
	if m > t.Month {
		t.Month, t.Billable = m, 0
	}
}

// Put writes the row.
func (t *UsageRow) Put(tx store.Tx) error {
	b := make([]byte, 0, 2*usageRowSize+len(t.unknown))
	b = binary.BigEndian.AppendUint64(b, t.Seq)
	b = binary.BigEndian.AppendUint64(b, uint64(t.At.UnixMilli()))
	b = binary.BigEndian.AppendUint32(b, uint32(t.Month))
	b = binary.BigEndian.AppendUint64(b, uint64(t.Billable))
	b = binary.BigEndian.AppendUint64(b, uint64(t.Products))
	if len(t.HeadHash) == headSize-8 {
		b = append(binary.BigEndian.AppendUint64(append(b, headTag...), t.HeadSeq), t.HeadHash...)
	}

	return tx.Put(usageTable, usageKey, append(b, t.unknown...))
}
