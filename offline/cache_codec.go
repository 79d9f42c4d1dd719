package offline

import (
	"encoding/binary"
	"hash/crc32"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/offline/outbox"
	"bincard/server/ledger"
	"bincard/server/store"
)

type cacheWriter struct {
	data   []byte
	tables map[string]uint64 // numbered in the order of their first use
}

func (w *cacheWriter) number(v uint64)     { w.data = binary.AppendUvarint(w.data, v) }
func (w *cacheWriter) instant(t time.Time) { w.data = binary.AppendVarint(w.data, t.UnixNano()) }

func (w *cacheWriter) text(s string) {
	w.number(uint64(len(s)))
	w.data = append(w.data, s...)
}

func (w *cacheWriter) list(list []uint64) {
	w.number(uint64(len(list)))
	for _, v := range list {
		w.data = binary.LittleEndian.AppendUint64(w.data, v)
	}
}

func (w *cacheWriter) row(r *store.Row) {
	k, known := w.tables[r.Table]
	if !known {
		k = uint64(len(w.tables))
		w.tables[r.Table] = k
	}
	w.number(k)
	if !known {
		w.text(r.Table)
	}
	w.text(string(r.Key))
	if r.Value == nil {
		w.number(0)
		return
	}
	w.number(uint64(len(r.Value)) + 1)
	w.data = append(w.data, r.Value...)
}

// decodeCache decodes what encodeCache wrote, nil if it is damaged or has
// another key.
func (n *Node) decodeCache(data []byte, revision string) (steps []*step) {
	head := len(cacheTag) + 4
	if len(data) < head || string(data[:len(cacheTag)]) != cacheTag ||
		binary.LittleEndian.Uint32(data[len(cacheTag):]) != crc32.Checksum(data[head:], castagnoli) {
		return nil
	}
	r := cacheReader{data: data[head:]}
	if string(r.bytes(r.number())) != n.cacheKey(revision) {
		return nil
	}
	for range r.number() {
		s := &step{key: string(r.bytes(r.number()))}
		s.position = ledger.LocalPosition{N: r.number(), At: r.instant(), From: r.instant()}
		s.reads, s.footprint.Reads, s.footprint.Writes, s.footprint.Makes = r.list(), r.list(), r.list(), r.list()
		if risk := r.bytes(r.number()); len(risk) > 0 {
			s.risk = &outbox.Refusal{}
			r.bad = r.bad || json.Unmarshal(risk, s.risk) != nil
		}
		s.rows = make([]store.Row, min(r.number(), uint64(len(r.data))))
		for i := range s.rows {
			r.row(&s.rows[i])
		}
		if r.bad {
			return nil
		}
		steps = append(steps, s)
	}
	return steps
}

// A cacheReader reads what a cacheWriter wrote. After malformed data bad is
// true and nothing read is valid.
type cacheReader struct {
	data   []byte
	tables []string
	bad    bool
}

func (r *cacheReader) number() uint64 {
	v, k := binary.Uvarint(r.data)
	if k <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[k:]
	return v
}

func (r *cacheReader) instant() time.Time {
	v, k := binary.Varint(r.data)
	if k <= 0 {
		r.bad, r.data = true, nil
		return time.Time{}
	}
	r.data = r.data[k:]
	return time.Unix(0, v).UTC()
}

func (r *cacheReader) bytes(size uint64) []byte {
	if size > uint64(len(r.data)) {
		r.bad, r.data = true, nil
		return nil
	}
	b := r.data[:size:size]
	r.data = r.data[size:]
	return b
}

func (r *cacheReader) list() []uint64 {
	b := r.bytes(8 * min(r.number(), uint64(len(r.data))))
	list := make([]uint64, len(b)/8)
	for i := range list {
		list[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return list
}

func (r *cacheReader) row(row *store.Row) {
	k := r.number()
	if k == uint64(len(r.tables)) {
		r.tables = append(r.tables, string(r.bytes(r.number())))
	}
	if r.bad || k >= uint64(len(r.tables)) {
		r.bad = true
		return
	}
	row.Table, row.Key = r.tables[k], r.bytes(r.number())
	if size := r.number(); size > 0 {
		row.Value = r.bytes(size - 1)
	}
}
