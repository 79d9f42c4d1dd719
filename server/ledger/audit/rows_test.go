package audit_test

import (
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

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

// withExpected sets the expected quantity of an inbound row.
func withExpected(row []byte, q int64) []byte {
	return rewrite(stored.Inbounds, row, func(in *stored.Inbound) { in.ExpectedQuantity = q })
}

// withVersion sets the version of an inbound row.
func withVersion(row []byte, n int64) []byte {
	return rewrite(stored.Inbounds, row, func(in *stored.Inbound) { in.Version = n })
}

// withHeld sets the allocated quantity of the first hold of an outbound row.
func withHeld(row []byte, q int64) []byte {
	return rewrite(stored.Outbounds, row, func(o *stored.Outbound) { o.Holds[0][0].Allocated = q })
}

// withReceived sets the received quantity of a transfer row.
func withReceived(row []byte, q int64) []byte {
	return rewrite(stored.Transfers, row, func(t *stored.Transfer) { t.ReceivedQuantity = q })
}

// withHolding sets the quantity of the first hold of a reservation row.
func withHolding(row []byte, q int64) []byte {
	return rewrite(stored.Reservations, row, func(r *stored.Reservation) { r.Holds[0].Quantity = q })
}

// withBalanceAfter adds one to the quantities before and after all movements of an
// entry row.
func withBalanceAfter(row []byte) []byte {
	return rewrite(journal.Entries, row, func(r *journal.Entry) {
		for i := range r.Movements {
			m := &r.Movements[i]
			m.Before++
			r.Balances[m.Balance].Q[m.State] = m.Before + m.Delta
		}
	})
}

// withState sets the document state of an entry row.
func withState(row, state []byte) []byte {
	return rewrite(journal.Entries, row, func(r *journal.Entry) { r.DocumentRef.State = state })
}
