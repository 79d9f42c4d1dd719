package ledger

import (
	"bincard/server/account"
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/ledger/replica"
	"bincard/server/store"
)

// RecodeEntry decodes and encodes the row of a journal entry.
func RecodeEntry(row []byte) ([]byte, error) {
	var r journal.Entry
	if err := (journal.Codec{}).Decode(row, &r); err != nil {
		return nil, err
	}
	return journal.Codec{}.Append(nil, &r)
}

// ReadHeader decodes the row of a journal entry and its header, and returns what the
// header lacks.
func ReadHeader(row []byte) (moves int, missing []string, err error) {
	var g journal.Header
	if err := g.Read(row); err != nil {
		return 0, nil, err
	}
	var r journal.Entry
	if err := (journal.Codec{}).Decode(row, &r); err != nil {
		return 0, nil, err
	}
	for i := range r.Movements {
		m := &r.Movements[i]
		if m.Op != "" && g.Operations&(1<<journal.OperationNumber(m.Op)) == 0 {
			missing = append(missing, string(m.Op))
		}
		if g.States&(1<<m.State) == 0 {
			missing = append(missing, string(api.States[m.State]))
		}
	}
	for i := range r.Balances {
		if len(g.Balances) != len(r.Balances) || api.ID(g.Balances[i]) != r.Balances[i].Balance {
			missing = append(missing, r.Balances[i].Balance.String())
		}
	}
	return len(r.Movements), missing, nil
}

// rewrite returns a row changed by fn.
func rewrite[T any](t *store.Table[T], row []byte, fn func(*T)) []byte {
	v := new(T)
	if err := t.Codec.Decode(row, v); err != nil {
		panic(err)
	}
	fn(v)
	row, err := t.Codec.Append(nil, v)
	if err != nil {
		panic(err)
	}
	return row
}

// WithExpected sets the expected quantity of an inbound row.
func WithExpected(row []byte, q int64) []byte {
	return rewrite(stored.Inbounds, row, func(in *stored.Inbound) { in.ExpectedQuantity = q })
}

// WithVersion sets the version of an inbound row.
func WithVersion(row []byte, n int64) []byte {
	return rewrite(stored.Inbounds, row, func(in *stored.Inbound) { in.Version = n })
}

// WithHeld sets the allocated quantity of the first hold of an outbound row.
func WithHeld(row []byte, q int64) []byte {
	return rewrite(stored.Outbounds, row, func(o *stored.Outbound) { o.Holds[0][0].Allocated = q })
}

// WithReceived sets the received quantity of a transfer row.
func WithReceived(row []byte, q int64) []byte {
	return rewrite(stored.Transfers, row, func(t *stored.Transfer) { t.ReceivedQuantity = q })
}

// WithHolding sets the quantity of the first hold of a reservation row.
func WithHolding(row []byte, q int64) []byte {
	return rewrite(stored.Reservations, row, func(r *stored.Reservation) { r.Holds[0].Quantity = q })
}

// WithBalanceAfter adds one to the quantities before and after all movements of an
// entry row.
func WithBalanceAfter(row []byte) []byte {
	return rewrite(journal.Entries, row, func(r *journal.Entry) {
		for i := range r.Movements {
			m := &r.Movements[i]
			m.Before++
			r.Balances[m.Balance].Q[m.State] = m.Before + m.Delta
		}
	})
}

// WithState sets the document state of an entry row.
func WithState(row, state []byte) []byte {
	return rewrite(journal.Entries, row, func(r *journal.Entry) { r.DocumentRef.State = state })
}

// RecodeDocument decodes and encodes the row of a document.
func RecodeDocument(table string, row []byte) ([]byte, error) {
	switch table {
	case stored.Inbounds.Name:
		return recode(stored.Inbounds, row)
	case stored.Outbounds.Name:
		return recode(stored.Outbounds, row)
	case stored.Transfers.Name:
		return recode(stored.Transfers, row)
	}
	return recode(stored.Reservations, row)
}

func recode[T any](t *store.Table[T], row []byte) ([]byte, error) {
	v := new(T)
	if err := t.Codec.Decode(row, v); err != nil {
		return nil, err
	}
	return t.Codec.Append(nil, v)
}

// ShowState decodes a document state over the row of the document.
func ShowState(table string, row, state []byte) error {
	switch table {
	case stored.Inbounds.Name:
		return over[stored.Inbound](stored.Inbounds, row, state)
	case stored.Outbounds.Name:
		return over[stored.Outbound](stored.Outbounds, row, state)
	case stored.Transfers.Name:
		return over[stored.Transfer](stored.Transfers, row, state)
	}
	return over[stored.Reservation](stored.Reservations, row, state)
}

func over[T any, P journal.DocumentRow[T]](t *store.Table[T], row, state []byte) error {
	v := P(new(T))
	if err := t.Codec.Decode(row, v); err != nil {
		return err
	}
	return journal.ReadState(v, state)
}

// DocumentRef returns the table, id and state of the document of an entry row.
func DocumentRef(row []byte) (table string, id api.ID, state []byte) {
	var r journal.Entry
	if err := (journal.Codec{}).Decode(row, &r); err != nil {
		panic(err)
	}
	return [...]string{"", stored.Inbounds.Name, stored.Outbounds.Name, stored.Transfers.Name, stored.Reservations.Name}[r.DocumentRef.Kind], r.DocumentRef.ID, r.DocumentRef.State
}

// RecodeRow decodes and encodes a row of one of the compact tables.
func RecodeRow(kind int, row []byte) ([]byte, error) {
	switch uint(kind) % 3 {
	case 0:
		return recode(stored.Balances, row)
	case 1:
		return recode(stored.LotBalances, row)
	}
	return recode(stored.BalanceKeys, row)
}

// StoredTypes are the types of all stored rows.
var StoredTypes = []any{journal.Entry{}, stored.Inbound{}, stored.Outbound{}, stored.Transfer{}, stored.Reservation{}, stored.BalanceKey{}, stored.Balance{}, stored.LotBalance{}, account.UsageRow{},
	stored.Product{}, stored.Place{}, stored.Lot{}, stored.Serial{}, account.OrganizationRow{}, account.KeyRow{}, account.PlanRow{}, stored.RulesRow{}, api.Organization{}, replica.Position{}}
