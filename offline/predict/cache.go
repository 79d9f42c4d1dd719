package predict

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"bincard/offline/outbox"
	"bincard/server/ledger"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// The cache is a sequence of parts, so that it can grow. A part starts with cacheTag, the
// length of what follows this head, and its checksum; then come the cache key, and the
// steps.
const (
	cacheTag  = "bincard shown 3\n"
	cacheHead = len(cacheTag) + 8
)

// key identifies what steps depend on besides the rows they read.
func (cfg *Config) key(revision string) string {
	return fmt.Sprintf("%s %s %+v", revision, program(), cfg.Caller)
}

// program identifies the running program, also after its file was replaced.
var program = sync.OnceValue(func() string {
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
	}

	return "unknown"
})

// EncodeSteps encodes the steps of a view whose replica has a revision. Later steps can be
// appended as another part.
func EncodeSteps(cfg Config, steps []*Step, revision string) ([]byte, error) {
	w := cacheWriter{tables: map[string]uint64{}}
	w.data = append(w.data, cacheTag+"........"...)
	w.text(cfg.key(revision))
	w.number(uint64(len(steps)))
	for _, s := range steps {
		var risk []byte
		if s.Risk != nil {
			var err error
			if risk, err = json.Marshal(s.Risk); err != nil {
				return nil, err
			}
		}

		w.text(s.key)
		w.number(s.position.N)
		w.instant(s.position.At)
		w.instant(s.position.From)
		for _, list := range [][]uint64{s.reads, s.Footprint.Reads, s.Footprint.Writes, s.Footprint.Makes, s.Footprint.Shares} {
			w.list(list)
		}

		w.text(string(risk))
		w.number(uint64(len(s.rows)))
		for i := range s.rows {
			w.row(&s.rows[i])
		}
	}

	body := w.data[cacheHead:]
	binary.LittleEndian.PutUint32(w.data[len(cacheTag):], uint32(len(body)))
	binary.LittleEndian.PutUint32(w.data[len(cacheTag)+4:], wire.Checksum(body))

	return w.data, nil
}

// DecodeSteps decodes what EncodeSteps encoded, up to the first part that is damaged, or for
// another revision, program or caller.
func DecodeSteps(cfg Config, data []byte, revision string) (steps []*Step) {
	key := cfg.key(revision)
	for {
		body := cachePart(data)
		if body == nil {
			return steps
		}

		more, ok := decodePart(body, key)
		if !ok {
			return steps
		}

		steps, data = append(steps, more...), data[cacheHead+len(body):]
	}
}

// cachePart returns the body of the part at the beginning of data, or nil if it is damaged.
func cachePart(data []byte) []byte {
	if len(data) < cacheHead || string(data[:len(cacheTag)]) != cacheTag {
		return nil
	}
	size, sum := binary.LittleEndian.Uint32(data[len(cacheTag):]), binary.LittleEndian.Uint32(data[len(cacheTag)+4:])
	if body := data[cacheHead:]; uint64(size) <= uint64(len(body)) && wire.Checksum(body[:size]) == sum {
		return body[:size]
	}
	return nil
}

func decodePart(body []byte, key string) (steps []*Step, ok bool) {
	r := cacheReader{Reader: wire.Reader{Data: body}}
	if string(r.Text()) != key {
		return nil, false
	}

	for range r.Count() {
		s := &Step{key: string(r.Text())}
		s.position = ledger.LocalPosition{N: r.Uvarint(), At: r.instant(), From: r.instant()}
		s.reads, s.Footprint.Reads, s.Footprint.Writes = r.list(), r.list(), r.list()
		s.Footprint.Makes, s.Footprint.Shares = r.list(), r.list()
		if risk := r.Text(); len(risk) > 0 {
			s.Risk = &outbox.Refusal{}
			if json.Unmarshal(risk, s.Risk) != nil {
				r.Fail()
			}
		}

		s.rows = make([]store.Row, r.Count())
		for i := range s.rows {
			r.row(&s.rows[i])
		}
		if r.Bad {
			return nil, false
		}

		steps = append(steps, s)
	}

	return steps, true
}

type cacheWriter struct {
	data   []byte
	tables map[string]uint64 // numbered in the order of their first use
}

func (w *cacheWriter) number(v uint64)     { w.data = binary.AppendUvarint(w.data, v) }
func (w *cacheWriter) instant(t time.Time) { w.data = binary.AppendVarint(w.data, t.UnixNano()) }
func (w *cacheWriter) text(s string)       { w.data = wire.AppendText(w.data, s) }

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

	w.data = wire.AppendOptional(wire.AppendText(w.data, r.Key), r.Value)
}

// A cacheReader reads what a cacheWriter wrote.
type cacheReader struct {
	wire.Reader
	tables []string
}

func (r *cacheReader) instant() time.Time { return time.Unix(0, r.Varint()).UTC() }

func (r *cacheReader) list() []uint64 {
	b := r.Next(8 * r.Count())
	list := make([]uint64, len(b)/8)
	for i := range list {
		list[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return list
}

func (r *cacheReader) row(row *store.Row) {
	k := r.Uvarint()
	if k == uint64(len(r.tables)) {
		r.tables = append(r.tables, string(r.Text()))
	}
	if k >= uint64(len(r.tables)) {
		r.Fail()
		return
	}

	row.Table, row.Key, row.Value = r.tables[k], r.Text(), r.Optional()
}
