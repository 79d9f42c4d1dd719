package ledger_test

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"bincard/server/account"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
	"bincard/server/store/wire"
)

// newerFields are tagged fields that no version knows.
var newerFields = func() []byte {
	var f wire.Fields
	text, number := "newer", int64(7)
	f.Text(900, &text)
	f.Int(901, &number)
	return f.Append(nil, nil)
}()

var newerMembers = store.Unknown{Members: jsontext.Value(`{"newer":[1,{"x":2}]}`)}

// eachTable calls fn with the name of each table and a function that decodes and
// encodes a row. If set is true the function adds the fields of a newer version; it
// reports whether the row has them.
func eachTable(set bool, fn func(table string, do func(data []byte) (row []byte, has bool, err error)) error) error {
	for _, step := range []error{
		tableOf(fn, stored.BalanceKeys, func(k *stored.BalanceKey) bool { return tagged(set, &k.Unknown) }),
		tableOf(fn, stored.Balances, func(b *stored.Balance) bool { return tagged(set, &b.Unknown) }),
		tableOf(fn, stored.LotBalances, func(b *stored.LotBalance) bool { return tagged(set, &b.Unknown) }),
		tableOf(fn, stored.Inbounds, func(d *stored.Inbound) bool { return newer(&d.Revision, set) }),
		tableOf(fn, stored.Outbounds, func(d *stored.Outbound) bool { return newer(&d.Revision, set) }),
		tableOf(fn, stored.Transfers, func(d *stored.Transfer) bool { return newer(&d.Revision, set) }),
		tableOf(fn, stored.Reservations, func(d *stored.Reservation) bool { return newer(&d.Revision, set) }),
		tableOf(fn, stored.Products, func(p *stored.Product) bool { return members(set, &p.Unknown) }),
		tableOf(fn, stored.Locations, func(e *stored.Place) bool { return members(set, &e.Unknown) }),
		tableOf(fn, stored.Lots, func(l *stored.Lot) bool { return members(set, &l.Unknown) }),
		tableOf(fn, stored.Serials, func(s *stored.Serial) bool { return members(set, &s.Unknown) }),
		tableOf(fn, account.Plans, func(p *account.PlanRow) bool { return members(set, &p.Unknown) }),
		tableOf(fn, stored.Rules, func(r *stored.RulesRow) bool { return members(set, &r.Unknown) }),
		tableOf(fn, account.Organizations, func(t *account.OrganizationRow) bool { return members(set, &t.Unknown) }),
		tableOf(fn, account.Keys, func(k *account.KeyRow) bool { return members(set, &k.Unknown) }),
		tableOf(fn, journal.Entries, func(r *journal.Entry) bool {
			if set && r.DocumentRef.Kind != 0 {
				r.DocumentRef.State = append(r.DocumentRef.State, newerFields...)
			}
			return tagged(set, &r.Unknown)
		}),
	} {
		if step != nil {
			return step
		}
	}
	return nil
}

func tableOf[T any](fn func(string, func([]byte) ([]byte, bool, error)) error, t *store.Table[T], do func(*T) bool) error {
	return fn(t.Name, func(data []byte) ([]byte, bool, error) {
		row := new(T)
		if err := t.Codec.Decode(data, row); err != nil {
			return nil, false, err
		}
		has := do(row)
		data, err := t.Codec.Append(nil, row)
		return data, has, err
	})
}

func tagged(set bool, unknown *[]byte) bool {
	if set {
		*unknown = newerFields
	}
	return bytes.Equal(*unknown, newerFields)
}

func members(set bool, u *store.Unknown) bool {
	if set {
		*u = newerMembers
	}
	return bytes.Equal(u.Members, newerMembers.Members)
}

func newer(s *journal.Revision, set bool) bool {
	has := true
	for part := range s.Unknown {
		has = tagged(set, &s.Unknown[part]) && has
	}
	return has
}

// singleRows are the keys of rows that are in no Table: the usage and the request count.
var singleRows = map[string][]byte{stored.MetaTable: []byte("counter"), account.RequestsTable: []byte("month")}

// setNewerFields rewrites all rows of a partition with fields that this version does
// not know, as a newer version would.
func setNewerFields(tx store.Tx) error {
	sums := map[uint64]uint32{}
	err := eachTable(true, func(table string, do func([]byte) ([]byte, bool, error)) error {
		rows := map[string][]byte{}
		if err := tx.Scan(table, store.Range{}, func(key, data []byte) error {
			row, _, err := do(data)
			rows[string(key)] = row
			return err
		}); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
		for key, row := range rows {
			if err := tx.Put(table, []byte(key), row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := sumsOf(tx, stored.Inbounds, sums); err != nil {
		return err
	}
	if err := sumsOf(tx, stored.Outbounds, sums); err != nil {
		return err
	}
	if err := sumsOf(tx, stored.Transfers, sums); err != nil {
		return err
	}
	if err := sumsOf(tx, stored.Reservations, sums); err != nil {
		return err
	}
	for seq, sum := range sums {
		e, err := journal.Entries.Get(tx, journal.SeqKey(seq))
		if err != nil {
			return err
		}
		e.DocumentRef.Sum = sum
		if err := journal.Entries.Put(tx, e); err != nil {
			return err
		}
	}
	if err := chainAgain(tx); err != nil {
		return err
	}
	for table, key := range singleRows {
		data, err := tx.Get(table, key)
		if err != nil {
			return err
		}
		if data != nil {
			if err := tx.Put(table, key, append(bytes.Clone(data), newerFields...)); err != nil {
				return err
			}
		}
	}
	return nil
}

// chainAgain sets the hashes in the entries and the counter to those of the rows.
func chainAgain(tx store.Tx) error {
	usage, err := account.ReadUsage(tx)
	if err != nil || usage.Seq == 0 {
		return err
	}
	var last journal.Hash
	for seq := uint64(1); seq <= usage.Seq; seq++ {
		e, err := journal.Entries.Get(tx, journal.SeqKey(seq))
		if err != nil {
			return err
		}
		e.Previous = last[:]
		row, err := journal.Codec{}.Append(nil, e)
		if err != nil {
			return err
		}
		if err := tx.Put(journal.Entries.Name, journal.SeqKey(seq), row); err != nil {
			return err
		}
		last = journal.HashOf(row)
	}
	usage.HeadHash = last[:]
	return usage.Put(tx)
}

func sumsOf[T any, P journal.DocumentRow[T]](r store.Reader, t *store.Table[T], sums map[uint64]uint32) error {
	return t.Scan(r, store.Range{}, func(doc *T) error {
		sums[P(doc).Rev().Seq] = journal.SumOf[T, P](doc)
		return nil
	})
}

// withoutNewerFields counts, by table, the rows that lack the fields added by
// setNewerFields, and all rows.
func withoutNewerFields(r store.Reader) (lacking, all map[string]int, err error) {
	lacking, all = map[string]int{}, map[string]int{}
	err = eachTable(false, func(table string, do func([]byte) ([]byte, bool, error)) error {
		return r.Scan(table, store.Range{}, func(_, data []byte) error {
			_, has, err := do(data)
			all[table]++
			if !has {
				lacking[table]++
			}
			return err
		})
	})
	if err != nil {
		return nil, nil, err
	}
	for table, key := range singleRows {
		data, err := r.Get(table, key)
		if err != nil {
			return nil, nil, err
		}
		if data != nil {
			all[table]++
			if !bytes.HasSuffix(data, newerFields) {
				lacking[table]++
			}
		}
	}
	return lacking, all, nil
}
