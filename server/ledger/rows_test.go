package ledger_test

import (
	"bincard/server/api"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/stored"
	"bincard/server/store"
)

// recodeDocument decodes and encodes the row of a document.
func recodeDocument(table string, row []byte) ([]byte, error) {
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

// showState decodes a document state over the row of the document.
func showState(table string, row, state []byte) error {
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

// documentRef returns the table, id and state of the document of an entry row.
func documentRef(row []byte) (table string, id api.ID, state []byte) {
	var r journal.Entry
	if err := (journal.Codec{}).Decode(row, &r); err != nil {
		panic(err)
	}
	return [...]string{"", stored.Inbounds.Name, stored.Outbounds.Name, stored.Transfers.Name, stored.Reservations.Name}[r.DocumentRef.Kind], r.DocumentRef.ID, r.DocumentRef.State
}

// recodeRow decodes and encodes a row of one of the compact tables.
func recodeRow(kind int, row []byte) ([]byte, error) {
	switch uint(kind) % 3 {
	case 0:
		return recode(stored.Balances, row)
	case 1:
		return recode(stored.LotBalances, row)
	}
	return recode(stored.BalanceKeys, row)
}
