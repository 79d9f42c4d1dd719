package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bincard/server/store"
)

// A Model is the expected content of a partition, by table and key.
type Model map[string]map[string]string

// An Op is one step of a history: "put", "delete", "get", "scan", or "scan and write",
// which changes rows during the scan.
type Op struct {
	Do         string
	Table      string
	Key, Value string
	Range      store.Range
}

// Ops draws the steps of one transaction. Keys are few, so that steps interact.
func Ops(t *rapid.T) []Op {
	key := rapid.StringMatching(`[a-c\x00]{1,3}`)
	end := rapid.Custom(func(t *rapid.T) []byte {
		if rapid.Bool().Draw(t, "unbounded") {
			return nil
		}
		return []byte(key.Draw(t, "bound"))
	})

	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Op {
		return Op{
			Do:    rapid.SampledFrom([]string{"put", "put", "delete", "get", "scan", "scan and write"}).Draw(t, "do"),
			Table: rapid.SampledFrom([]string{"t", "u"}).Draw(t, "table"),
			Key:   key.Draw(t, "key"),
			Value: rapid.StringMatching(`[x-z]{0,2}`).Draw(t, "value"),
			Range: store.Range{From: end.Draw(t, "from"), To: end.Draw(t, "to"), Reverse: rapid.Bool().Draw(t, "reverse")},
		}
	}), 0, 12).Draw(t, "ops")
}

// Clone returns a copy of the model.
func (m Model) Clone() Model {
	c := Model{}
	for table, rows := range m {
		c[table] = maps.Clone(rows)
	}
	return c
}

// Do performs the steps on the model and on tx, and returns an error if a read differs.
func (m Model) Do(tx store.Tx, ops []Op) error {
	for i, op := range ops {
		if err := m.do(tx, op); err != nil {
			return fmt.Errorf("step %d %+v: %w", i, op, err)
		}
	}

	return nil
}

func (m Model) do(tx store.Tx, op Op) error {
	switch op.Do {
	case "put":
		m.set(op.Table, op.Key, op.Value)
		return tx.Put(op.Table, []byte(op.Key), []byte(op.Value))
	case "delete":
		delete(m[op.Table], op.Key)
		return tx.Delete(op.Table, []byte(op.Key))
	case "get":
		return m.get(tx, op.Table, op.Key)
	case "scan":
		return m.scan(tx, op.Table, op.Range)
	}

	return m.scanAndWrite(tx, op)
}

func (m Model) set(table, key, value string) {
	if m[table] == nil {
		m[table] = map[string]string{}
	}
	m[table][key] = value
}

func (m Model) get(r store.Reader, table, key string) error {
	want, exists := m[table][key]
	got, err := r.Get(table, []byte(key))
	if err == nil && (exists != (got != nil) || string(got) != want) {
		return fmt.Errorf("got %q, want %q (exists: %t)", got, want, exists)
	}
	return err
}

func (m Model) scan(r store.Reader, table string, rng store.Range) error {
	keys := m.keys(table, rng)
	err := r.Scan(table, rng, func(key, value []byte) error {
		if len(keys) == 0 || string(key) != keys[0] || string(value) != m[table][keys[0]] {
			return fmt.Errorf("scanned %q=%q, want the first of %q", key, value, keys)
		}
		keys = keys[1:]
		return nil
	})
	if err == nil && len(keys) > 0 {
		return fmt.Errorf("scan missed %q", keys)
	}

	return err
}

// scanAndWrite writes during a scan: at the first row it deletes op.Key and changes every
// other remaining row. The rest of the scan must show that.
func (m Model) scanAndWrite(tx store.Tx, op Op) error {
	keys, first := m.keys(op.Table, op.Range), true

	return tx.Scan(op.Table, op.Range, func(key, value []byte) error {
		if len(keys) == 0 || string(key) != keys[0] || string(value) != m[op.Table][string(key)] {
			return fmt.Errorf("scanned %q=%q, want the first of %q", key, value, keys)
		}

		keys = keys[1:]
		if !first {
			return nil
		}

		first = false
		for i, key := range keys {
			if i%2 == 0 {
				m.set(op.Table, key, op.Value)
				if err := tx.Put(op.Table, []byte(key), []byte(op.Value)); err != nil {
					return err
				}
			}
		}

		keys = slices.DeleteFunc(keys, func(key string) bool { return key == op.Key })
		delete(m[op.Table], op.Key)

		return tx.Delete(op.Table, []byte(op.Key))
	})
}

func (m Model) keys(table string, rng store.Range) []string {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(m[table])), func(key string) bool {
		return bytes.Compare([]byte(key), rng.From) < 0 || rng.To != nil && bytes.Compare([]byte(key), rng.To) >= 0
	})
	if rng.Reverse {
		slices.Reverse(keys)
	}
	return keys
}

// Holds returns an error if the content of r differs from the model.
func (m Model) Holds(r store.Reader) error {
	var errs []error
	for _, table := range []string{"t", "u"} {
		errs = append(errs, m.scan(r, table, store.Range{}), m.scan(r, table, store.Range{Reverse: true}))
	}
	return errors.Join(errs...)
}

// testHistory runs random transactions, some of which fail, on a partition and on a
// model.
func testHistory(rt *rapid.T, s store.Store) {
	p, model := partition(), Model{}
	broken := errors.New("broken")
	for range rapid.IntRange(1, 6).Draw(rt, "transactions") {
		ops, end := Ops(rt), rapid.SampledFrom([]string{"commit", "commit", "fail", "panic"}).Draw(rt, "end")
		var after Model
		err := s.Update(ctx, p, func(tx store.Tx) error {
			after = model.Clone()
			if err := after.Do(tx, ops); err != nil {
				return err
			}

			switch end {
			case "fail":
				return broken
			case "panic":
				panic(broken)
			}

			return nil
		})

		if end == "commit" {
			require.NoError(rt, err)
			model = after
		} else {
			require.ErrorIs(rt, err, broken)
		}

		require.NoError(rt, s.View(ctx, p, model.Holds))
	}
}
